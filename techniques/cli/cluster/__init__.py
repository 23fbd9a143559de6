"""The commands on a Spark cluster."""
