"""The scales for one result, side by side, in the reader's words."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from approvals.decisions.models import Decision, SignOff
from approvals.passages import passage
from projects.core.numbers import beside, count, number, percent
from projects.datasets.tables.names import titled
from projects.identification.enums import Severity
from projects.objective.enums import Level as Grade
from techniques.disclosure_risk.scales.degree import SCENARIO_COEFFICIENTS, Scenario
from techniques.disclosure_risk.scales.safeguards import MANAGEMENT, TECHNICAL
from techniques.disclosure_risk.sizes import keeps

from ...reports.gate import Degree, Level, Overall, Report, TableReport
from ...wording import translated
from ..check import Formula
from .entropy import entropy_rows
from .inference import inference_rows

_THRESHOLDS = {"public": "1/20", "controlled": "1/5", "enclave": "1/3"}


@dataclass(frozen=True)
class ScaleRow:
    """A scale as a row. ``passed`` None: not determined, or the scale ``has_threshold`` not."""

    label: str
    value: str
    passed: bool | None
    plain: str
    formula: Formula | None
    has_threshold: bool = True


def scale_rows(report: Report) -> list[ScaleRow]:
    """Degree, level and overall risk, and beside these three, of each table, the risk by entropy and how well each sensitive
    attribute is guessed.

    A measurement of before the figures were kept has no formula and no overall risk here.
    """
    by_person = report.risk is not None and report.risk.persons is not None
    found = (
        _degree(report.degree, by_person=by_person),
        _level(report.level),
        _overall(report.overall, by_person=by_person),
    )
    return [row for row in found if row is not None] + [
        ScaleRow(**vars(row), passed=None, has_threshold=False)
        for row in (*entropy_rows(report), *inference_rows(report))
    ]


def severity_statements(report: Report) -> list[str]:
    """How much harm the sensitive attributes of each table do, the most harmful first, and the threshold that it led to;
    nothing where nobody said."""
    return [
        titled(
            name,
            _(
                "Harm when it becomes known: %(columns)s. The overall risk is allowed up to %(threshold)s, as the most "
                "harmful of them or the target asks, whichever is less."
            )
            % {
                "columns": _(", ").join(
                    beside(column, str(Severity(one).label)) for column, one in said.columns.items()
                ),
                "threshold": percent(said.threshold),
            },
        )
        for name, table in report.by_table()
        if (said := table.severities)
    ]


def scale_statements(report: TableReport) -> list[str]:
    """Whether the scales agree, and what to make of it where they do not; empty where one was not determined."""
    return [translated(item) for item in report.scales.statements] if report.scales else []


def _degree(found: Degree | None, *, by_person: bool) -> ScaleRow | None:
    if not found:
        return None
    scenario, environment = found.scenario_coefficient, found.environment_coefficient
    name = _(found.scenario_name) if found.scenario_name else ""
    plain = _("Scenario: %(name)s. It is reached at 1 or above, here from K = %(needed)s.") % {
        "needed": found.required_k,
        "name": name,
    }
    label = _("Degree of anonymisation by T/ISC 0078")
    return ScaleRow(
        label=label,
        value=f"{number(found.degree)} · " + (_("reached") if found.passed else _("not reached")),
        passed=found.passed,
        plain=passage((plain, _own_scenario(found), _safeguards(found))),
        formula=Formula(
            label=label,
            expression=_("K × scenario × environment"),
            substituted=f"{found.k} × {number(scenario)} × {number(environment)} = {number(found.degree)}",
            terms=[
                (
                    "K",
                    _("persons of the smallest class") if by_person else _("records of the smallest class"),
                    count(found.k),
                ),
                (_("scenario"), name, number(scenario)),
                (_("environment"), _("safeguards of the recipient"), number(environment)),
            ],
            source="T/ISC 0078-2025 C.2",
        ),
    )


def _own_scenario(found: Degree) -> str:
    """Whose the coefficient of the scenario is, where it is another than the standard suggests."""
    if found.scenario_version is None:
        return ""
    suggested = SCENARIO_COEFFICIENTS[Scenario(found.scenario)]
    return _(
        "The scenario's coefficient is that of version %(number)s of the organisation's table, K = %(own)s for medium safeguards; the "
        "standard suggests K = %(suggested)s."
    ) % {
        "number": found.scenario_version,
        "own": count(round(1 / found.scenario_coefficient)),
        "suggested": count(suggested.denominator),
    }


def degree_statement(found: Degree, signoff: SignOff | None) -> str:
    """What a degree below 1 means for who signs and who receives: what is missing, and why management accepted it.

    ``signoff``: the decision about the result, None while there is none.
    """
    said = _(
        "The degree of anonymisation by T/ISC 0078 is %(degree)s, below 1: K is %(k)s, and %(needed)s"
        " is required (%(scenario)s)."
    ) % {
        "degree": number(found.degree),
        "k": count(found.k),
        "needed": count(found.required_k),
        "scenario": _(found.scenario_name) if found.scenario_name else "–",
    }
    if signoff is None or signoff.decision != Decision.APPROVED:
        then = _(
            "Approving it requires a separate reason from senior management, which reviewers and recipients read."
        )
    elif signoff.acceptance is None:
        then = _("It was approved before a separate reason was required for accepting that.")
    else:
        then = _("Senior management accepts that: “%(reason)s”.") % {
            "reason": signoff.acceptance.rstrip(".。")
        }
    return passage((said, then))


def _safeguards(found: Degree) -> str:
    """Where the coefficient of the environment comes from; nothing for a measurement that does not say."""
    if not found.capability:
        return ""
    if found.assessment is None:
        return _("The recipient's safeguards were not assessed, so they count as the middle value 1.")
    if found.safeguards is None:
        said = _("Safeguards by assessment no. %(number)s: controls “%(controls)s”, motive “%(motive)s”.") % {
            "number": found.assessment,
            "controls": Grade(found.capability).label,
            "motive": Grade(found.motive or "").label,
        }
        by = _("The items of T/ISC 0078 C.5 were not asked about; the grade of the controls is used instead.")
    else:
        said = _(
            "Safeguards by assessment no. %(number)s: technical capability “%(technical)s” (%(technical_points)s of "
            "%(technical_most)s), capability of management “%(management)s” (%(management_points)s of %(management_most)s)."
        ) % {
            "number": found.assessment,
            "technical": Grade(found.safeguards.technical).label,
            "technical_points": number(found.safeguards.technical_points),
            "technical_most": len(TECHNICAL),
            "management": Grade(found.safeguards.management).label,
            "management_points": number(found.safeguards.management_points),
            "management_most": len(MANAGEMENT),
        }
        by = _("The lower grade counts.")
    return passage((said, by, _table(found)))


def _table(found: Degree) -> str:
    """Whose the coefficient of the environment is; nothing for a measurement that does not say."""
    if found.coefficients is None:
        return ""
    if not found.coefficients:
        said = _("Its coefficient is the product's default.")
    else:
        said = _("Its coefficient is that of version %(number)s of the organisation's table.") % {
            "number": found.coefficients
        }
    if found.environment_coefficient <= 1:
        return said
    above = _("It is above 1: the recipient's safeguards count for more than the middle value.")
    return passage((said, above))


def _level(found: Level | None) -> ScaleRow | None:
    if not found:
        return None
    level = found.level
    value = _("not determined") if level is None else _("level %(level)s of 4") % {"level": level}
    label = _("Level by GB/T 42460")
    return ScaleRow(
        label=label,
        value=value,
        passed=None if level is None else level >= 3,
        plain=translated(found.why),
        formula=_level_formula(label, found) if found.sharing_type else None,
    )


def _level_formula(label: str, found: Level) -> Formula:
    is_public = found.sharing_type == "public"
    sign, data = ("R_b", found.maximum) if is_public else ("R_c", found.mean)
    product = f"R = {sign} × pr = {number(data)} × {number(found.context)} = {number(data * found.context)}"
    if found.classes_at_risk:
        product = f"R_a = {number(found.classes_at_risk)} > 0 ⇒ R = 1"
    accepted = "<" if found.overall < found.acceptable else "≥"
    return Formula(
        label=label,
        expression=_("R = 1 if R_a > 0, else %(sign)s × pr; level 3 if R is below the acceptable risk")
        % {"sign": sign},
        substituted=f"{product} {accepted} {number(found.acceptable)}",
        terms=[
            ("τ", _("highest risk of a class"), _THRESHOLDS[found.sharing_type]),
            ("R_a", _("share of the classes above τ"), number(found.classes_at_risk)),
            ("R_b", _("greatest risk of a class"), number(found.maximum)),
            ("R_c", _("mean risk of the classes"), number(found.mean)),
            ("pr", _("probability that someone makes an attempt"), number(found.context)),
        ],
        source="GB/T 42460-2023 D.1",
    )


def _overall(found: Overall | None, *, by_person: bool) -> ScaleRow | None:
    if not found:
        return None
    data, context = found.data, found.environment.value
    is_maximum = data.measure == "maximum"
    plain = _("Data risk times the probability of an attempt; allowed is %(threshold)s.") % {
        "threshold": percent(found.threshold)
    }
    if data.cap_kept is False:
        message = _("It fails for a class of fewer than %(size)s records, whatever the average is.")
        if by_person:
            message = _("It fails for a class of fewer than %(size)s persons, whatever the average is.")
        plain = passage((plain, message % {"size": data.smallest_class}))
    sign = "≤" if keeps(found.value, found.threshold) else ">"
    label = _("Overall risk by GB/T 37964")
    return ScaleRow(
        label=label,
        value=f"{percent(found.value)} · " + (_("accepted") if found.passed else _("not accepted")),
        passed=found.passed,
        plain=plain,
        formula=Formula(
            label=label,
            expression="R = R_max × P" if is_maximum else "R = R_avg × P",
            substituted=f"{number(data.value)} × {number(context)} = {number(found.value)} {sign} "
            f"{number(found.threshold)}",
            terms=[
                (
                    "R_max" if is_maximum else "R_avg",
                    _data_name(is_maximum=is_maximum, by_person=by_person),
                    number(data.value),
                ),
                ("P", _("probability that someone makes an attempt"), number(context)),
            ],
            source="GB/T 37964-2019 B.1.4.3",
        ),
    )


def _data_name(*, is_maximum: bool, by_person: bool) -> str:
    """What the risk of the data is called."""
    if by_person:
        return _("maximum risk of a person") if is_maximum else _("average risk of the persons")
    return _("maximum risk of a record") if is_maximum else _("average risk of the records")
