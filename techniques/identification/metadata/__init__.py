"""The look-up of column names (GB/T 37964 5.3.2)."""
