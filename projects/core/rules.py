"""May this project, may this user, may they see it: three questions, each answered with a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import current_draft
from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from approvals.passages import in_a_row
from approvals.request_cache import one_reading
from projects.workflow import MOVES, STATES, TERMINAL, Move, Role, State
from projects.workflow.posts import POST_OF_ROLE, AppointedPost, Post, Tenure, TenureKind

from .assessments.selectors import is_ordered, orders_of
from .enums import INSIDE_ROLES, JUDGES
from .evidence import EvidenceState, evidence_state
from .models import Project
from .returns import unexplained
from .selectors import acting_membership, role_of, roles_of_person
from .succession.stead import stood_in_as


class CoreReason(Reason):
    NOT_YOUR_ROLE = "not_your_role", _("Role needed for this: %(roles)s.")
    NOT_A_MEMBER = "not_a_member", _("You have no role in this project.")
    WRONG_STATE = "wrong_state", _("Not possible while the project is in the state “%(state)s”.")
    EVIDENCE_MISSING = "evidence_missing", _("Something is still missing: %(what)s.")
    REASON_NEEDED = "reason_needed", _("A reason is required.")
    RETURN_UNEXPLAINED = (
        "return_unexplained",
        _(
            "%(by)s returned this: “%(why)s”. Nothing has changed since. Change it, or justify in "
            "writing why you are resubmitting it as it is."
        ),
    )
    NOT_A_PLANNER = "not_a_planner", _("Only planning managers may open a project.")
    RECORDS_MISSING = (
        "records_missing",
        _(
            "%(member)s does not meet the requirements of the role %(role)s: %(what)s. Administrators keep the records."
        ),
    )
    NOT_APPOINTED = (
        "not_appointed",
        _("%(member)s is not appointed as %(post)s. An administrator appoints and a second one confirms."),
    )
    APPOINTMENT_WAITS = (
        "appointment_unconfirmed",
        _("The appointment of %(member)s as %(post)s waits for a second administrator."),
    )
    APPOINTMENT_TO_COME = (
        "appointment_to_come",
        _("The appointment of %(member)s as %(post)s begins on %(day)s."),
    )
    APPOINTMENT_OVER = (
        "appointment_over",
        _("The appointment of %(member)s as %(post)s ended on %(day)s."),
    )
    ROLE_IS_FINAL = (
        "role_is_final",
        _(
            "%(member)s already has or had the role “%(role)s” in this project; roles cannot be "
            "changed, so that nobody judges their own work."
        ),
    )
    SAME_PERSON = (
        "same_person",
        _(
            "Another account of the same person, %(member)s, has or had the role “%(role)s” in this "
            "project; nobody may judge their own work."
        ),
    )
    NOT_IN_STEAD = (
        "not_in_stead",
        _("You act on behalf of %(member)s here. This is not done by a deputy; %(member)s does it."),
    )
    OTHER_SIDE = (
        "other_side",
        _(
            "%(member)s acts or acted in somebody's stead in another role of this project; nobody may judge their own work."
        ),
    )
    ASSESSES = (
        "assesses_the_project",
        _(
            "%(member)s has or had an order to assess this project under another account; nobody may judge their own work."
        ),
    )
    READS_ONLY = (
        "reads_only",
        _("Auditors and external assessors only read; they cannot have a role in a project."),
    )
    ADMINISTERS_ONLY = (
        "administers_only",
        _("Administrators manage accounts and rules; they cannot have a role in a project."),
    )
    JUDGED_ELSEWHERE = (
        "judged_elsewhere",
        _("“%(move)s” is the outcome of a review or a signature; record that on its own page."),
    )
    WRONG_POST = "wrong_post", _("%(member)s cannot take this role: an outside recipient can only receive.")
    TESTS_ONLY = "tests_only", _("%(member)s is an invited tester, who has no role in a project.")
    TESTED = (
        "tested_from_outside",
        _("%(member)s was invited to an intruder test of this project and gets no role in it."),
    )
    PERSONAL_IN_TEXT = (
        "personal_in_text",
        _(
            "The text contains what looks like: %(kinds)s. Reword it without personal data; nothing was saved."
        ),
    )
    NOTHING_SAID = "nothing_said", _("A comment needs some text.")
    MARKED_ALREADY = "marked_already", _("The documents of this project already have this mark.")
    INACTIVE = "inactive", _("This account is not active.")


_TENURE_DENIED = {
    TenureKind.NONE: CoreReason.NOT_APPOINTED,
    TenureKind.WAITS: CoreReason.APPOINTMENT_WAITS,
    TenureKind.TO_COME: CoreReason.APPOINTMENT_TO_COME,
    TenureKind.OVER: CoreReason.APPOINTMENT_OVER,
}


def may_open_project(user: Person) -> Verdict:
    if not user.is_active or user.post != Post.PLANNER:
        return deny(CoreReason.NOT_A_PLANNER)
    return in_post(user, Role.PLANNER)


def in_post(user: Person, role: Role) -> Verdict:
    """Whether ``user`` holds today the post that ``role`` asks for, and why not."""
    post = POST_OF_ROLE.get(role)
    if post is None or user.holds(post):
        return ALLOW
    return of_tenure(user, post, user.tenure(post))


def post_verdict(user: Person, role: Role) -> Verdict:
    """:func:`in_post` of somebody who was read with all their appointments: no statement is sent for each of a list."""
    post = POST_OF_ROLE.get(role)
    return ALLOW if post is None else of_tenure(user, post, user.tenure(post))


def of_tenure(user: Person, post: AppointedPost, tenure: Tenure) -> Verdict:
    """What stands against ``user`` acting as ``post``, by how they stand to it."""
    if tenure:
        return ALLOW
    day = tenure.day.isoformat() if tenure.day else ""
    return deny(_TENURE_DENIED[tenure.kind], member=str(user), post=str(post.label), day=day)


def has_role(user: Person, project: Project, *roles: Role) -> Verdict:
    """Membership decides, not superuser rights, while the post that the role asks for is held. No deputy: what one does is asked
    of :func:`acts_as`.

    Nobody judges their own work, under another account either.
    """
    return _role_verdict(user, project, roles, by_deputies=False)


def acts_as(user: Person, project: Project, *roles: Role) -> Verdict:
    """:func:`has_role`, or standing in for somebody who has one of ``roles``; the event of the act says on whose behalf."""
    return _role_verdict(user, project, roles, by_deputies=True)


def _role_verdict(user: Person, project: Project, roles: tuple[Role, ...], *, by_deputies: bool) -> Verdict:
    if not user.is_active:
        return deny(CoreReason.INACTIVE)
    acting = acting_membership(user, project)
    if acting is None:
        return deny(CoreReason.NOT_A_MEMBER)
    role, own = Role(acting.role), acting.user_id == user.pk
    if role not in roles:
        return deny(CoreReason.NOT_YOUR_ROLE, roles=_(", ").join(str(r.label) for r in roles))
    if not own and not by_deputies:
        return deny(CoreReason.NOT_IN_STEAD, member=str(acting.user))
    held = in_post(user, role)
    if own:
        return _one_person(user, project, role) if held and role in JUDGES else held
    verdict = held and first_denial(
        in_post(acting.user, role), _one_person(user, project, role), _one_side(user, project, role)
    )
    if verdict:
        _note_stead(user, project, acting.user)
    return verdict


def _one_side(user: Person, project: Project, role: Role) -> Verdict:
    """Whether ``user`` acts and acted on behalf of nobody with another role in the project."""
    others = stood_in_as(user, project) - {role.value}
    return deny(CoreReason.OTHER_SIDE, member=str(user)) if others else ALLOW


def _note_stead(user: Person, project: Project, member: Person) -> None:
    """Have the event of the act under way say on whose behalf ``user`` acts."""
    draft = current_draft.get()
    if (
        draft is not None
        and draft.by is not None
        and draft.by.pk == user.pk
        and draft.project_id == project.pk
    ):
        draft.facts.setdefault("in_stead_of", str(member))


def stead_of(user: Person, project: Project) -> Person | None:
    """In whose stead ``user`` acts in ``project``; None where the role is their own."""
    held = acting_membership(user, project)
    return held.user if held is not None and held.user_id != user.pk else None


def _one_person(user: Person, project: Project, role: Role | None) -> Verdict:
    """Whether no other account of the same natural person has, or had, another role in the project."""
    for other in roles_of_person(user, project):
        if other.role != role:
            return deny(CoreReason.SAME_PERSON, member=str(other.user), role=other.get_role_display())
    return ALLOW


def may_comment(user: Person, project: Project) -> Verdict:
    """Who works in the project, as long as it is not over."""
    running = [state for state in State if state not in TERMINAL]
    return first_denial(
        acts_as(user, project, *[role for role in Role if role in INSIDE_ROLES]), in_state(project, *running)
    )


def in_state(project: Project, *states: State) -> Verdict:
    if State(project.state) in states:
        return ALLOW
    return deny(CoreReason.WRONG_STATE, state=project.get_state_display())


def may_act_in(user: Person, project: Project, state: State) -> Verdict:
    """The rule of most stages: the project is in ``state`` and ``user`` has the role that owns it."""
    owner = STATES[state].owner
    assert owner is not None
    return first_denial(acts_as(user, project, owner), in_state(project, state))


def missing_evidence(project: Project, move: Move) -> list[EvidenceState]:
    return [state for e in MOVES[move].requires if not (state := evidence_state(project, e)).met]


def deny_missing(missing: Iterable[object]) -> Verdict:
    """No, for what is ``missing``: sentences or names of things, each said."""
    texts = tuple(str(text) for text in missing)
    return deny(CoreReason.EVIDENCE_MISSING, missing=texts, what=in_a_row(texts).rstrip(".。"))


@one_reading
def may_move(user: Person, project: Project, move: Move, *, check_evidence: bool = True) -> Verdict:
    """Whether ``user`` may make ``move`` now: role, then state, then evidence."""
    rule = MOVES[move]
    verdict = first_denial(acts_as(user, project, *rule.roles), in_state(project, *rule.sources))
    if verdict and check_evidence:
        missing = missing_evidence(project, move)
        if missing:
            return deny_missing(text for state in missing for text in state.missing)
    return verdict


@one_reading
def may_hand_on(project: Project, move: Move) -> Verdict:
    """Whether every return of the work that ``move`` hands on was answered: by a change, or by a justification."""
    if MOVES[move].hands_on:
        for returned in unexplained(project):
            return deny(CoreReason.RETURN_UNEXPLAINED, by=str(returned.by), why=returned.reason)
    return ALLOW


def may_move_directly(user: Person, project: Project, move: Move) -> Verdict:
    """For the general "move" action: what is the outcome of a judgement is not made without it."""
    if MOVES[move].judged:
        return deny(CoreReason.JUDGED_ELSEWHERE, move=str(move.label))
    return may_move(user, project, move)


def may_manage_members(user: Person, project: Project) -> Verdict:
    """The planning manager, until the project has ended."""
    return _planner_until_the_end(user, project)


def may_give_role(user: Person, project: Project, role: Role) -> Verdict:
    """The planning manager, until the project has ended; afterwards the supervisor's alone, once nobody has it any more: copies that
    are out are assessed by a supervisor, and data destroyed by one."""
    verdict = may_manage_members(user, project)
    if role != Role.SUPERVISOR or verdict.reason != CoreReason.WRONG_STATE:
        return verdict
    named = project.memberships.filter(role=role, ended_at=None, user__is_active=True).select_related("user")
    return verdict if any(has_role(one.user, project, role) for one in named) else ALLOW


def may_mark(user: Person, project: Project) -> Verdict:
    """What documents bear on top is the planning manager's to say, until the project has ended."""
    return _planner_until_the_end(user, project)


def _planner_until_the_end(user: Person, project: Project) -> Verdict:
    return first_denial(
        has_role(user, project, Role.PLANNER),
        deny(CoreReason.WRONG_STATE, state=project.get_state_display())
        if State(project.state) in TERMINAL
        else ALLOW,
    )


# (people) → what stands against giving a role, in words, by key of the person and role (GB/T 37964 6.2).
_records: list[Callable[[Iterable[Person]], Mapping[tuple[Any, Role], str]]] = []


def set_records_source(function: Callable[[Iterable[Person]], Mapping[tuple[Any, Role], str]]) -> None:
    """Say who knows the records of staff; without one nothing is asked."""
    _records[:] = [function]


def records_missing(people: Iterable[Person]) -> Mapping[tuple[Any, Role], str]:
    """What stands against giving roles to ``people``, by person and role."""
    found = list(people)
    return _records[0](found) if _records else {}


def of_records(user: Person, role: Role, missing: Mapping[tuple[Any, Role], str]) -> Verdict:
    """Whether nothing that the role asks for is ``missing``."""
    what = missing.get((user.pk, role))
    if what is None:
        return ALLOW
    return deny(CoreReason.RECORDS_MISSING, member=str(user), role=str(role.label), what=what)


def may_join(user: Person, project: Project, role: Role) -> Verdict:
    """Whether ``user`` may be given ``role``: one role per person and project, for all time, of a post that they hold."""
    if not user.is_active:
        return deny(CoreReason.INACTIVE)
    if user.post in (Post.AUDITOR, Post.ASSESSOR):
        return deny(CoreReason.READS_ONLY)
    if user.post == Post.ADMINISTRATOR:
        return deny(CoreReason.ADMINISTERS_ONLY)
    if user.post == Post.TESTER:
        return deny(CoreReason.TESTS_ONLY, member=str(user))
    if (user.post == Post.RECIPIENT) and role != Role.RECIPIENT:
        return deny(CoreReason.WRONG_POST, member=str(user))
    past = project.memberships.filter(user=user).first()
    if past is not None:
        return deny(CoreReason.ROLE_IS_FINAL, member=str(user), role=past.get_role_display())
    return first_denial(
        _one_person(user, project, role),
        _one_side(user, project, role),
        _assessed_nothing(user, project),
        _tested_nothing(user, project),
        in_post(user, role),
        of_records(user, role, records_missing([user])),
    )


def reads_without_role(user: Person, project: Project) -> bool:
    """Whether ``user`` reads the project without a role in it: an auditor, or an assessor with an order in force."""
    return user.is_active and (user.reads_all_projects or is_ordered(user, project))


def _assessed_nothing(user: Person, project: Project) -> Verdict:
    """Whether ``user`` has or had an order to assess the project under no account."""
    if any(user.is_same_person(one.assessor) for one in orders_of(project)):
        return deny(CoreReason.ASSESSES, member=str(user))
    return ALLOW


_tested: list[Callable[[Person, Project], bool]] = []


def set_testers_source(function: Callable[[Person, Project], bool]) -> None:
    """Say who knows whether somebody was invited, under whatever account, to test a result of a project."""
    _tested[:] = [function]


def _tested_nothing(user: Person, project: Project) -> Verdict:
    if any(was_invited(user, project) for was_invited in _tested):
        return deny(CoreReason.TESTED, member=str(user))
    return ALLOW


def may_see_inside(user: Person, project: Project) -> Verdict:
    """Whether ``user`` sees the project's pages (recipients see only what was released to them)."""
    if reads_without_role(user, project) or (user.is_active and role_of(user, project) in INSIDE_ROLES):
        return ALLOW
    return deny(CoreReason.NOT_A_MEMBER)
