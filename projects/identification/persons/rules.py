"""Whether a decision whose rows a table holds can stand, and whether one is still missing."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from projects.datasets.models import Dataset
from projects.datasets.selectors import dataset_columns

from ..models import IdentificationRound, PersonKey
from ..rules import LONG_REASON, SHORT_REASON, IdentificationReason
from ..selectors import person_key_in, round_now
from .selectors import Candidate, Key, candidates_of, links_of_persons, signs_of, was_looked_for

MOST_COLUMNS = 20
"""As many as the key of a recipe may have."""


class PersonsReason(Reason):
    NO_COLUMNS = "no_key_columns", _("Choose the columns that make up the key of a person, at most 20.")
    NOT_COUNTED = "not_counted", _("First count the rows of each person by this key: %(columns)s.")
    LINK_OF_PERSONS = (
        "link_of_persons",
        _(
            "The link %(link)s says that the values of its columns stand for persons. Choose that "
            "key, or state on the data page that the link does not stand for persons."
        ),
    )
    LINK_NOT_OF_PERSONS = (
        "link_not_of_persons",
        _(
            "The link %(link)s says that the values of its columns do not stand for persons. Choose another key, or say on "
            "the data page that the link is of persons."
        ),
    )
    NO_REASON = "no_key_reason", _("Give a reason for the decision.")
    LONG_REASON_NEEDED = (
        "long_key_reason_needed",
        _(
            "According to %(columns)s, the table appears to have several rows per person. A decision "
            "against that needs a reason of at least %(length)s characters, which the reviewer will "
            "see."
        ),
    )
    NOBODY_SAID = (
        "nobody_said",
        _(
            "According to %(columns)s, this table appears to have several rows per person, and nobody "
            "has decided whether it does."
        ),
    )
    NOT_LOOKED_FOR = (
        "not_looked_for",
        _("This scan did not look for several rows per person: scan again, or decide whose rows they are."),
    )


def may_be_counted(round_: IdentificationRound, columns: Sequence[str]) -> Verdict:
    """Whether ``columns`` can be the key of a person: columns of the file, each once."""
    if not columns or len(columns) > MOST_COLUMNS or len(set(columns)) < len(columns):
        return deny(PersonsReason.NO_COLUMNS)
    header = dataset_columns(round_.dataset)
    unknown = next((column for column in columns if column not in header), None)
    return ALLOW if unknown is None else deny(IdentificationReason.NO_SUCH_COLUMN, column=unknown)


def may_stand(round_: IdentificationRound, columns: Key, reason: str) -> Verdict:
    """Whether the decision for the key ``columns``, or none, agrees with the links and is argued for as far as it must."""
    candidates = candidates_of(round_)
    agrees = _agrees(round_, columns, candidates)
    if not agrees:
        return agrees
    if columns and not any(one.columns == columns and one.counted for one in candidates):
        return deny(PersonsReason.NOT_COUNTED, columns=_(", ").join(columns))
    length = len(reason.strip())
    if length < SHORT_REASON:
        return deny(PersonsReason.NO_REASON)
    sign = against(columns, candidates)
    if sign is not None and length < LONG_REASON:
        return deny(PersonsReason.LONG_REASON_NEEDED, columns=_(", ").join(sign.columns), length=LONG_REASON)
    return ALLOW


def against(columns: Key, candidates: Sequence[Candidate]) -> Candidate | None:
    """What speaks against the decision that one row is one person; None for a key, and where nothing does."""
    return None if columns else next((one for one in candidates if one.is_sign), None)


def _agrees(round_: IdentificationRound, columns: Key, candidates: Sequence[Candidate]) -> Verdict:
    """A link of persons and the key of its table are one notion: who is counted in the one is counted in the other."""
    table = round_.dataset.table
    links = links_of_persons(table)
    if columns in links:
        return ALLOW
    for one in candidates:
        if one.link and not columns and one.counted is None:
            return deny(PersonsReason.NOT_COUNTED, columns=_(", ").join(one.columns))
        if one.link and (columns or (one.counted and one.counted.repeats)):
            return deny(PersonsReason.LINK_OF_PERSONS, link=one.link)
    others = links_of_persons(table, of_person=False)
    if columns in others:
        return deny(PersonsReason.LINK_NOT_OF_PERSONS, link=others[columns])
    return ALLOW


def is_settled(round_: IdentificationRound, key: PersonKey | None) -> Verdict:
    """Whether the question whose rows they are is answered, or need not be asked: the reason why a stage may not pass."""
    candidates = signs_of(round_)
    if key is not None:
        return _agrees(round_, tuple(key.columns), candidates)
    if not was_looked_for(round_):
        return deny(PersonsReason.NOT_LOOKED_FOR)
    asked = next((one for one in candidates if one.is_sign or (one.link and one.counted is None)), None)
    return ALLOW if asked is None else deny(PersonsReason.NOBODY_SAID, columns=_(", ").join(asked.columns))


def settled_key(dataset: Dataset) -> tuple[str, ...] | None:
    """The columns by which rows of ``dataset`` are of one person: () where a row is a person, because somebody said so or nothing
    speaks against it; None where that is not settled, or not of these data."""
    round_ = round_now(dataset.table)
    if round_ is None or round_.dataset_id != dataset.pk:
        return None
    key = person_key_in(round_)
    if not is_settled(round_, key):
        return None
    return () if key is None else tuple(key.columns)
