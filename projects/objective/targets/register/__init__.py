"""What was released before that the data may be linked with (5.2.2 f): the organisation's register of releases is looked up for a target."""
