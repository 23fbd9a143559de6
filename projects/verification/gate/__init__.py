"""The gate: every target of step 1 against what was measured on the written result."""
