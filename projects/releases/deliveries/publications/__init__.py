"""Publication of completely public releases: proposed, approved by a second person, and handed out without sign-in."""
