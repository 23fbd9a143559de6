"""What each question is called and how it is asked: forms, pages, documents and differences share these."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from .enums import Regulation
from .targets import meanings
from .targets.conditions import OPTIONAL_TARGETS
from .targets.content import RelatedRelease
from .targets.register.content import Ground


class Question(NamedTuple):
    """A field of the target: its name on a page, the sentence that helps to answer it, and its clause. ``goal``: it stands
    for the others in the plan's text; the document lists all of them below it. ``plain``: what
    it means for a person, with a place for its figure."""

    label: Any
    hint: Any = ""
    clause: str = ""
    goal: bool = False
    plain: Any = ""


SCOPE: dict[str, Question] = {
    "regulations": Question(_("Laws and standards that apply"), _("Tick all that apply."), "5.2.2 a"),
    "laws": Question(
        _("What they require in this case"),
        _(
            "Which articles require de-identification of this data, and of which fields? If left "
            "empty, the sentences below for the laws ticked above are recorded."
        ),
        "5.2.2 a",
    ),
    "classification": Question(
        _("Grade under the organisation's policy"),
        _("Important or sensitive data require more than general data."),
        "5.2.2 b",
    ),
    "policy": Question(
        _("Organisation policy"), _("Which rule sets this grade, and what does it require?"), "5.2.2 b"
    ),
    "promise": Question(
        _("Promise when the data was collected"), _("Look it up in the privacy notice."), "5.2.2 c"
    ),
    "source": Question(
        _("Data source"),
        _("Who collected the data, from whom, on what basis and with which notice?"),
        "5.2.2 c",
    ),
    "business": Question(
        _("Business background"),
        _("Source system, business process, and how disclosure could affect the people concerned."),
        "5.2.2 d",
    ),
    "use": Question(_("Data use"), _("What is the released data for, and who will use it?"), "5.2.2 e"),
    "use_risk": Question(
        _("Risk of that use for people"),
        _("How could the use itself affect someone in the data?"),
        "5.2.2 e",
    ),
    "related": Question(
        _("Related releases and projects"),
        _("Tick those with the same people, source or columns: anyone who holds both can link them."),
        "5.2.2 f",
    ),
    "relation": Question(
        _("Relation to earlier releases"),
        _(
            "What was disclosed before, to whom, and how it was de-identified. If nothing was, write “none” and say how you know."
        ),
        "5.2.2 f",
    ),
}

LOOKED_UP = _("The register of releases was looked up on %(day)s. It names:")
FOUND = _("%(number)s %(title)s: %(by)s")
FOUND_OUTSIDE = _("%(number)s %(title)s, made outside the portal: %(by)s")
FOUND_HIDDEN = _("%(number)s, of a project that the planning manager may not see: %(by)s")
NOTHING_DISCLOSED = _(
    "None: nothing from this source was disclosed before, according to its owner and the register of releases."
)
"""The relation that is offered where the register named nothing."""


def named(row: RelatedRelease) -> str:
    """An earlier release as the target names it, with why the register did; a hidden one by its mark alone."""
    if row.is_outside:
        name = gettext("%(name)s, made outside the portal") % {"name": f"{row.number} {row.title}"}
    elif row.title:
        name = f"{row.number} {row.title}"
    else:
        text = gettext("%(number)s: a project that the planning manager may not see; an auditor knows it")
        name = text % {"number": row.number}
    if not row.by:
        return name
    return f"{name} ({gettext(', ').join(str(Ground(one).label) for one in row.by)})"


# What laws and standards ask for, in a sentence that says where.
DEMANDS: dict[str, Any] = {
    Regulation.PIPL.value: _(
        "Personal Information Protection Law, Article 51: personal information is secured by measures such as encryption and "
        "de-identification; Articles 28 to 32: sensitive personal information needs a specific purpose, necessity and strict protection."
    ),
    Regulation.DSL.value: _(
        "Data Security Law, Article 27: technical and other necessary measures secure the data over their whole life."
    ),
    Regulation.GBT_35273.value: _(
        "GB/T 35273-2020, 6.2: personal information is de-identified once it is collected, and what could restore it is kept apart."
    ),
}

FACTORS: dict[str, Question] = {
    "use_after": Question(
        _("Use after de-identification"),
        _("Functions of the systems that will use the result, and how a changed data set affects them."),
        "5.2.3 a",
    ),
    "personal_information": Question(
        _("Promises and personal information involved"),
        _("Which kinds of personal information do the data contain, and what was promised about each?"),
        "5.2.3 b",
    ),
    "protections": Question(
        _("Protections while viewing and using"), _("Tick all that will be in force."), "5.2.3 c"
    ),
    "protection": Question(
        _("How the protections are kept"), _("Who maintains them, and how is that checked?"), "5.2.3 c"
    ),
    "risk_model": Question(_("Risk assessment model"), "", "5.2.3 d"),
    "risk_level": Question(
        _("Risk level and why"),
        _("Properties of the data and of the business that make the level right."),
        "5.2.3 d",
    ),
    "candidates": Question(_("Candidate models and techniques"), _("Tick what may be used."), "5.2.3 e"),
    "applicability": Question(
        _("Why they are suitable"),
        _("Standards that apply to this kind of data, and what the use needs."),
        "5.2.3 e",
    ),
}

PROFILE: dict[str, Question] = {
    "acts": Question(
        _("What recipients may do"),
        _(
            "The portal refuses them the rest. After the release it is not changed: another choice needs a new target and its approval."
        ),
        "T/ISC 0078 11.2 b",
    ),
    "allowed": Question(_("Acts that are allowed"), "", "T/ISC 0078 11.2 b"),
    "queries_a_day": Question(
        _("Greatest number of SQL queries a day and person"),
        _("Leave empty if there is no bound."),
        "T/ISC 0078 11.2 b",
    ),
}

RISK: dict[str, Question] = {
    "k": Question(
        _("Smallest equivalence class (k)"),
        _("Persons who look alike in every quasi-identifier; a class of k hides each of them among k."),
        "B.1",
        goal=True,
        plain=meanings.CLASS_SIZE,
    ),
    "measure": Question(_("Risk measure"), "", "B.1.4.1 b"),
    "max_risk": Question(
        _("Maximum risk of a person"),
        _("One divided by the size of its class; never below 1/k."),
        "B.1.4.1 a",
        goal=True,
        plain=meanings.STRANGER,
    ),
    "average_risk": Question(
        _("Limit of the average"),
        _("Mean over all persons; only with the strict average."),
        "B.1.4.1 b",
        goal=True,
        plain=meanings.GUESS,
    ),
    "strict_cap": Question(
        _("Cap of the strict average"),
        _("Nobody may exceed it: 0.33 means classes of at least three."),
        "B.1.4.1 b",
    ),
    **{
        name: Question(target.label, target.hint, target.clause, goal=True)
        if name == target.name
        else Question(target.kind_label, "", target.clause)
        for target in OPTIONAL_TARGETS
        for name in target.names
    },
    "context_risk": Question(
        _("Probability of an attempt"),
        _(
            "Context risk. Leave at 1 unless it was assessed: insider, acquaintance or breach, whichever is highest."
        ),
        "B.1.4.2",
    ),
    "context_reason": Question(
        _("How that probability was assessed"), _("Required when it is below 1."), "B.1.4.2 b"
    ),
    "overall_threshold": Question(
        _("Overall risk threshold"),
        _("Data risk times context risk may not exceed it."),
        "B.1.4.3",
        goal=True,
        plain=meanings.OVERALL,
    ),
    "suppression_limit": Question(
        _("Suppression limit"),
        _("Share of the records, and of the persons, that may be removed to reach the target."),
        "5.4",
    ),
    "reassess_months": Question(
        _("Re-assess every"), _("Months between two assessments after the release."), "5.6.2"
    ),
    "circulation": Question(
        _("How far the data travel"),
        _(
            "It decides how large the smallest class has to be for the degree of anonymisation. Where controlled sharing stays within the organisation, an agreement is made "
            "only with what the register of organisations has as our own."
        ),
        "T/ISC 0078 7.1",
    ),
    "why": Question(
        _("Why these values"),
        _(
            "Needed by the reader who has to approve them. If left empty and the values are those "
            "suggested, the record says so and refers to the risk level for the reason."
        ),
        "5.2.3 d",
    ),
}
# One for each place in the order in which data are prepared.
PREPARATION: tuple[Question, ...] = (
    Question(
        _("Preparation before treatment: first step"),
        _(
            "What is done to the data before any of it is treated, in this order: for example, giving"
            " values that are written in several ways a single form. It may be nothing."
        ),
        "5.4.2",
    ),
    Question(_("Preparation: second step"), "", "5.4.2"),
    Question(_("Preparation: third step"), "", "5.4.2"),
)
PREPARATION_EXPLAINED = Question(
    _("How the data are prepared, or why they are not"),
    _(
        "Which columns have mixed forms and which form each is given, how large a sample is, which of"
        " a person's rows is kept. If nothing is prepared: why that is not needed."
    ),
    "5.4.2",
)
PLAN_HINTS: dict[str, Any] = {
    "purpose": _("Why the data is de-identified."),
    "goals": _("Unacceptable risk and minimum usefulness, in words that the approver understands."),
    "data_objects": _("Which data, from which system, which fields, how many people."),
    "sharing_mode": _("With whom, how, and under which protections."),
    "team": _("Who does what."),
    "scheme": _("Steps, models and techniques."),
    "stakeholders": _("Whom this concerns: the people in the data, recipients, departments, regulators."),
    "contingency": _("What happens and who acts when someone is re-identified or data leak."),
    "schedule": _("When each step is due; the dates below appear in every task and list."),
}
# One for each stage that has a day in the schedule.
DEADLINES: dict[str, Question] = {
    "objective": Question(_("Plan approved by"), "", "5.2.4"),
    "identification": Question(_("Identification done by"), "", "5.2.4"),
    "processing": Question(_("Processing done by"), "", "5.2.4"),
    "verification": Question(_("Result approved by"), "", "5.2.4"),
    "release": Question(pgettext_lazy("deadline", "Released by"), "", "5.2.4"),
}
ASSESSED = _(
    "Assessment no. %(number)s by %(who)s: deliberate attempt %(deliberate)s (controls %(controls)s, motive "
    "%(motive)s), acquaintance %(acquaintance)s, breach %(breach)s (%(source)s); the largest counts."
)
"""The reason of a probability that an assessment of the surroundings gave."""
