"""What may reach a log: never the payload of a request, a task or an exception."""

from __future__ import annotations

import logging
import traceback


class WithoutPayload(logging.Filter):
    """Replace an exception's text by its type and the place where it was raised.

    The text of an exception from a parser or a database may quote the very cell that broke it.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and record.exc_info[0] is not None:
            kind, value, trace = record.exc_info
            frames = traceback.extract_tb(trace)[-3:]
            places = " < ".join(
                f"{f.filename.rsplit('/', 1)[-1]}:{f.lineno} {f.name}" for f in reversed(frames)
            )
            record.msg = f"{_without(value, record)} [{kind.__name__} at {places}]"
            record.args = ()
            record.exc_info = None
            record.exc_text = None
        return True


def _without(value: object, record: logging.LogRecord) -> str:
    """The first line of the message, in which some loggers (a task runner's) repeat the exception's own text."""
    message = record.getMessage()
    for text in (repr(value), str(value)):
        if len(text) > 1:
            message = message.replace(text, "…")
    return (message.splitlines() or [""])[0][:200]
