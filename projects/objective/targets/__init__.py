"""What is answered in step 1: scope, factors and plan as typed content, and the targets for risk and usefulness (GB/T 37964 5.2)."""
