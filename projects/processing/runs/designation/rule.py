"""The rule: from the evidence about a result to what it may be called, with every reason.

It claims less rather than more. What is not known counts against a stronger word, and one reason is enough.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from techniques.core.messages import gettext_noop

SMALLEST_GROUP = 3
"""Persons below whom a figure is no statistic: the least threshold of ISO/IEC 20889 10.4 in use."""
LEAST_LEVEL = 3
"""Of GB/T 42460, clause 4: no direct identifier, and the risk below what is acceptable."""


class Designation(models.TextChoices):
    NONE = "none", _("Not determined")
    DEIDENTIFIED = "deidentified", _("De-identified")
    ANONYMISED = "anonymised_relative", _("Anonymised (relative)")
    AGGREGATED = "aggregated", _("Aggregated")


STRONGER = (Designation.ANONYMISED, Designation.AGGREGATED)
"""What says more than that a result was treated."""


@dataclass(frozen=True)
class Reason:
    """One reason: its code in :data:`REASONS`, and what stands in the sentence."""

    code: str
    params: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Found:
    """What a result may be called, and why."""

    designation: Designation
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What is known of a result. Columns are as they are named to people; None: not known.

    ``keys``, ``mappings``, ``listed``, ``shares``, ``drawn``: columns whose values come back by a kept key, a kept mapping table,
    a list that stands in the recipe, enough holders together, or a kept seed. ``linkable``: columns in which equal values became equal pseudonyms. ``extremes``: figures of
    groups that are, or may be, the value of one person; ``dominated``: sums and means that one or two persons make up nearly
    alone; ``few``: figures of too few persons; ``uncounted``: figures behind which nobody counted the persons. In a table of
    which nobody said whose the rows are, all of them and ``smallest_group`` are of rows. ``smallest_group`` None: its rows are
    not all groups, or nobody counted these.
    """

    keys: tuple[str, ...] = ()
    mappings: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    shares: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    linkable: tuple[str, ...] = ()
    smallest_group: int | None = None
    extremes: tuple[str, ...] = ()
    dominated: tuple[str, ...] = ()
    few: tuple[str, ...] = ()
    uncounted: tuple[str, ...] = ()
    persons_known: bool = False
    """Whether somebody said which rows are of one person, or that each is a person."""
    gate: bool | None = None
    direct: bool = False
    searched: bool = False
    """Whether every row was searched for direct identifiers."""
    allowed: tuple[str, ...] = ()
    """Columns with findings, or that tell records apart, which a person allowed to stay."""
    unique: bool = False
    """Whether somebody who knows all rows of a person tells the person apart."""
    level: int | None = None
    """Of GB/T 42460."""
    risk_holds: bool | None = None
    """Whether the degree is at least 1 and the overall risk within its threshold."""
    public: bool = True
    assessed: bool = False
    """Whether somebody assessed what recipients can and want to do."""
    assessment: int | None = None
    """Number of the assessment by which it was measured; of a result that needed none, the newest that was taken into the target."""
    recovery: tuple[str, ...] | None = None
    """Grounds of T/ISC 0078 5.1 c 1 on which recovery is beyond reasonable effort, as the assessment found; None: nobody answered. It is asked
    last, where nothing else stands against the stronger word."""
    recipients: int = 0
    bound: int = 0
    """Recipients with an agreement in force."""
    against: tuple[str, ...] = ()
    """Codes of :data:`REASONS` that became known after the measurement."""


REASONS = {
    "not_measured": gettext_noop(
        "The result has not been measured: nobody knows yet how easily a person is found in it."
    ),
    "gate": gettext_noop("The result did not pass every check of the gate."),
    "direct": gettext_noop("A direct identifier was found in the result."),
    "keys": gettext_noop("The key on which %(columns)s rests is kept."),
    "mappings": gettext_noop("A mapping table of %(columns)s is kept."),
    "listed": gettext_noop(
        "The list by which %(columns)s was replaced stands in the recipe, which is kept, and leads back from most of its values."
    ),
    "shares": gettext_noop("Enough holders of shares get the values of %(columns)s back together."),
    "drawn": gettext_noop(
        "What was drawn by chance for %(columns)s can be drawn again, for the seed of the run is kept."
    ),
    "linkable": gettext_noop(
        "Equal values of %(columns)s were replaced by equal ones: rows of equal value can be put together."
    ),
    "extremes": gettext_noop("A figure of %(columns)s may be the value of one person."),
    "extremes_of_rows": gettext_noop("A figure of %(columns)s may be the value of one row or person."),
    "dominated": gettext_noop("A figure of %(columns)s is dominated by one or two persons."),
    "dominated_by_rows": gettext_noop("A figure of %(columns)s is dominated by one or two rows or persons."),
    "few": gettext_noop("A figure of %(columns)s is made of fewer than %(least)d persons."),
    "few_rows": gettext_noop("A figure of %(columns)s is made of fewer than %(least)d rows or persons."),
    "uncounted": gettext_noop("Nobody counted of how many values each figure of %(columns)s is made."),
    "small_group": gettext_noop(
        "The smallest group has %(size)d persons; below %(least)d a figure is no statistic."
    ),
    "small_group_of_rows": gettext_noop(
        "The smallest group has %(size)d rows or persons; below %(least)d a figure is no statistic."
    ),
    "persons": gettext_noop("Nobody said which rows belong to one person."),
    "searched": gettext_noop("Not every row was searched for direct identifiers."),
    "allowed": gettext_noop(
        "%(columns)s tells records apart, or was found to identify, and was allowed to stay."
    ),
    "unique": gettext_noop("Some persons can be told apart by whoever knows all their rows."),
    "no_level": gettext_noop("No level of GB/T 42460 could be determined."),
    "level": gettext_noop("It is of level %(level)d of GB/T 42460, below level %(least)d."),
    "risk": gettext_noop(
        "The degree of anonymisation is below 1, the overall risk too high, or one of them unknown."
    ),
    "public": gettext_noop(
        "It is shared publicly: nobody knows what all who get it know, and no agreement binds them."
    ),
    "not_assessed": gettext_noop(
        "Nobody assessed what the recipients can and want to do to find persons again."
    ),
    "recovery_unknown": gettext_noop(
        "Nobody answered whether extra information, lawful means, time, effort and resources leave it open to find persons again."
    ),
    "recoverable": gettext_noop(
        "By the assessment of the surroundings persons are not beyond recovery with reasonable effort: no ground of it is met in full."
    ),
    "no_recipient": gettext_noop(
        "No recipient is named, and the anonymity is relative to those who get the data."
    ),
    "unbound": gettext_noop("Not every recipient has an agreement in force."),
    "holder": gettext_noop("Somebody who fetched the data has no agreement in force any more."),
    "others": gettext_noop(
        "There are other releases of these data, or with the same pseudonyms, and what they tell together is not counted here."
    ),
    "seal": gettext_noop("The seal of the release is broken."),
    "not_met": gettext_noop("Its newest re-assessment did not meet every target."),
    "suspended": gettext_noop("The project is suspended."),
    "nothing_kept": gettext_noop(
        "No key, seed, mapping table or share is kept that leads back from the result, and no pseudonym links rows."
    ),
    "risk_holds": gettext_noop("It passed the gate and is of level %(level)d of GB/T 42460."),
    "all_bound": gettext_noop(
        "What the recipients can and want to do was assessed, and each of them has an agreement in force."
    ),
    "information": gettext_noop(
        "By the assessment of the surroundings, extra information that leads back to persons is out of reach of who may get the data."
    ),
    "means": gettext_noop("By the assessment of the surroundings, no lawful means lead back to persons."),
    "time": gettext_noop(
        "By the assessment of the surroundings, finding a person again would take an unreasonable time."
    ),
    "effort": gettext_noop(
        "By the assessment of the surroundings, finding a person again would take unreasonable effort."
    ),
    "resources": gettext_noop(
        "By the assessment of the surroundings, finding a person again would take unreasonable resources."
    ),
    "relative": gettext_noop(
        "That holds for these recipients while their agreements last, and not for whoever has the source."
    ),
    "groups": gettext_noop("Every row has figures of a group; the smallest group has %(size)d persons."),
}
"""The sentence of each reason, untranslated."""

MEANING = {
    Designation.NONE: gettext_noop("Nothing may be claimed of the result yet."),
    Designation.DEIDENTIFIED: gettext_noop(
        "It was treated so that persons are not to be found without further information, and passed the gate. It stays personal information."
    ),
    Designation.ANONYMISED: gettext_noop(
        "As far as it was measured and assessed, these recipients do not find the persons again with reasonable effort."
    ),
    Designation.AGGREGATED: gettext_noop("Figures of groups, none of a single person."),
}


def designated(of: Evidence) -> Found:
    """What may be claimed of a result with this evidence."""
    if reasons := _nothing(of):
        return Found(Designation.NONE, tuple(reasons))
    kept = _leads_back(of) + [Reason(code) for code in of.against]
    is_groups = of.smallest_group is not None
    weaker = kept + (_no_statistics(of) if is_groups else _no_anonymity(of))
    if weaker:
        return Found(Designation.DEIDENTIFIED, tuple(weaker))
    if is_groups:
        size = Reason("groups", {"size": of.smallest_group})
        return Found(Designation.AGGREGATED, (size, Reason("nothing_kept")))
    if not of.recovery:
        code = "recovery_unknown" if of.recovery is None else "recoverable"
        return Found(Designation.DEIDENTIFIED, (Reason(code),))
    held = (
        Reason("nothing_kept"),
        Reason("risk_holds", {"level": of.level}),
        Reason("all_bound"),
        *(Reason(ground) for ground in of.recovery),
        Reason("relative"),
    )
    return Found(Designation.ANONYMISED, held)


def recovery_decides(of: Evidence) -> bool:
    """Whether nothing stands against calling it anonymised but what is known of a recovery with reasonable effort."""
    return designated(replace(of, recovery=("means",))).designation == Designation.ANONYMISED


def _nothing(of: Evidence) -> list[Reason]:
    """Why nothing may be claimed: nobody measured it, or it did not pass."""
    if of.gate is None:
        return [Reason("not_measured")]
    return [Reason("direct")] * of.direct + [Reason("gate")] * (not of.gate)


def _leads_back(of: Evidence) -> list[Reason]:
    """T/ISC 0078 5.1 a 3: what leads back to the values, or from row to row of a person."""
    leads = {
        "keys": of.keys,
        "mappings": of.mappings,
        "listed": of.listed,
        "shares": of.shares,
        "drawn": of.drawn,
        "linkable": of.linkable,
    }
    return [Reason(code, {"columns": columns}) for code, columns in leads.items() if columns]


def _left_in(of: Evidence) -> list[Reason]:
    """What of the persons may still stand in the result."""
    reasons = [Reason("persons")] * (not of.persons_known) + [Reason("searched")] * (not of.searched)
    return reasons + ([Reason("allowed", {"columns": of.allowed})] if of.allowed else [])


def _no_statistics(of: Evidence) -> list[Reason]:
    """Why a figure may tell of a single person."""
    reasons, least = _left_in(of), {"least": SMALLEST_GROUP}
    if of.extremes:
        code = "extremes" if of.persons_known else "extremes_of_rows"
        reasons.append(Reason(code, {"columns": of.extremes}))
    if of.dominated:
        code = "dominated" if of.persons_known else "dominated_by_rows"
        reasons.append(Reason(code, {"columns": of.dominated}))
    if of.few:
        reasons.append(Reason("few" if of.persons_known else "few_rows", {"columns": of.few} | least))
    if of.uncounted:
        reasons.append(Reason("uncounted", {"columns": of.uncounted}))
    if of.smallest_group is not None and of.smallest_group < SMALLEST_GROUP:
        code = "small_group" if of.persons_known else "small_group_of_rows"
        reasons.append(Reason(code, {"size": of.smallest_group} | least))
    return reasons


def _no_anonymity(of: Evidence) -> list[Reason]:
    """T/ISC 0078 5.1 c 1: what the recipients could still do with reasonable effort, as far as anybody knows."""
    reasons = _left_in(of) + [Reason("unique")] * of.unique
    if of.level is None:
        reasons.append(Reason("no_level"))
    elif of.level < LEAST_LEVEL:
        reasons.append(Reason("level", {"level": of.level, "least": LEAST_LEVEL}))
    reasons += [Reason("risk")] * (of.risk_holds is not True)
    if of.public:
        return [*reasons, Reason("public")]
    reasons += [Reason("not_assessed")] * (not of.assessed)
    if not of.recipients:
        reasons.append(Reason("no_recipient"))
    elif of.bound < of.recipients:
        reasons.append(Reason("unbound"))
    return reasons
