"""Links among the columns of a table (GB/T 37964 5.3.4 a): which together single persons out, and which follow from others."""
