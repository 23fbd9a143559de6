"""What is learnt from projects: a look back at each after its release, and the trends over all of them (GB/T 37964 4.2 e)."""
