"""Tables of statistics of a project: made by the executor, reviewed, signed, and had by recipients (T/ISC 0078 10.5)."""
