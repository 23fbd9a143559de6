"""A suggestion for each column from both methods (GB/T 37964 5.3.1), with its provenance.

Each method gives opinions with a confidence. Opinions on the same kind support each other; the kind
with most support wins, and weak opinions, which chance hits give on any column, have no vote beside
a strong one. The suggestion decides nothing: the verdict is a person's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel

from techniques.core.attributes import AttributeRole
from techniques.core.kinds import NEARLY_EVERY_ROW, ColumnSign, kind_of
from techniques.core.messages import _
from techniques.identification.metadata.lookup import MatchedHow, MetadataMatch
from techniques.identification.reports import ColumnScan, Finding, ScanReport

WEAK = 0.35
"""Below this an opinion is kept in the provenance but does not vote."""
KEPT_MESSAGES = (_("%(hits)d whole values and %(inside)d texts have the form, %(checked)d of them proven."),)
"""What earlier versions said, in findings that are kept: they stay in the catalogue."""
_WHOLE = 0.5
"""Share of a column from which a kind says what the column is; below, what it contains."""


class Opinion(BaseModel, frozen=True):
    """What one method says of a column; ``contains``: the kind is in it, but is not what it is."""

    method: Literal["lookup", "rules"]
    kind: str
    role: AttributeRole
    confidence: float
    contains: bool
    votes: bool
    message: str
    params: dict[str, str | int | float]


class Suggestion(BaseModel, frozen=True):
    """The role and kind that the methods suggest for a column; ``kind`` empty: nothing was found."""

    column: str
    role: AttributeRole
    kind: str
    confidence: float
    contains: tuple[str, ...]
    provenance: tuple[Opinion, ...]


def suggest(
    columns: Sequence[str], matches: Mapping[str, MetadataMatch], report: ScanReport
) -> dict[str, Suggestion]:
    """A suggestion for each of ``columns`` from the look-up's ``matches`` and the rules' ``report``."""
    return {
        column: _suggest(column, _opinions(column, matches.get(column), report.columns.get(column)))
        for column in columns
    }


def _suggest(column: str, opinions: Sequence[Opinion]) -> Suggestion:
    support: dict[tuple[str, AttributeRole], float] = defaultdict(float)
    for opinion in opinions:
        if opinion.votes and not opinion.contains:
            # Two methods that agree leave less doubt than either: doubts multiply.
            key = (_family(opinion.kind, opinions), opinion.role)
            support[key] = 1 - (1 - support[key]) * (1 - opinion.confidence)
    hidden = tuple(
        sorted(
            {o.kind for o in opinions if o.contains and o.votes and o.role == AttributeRole.DIRECT_IDENTIFIER}
        )
    )
    order = list(AttributeRole)
    ranked = sorted(support.items(), key=lambda item: (-round(item[1], 6), order.index(item[0][1])))
    kind, role, confidence = ("", AttributeRole.OTHER, 0.0)
    if ranked:
        (kind, role), confidence = ranked[0]
    if hidden and role != AttributeRole.DIRECT_IDENTIFIER:
        # A remark with identity numbers in it must be treated like them, whatever else it says.
        confidence = max(o.confidence for o in opinions if o.contains and o.kind in hidden)
        kind, role = kind or "free_text", AttributeRole.DIRECT_IDENTIFIER
    return Suggestion(
        column=column,
        role=role,
        kind=kind,
        confidence=round(confidence, 3),
        contains=hidden,
        provenance=tuple(opinions),
    )


def _family(kind: str, opinions: Sequence[Opinion]) -> str:
    """The kind under which an opinion's vote counts."""
    named = {o.kind for o in opinions if o.method == "lookup"}
    # Rules see a date, or a code, where the name tells which: the more telling kind takes the vote.
    return next((other for other in named if kind in kind_of(other).seen_as), kind)


def _opinions(column: str, match: MetadataMatch | None, scan: ColumnScan | None) -> list[Opinion]:
    opinions = []
    if match is not None:
        opinions.append(
            Opinion(
                method="lookup",
                kind=match.kind,
                role=match.role,
                confidence=_name_confidence(match, scan),
                contains=False,
                votes=True,
                message={
                    MatchedHow.EXACT: _("The name is “%(alias)s” in the metadata table."),
                    MatchedHow.NORMALISED: _("The name corresponds to “%(alias)s” in the metadata table."),
                    MatchedHow.CONTAINS: _("The name contains “%(alias)s” of the metadata table."),
                }[match.how],
                params={"alias": match.matched_alias},
            )
        )
    for finding in scan.findings if scan is not None else ():
        assert scan is not None
        opinions.append(_rule_opinion(finding, few=scan.distinct < NEARLY_EVERY_ROW * scan.rows))
    return sorted(opinions, key=lambda o: -o.confidence)


def _name_confidence(match: MetadataMatch, scan: ColumnScan | None) -> float:
    """A name is worth less when every value was read and the rules, which know the kind well, found
    none of it: an “identity number” column may hold internal codes."""
    if scan is None or scan.rows == scan.missing or not kind_of(match.kind).plain_form:
        return match.confidence
    seen = {finding.kind for finding in scan.findings}
    return match.confidence if seen & {match.kind, "id_number_like"} else match.confidence * 0.7


def _inside(finding: Finding) -> str:
    """What is said where longer texts contain the kind; those that are proven are counted over both."""
    proven = finding.checked_hits > 0
    if not finding.hits:
        if proven:
            return _("%(inside)d texts contain something of the form, %(checked)d of them proven.")
        return _("%(inside)d texts contain something of the form.")
    if proven:
        return _(
            "%(hits)d values have the form and %(inside)d texts contain something of it, %(checked)d of all proven."
        )
    return _("%(hits)d values have the form and %(inside)d texts contain something of it; none is proven.")


def _rule_opinion(finding: Finding, *, few: bool) -> Opinion:
    """``few``: fewer values are different than nearly every row has."""
    is_key = kind_of(finding.kind).column_sign is not None
    contains = not is_key and finding.rate < _WHOLE
    # A kind known by its form alone, in few rows, is what chance gives.
    by_chance = finding.confidence < WEAK or (contains and finding.strength < 2 and finding.checked_hits == 0)
    if finding.kind == "row_number":
        message = _("The values count the rows.")
    elif few and kind_of(finding.kind).column_sign is ColumnSign.UNIQUE:
        message = _("At least half of the rows with a value hold one that few others share.")
    elif is_key:
        message = _("The values are different in nearly every row or look like a key.")
    elif finding.substring_hits:
        message = _inside(finding)
    elif finding.checked_hits:
        message = _("%(hits)d values have the form, %(checked)d of them proven.")
    else:
        message = _("%(hits)d values have the form; none is proven.")
    return Opinion(
        method="rules",
        kind=finding.kind,
        role=finding.role,
        confidence=finding.confidence,
        contains=contains,
        votes=not by_chance,
        message=message,
        params={"hits": finding.hits, "inside": finding.substring_hits, "checked": finding.checked_hits},
    )
