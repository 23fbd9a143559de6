"""The sentences that the portal writes into target and plan; :mod:`projects.core.sentences` says them in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import TextChoices
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from projects.core.enums import SharingType
from projects.core.numbers import beside
from projects.core.sentences import Gap, Sentence, fixed, kept, whole, written_by_portal
from projects.core.sentences import as_read as as_read
from projects.workflow import Role
from techniques.data_utility.targets import TARGET_TYPES

from .. import enums, wording
from ..targets.conditions import OPTIONAL_TARGETS
from ..targets.register.content import Ground

REQUIRED_BY = _("De-identification is required by: %(basis)s.")
IDENTIFY = _(
    "1. Identify the identifiers: look-up, rules applied to every row, and a verdict for every column."
)
PROCESS = _("2. Process them with a recipe, every version of which is kept. Candidates: %(candidates)s.")
VERIFY = _("3. Verify on the written result file. Risk model: %(model)s.")
REVIEWED = _("4. Every step is reviewed by the supervisor; senior management approves the result.")
CONCERNED = _("The people in the data, the department that owns the source system, and the recipients.")
ALARM = _("Anyone who suspects a re-identification or a leak tells the supervisor at once.")
SUSPENDED = _("The supervisor suspends the project; the portal blocks every further step and download.")
PUBLISHED = _("What was published cannot be recalled: the people concerned are told, and sources are closed.")
RECALLED = _("Recipients stop using the data, confirm its destruction, and their access ends.")
NOTIFIED = _(
    "Senior management decides on notification of people and authorities; the risk is assessed again."
)
DUE = _("Each stage is completed by its due date.")
AGAIN = _("Re-assessment: every %(n)s months after the release")
LISTED = _("%(what)s: %(columns)s")
CARRIED_OUT = _("The processing is carried out by: %(party)s.")
FORMER = (
    {
        "zh-hans": "单行最大风险 %(target)s：知道某人这些列取值的陌生人，在%(n)s人中最多认对1人。",
        "en": "Maximum risk of a row %(target)s: A stranger who knows these columns about someone is right about at most 1 in %(n)s people.",
    },
    {
        "zh-hans": "单个人的最大风险 %(target)s：知道某人这些列取值的陌生人，在%(n)s人中最多认对1人。",
        "en": "Maximum risk of a person %(target)s: A stranger who knows these columns about someone is right about at most 1 in %(n)s people.",
    },
    {
        "zh-hans": "平均风险的上限 %(target)s：就全部行而言，每%(n)s次猜测至多有1次正确。",
        "en": "Limit of the average %(target)s: Over all rows, at most 1 guess in %(n)s is right.",
    },
    {
        "zh-hans": "平均风险的上限 %(target)s：对所有人而言，每%(n)s次猜测至多有1次正确。",
        "en": "Limit of the average %(target)s: Over all persons, at most 1 in %(n)s guesses is right.",
    },
    {
        "zh-hans": "总体风险阈值 %(target)s：数据风险乘以重标识尝试的概率：至多为%(n)s分之一。",
        "en": "Overall risk threshold %(target)s: Risk of the data multiplied by the probability of an attempt: at most 1 in %(n)s.",
    },
)
"""Lines that plans of before hold and the portal no longer writes."""
_LIST = _(", ")


_BESIDE = Sentence(lambda: beside("%(text)s", "%(more)s"))


def _parts(text: str, language: str) -> list[str]:
    with translation.override(language):
        return text.split(str(_LIST))


def _listed(parts: Iterable[Any]) -> str:
    return str(_LIST).join(map(str, parts))


def _labels(*choices: type[TextChoices]) -> Gap:
    """A list of labels, each of which may have the mark of a list in itself."""

    def said(text: str, language: str) -> str | None:
        with translation.override(language):
            known = {str(one.label): one.label for several in choices for one in several}
            mark = re.escape(str(_LIST))
        label = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
        if text and not re.fullmatch(f"(?:{label})(?:{mark}(?:{label}))*", text):
            return None
        return _listed(known[found] for found in re.findall(label, text) if text)

    return Gap(said)


def _people(text: str, language: str) -> str:
    """Names, each with the department in brackets where one is known."""
    with translation.override(language):
        pattern = _BESIDE.pattern
    people = [(pattern.fullmatch(part), part) for part in _parts(text, language)]
    return _listed(beside(found["text"], found["more"]) if found else part for found, part in people)


def _share(text: str, language: str) -> str:
    """A probability without what it means, which only the exact number tells."""
    with translation.override(language):
        found = _BESIDE.pattern.fullmatch(text)
    return found["text"] if found else text


_BOUND = kept(r"[≥≤<] ?\S.*?")
_NAMES = Gap(lambda text, language: _listed(_parts(text, language)), ".+?")


def _goal(label: Any, plain: Any) -> Sentence:
    """A target of risk with its bound and what that means."""

    def template() -> str:
        return str(LISTED) % {"what": f"{whole(label)} %(target)s", "columns": plain}

    return Sentence(template, {"target": _BOUND, "p": Gap(_share)})


def _useful(title: str, *, named: bool) -> Sentence:
    """A target of usefulness with its bound, for certain columns or for all."""

    def template() -> str:
        said = whole(translation.gettext(title))
        return f"{str(LISTED) % {'what': said, 'columns': '%(columns)s'} if named else said} %(target)s"

    return Sentence(template, {"target": _BOUND, "columns": _NAMES})


def _former(said: Mapping[str, str]) -> Sentence:
    return Sentence(lambda: said[get_language() or "en"], {"target": _BOUND})


@written_by_portal
def _sentences() -> tuple[Sentence, ...]:
    # The forms offer sentences, and are made after what they show.
    from ..forms import FactorsForm, PlanForm, RiskForm, ScopeForm

    steps = (IDENTIFY, REVIEWED, CONCERNED, ALARM, SUSPENDED, PUBLISHED, RECALLED, NOTIFIED, DUE)
    offered = [one for form in (ScopeForm, FactorsForm, RiskForm, PlanForm) for one in form.offers.values()]
    level = _labels(enums.Level)
    return (
        *map(fixed, (*steps, *(one for several in offered for one in several), RiskForm.SUGGESTED)),
        Sentence(lambda: str(AGAIN)),
        *map(_former, FORMER),
        Sentence(lambda: str(REQUIRED_BY), {"basis": _labels(enums.Regulation)}),
        Sentence(lambda: str(PROCESS), {"candidates": _labels(enums.Candidate)}),
        Sentence(lambda: str(VERIFY), {"model": _labels(enums.RiskModel)}),
        Sentence(lambda: str(wording.ASSESSED), {"controls": level, "motive": level}),
        Sentence(lambda: "%(labels)s", {"labels": _labels(SharingType, enums.Protection)}),
        Sentence(lambda: str(wording.LOOKED_UP)),
        Sentence(lambda: str(wording.FOUND_HIDDEN), {"by": _labels(Ground)}),
        # A title may have the mark in itself that stands behind it.
        Sentence(
            lambda: str(wording.FOUND_OUTSIDE),
            {"number": kept(r"O-\d+"), "title": kept(".+"), "by": _labels(Ground)},
        ),
        Sentence(
            lambda: str(wording.FOUND), {"number": kept(r"\S+"), "title": kept(".+"), "by": _labels(Ground)}
        ),
        Sentence(lambda: str(CARRIED_OUT), {"party": kept(".+")}),
        Sentence(lambda: str(LISTED), {"what": _labels(Role), "columns": Gap(_people)}),
        *(_goal(one.label, one.plain) for one in wording.RISK.values() if one.plain),
        *(_goal(one.label, kind.plain) for one in OPTIONAL_TARGETS for kind in one.kinds.values()),
        *(_useful(model.title, named=named) for model in TARGET_TYPES.values() for named in (True, False)),
    )
