"""Stands in the way of pandas in the processes that tests start: an installation has none, and where there is one pyarrow imports it
for the first array of each process, which takes a second."""

raise ModuleNotFoundError("an installation has no pandas", name="pandas")
