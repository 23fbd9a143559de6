"""Who raises a finding, puts it right and checks the effect (12.3 d), and who draws spot checks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from deid_portal.accounts.models import User
from projects.core.models import AssessmentOrder, Project
from projects.findings import rules
from projects.findings.models import CheckedStep, Finding, FindingStep
from projects.workflow import Role, State
from projects.workflow.posts import LIMITED, Post
from tests.projects.rows import account, change, member, put, team, unkept

pytestmark = pytest.mark.django_db
RAISING, OWNING = ["planner", "supervisor", "management"], ["planner", "executor", "supervisor"]


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def found(project: Project, owner: User, raised_by: User | None = None, **given: Any) -> Finding:
    said = {"source": "review", "stage": "objective", "severity": "minor", "title": "a", "description": "b"}
    by = raised_by or account()
    return put(
        Finding, project=project, owner=owner, raised_by=by, due_on=timezone.localdate(), **said | given
    )


def auditor(**given: Any) -> User:
    return account(**({"post": Post.AUDITOR} | given))


def assessor(*projects: Project, days: int = 0) -> User:
    """With orders to assess ``projects``."""
    until = timezone.localdate() + timedelta(days=days)
    found = account(post=Post.ASSESSOR, access_until=until)
    for project in projects:
        put(AssessmentOrder, project=project, assessor=found, covers="it", until=until, ordered_by=account())
    return found


def inactive(user: User) -> User:
    change(user, is_active=False)
    return User.objects.get(pk=user.pk)


@pytest.mark.parametrize("state", [State.OBJECTIVE_DRAFT, State.CLOSED])
def test_who_judges_or_plans_raises_and_who_looks_on_from_outside(state):
    project = put(Project, state=state)
    people = team(project)
    assert [name for name, user in people.items() if rules.may_raise(user, project)] == RAISING
    assert rules.may_raise(people["executor"], project).code == "not_your_role"
    assert rules.may_raise(auditor(), project)
    assert rules.may_raise(assessor(project), project)
    for nobody in (
        assessor(),
        assessor(project, days=-1),
        account(post=Post.ADMINISTRATOR),
        inactive(auditor()),
    ):
        assert rules.may_raise(nobody, project).code in ("not_a_member", "inactive")


def test_who_has_a_role_to_put_it_right_may_own_it():
    project = put(Project)
    people = team(project)
    assert [name for name, user in people.items() if rules.may_own(user, project)] == OWNING
    verdict = rules.may_own(people["recipient"], project)
    assert (verdict.code, verdict.params) == ("owner_outside", {"member": str(people["recipient"])})
    assert rules.may_own(inactive(people["executor"]), project).code == "owner_outside"


def test_the_owner_is_changed_by_who_raised_it_the_planner_and_the_supervisor():
    project = put(Project)
    people = team(project)
    mine = found(project, people["executor"], raised_by=people["management"])
    allowed = [name for name, user in people.items() if rules.may_assign(user, mine)]
    assert allowed == ["planner", "supervisor", "management"]
    others = found(project, people["executor"])
    allowed = [name for name, user in people.items() if rules.may_assign(user, others)]
    assert allowed == ["planner", "supervisor"]
    outside = auditor()
    assert rules.may_assign(outside, others).code == "not_a_member"
    own = found(project, people["executor"], raised_by=outside)
    assert rules.may_assign(outside, own)
    # Who may raise no more assigns no more.
    assert rules.may_assign(inactive(outside), own).code in ("inactive", "not_a_member")
    change(own, status="acted")
    own.refresh_from_db()
    assert rules.may_assign(people["planner"], own).code == "finding_not_open"
    assert rules.may_assign(people["executor"], own).code == "not_your_role"


def test_its_owner_puts_it_right_while_it_is_open():
    project = put(Project)
    people = team(project)
    for name, user in people.items():
        own = found(project, user)
        wanted = "" if name in OWNING else "not_a_member" if name == "outsider" else "not_your_role"
        assert rules.may_act(user, own).code == wanted, name
        change(own, status="acted")
        own.refresh_from_db()
        assert rules.may_act(user, own).code == (wanted or "finding_not_open")
    verdict = rules.may_act(people["planner"], found(project, people["executor"]))
    assert (verdict.code, verdict.params) == ("not_the_owner", {"owner": str(people["executor"])})
    assert (
        rules.may_act(member(project, "executor"), found(project, people["executor"])).code == "not_the_owner"
    )


@pytest.mark.parametrize("status", ["open", "acted", "closed"])
def test_a_judge_checks_the_effect_of_what_was_done(status):
    project = put(Project)
    people = team(project)
    closed = {"closed_by": account(), "closed_at": timezone.now()} if status == "closed" else {}
    row = found(project, people["executor"], status=status, **closed)
    for name, user in people.items():
        wanted = "not_a_member" if name == "outsider" else "not_your_role"
        if name in ("supervisor", "management"):
            wanted = "" if status == "acted" else "finding_not_acted"
        assert rules.may_check(user, row).code == wanted, name


def test_who_raised_it_from_outside_checks_it_and_no_other_from_outside():
    project = put(Project)
    for outside in (auditor(), assessor(project)):
        row = found(project, member(project, "executor"), raised_by=outside, status="acted")
        assert rules.may_check(outside, row)
        assert rules.may_check(auditor(), row).code == "not_a_member"
        assert not rules.may_check(inactive(outside), row)
    # Who raised it from inside and judges nothing does not check it.
    planner = member(project, "planner")
    row = found(project, member(project, "executor"), raised_by=planner, status="acted")
    assert rules.may_check(planner, row).code == "not_your_role"


def test_nobody_checks_what_they_put_right():
    project = put(Project)
    judge, second, other = member(project, "supervisor"), account(), member(project, "management")
    row = found(project, judge, status="acted")
    assert rules.may_check(judge, row).code == "own_action"
    assert rules.may_check(other, row)
    # Before it was given to somebody else, and under another account.
    for owner, acted in (
        (account(judge), None),
        (member(project, "executor"), account(judge)),
        (second, judge),
    ):
        row = found(project, owner, status="acted")
        if acted is not None:
            put(FindingStep, finding=row, kind="action", text="done", by=acted)
        judge.refresh_from_db()
        assert rules.may_check(judge, row).code == "own_action"
        assert rules.may_check(other, row)


def test_what_was_only_assigned_or_done_elsewhere_is_no_action_of_ones_own():
    project = put(Project)
    judge = member(project, "supervisor")
    row, elsewhere = (found(project, member(project, "executor"), status="acted") for _ in range(2))
    put(FindingStep, finding=row, kind="assigned", text="yours", by=judge)
    put(FindingStep, finding=row, kind="ineffective", text="again", by=judge)
    put(FindingStep, finding=elsewhere, kind="action", text="done", by=judge)
    assert rules.may_check(judge, row)


def test_auditors_draw_and_record_each_step_once():
    tester = account(post=Post.TESTER, access_until=timezone.localdate())
    posts = {post: account(post=post) for post in Post if post not in LIMITED}
    posts |= {Post.ASSESSOR: assessor(), Post.TESTER: tester}
    checked = {"remark": "all there", "checked_by": account(), "checked_at": timezone.now()}
    open_ = put(CheckedStep, stage="objective")
    done = [put(CheckedStep, stage="objective", result=one, **checked) for one in ("sound", "deviating")]
    for post, user in posts.items():
        code = "" if post == Post.AUDITOR else "not_an_auditor"
        assert (rules.may_draw(user).code, rules.may_record(user, open_).code) == (code, code), post
        assert {rules.may_record(user, one).code for one in done} == {code or "checked_already"}
    gone = inactive(auditor())
    assert rules.may_draw(gone).code == rules.may_record(gone, open_).code == "inactive"


def test_each_role_that_is_named_is_one_of_the_project():
    assert {*rules.RAISING, *rules.OWNING, *rules.CHECKING} <= {*Role}
