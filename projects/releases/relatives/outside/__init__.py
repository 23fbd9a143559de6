"""Releases of the organisation that were made outside the portal: what is known of them, who records it, and what they may be related to."""
