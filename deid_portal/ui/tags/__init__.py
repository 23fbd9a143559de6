"""The template tags, one module a family; ``templatetags/ui.py`` gathers them into ``{% load ui %}``."""
