"""A recipe on an Apache Spark cluster: the items of :mod:`techniques.engines.local`, its parts treated by many machines."""
