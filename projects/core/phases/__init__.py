"""A project read by T/ISC 0078-2025: its six phases over the same states (clause 6)."""
