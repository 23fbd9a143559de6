"""The secret rules for tables of statistics (T/ISC 0078 10.5): named sets, each version of which two persons put in force."""
