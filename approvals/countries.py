"""Where somebody is to whom data go: countries and regions by their codes in ISO 3166-1, and whether data that go there cross the border."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django_countries import countries

from approvals.governance.person import by_reading

UNKNOWN = _("State the country or region by its code in ISO 3166-1, such as CN or SG.")
HERE = "CN"
"""The mainland: what goes to Hong Kong, Macao and Taiwan crosses the border, too (PIPL 38)."""


def country_choices() -> list[tuple[str, str]]:
    """Each code with its name, in the reader's order; the mainland first."""
    named = sorted(
        ((code, str(name).strip()) for code, name in countries), key=lambda row: by_reading(row[1])
    )
    return sorted(named, key=lambda row: row[0] != HERE)


def country_name(code: str | None) -> str:
    """In the reader's language; empty where no country is stated."""
    return str(countries.name(code)).strip() if code else ""


def is_country(code: str) -> bool:
    return code in countries


def is_abroad(code: str | None) -> bool:
    """An agreement or invitation from before the country was asked for states none, and is not said to be abroad."""
    return bool(code) and code != HERE
