"""The command ``deid``, one module a verb."""
