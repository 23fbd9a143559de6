"""Outside assessments of a project: who orders one, what it covers, and what the assessor reports (GB/T 37964 5.5.1)."""
