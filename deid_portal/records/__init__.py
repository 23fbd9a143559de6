"""Records of the people who de-identify (GB/T 37964 6.2): what each post asks for, checks, agreements, training."""
