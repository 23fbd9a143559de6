"""A publication in each of its states, for everybody: who reads it inside, who acts, and what its address says without sign-in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from deid_portal.demo.story import run_jobs
from projects.core.services import project_move
from projects.releases.deliveries.publications.services import (
    publication_decide,
    publication_propose,
    publication_withdraw,
)
from projects.releases.models import Publication
from projects.releases.selectors import current_release
from projects.releases.services import release_end
from projects.workflow import Move
from tests.fixtures import PASSWORD, make_people
from tests.projects.releases.stories import released_publicly

pytestmark = pytest.mark.django_db

READERS = frozenset({"planner", "executor", "supervisor", "management", "auditor", "assessor"})
ROLES = (*sorted(READERS), "recipient", "outsider", "administrator", "superuser", "anonymous")
NOBODY: frozenset[str] = frozenset()


def decided(approve: bool) -> Callable[[Publication, Any], None]:
    def act(publication: Publication, people: Any) -> None:
        seen = publication.content_hash
        publication_decide(
            publication, approve=approve, reason="as signed", seen_hash=seen, by=people.supervisor
        )
        run_jobs(documents=False)

    return act


def then(act: Callable[[Publication, Any], object]) -> Callable[[Publication, Any], None]:
    """What happens to one that is live."""

    def acted(publication: Publication, people: Any) -> None:
        decided(True)(publication, people)
        publication.refresh_from_db()
        act(publication, people)

    return acted


STATES: dict[str, tuple[Callable[[Publication, Any], None], int, frozenset[str], frozenset[str]]] = {
    # State: how it is reached, what the address answers, who may decide, who may withdraw.
    "waiting": (lambda publication, people: None, 404, frozenset({"supervisor"}), NOBODY),
    "refused": (decided(False), 404, NOBODY, NOBODY),
    "live": (decided(True), 200, NOBODY, frozenset({"planner", "supervisor"})),
    "suspended": (
        then(lambda one, people: project_move(one.project, move=Move.SUSPEND, by=people.supervisor, reason="a doubt")),
        410, NOBODY, frozenset({"planner", "supervisor"}),
    ),
    "withdrawn": (
        then(lambda one, people: publication_withdraw(one, why="an error", by=people.planner)),
        410, NOBODY, NOBODY,
    ),
    "ended": (
        then(lambda one, people: release_end(current_release(one.project), why="over", by=people.planner)),
        410, NOBODY, frozenset({"planner", "supervisor"}),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def public_story(django_db_blocker, django_db_setup):
    """The people and a release for everybody, made once for all states and undone in the end."""
    with django_db_blocker.unblock(), transaction.atomic():
        people = make_people()
        story = released_publicly(people)
        yield people, story
        transaction.set_rollback(True)


def client_of(people: Any, role: str) -> Client:
    client = Client()
    if role != "anonymous":
        client.force_login(getattr(people, role), backend="deid_portal.accounts.backends.AccountBackend")
    return client


@pytest.mark.parametrize("state", STATES)
def test_each_role_at_each_state(public_story, state):
    people, story = public_story
    reach, address, deciders, withdrawers = STATES[state]
    mark = transaction.savepoint()
    texts = {"title": "Visits", "summary": "s", "conditions": "c", "contact": "Office"}
    publication = publication_propose(story.project, **texts, irrevocable_understood=True, by=people.planner)
    reach(publication, people)
    inside = {"project_id": story.project.pk, "publication_id": publication.pk}
    wrong: list[str] = []

    def expect(role: str, what: str, answered: int, expected: set[int]) -> None:
        if answered not in expected:
            wrong.append(f"{role} {what}: {answered}, expected {expected}")

    for role in ROLES:
        client = client_of(people, role)
        signed_out, sees = role == "anonymous", role in READERS
        hidden = {302} if signed_out else {404}
        page = client.get(reverse("releases:publication", kwargs=inside)).status_code
        expect(role, "page", page, {200} if sees else hidden)
        for name, who, body in (
            ("publications-decide", deciders, {"approve": False, "reason": "no", "content_hash": publication.content_hash, "secret": PASSWORD}),
            ("publications-withdraw", withdrawers, {"reason": "no"}),
        ):  # fmt: skip
            before = transaction.savepoint()
            done = client.post(reverse(f"api:{name}", kwargs=inside), body, content_type="application/json")
            transaction.savepoint_rollback(before)
            denied = {403} if sees else {401} if signed_out else {404}
            expect(role, name, done.status_code, {200} if role in who else denied)
        for name, more in (("page", []), ("download", [0])):
            answer = client.get(reverse(f"published:{name}", args=[publication.token, *more]))
            answer.close()
            expect(role, f"address {name}", answer.status_code, {address})
        for name, more in (("published", []), ("published-file", [0])):
            answer = client.get(reverse(f"api:{name}", args=[publication.token, *more]))
            answer.close()
            expect(role, f"address {name}", answer.status_code, {address})
    transaction.savepoint_rollback(mark)
    assert not wrong
