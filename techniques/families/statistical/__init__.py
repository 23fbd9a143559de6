"""Statistical techniques (GB/T 37964 A.1): sampling and aggregation."""
