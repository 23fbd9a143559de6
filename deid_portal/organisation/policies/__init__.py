"""The policy library: what the organisation and the law lay down, in versions, and who has read it."""
