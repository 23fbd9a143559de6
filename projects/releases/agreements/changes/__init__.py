"""Changes of what senior management signed about recipients, and the terms that recipients accept."""
