"""What a log line must not carry, whoever writes it."""

from __future__ import annotations

import logging
import sys

from deid_portal.logs import WithoutPayload

SECRET = "13800138000 lives at 12 Example Road"


def line(message: str, *args: object) -> str:
    try:
        raise ValueError(SECRET)
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, __file__, 1, message, args, sys.exc_info())
    assert WithoutPayload().filter(record)
    return logging.Formatter("%(message)s").format(record)


def test_an_exception_is_told_by_type_and_place_only():
    text = line("internal fault, reference %s", "ab12cd34")
    assert text.startswith("internal fault, reference ab12cd34 [ValueError at test_logs.py:")
    assert SECRET not in text


def test_a_message_that_repeats_the_exception_loses_its_text():
    for text in (
        line("Task raised unexpected: %s", repr(ValueError(SECRET))),
        line("failed: %s", SECRET),
        line("failed: %s\n%s", "first line only", SECRET),
        line("%s", ""),
    ):
        assert SECRET not in text
        assert "ValueError" in text
