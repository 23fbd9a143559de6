"""The table of levels of a column as a sheet: values down, levels across; groups named, values put into another, levels added."""
