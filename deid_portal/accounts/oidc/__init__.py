"""Sign-in by the organisation's own OpenID Connect provider: who somebody is comes from there, what they may do never does."""
