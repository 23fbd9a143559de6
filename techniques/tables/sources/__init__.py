"""Tables that are no plain CSV, XLSX or Parquet file: packed ones, further forms, and folders of parts.

Each becomes a file that the readers know, streamed, and each result can be written in these forms.
"""
