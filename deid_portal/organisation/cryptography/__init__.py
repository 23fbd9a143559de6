"""What cryptography the organisation allows (GB/T 37964 A.2.1)."""
