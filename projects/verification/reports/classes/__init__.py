"""The classes of a measured result with their values (T/ISC 0078 C.3 c): listed by the measurement, looked at on the record."""
