"""The target in words: the same rows on the page, in the document and in the difference of two versions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.db.models import TextChoices
from django.utils.translation import gettext as _

from projects.core.enums import SharingType
from projects.core.numbers import amount, bound, percent, probability
from projects.core.returns import justified_rows
from projects.workflow import State
from techniques import catalogue
from techniques.disclosure_risk.scales.degree import SCENARIO_NAMES

from . import enums, wording
from .plan.need.wording import need_rows
from .plan.sentences import as_read
from .surroundings.profile.presentation import stated_rows
from .targets import meanings
from .targets.conditions import OPTIONAL_TARGETS
from .targets.content import RelatedRelease
from .targets.risk import RiskTargets, scenario_of
from .targets.utility import utility_rows

Said = Callable[[str], str]
"""How stored text is said: in the reader's language where it is the portal's own, or as it is stored."""

_CHOICES: dict[str, type[TextChoices]] = {
    "regulations": enums.Regulation,
    "classification": enums.Classification,
    "promise": enums.Promise,
    "use_risk": enums.Level,
    "protections": enums.Protection,
    "risk_model": enums.RiskModel,
    "candidates": enums.Candidate,
}


def _label(choices: type[TextChoices], value: Any) -> str:
    return str(choices(value).label) if value in choices.values else str(value)


def _answer(name: str, value: Any, said: Said) -> str:
    if name == "related":
        return "\n".join(_related(row) for row in value) or _("None ticked")
    choices = _CHOICES.get(name)
    if choices is None:
        return said(str(value))
    if isinstance(value, list):
        return "\n".join(_label(choices, item) for item in value)
    return _label(choices, value)


def _related(row: Mapping[str, Any]) -> str:
    parts = [wording.named(RelatedRelease(**row))]
    if row.get("sharing_type"):
        parts.append(_label(SharingType, row["sharing_type"]))
    if row.get("state"):
        parts.append(_label(State, row["state"]))
    return " · ".join(parts)


def _rows(
    questions: Mapping[str, wording.Question], content: Mapping[str, Any] | None, said: Said
) -> list[dict[str, str]]:
    if content is None:
        return []
    return [
        {"key": str(question.label), "value": _answer(name, content[name], said), "hint": question.clause}
        for name, question in questions.items()
        if name in content
    ]


def scope_rows(scope: Mapping[str, Any] | None, said: Said = as_read) -> list[dict[str, str]]:
    return _rows(wording.SCOPE, scope, said)


def law_rows(scope: Mapping[str, Any]) -> list[dict[str, str]]:
    """The laws that apply and the grade, each in one line: what whoever signs has to know of the scope."""
    named = {name: scope[name] for name in ("regulations", "classification") if name in scope}
    return [row | {"value": row["value"].replace("\n", _("; "))} for row in scope_rows(named)]


def notice_rows(notice: Mapping[str, Any] | None) -> list[dict[str, str]]:
    """The privacy notice on file by name and hash; no row where there is none."""
    if notice is None:
        return []
    named = f"{notice['name']}\nSHA-256 {notice['sha256']}"
    return [{"key": _("Privacy notice or consent text"), "value": named, "hint": "5.2.2 c"}]


def ground_rows(rests_on: Iterable[Mapping[str, Any]] | None) -> list[dict[str, str]]:
    """The versions of laws, standards and policies that the target rests on; no row where there are none."""
    lines = [ground_text(one) for one in rests_on or ()]
    if not lines:
        return []
    return [{"key": _("Rests on, by the policy library"), "value": "\n".join(lines), "hint": "5.2.2 a"}]


def ground_text(ground: Mapping[str, Any]) -> str:
    return _("%(title)s, version %(number)s (SHA-256 %(hash)s)") % {
        "title": f"{ground['title']} {ground['edition']}".strip(),
        "number": ground["version"],
        "hash": ground["hash"][:12],
    }


def factor_rows(factors: Mapping[str, Any] | None, said: Said = as_read) -> list[dict[str, str]]:
    return _rows(wording.FACTORS, factors, said)


def plan_rows(plan: Mapping[str, Any] | None, said: Said = as_read) -> list[dict[str, str]]:
    """The nine sections in the order of the standard; how the data are prepared, where the plan says it, stands under the
    scheme that it belongs to (``under``)."""
    rows: list[dict[str, str]] = []
    if plan is None:
        return rows
    for section in enums.Section:
        rows.append({"key": str(section.label), "value": said(plan[section.value]), "under": ""})
        if section is enums.Section.SCHEME and (prepared := plan.get("preparation")) is not None:
            text = preparation_text(prepared, said)
            rows.append({"key": _("Preparation (5.4.2)"), "value": text, "under": str(section.label)})
        if section is enums.Section.SCHEDULE and (days := deadline_lines(plan)):
            rows.append({"key": _("Deadlines"), "value": "\n".join(days), "under": str(section.label)})
    return rows


def deadline_lines(plan: Mapping[str, Any]) -> list[str]:
    """The day by which each stage is done, as far as the plan names one, a line each."""
    days = plan.get("deadlines") or {}
    return [
        _("%(step)s %(day)s") % {"step": question.label, "day": days[name]}
        for name, question in wording.DEADLINES.items()
        if name in days
    ]


def schedule_text(plan: Mapping[str, Any]) -> str:
    """What a plan says about when, in one line: the day of each stage where it names days, and otherwise its text."""
    return _("; ").join(deadline_lines(plan)) or as_read(str(plan.get(enums.Section.SCHEDULE, "")))


def preparation_text(prepared: Mapping[str, Any], said: Said = as_read) -> str:
    """What a plan says of preparation: the steps in their order and how, or that there are none and why."""
    return f"{preparation_order(prepared)}\n{said(prepared['explanation'])}"


def preparation_order(said: Mapping[str, Any]) -> str:
    """The steps alone, or that there are none."""
    names = [_(catalogue.get(key).name) for key in said["steps"]]
    return " → ".join(names) or _("Nothing is prepared")


def circulation_label(risk: RiskTargets, sharing_type: str) -> str:
    """How far the data travel, as the target says or the sharing type has it."""
    return _(SCENARIO_NAMES[scenario_of(risk, sharing_type)])


def risk_rows(risk: RiskTargets, sharing_type: str, said: Said = as_read) -> list[dict[str, str]]:
    """{key, label, target, plain, why, clause} for every risk target that is checked."""
    public = sharing_type == SharingType.PUBLIC

    def row(key: str, target: str, plain: str, why: str = "") -> dict[str, str]:
        question = wording.RISK[key]
        return {
            "key": key,
            "label": str(question.label),
            "target": target,
            "plain": plain,
            "why": why,
            "clause": question.clause,
        }

    measure = (
        _("The person who is easiest to find counts.")
        if risk.measure == "max"
        else _("The mean over all persons counts, under a cap.")
    )
    why_measure = (
        _("Anyone may try to show that one person can be found, so a single person is enough to fail.")
        if public
        else _("One person who is too easy to find is enough to fail, whoever the recipients are.")
        if risk.measure == "max"
        else _(
            "Recipients are known and bound, so the typical person counts; the cap protects the untypical one."
        )
    )
    rows = [
        row(
            "k",
            bound(risk.k, "count", "at_least"),
            str(meanings.CLASS_SIZE) % {"k": risk.k},
        ),
        row("measure", measure_label(risk.measure), measure, why_measure),
        row(
            "max_risk",
            bound(risk.max_risk, "share", "at_most"),
            str(meanings.STRANGER) % {"p": probability(risk.max_risk)},
        ),
    ]
    if risk.average_risk is not None:
        rows += [
            row(
                "average_risk",
                bound(risk.average_risk, "share", "at_most"),
                str(meanings.GUESS) % {"p": probability(risk.average_risk)},
            ),
            row(
                "strict_cap",
                bound(risk.strict_cap, "share", "at_most"),
                _("Nobody may be found with a probability of more than %(p)s.")
                % {"p": probability(risk.strict_cap)},
            ),
        ]
    for target in OPTIONAL_TARGETS:
        if (asked := getattr(risk, target.name)) is not None:
            plain = str(target.plain(risk)) % {target.name: amount(asked, target.unit)}
            rows.append(row(target.name, bound(asked, target.unit, target.sense), plain))
    if public:
        context_why = _("With completely public data, someone will make an attempt.")
    else:
        context_why = said(risk.context_reason) or _("Not assessed, so the worst is assumed.")
    if risk.circulation is not None:
        why = _("The degree of anonymisation is judged by it, not as the sharing type has it.")
        rows.append(
            row(
                "circulation",
                circulation_label(risk, sharing_type),
                str(enums.Circulation(risk.circulation).label),
                why,
            )
        )
    rows += [
        row(
            "context_risk",
            percent(risk.context_risk),
            _("The probability that someone makes an attempt is taken as %(p)s.")
            % {"p": percent(risk.context_risk)},
            context_why,
        ),
        row(
            "overall_threshold",
            bound(risk.overall_threshold, "share", "at_most"),
            str(meanings.OVERALL) % {"p": probability(risk.overall_threshold)},
            said(risk.why),
        ),
        row(
            "suppression_limit",
            bound(risk.suppression_limit, "share", "at_most"),
            _("At most this share of the records, and of the persons, may be removed to reach the target."),
        ),
        row(
            "reassess_months",
            _("%(n)s months") % {"n": risk.reassess_months},
            _("After the release the risk is re-assessed at this interval."),
        ),
    ]
    return rows


def measure_label(measure: str) -> str:
    return _("Maximum risk") if measure == "max" else _("Strict average risk")


def version_rows(content: Mapping[str, Any], said: Said = as_read) -> list[dict[str, str]]:
    """All of a version as (key, value) rows, for documents and differences."""
    sharing = content["sharing_type"]
    rows = [
        {"key": _("Title"), "value": content["title"]},
        {"key": _("What the data will be used for"), "value": content["summary"]},
        {"key": _("Sharing type"), "value": _label(SharingType, sharing) if sharing else ""},
    ]
    rows += need_rows(content.get("need"))
    rows += scope_rows(content["scope"], said) + notice_rows(content.get("notice"))
    rows += ground_rows(content.get("rests_on"))
    rows += factor_rows(content["factors"], said) + stated_rows(content["factors"], sharing)
    if content["risk"] is not None and sharing:
        targets = risk_rows(RiskTargets(**content["risk"]), sharing, said)
        rows += [{"key": r["label"], "value": f"{r['target']} {r['why']}".strip()} for r in targets]
    rows += [{"key": r["label"], "value": r["target"]} for r in utility_rows(content["utility"] or [])]
    return rows + plan_rows(content["plan"], said) + justified_rows(content.get("justifications", ()))


def difference_rows(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """(label, before, after) for what changed between two versions; as it is stored where only the language of it did."""
    old, new = _keyed(before, as_read), _keyed(after, as_read)
    stored_old, stored_new = _keyed(before, str), _keyed(after, str)
    found = []
    for key in dict.fromkeys([*old, *new]):
        shown, stored = (
            (one.get(key, ""), two.get(key, "")) for one, two in ((old, new), (stored_old, stored_new))
        )
        if stored[0] != stored[1]:
            found.append((key[0], *(stored if shown[0] == shown[1] else shown)))
    return found


def _keyed(content: Mapping[str, Any], said: Said) -> dict[tuple[str, int], str]:
    """Rows by label and occurrence, because two utility targets may share a label."""
    found: dict[tuple[str, int], str] = {}
    for row in version_rows(content, said):
        occurrence = 0
        while (row["key"], occurrence) in found:
            occurrence += 1
        found[row["key"], occurrence] = row["value"]
    return found
