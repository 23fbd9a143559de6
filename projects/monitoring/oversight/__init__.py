"""What senior management itself reviews of the records of a stage, once its supervisor has passed it (5.6.1)."""
