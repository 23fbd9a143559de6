"""The page that assesses the surroundings: plain questions in, the probability of an attack and what would lower it out."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from projects.core.drafts.pages import draft_answer, draft_end
from projects.core.models import Project
from projects.core.numbers import count, number, one_in, percent, probability
from projects.core.pages import project_view
from projects.core.rules import may_see_inside
from techniques.core.messages import EngineError, filled
from techniques.disclosure_risk.scales.degree import (
    SCENARIO_NAMES,
    Capability,
    required_k,
)
from techniques.disclosure_risk.scales.environment import CONTROLS
from techniques.disclosure_risk.scales.recovery import RECOVERY
from techniques.disclosure_risk.scales.recovery import RULE as RECOVERY_RULE
from techniques.disclosure_risk.scales.safeguards import MANAGEMENT, RULE, TECHNICAL
from techniques.disclosure_risk.sizes import keeps

from .. import pages
from ..enums import Part
from ..models import ContextAssessment
from ..rules import may_assess
from ..selectors import risk_targets
from ..targets.risk import scenario_of
from . import context as services
from .coefficients import coefficients
from .context import level_word
from .forms import ContextForm


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def context(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project reads; the planning manager answers while the target is being determined."""
    may_see_inside(request.user, project).require()
    verdict = may_assess(request.user, project)
    newest = services.assessments_of(project).first()
    initial = ContextForm.initial_of(newest.answers) if newest else {}
    form = ContextForm(request.POST if request.method == "POST" else None, initial=initial)
    # Answers are given beside those of the newest assessment, and count for no later one.
    about = newest.number if newest else ""
    if (answer := draft_answer(request, form, verdict, project=project, about=about)) is not None:
        return answer
    if request.method == "POST":
        verdict.require()
        if form.is_valid():
            try:
                made = services.context_assess(project, answers=form.answers, by=request.user)
            except EngineError as error:
                form.add_error(
                    None, filled(_(error.message), error.params) if error.params else _(error.message)
                )
            else:
                draft_end(request, form)
                messages.success(
                    request, _("The assessment was recorded (no. %(number)s).") % {"number": made.number}
                )
                return redirect("objective:context", project_id=project.pk)
    shown = pages.step_frame(project, request.user, Part.TARGETS) | {
        "form": form,
        "rule": _(RULE),
        "recovery_rule": _(RECOVERY_RULE),
        "verdict": verdict,
        "assessment": newest,
        "found": found_of(project, newest) if newest else None,
        "earlier": [
            {"assessment": one, "value": probability(one.finding["value"])}
            for one in services.assessments_of(project)[1:10]
        ],
    }
    return render(request, "objective/context.html", shown, status=pages.form_status(form))


@require_POST
@project_view
def context_take(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager, while the target is being determined: the newest assessment goes into the target."""
    services.context_take(project, by=request.user)
    messages.success(request, _("The probability is now in the target. Check the other values."))
    return redirect("objective:risk", project_id=project.pk)


def found_of(project: Project, assessment: ContextAssessment) -> dict[str, Any]:
    """What was found, in words: the three probabilities, the overall risk, and what each control would buy."""
    found, said = assessment.finding, assessment.answers
    titles = {item.code: _(item.title) for item in CONTROLS}
    graded = {name: level_word(found[name]) for name in ("controls", "motive")}
    # What was assessed before its source was asked for has none.
    trait = source = said.get("prevalence_source", "")
    if said["prevalence"]:
        sentence = (
            _("one person in %(people)s has the trait (%(source)s); someone knows %(known)s people")
            if source
            else _("one person in %(people)s has the trait; someone knows %(known)s people")
        )
        trait = sentence % {
            "people": count(1 / said["prevalence"]),
            "known": count(said["acquaintances"]),
            "source": source,
        }
    by_table = _("Table B.1: controls “%(controls)s”, motive and capacity “%(motive)s”") % graded
    by_chance = f"1 − (1 − {number(said['prevalence'])})^{said['acquaintances']}"
    # Code, name, formula and what that means, in the order of B.1.4.2 b.
    parts = [
        ("deliberate", _("Someone at the recipient makes a deliberate attempt"), by_table, ""),
        ("acquaintance", _("Someone at the recipient recognises an acquaintance"), by_chance, trait),
        ("breach", _("The data leak at the recipient"), said["breach_source"], ""),
    ]

    def graded_row(one: dict[str, Any]) -> dict[str, Any]:
        """What another grade of the controls would make of the probability and of k."""
        context = {"context": probability(one["context"])}
        return {"grade": level_word(one["grade"]), "k": one["k"], "saved": found["k"] - one["k"]} | context

    return {
        "parts": [
            {
                "name": name,
                "value": probability(found[code]),
                "formula": formula,
                "meaning": meaning,
                "clause": f"B.1.4.2 b) {place})",
                "decisive": code == found["decisive"],
            }
            for place, (code, name, formula, meaning) in enumerate(parts, start=1)
        ],
        "safeguards": _safeguards(project, found["safeguards"]) if "safeguards" in found else None,
        "safeguards_source": said.get("safeguards_source", ""),
        "recovery": _recovery(found["recovery"]) if "recovery" in found else None,
        "recovery_source": said.get("recovery_source", ""),
        "value": probability(found["value"]),
        "k": found["k"],
        "threshold": percent(found["threshold"]),
        "overall": _overall(risk_targets(project), found["value"]) if project.sharing_type else None,
        "gains": [graded_row(one) | {"title": titles[one["code"]]} for one in found["gains"]],
        "paths": [
            graded_row(one) | {"titles": [titles[code] for code in one["codes"]]} for one in found["paths"]
        ],
        "grades": [
            graded_row(one) | {"is_now": one["grade"] == found["controls"]} for one in found["grades"]
        ],
    }


def _overall(targets: Any, value: float) -> dict[str, Any]:
    """The overall risk that the targets would allow in these surroundings, against their threshold."""
    average = targets.measure == "strict_average"
    data = targets.average_risk if average and targets.average_risk is not None else targets.max_risk
    return {
        "data": percent(data),
        "value": percent(data * value),
        "words": one_in(data * value),
        "threshold": percent(targets.overall_threshold),
        "passed": keeps(data * value, targets.overall_threshold),
        "average": average,
    }


def _recovery(found: dict[str, Any]) -> dict[str, Any]:
    """Each ground that holds, in words."""
    titles = [_(item.title) for item in RECOVERY if item.code in found["grounds"]]
    return {"titles": titles, "beyond": found["beyond"]}


def _safeguards(project: Project, found: dict[str, Any]) -> dict[str, Any]:
    """Both parts of C.5 with their points and grades, and what coefficient the grade has at this moment."""
    now, grade = coefficients(), Capability(found["capability"])
    sharing: Any = project.sharing_type
    scenario = scenario_of(risk_targets(project), sharing) if sharing else None
    parts = (
        ("technical", _("Technical capability"), TECHNICAL),
        ("management", _("Capability of management"), MANAGEMENT),
    )
    return {
        "parts": [
            {
                "name": name,
                "points": number(found[f"{code}_points"]),
                "most": len(items),
                "grade": level_word(found[code]),
            }
            for code, name, items in parts
        ],
        "grade": level_word(grade),
        "coefficient": number(float(now.of[grade])),
        "version": now.version,
        "scenario": _(SCENARIO_NAMES[scenario]) if scenario else "",
        "k": required_k(now.scenarios[scenario], now.of[grade]) if scenario else None,
    }
