"""The terms of the standard that the portal speaks in, both names side by side, explained in our own words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from projects.workflow import STAGES, Stage


@dataclass(frozen=True)
class Term:
    zh: str
    en: str
    text: Any
    clause: str = ""

    @property
    def word(self) -> str:
        """The term in the reader's language."""
        return self.zh if _is_chinese() else self.en

    @property
    def other(self) -> str:
        """The same in the other language."""
        return self.en if _is_chinese() else self.zh

    @property
    def definition(self) -> str:
        return str(self.text)


def _is_chinese() -> bool:
    return (get_language() or "").startswith("zh")


TERMS: tuple[Term, ...] = (
    Term("个人信息", "personal information", _("Anything recorded about a person who is identified or can be identified."), "3.1"),
    Term("去标识化", "de-identification", _("Changing data so that, without further information, nobody can tell whom it is about or link it to them."), "3.3"),
    Term("个人信息主体", "personal information subject", _("The person the data is about."), "3.2"),
    Term("直接标识符", "direct identifier", _("A single attribute that on its own points to one person, such as an identity number."), "3.7"),
    Term("准标识符", "quasi-identifier", _("Attributes that point to a person only in combination, such as birth date, sex and district."), "3.8"),
    Term("敏感属性", "sensitive attribute", _("What must not become known about a person even when the rest is harmless."), "3.10"),
    Term("重标识", "re-identification", _("Linking de-identified data to a person again."), "3.9"),
    Term("重标识风险", "re-identification risk", _("How likely such a link is, measured on the data that leaves the organisation."), "5.5.2"),
    Term("有用性", "usefulness", _("How well the result still serves the purpose that it is shared for."), "3.11"),
    Term("等价类", "equivalence class", _("All rows that have the same quasi-identifiers; a person in a class of five is hidden among five."), "B.1"),
    Term("K-匿名", "k-anonymity", _("Every equivalence class has at least k rows."), "B.1"),
    Term("抑制", "suppression", _("Leaving out values or rows that would reveal someone."), "A.3"),
    Term("泛化", "generalisation", _("Stating less precisely: an age range for an age, a province for an address."), "A.5"),
    Term("假名化", "pseudonymisation", _("Replacing an identifier with a made-up name, always the same for the same person."), "A.4"),
    Term("层次结构", "hierarchy", _("The steps by which a value may be generalised, from itself to “anything”."), "A.5"),
    Term("完全公开共享", "completely public sharing", _("Anyone can get the data and nobody can call it back."), "3.12"),
    Term("受控公开共享", "controlled public sharing", _("Recipients of the data have signed what may not be done with it."), "3.13"),
    Term("领地公开共享", "enclave sharing", _("The data is used inside a closed environment and does not leave it: recipients look at rows and run queries there."), "3.14"),
    Term("实施计划书", "implementation plan", _("What is to be done, by whom, for what, and with which goals; approved before any data is touched."), "5.2.4"),
    Term("监控审查", "monitoring and review", _("Checking during and after every step whether it was done, and done properly."), "5.6"),
    Term("规划管理者", "planning manager", _("Opens the project, determines its target and puts the team together."), "6.1 a"),
    Term("执行者", "executor", _("Works on the data and never reviews that work."), "6.1 b"),
    Term("监督者", "supervisor", _("Reviews each stage and oversees the release, without doing any of the work."), "6.1 c"),
    Term("高级管理层", "senior management", _("Signs the plan and the release."), "5.5.4"),
    Term("封印", "seal", _("A hash over the result, recipe and verification; if any of them changes, the release stops.")),
    Term("审计链", "audit chain", _("A log in which every row carries the hash of the row before, so that nothing can be changed unnoticed.")),
)  # fmt: skip


def terms_of(stage: Stage) -> list[Term]:
    """The terms of a stage, in the order in which its page needs them."""
    known = {term.en: term for term in TERMS}
    return [known[name] for name in STAGES[stage].terms] if stage in STAGES else []
