"""What the data lose by the treatment: records, cells, detail."""
