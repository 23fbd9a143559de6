"""A tour for each kind of person: what they will do here, in a few stops, shown at their first sign-in and whenever they want it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from projects.workflow.posts import Post

from ..selectors import memberships_held


class Audience(models.TextChoices):
    """Who is led round."""

    PLANNER = "planner", _("Planning manager")
    EXECUTOR = "executor", _("Executor")
    SUPERVISOR = "supervisor", _("Supervisor")
    MANAGEMENT = "management", _("Senior management")
    RECIPIENT = "recipient", _("Recipient")
    OVERSEER = "overseer", _("Auditor")
    ASSESSOR = "assessor", _("External assessor")
    ADMINISTRATOR = "administrator", _("Administrator")


@dataclass(frozen=True)
class Stop:
    """One thing to know, and the page on which it is found, if it has one of its own."""

    title: Any
    text: Any
    page: str = ""


_TASKS = Stop(
    _("Your tasks come to you"),
    _(
        "The home page lists what is waiting for you: signatures, then reviews, then work. Each line opens the page where the work continues."
    ),
    "core:home",
)
_WHY = Stop(
    _("Nothing is disabled without a reason"),
    _(
        "A button that is disabled says why. The bar at the top of a project shows its stage and who is responsible."
    ),
)
_WORDS = Stop(
    _("Words are explained where they appear"),
    _(
        "Point at a word with a dotted underline, or move to it with the Tab key, to read what it means. All terms are on one page, in both languages."
    ),
    "core:help_glossary",
)

TOURS_KNOWN = "tours_known"
"""Key of a session: whether a person has seen the tour of an audience, so that the account is asked once."""

TOURS: dict[Audience, tuple[Stop, ...]] = {
    Audience.PLANNER: (
        Stop(
            _("You open projects"),
            _("Give it a title, a team and its target in five steps. What you type is kept as a draft; you can also start from an earlier project."),
            "core:projects",
        ),
        Stop(
            _("You plan, and others judge"),
            _("The supervisor reviews your plan and senior management signs it. No file can be uploaded before that."),
        ),
        Stop(
            _("You release the result"),
            _("Once the result is approved, you seal and release it. Each recipient first needs a signed agreement, which you record; completely public sharing needs none."),
        ),
        _TASKS,
        _WORDS,
    ),
    Audience.EXECUTOR: (
        _TASKS,
        Stop(
            _("From the file to the result"),
            _("You upload the file, decide about every column, run a recipe and have the result measured. The portal makes suggestions where it can, with the evidence."),
        ),
        Stop(
            _("You never judge your own work"),
            _("Each stage goes to the supervisor. What is returned is shown with its reason at the top of the page where you revise it."),
        ),
        _WHY,
        _WORDS,
    ),
    Audience.SUPERVISOR: (
        _TASKS,
        Stop(
            _("A review covers every requirement"),
            _("What was submitted is shown beside the form, changes first. You answer each requirement separately; keys 1 and 0 move to the next one."),
        ),
        Stop(
            _("You oversee what was released"),
            _("Report a change, open a re-assessment, and conclude it. The board shows every re-assessment of your projects."),
            "board:page",
        ),
        _WHY,
    ),
    Audience.MANAGEMENT: (
        Stop(
            _("You decide, on one screen"),
            _("Who receives what for which purpose, the worst case and every caveat are shown beside your decision. It requires your password or a second-step code."),
            "core:home",
        ),
        Stop(
            _("Your signature applies to exactly one content"),
            _("If one letter of the plan or one byte of the result changes, it needs a new signature."),
        ),
        Stop(
            _("You can return it instead"),
            _("Your reason is shown on every page where the work is done, and unchanged work cannot be resubmitted without a justification."),
        ),
        _WORDS,
    ),
    Audience.RECIPIENT: (
        Stop(
            _("What was released to you"),
            _("Every release that you may have is on one page; open it to see what it is and, where you have signed an agreement, what you may use it for."),
            "recipient:list",
        ),
        Stop(
            _("Read the notice, then collect the data"),
            _("The notice says what the data can and cannot tell. The portal verifies the seal before it hands the file out, and records each delivery."),
        ),
        Stop(
            _("Keep to your agreement"),
            _("Where you have signed an agreement, keep to it: do not identify anyone, link the data with other data or pass them on. Completely public data need no agreement."),
        ),
    ),
    Audience.OVERSEER: (
        Stop(
            _("You read everything and change nothing"),
            _("Every project, with its documents and decisions, is open to you; you do none of the work."),
            "core:projects",
        ),
        Stop(
            _("The log says who did what, when and why"),
            _("It holds every step of every project and can be filtered by person, action and day."),
            "audit:log",
        ),
        Stop(
            _("Check the chain yourself"),
            _("Every line carries the hash of the one before. One button verifies it to its end."),
            "audit:verify",
        ),
        _WORDS,
    ),
    Audience.ASSESSOR: (
        Stop(
            _("You see what you are to assess"),
            _("A project is open to you, with its documents, decisions and history, as long as you have an order for it; you change nothing in it."),
            "core:projects",
        ),
        Stop(
            _("The order stands among your tasks"),
            _("It says what is to be assessed, against what, and until when. What deviates you raise as findings, and you report once."),
            "core:home",
        ),
        _WORDS,
    ),
    Audience.ADMINISTRATOR: (
        Stop(
            _("You manage accounts"),
            _("You open and close accounts and appoint people to posts. You never see project data."),
            "accounts:accounts",
        ),
        Stop(
            _("You maintain the organisation's rules"),
            _("The name and logo, the policies and the metadata table are on the organisation page."),
            "organisation:page",
        ),
        _WHY,
    ),
}  # fmt: skip

_OF_POST = {
    Post.RECIPIENT: Audience.RECIPIENT,
    Post.AUDITOR: Audience.OVERSEER,
    Post.ASSESSOR: Audience.ASSESSOR,
    Post.ADMINISTRATOR: Audience.ADMINISTRATOR,
    Post.PLANNER: Audience.PLANNER,
}


def audience_of(user: Person) -> Audience:
    """By the post, and among staff by the newest role; who has none yet is shown what executors do."""
    if (given := _OF_POST.get(Post(user.post))) is not None:
        return given
    held = max(memberships_held(user.pk), key=lambda one: one.since, default=None)
    return Audience.EXECUTOR if held is None else Audience(held.role)
