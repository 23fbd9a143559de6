"""The API: the same services, the same rules and the same reasons as the pages."""

from .errors import exception_handler

__all__ = ["exception_handler"]
