"""How names of organisations are compared, and which numbers of theirs are wrong."""

from __future__ import annotations

import unicodedata

from approvals.countries import HERE
from techniques.identification.checks import is_credit_code

CREDIT_CODE = 18
"""So many characters has a unified social credit code (GB 32100)."""


def key_of(name: str) -> str:
    """The name without case, spaces and widths: 某医院（东区） and 某医院 (东区) are one."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(folded.split())


def code_of(code: str) -> str:
    """As it is kept."""
    return unicodedata.normalize("NFKC", code).strip().upper()


def is_wrong(code: str, country: str) -> bool:
    """Whether it has the length of a unified social credit code of the mainland and is none; others are not checked."""
    return country == HERE and len(code) == CREDIT_CODE and not is_credit_code(code)
