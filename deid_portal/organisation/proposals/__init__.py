"""What one person proposes and another puts in force: versions that stay, each with who, when and why."""
