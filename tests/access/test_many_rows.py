"""However many rows a list has, its page asks the database as often as for one."""

from __future__ import annotations

import uuid
from copy import copy
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, models
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from guardian.shortcuts import assign_perm

from approvals.decisions.models import Review, SignOff
from approvals.documents.models import Document
from deid_portal.accounts.tokens import token_create
from deid_portal.demo.story import Story, csv_bytes
from deid_portal.organisation.models import MetadataEntry, MetadataVersion
from deid_portal.organisation.services import ensure_defaults
from projects.core.enums import SharingType
from projects.core.models import Membership, Notification, Project
from projects.datasets.models import Dataset
from projects.identification.models import ColumnVerdict, IdentificationRound
from projects.jobs.models import Job
from projects.monitoring.enums import ChangeKind
from projects.monitoring.models import ChangeEvent, Reassessment
from projects.monitoring.services import change_report
from projects.objective.models import PlanVersion
from projects.processing.models import RecipeVersion, Run
from projects.releases.deliveries.services import delivery_request
from projects.releases.models import Agreement, Delivery, Release
from projects.vault.models import Secret
from projects.verification.models import Verification
from projects.workflow import Role, State
from projects.workflow.posts import Post

pytestmark = pytest.mark.django_db
MORE = 7
# Who reads which list. {project} stands for those of the project, which get its id.
OWN = {
    "planner": ("core:home", "core:notifications", "api:task-list", "api:notification-list"),
    "supervisor": ("core:home", "core:notifications", "api:task-list"),
    "executor": ("core:home", "core:projects", "api:project-list", "api:job-list", "board:page"),
    "auditor": ("core:home", "core:projects", "board:page", "api:board", "audit:log", "api:audit-event-list"),
    "recipient": (
        "core:home",
        "core:notifications",
        "recipient:list",
        "api:receive",
        "api:notification-list",
    ),
    "administrator": (
        "accounts:accounts",
        "accounts:profile",
        "api:account-token-list",
        "organisation:page",
        "organisation:metadata",
        "organisation:metadata_versions",
        "api:organisation-metadata",
        "api:organisation-metadata-versions",
    ),
}
OF_THE_PROJECT = (
    "core:project",
    "core:members",
    "core:history",
    "api:project-detail",
    "api:project-member-list",
    "api:project-history",
    "objective:page",
    "objective:plan",
    "objective:decide",
    "api:objective-detail",
    "api:objective-versions",
    "datasets:page",
    "api:dataset-list",
    "identification:page",
    "identification:report",
    "api:identification-state",
    "api:identification-inventory",
    "api:identification-scans",
    "api:identification-verdicts",
    "processing:page",
    "api:processing-recipes",
    "api:processing-runs",
    "verification:page",
    "verification:decide",
    "api:verification-list",
    "releases:page",
    "api:releases",
    "api:releases-deliveries",
    "api:agreements",
    "monitoring:page",
    "api:reviews",
    "api:changes",
    "api:reassessments",
    "vault:page",
    "api:secret-list",
)


def clone(row: Any, **changes: Any) -> Any:
    """Another row like ``row``, written past services and rules: only its number matters here."""
    other = copy(row)
    other._state = models.base.ModelState()
    other._state.adding = True
    other.pk = uuid.uuid4() if isinstance(row._meta.pk, models.UUIDField) else None
    for name, value in changes.items():
        setattr(other, name, value)
    models.Model.save_base(other, force_insert=True)
    return other


def clones(row: Any, count: int = MORE, **changes: Any) -> list[Any]:
    """``count`` clones; a change that can be called is called with 100, 101 …"""
    return [
        clone(row, **{name: value(n) if callable(value) else value for name, value in changes.items()})
        for n in range(100, 100 + count)
    ]


def more_of_the_project(project: Project, people: dict[str, Any]) -> None:
    """A long history: everything that a project can have several of."""
    now = timezone.now()
    past = {"ended_at": now, "ended_why": "over"}
    new = {"number": lambda n: n}
    for model in (PlanVersion, RecipeVersion):
        clones(model.objects.filter(project=project).first(), **new)
    dataset = Dataset.objects.get(project=project)
    for n in range(MORE):
        stored = clone(dataset.stored, name="", scope="")
        clone(dataset, stored=stored, sample=None, status="refused", refused_code="bad", name=f"{n}.csv")
    for round_ in clones(IdentificationRound.objects.get(project=project), **new):
        round_.started_by = people["executor"]
    # The current round is the last: its verdicts were given before in earlier ones, and replaced in it.
    for verdict in ColumnVerdict.objects.filter(project=project, superseded_at=None)[:3]:
        clones(verdict, superseded_at=now)
    run = Run.objects.filter(project=project).first()
    verification = Verification.objects.filter(project=project).first()
    for n in range(100, 100 + MORE):
        one = clone(run, number=n, status="running", finished_at=None)
        for table in run.tables.all():
            clone(table, run=one)
        one.status, one.finished_at = run.status, run.finished_at
        models.Model.save_base(one)
        # A list of classes is of one measurement.
        clone(verification, run=one, number=n, classes=None)
    for review in Review.objects.filter(project_id=project.pk):
        clones(review, 2)
    for signoff in SignOff.objects.filter(project_id=project.pk):
        clones(signoff, 2)
    release = Release.objects.get(project=project)
    clones(release, **past)
    clones(Agreement.objects.get(project=project), ended_at=now)
    clones(Delivery.objects.filter(release=release).first())
    clones(Secret.objects.filter(project=project).first(), purpose=lambda n: f"purpose {n}")
    for n in range(MORE):
        change = clone(ChangeEvent.objects.filter(project=project).first())
        clone(
            Reassessment.objects.filter(project=project, change__isnull=False).first(),
            change=change,
            due_on=now.date(),
        )
        recipient_more(project, people, n)
    for document in Document.objects.filter(project_id=project.pk):
        clones(document, 2, kind=lambda n: f"{document.kind}{n}")  # noqa: B023


def recipient_more(project: Project, people: dict[str, Any], n: int) -> None:
    """Somebody who came to receive after the release was signed."""
    person = clone(people["executor"], username=f"more-{n}", full_name=f"More {n}")
    clone(Membership.objects.filter(project=project).first(), user=person, role=Role.RECIPIENT)


def more_projects(project: Project, people: dict[str, Any], first: int = 0, number: int = MORE) -> None:
    """The same people in many projects, with something to do in each."""
    release = Release.objects.filter(project=project, ended_at=None).get()
    agreement = Agreement.objects.filter(project=project, ended_at=None).get()
    reassessment = Reassessment.objects.filter(project=project, concluded_at=None).first()
    job = Job.objects.filter(project=project).first()
    states = [State.MONITORING, State.OBJECTIVE_DRAFT, State.OBJECTIVE_REVIEW, State.PROCESSING]
    for n in range(first, first + number):
        # Once it is released, the database lets nobody add an agreement that was not signed.
        other = clone(project, number=f"2020-{n:04d}", state=State.APPROVED)
        for membership in Membership.objects.filter(project=project, user__in=people.values()):
            clone(membership, project=other)
            if membership.role != Role.RECIPIENT:
                assign_perm("core.view_project", membership.user, other)
        handed = clone(release, project=other)
        of_it = clone(agreement, project=other, valid_until=timezone.localdate())
        clone(agreement.acceptance, agreement=of_it)
        models.QuerySet(Project).filter(pk=other.pk).update(state=states[n % 2 and n % 4])
        clone(reassessment, project=other, release=handed, change=None, opened_at=timezone.now())
        clone(
            job,
            project=other,
            subject_id=str(n),
            requested_by=people["executor"],
            status="queued",
            finished_at=None,
        )
        for person in people.values():
            Notification.objects.create(
                user=person, project=other, action="project.release", actor="Somebody"
            )
    for person in people.values():
        token_create(person, name=f"more {first}", days=10)


def more_of_the_organisation() -> None:
    entry = MetadataEntry.objects.first()
    version = MetadataVersion.objects.first()
    clones(entry, kind=lambda n: f"kind-{n}")
    clones(version, number=lambda n: n)


class TestLongLists:
    @pytest.fixture
    def people(self, people: Any) -> dict[str, Any]:
        ensure_defaults()
        return {
            name: getattr(people, name)
            for name in (*(role.value for role in Role), "auditor", "administrator")
        }

    @pytest.fixture
    def project(self, people: dict[str, Any], django_capture_on_commit_callbacks: Any) -> Project:
        with django_capture_on_commit_callbacks(execute=True):
            story = Story(people, "Many rows", csv_bytes(400), documents=False)
            story.reach(State.MONITORING)
            release = Release.objects.get(project=story.project)
            delivery_request(release, notice_read=True, by=people["recipient"])
            story.run_jobs()
            story.look_back()
            change_report(
                story.project,
                kind=ChangeKind.RECIPIENT,
                description="once more",
                happened_on=timezone.localdate(),
                by=people["planner"],
            )
        for person in people.values():
            token_create(person, name="first", days=10)
            Notification.objects.create(user=person, project=story.project, action="project.release")
        project = Project.objects.get(pk=story.project.pk)
        assert project.sharing_type == SharingType.CONTROLLED
        return project

    def queries(self, people: dict[str, Any], project: Project) -> dict[str, int]:
        """Person and address → the number of statements."""
        found = {}
        readers = OWN | {name: (*OWN[name], *OF_THE_PROJECT) for name in ("planner", "auditor")}
        for name, addresses in readers.items():
            client = Client()
            client.force_login(people[name], backend="deid_portal.accounts.backends.AccountBackend")
            for address in addresses:
                of_it = {"project_id": project.pk} if address in OF_THE_PROJECT else {}
                cache.clear()
                with CaptureQueriesContext(
                    connection,
                ) as statements:
                    response = client.get(reverse(address, kwargs=of_it))
                assert response.status_code == 200, (name, address, response.status_code)
                found[f"{name}: {address}"] = len(statements)
        return found

    def test_no_list_asks_more_the_longer_it_is(self, people: dict[str, Any], project: Project) -> None:
        assert people["administrator"].post == Post.ADMINISTRATOR
        # There was one before, as far as the pages know.
        for model in (IdentificationRound, Verification):
            models.QuerySet(model).filter(project=project).update(number=2)
        # Everybody has something to do already: a list of none asks for nothing.
        more_projects(project, people, first=MORE, number=4)
        recipient_more(project, people, MORE)
        self.queries(people, project)  # what Django remembers for good is remembered now
        short = self.queries(people, project)
        more_of_the_project(project, people)
        more_projects(project, people)
        more_of_the_organisation()
        long = self.queries(people, project)
        more = [
            f"{where}: {short[where]}, then {count}" for where, count in long.items() if count > short[where]
        ]
        assert not more, "\n".join(more)
