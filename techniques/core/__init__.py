"""What the whole engine shares: messages, settings, the shapes in which data pass, secrets."""
