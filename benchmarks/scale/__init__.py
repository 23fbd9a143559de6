"""What a row costs: ``deid risk`` and a run of ten steps at growing sizes, on this machine and on Spark (``make bench-scale``)."""
