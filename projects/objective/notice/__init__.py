"""The privacy notice under which the data were collected (GB/T 37964 5.2.2 c)."""
