"""The sentences that the portal writes into target and plan, and a stored one said in the reader's language.

What is saved is text, signed as it stands. A line of it that is the portal's own, word by word in one of its languages, is said
anew to whoever reads another one; every other line is a person's and stays as it was typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db.models import TextChoices
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from projects.core.enums import SharingType
from projects.core.numbers import beside
from projects.workflow import Role
from techniques.data_utility.targets import TARGET_TYPES

from .. import enums, wording
from ..targets.conditions import OPTIONAL_TARGETS

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
_MARKS = {"：": "(?:：|: )", "（": r"(?:（| \()", "）": r"(?:）|\))"}
"""In Chinese drafts of before there were the marks of English."""

Said = Callable[[str, str], str | None]


@dataclass(frozen=True)
class Gap:
    """What may stand in a sentence, and how that is said anew: of a text and its language; None where it is not the portal's own."""

    said: Said
    pattern: str = ".*?"


@dataclass(frozen=True)
class Sentence:
    """``template`` in the active language, with a place for each of ``gaps``; others are figures and names, which stay."""

    template: Callable[[], str]
    gaps: Mapping[str, Gap] = field(default_factory=dict)


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
        pattern = _pattern(_BESIDE)
    people = [(pattern.fullmatch(part), part) for part in _parts(text, language)]
    return _listed(beside(found["text"], found["more"]) if found else part for found, part in people)


def _share(text: str, language: str) -> str:
    """A probability without what it means, which only the exact number tells."""
    with translation.override(language):
        found = _pattern(_BESIDE).fullmatch(text)
    return found["text"] if found else text


_BOUND = Gap(lambda text, _language: text, r"[≥≤<] ?\S.*?")
_NAMES = Gap(lambda text, language: _listed(_parts(text, language)), ".+?")


def _fixed(sentence: Any) -> Sentence:
    return Sentence(lambda: _whole(sentence))


def _goal(label: Any, plain: Any) -> Sentence:
    """A target of risk with its bound and what that means."""

    def template() -> str:
        return str(LISTED) % {"what": f"{_whole(label)} %(target)s", "columns": plain}

    return Sentence(template, {"target": _BOUND, "p": Gap(_share)})


def _useful(title: str, *, named: bool) -> Sentence:
    """A target of usefulness with its bound, for certain columns or for all."""

    def template() -> str:
        said = _whole(translation.gettext(title))
        return f"{str(LISTED) % {'what': said, 'columns': '%(columns)s'} if named else said} %(target)s"

    return Sentence(template, {"target": _BOUND, "columns": _NAMES})


def _former(said: Mapping[str, str]) -> Sentence:
    return Sentence(lambda: said[get_language() or "en"], {"target": _BOUND})


def _whole(text: Any) -> str:
    return str(text).replace("%", "%%")


@lru_cache(maxsize=1)
def _sentences() -> tuple[Sentence, ...]:
    # The forms offer sentences, and are made after what they show.
    from ..forms import FactorsForm, PlanForm, RiskForm, ScopeForm

    fixed = (IDENTIFY, REVIEWED, CONCERNED, ALARM, SUSPENDED, PUBLISHED, RECALLED, NOTIFIED, DUE)
    offered = [one for form in (ScopeForm, FactorsForm, RiskForm, PlanForm) for one in form.offers.values()]
    level = _labels(enums.Level)
    return (
        *map(_fixed, (*fixed, *(one for several in offered for one in several), RiskForm.SUGGESTED)),
        Sentence(lambda: str(AGAIN)),
        *map(_former, FORMER),
        Sentence(lambda: str(REQUIRED_BY), {"basis": _labels(enums.Regulation)}),
        Sentence(lambda: str(PROCESS), {"candidates": _labels(enums.Candidate)}),
        Sentence(lambda: str(VERIFY), {"model": _labels(enums.RiskModel)}),
        Sentence(lambda: str(wording.ASSESSED), {"controls": level, "motive": level}),
        Sentence(lambda: "%(labels)s", {"labels": _labels(SharingType, enums.Protection)}),
        Sentence(lambda: str(LISTED), {"what": _labels(Role), "columns": Gap(_people)}),
        *(_goal(one.label, one.plain) for one in wording.RISK.values() if one.plain),
        *(_goal(one.label, kind.plain) for one in OPTIONAL_TARGETS for kind in one.kinds.values()),
        *(_useful(model.title, named=named) for model in TARGET_TYPES.values() for named in (True, False)),
    )


def _pattern(sentence: Sentence) -> re.Pattern[str]:
    """What the sentence looks like in the active language."""
    template = sentence.template()
    names = dict.fromkeys(re.findall(r"%\((\w+)\)s", template))
    text = re.escape(template % {name: f"\0{name}\0" for name in names}).replace("\\\0", "\0")
    for mark, either in _MARKS.items():
        text = text.replace(mark, either)
    for name in names:
        gap = sentence.gaps.get(name)
        text = text.replace(f"\0{name}\0", f"(?P<{name}>{gap.pattern if gap else '.+?'})")
    return re.compile(text)


@lru_cache(maxsize=8)
def _patterns(language: str) -> list[tuple[re.Pattern[str], Sentence]]:
    with translation.override(language):
        return [(_pattern(sentence), sentence) for sentence in _sentences()]


def as_read(text: str) -> str:
    """``text`` as it was saved, with the portal's own lines in the reader's language."""
    others = [language for language, _name in settings.LANGUAGES if language != get_language()]
    return "\n".join(_line(line, others) for line in text.split("\n"))


def _line(line: str, languages: Iterable[str]) -> str:
    for language in languages:
        for pattern, sentence in _patterns(language):
            if (found := pattern.fullmatch(line)) and (said := _anew(found, sentence, language)) is not None:
                return said
    return line


def _anew(found: re.Match[str], sentence: Sentence, language: str) -> str | None:
    filled = {
        name: gap.said(text, language) if (gap := sentence.gaps.get(name)) else text
        for name, text in found.groupdict().items()
    }
    return None if None in filled.values() else sentence.template() % filled
