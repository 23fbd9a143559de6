"""The record of talks with authorities, with technical units outside and with partners (6.1 a)."""
