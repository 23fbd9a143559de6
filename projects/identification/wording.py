"""What the methods found, in words that a compliance officer reads; never a bare number, never a value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from approvals.passages import passage
from projects.core.numbers import count, percent
from techniques.core.kinds import KINDS, NEARLY_EVERY_ROW, ColumnSign, kind_of
from techniques.core.messages import of_one

from .lookup import metadata_table
from .reports import ColumnReport, LookupResult, RuleFinding

MOST = 0.5
Why = Iterable[tuple[str, Mapping[str, Any]]]
"""What speaks for a suggestion: message ids with their parameters."""
_WHOLE = re.compile(r"%\((\w+)\)d")
HOW: dict[str, Any] = {
    "exact": gettext_lazy("the name is in the metadata table (“%(alias)s”)"),
    "normalised": gettext_lazy("the name is in the metadata table in another spelling (“%(alias)s”)"),
    "contains": gettext_lazy("the name contains a name of the metadata table (“%(alias)s”)"),
}


def kind_names() -> dict[str, str]:
    """Kind code → name in the reader's language: the vocabulary and the organisation's own identifiers."""
    names = {code: _(kind.name) for code, kind in KINDS.items()}
    names.update({code: _(name) for code, name in metadata_table().names.items()})
    return names


def kind_name(code: str) -> str:
    """The name of one kind; the organisation's table is asked only for identifiers of its own."""
    if code in KINDS:
        return _(KINDS[code].name)
    return _(metadata_table().names.get(code, code))


def finding(report: ColumnReport, found: RuleFinding, names: Mapping[str, str]) -> list[str]:
    """The sentences about one finding, without its kind's name at the front."""
    sign = kind_of(found.kind).column_sign
    if sign is ColumnSign.COUNTS:
        return [_("The values count the rows.")]
    if sign is ColumnSign.UNIQUE:
        share = report.distinct / max(report.present, 1)
        text = (
            _("Nearly every row has a unique value: %(distinct)s different ones in %(present)s (%(share)s).")
            if report.distinct >= NEARLY_EVERY_ROW * report.rows
            else _(
                "At least half of the rows with a value have one that few others share: %(distinct)s "
                "different values in %(present)s (%(share)s)."
            )
        )
        numbers = {"distinct": count(report.distinct), "present": count(report.present)}
        return [text % {**numbers, "share": percent(share)}]
    if sign is ColumnSign.CODES:
        text = _(
            "Codes of the same form, %(distinct)s different ones in %(present)s values: probably a key of persons."
        )
        return [text % {"distinct": count(report.distinct), "present": count(report.present)}]
    sentences = []
    if found.hits:
        text = _("%(hits)s of %(present)s values (%(share)s) have this form: %(kind)s.")
        sentences.append(text % _numbers(report, found.hits, found, names))
    if found.substring_hits:
        text = ngettext(
            "Inside the longer text of %(hits)s of %(present)s values (%(share)s): %(kind)s.",
            "Inside the longer texts of %(hits)s of %(present)s values (%(share)s): %(kind)s.",
            found.substring_hits,
        )
        sentences.append(text % _numbers(report, found.substring_hits, found, names))
    if found.checked_hits:
        text = _("%(checked)s of them pass the check-digit test or have an unmistakable form.")
        sentences.append(text % {"checked": count(found.checked_hits)})
    return sentences


def _numbers(report: ColumnReport, hits: int, found: RuleFinding, names: Mapping[str, str]) -> dict[str, str]:
    return {
        "hits": count(hits),
        "present": count(report.present),
        "share": percent(hits / report.present if report.present else 0.0),
        "kind": names.get(found.kind, found.kind),
    }


def first_rows(found: RuleFinding) -> str:
    """The first rows with the finding, to look it up in the source; empty where it is nearly everywhere."""
    if not found.first_rows or kind_of(found.kind).column_sign is not None or found.rate >= MOST:
        return ""
    return _("First rows: %(rows)s") % {"rows": _(", ").join(count(row) for row in found.first_rows)}


def lookup(result: LookupResult) -> str:
    """How the name was found in the metadata table."""
    return str(HOW[result.how]) % {"alias": result.alias}


def kinds_in_words(findings: Iterable[RuleFinding], names: Mapping[str, str]) -> str:
    """Kinds with their rows: “Citizen identity number (3 rows)”."""
    parts = []
    for found in findings:
        text = ngettext("%(kind)s (%(rows)s row)", "%(kind)s (%(rows)s rows)", found.rows)
        parts.append(text % {"kind": names.get(found.kind, found.kind), "rows": count(found.rows)})
    return _(", ").join(parts)


def confidence(value: float) -> str:
    """How sure the suggestion is, in a word."""
    if value >= 0.9:
        return _("Very sure")
    if value >= 0.8:
        return _("Sure")
    if value >= 0.6:
        return _("Likely")
    return _("Unsure")


def reasons(report: ColumnReport) -> list[str]:
    """What speaks for the suggestion, a sentence each."""
    return _said(report.suggestion.why) if report.suggestion is not None else []


def _said(why: Why) -> list[str]:
    return [_with_counts(_(text), dict(params)) for text, params in why]


def _with_counts(text: str, params: dict[str, Any]) -> str:
    """``text`` of the scan with its numbers as the portal writes them."""
    if not params:
        return text
    written = {name: count(value) if isinstance(value, int) else value for name, value in params.items()}
    return _WHOLE.sub(r"%(\1)s", of_one(text, params)) % written


def _as_once_written(why: Why) -> list[str]:
    """The sentences without separators in their numbers, as verdicts of earlier days took them over."""
    return [_(text) % dict(params) if params else _(text) for text, params in why]


def written(why: Why) -> list[str]:
    """What spoke for a suggestion as a verdict has it (:func:`recorded`), now and in earlier days; nothing where nothing did."""
    return [" ".join(said) for said in (_said(why), _as_once_written(why)) if said]


def recorded(report: ColumnReport) -> str:
    """What speaks for the suggestion as a verdict that takes it over has it: kept and hashed with a blank between sentences."""
    return " ".join(reasons(report))


def suggested_sentences(report: ColumnReport) -> list[str]:
    """Every sentence that the portal says for its suggestion, in each of its languages, the longest first."""
    sentences = []
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            why = report.suggestion.why if report.suggestion is not None else ()
            for said in (_said(why), _as_once_written(why)):
                whole = " ".join(said)
                parts = re.findall(r"[^.。]+[.。]?", whole)
                sentences += [whole, passage(said), *(part.strip() for part in parts)]
    return sorted(filter(None, set(sentences)), key=len, reverse=True)
