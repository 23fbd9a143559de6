"""Secret shares: one file to one holder (GB/T 37964 A.2.6)."""
