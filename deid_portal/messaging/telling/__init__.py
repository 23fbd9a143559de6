"""Telling people: what is to be told is found out, put into words when it is sent, and delivered."""
