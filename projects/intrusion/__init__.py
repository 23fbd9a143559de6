"""Tests by intruders: people try to recognise somebody in a result, and others check what they claim (5.5.2 d, e)."""
