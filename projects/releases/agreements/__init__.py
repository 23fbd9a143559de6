"""Agreements with recipients and their scans."""
