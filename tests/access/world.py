"""The people of both projects, their clients, and the bytes that were uploaded."""

from __future__ import annotations

import uuid
from datetime import timedelta
from fractions import Fraction
from http.cookies import SimpleCookie
from typing import Any

from django.conf import settings
from django.test import Client
from django.utils import timezone

from approvals.audit.checks import check_continue, check_start
from approvals.audit.recording import recording
from deid_portal.accounts.appointments.services import appointment_give
from deid_portal.accounts.deputies.services import deputy_name
from deid_portal.accounts.events import RECOVERY_REQUESTED, Lost
from deid_portal.accounts.models import Recovery
from deid_portal.accounts.persons import person_link
from deid_portal.accounts.services import user_create, user_set_active
from deid_portal.accounts.tokens import token_create
from deid_portal.demo.story import csv_bytes
from deid_portal.masking.models import MaskingPolicy
from deid_portal.masking.services import policy_decide, policy_propose
from deid_portal.messaging.enums import RobotKind
from deid_portal.messaging.services import robot_add
from deid_portal.organisation.agreements.clauses import clauses_propose
from deid_portal.organisation.agreements.shipped import shipped as shipped_clauses
from deid_portal.organisation.checklists.lists import checklist_propose
from deid_portal.organisation.checklists.shipped import shipped
from deid_portal.organisation.disclosure.rule_sets import rules_decide, rules_propose
from deid_portal.organisation.environment.coefficients import coefficients_propose
from deid_portal.organisation.grading.policy import NONE_YET, grading_propose
from deid_portal.organisation.models import TableRules
from deid_portal.organisation.parties.enums import PartyKind
from deid_portal.organisation.parties.services import party_register
from deid_portal.organisation.policies.enums import PolicyKind
from deid_portal.organisation.policies.models import PolicyVersion
from deid_portal.organisation.policies.services import (
    PURPOSE,
    Document,
    Wording,
    policy_add,
    version_decide,
)
from deid_portal.organisation.retention.terms import terms_propose
from deid_portal.organisation.signers.quorum import signers_propose
from deid_portal.organisation.talks.enums import CounterpartKind
from deid_portal.organisation.talks.services import ToDo, talk_record
from deid_portal.organisation.team.services import head_propose, head_take
from deid_portal.records.enums import RecordKind
from deid_portal.records.scans.services import scan_keep
from deid_portal.records.scans.views import PURPOSE as SCAN_OF_RECORD
from deid_portal.records.services import catalogue_propose, record_add
from deid_portal.records.trainings.services import training_plan
from projects.core.models import Project
from projects.datasets.store.store import store_write
from projects.workflow import Role, Stage
from projects.workflow.posts import AppointedPost, Post
from tests.deid_portal.records.test_records import POSTS
from tests.projects.releases.relatives.outside.steps import recorded

from .roles import EVERYBODY, people_of_two_projects
from .undoing import BACKEND

ROWS = 400
MINE = "Alder visits for a study"
OTHERS = "Hemlock claims for another study"


class World:
    """People, their clients, both projects, and the bytes that were uploaded."""

    project: Project
    other: Project

    def __init__(self) -> None:
        self.data = csv_bytes(ROWS)
        self.people = people_of_two_projects()
        self.accounts = [getattr(self.people, role) for role in EVERYBODY if role != "anonymous"]
        self.tokens: dict[str, Any] = {}
        self.keys: dict[str, str] = {}
        for account in self.accounts:
            role = account.username
            self.tokens[role], self.keys[role] = token_create(account, name="a program")
        self.sessions: dict[str, Any] = {}
        # What strangers were told, by what they sent; see .repeating.
        self.answers: dict[Any, Any] = {}
        self.clients = {("session", role): self._client(role) for role in EVERYBODY}
        for role in EVERYBODY:
            self.clients["forged", role] = Client(enforce_csrf_checks=True, raise_request_exception=False)
            self.clients["token", role] = Client(raise_request_exception=False)
        # Their session and their token are from before.
        user_set_active(self.people.inactive, active=False, by=self.people.administrator)
        # An executor who changed post: the account from before has ended.
        person_link(
            self.people.other_executor, self.people.expired, reason="a new post", by=self.people.administrator
        )
        self.recovery = self._recovery()
        self.appointment = appointment_give(
            self.people.executor,
            post=AppointedPost.SUPERVISOR,
            starts_on=timezone.localdate(),
            reason="to help out",
            by=self.recovery.asked_by,
        )
        today = timezone.localdate()
        self.deputation = deputy_name(
            self.people.outsider,
            post=AppointedPost.PLANNER,
            deputy=self.people.planner,
            starts_on=today,
            ends_on=today,
            reason="on leave",
            by=self.recovery.asked_by,
        )
        self.waiting_policy = self._masking()
        self.waiting_coefficients = coefficients_propose(
            low=Fraction(3, 5), high=Fraction(1), reason="our own measure", by=self.people.planner
        )
        self.waiting_terms = terms_propose({"source": 30}, reason="our own", by=self.people.planner)
        self.waiting_signers = signers_propose(
            {"public": 2, "controlled": 1, "enclave": 1}, reason="our own", by=self.people.planner
        )
        self.waiting_grading = grading_propose(NONE_YET.rules, reason="our own", by=self.people.planner)
        self.waiting_checklist = checklist_propose(
            Stage.OBJECTIVE, shipped(Stage.OBJECTIVE), reason="our own", by=self.people.planner
        )
        self.waiting_clauses = clauses_propose(shipped_clauses(), reason="our own", by=self.people.planner)
        self.waiting_catalogue = catalogue_propose(POSTS, reason="our own", by=self.people.planner)
        self.record = record_add(
            self.people.other_executor,
            kind=RecordKind.TRAINING,
            title="Course",
            done_on=timezone.localdate(),
            passed=True,
            kept_at="folder 7",
            by=self.recovery.asked_by,
        )
        self.scanned_record = record_add(
            self.people.other_executor,
            kind=RecordKind.AGREEMENT,
            title="Silence",
            done_on=timezone.localdate(),
            passed=True,
            kept_at="folder 7",
            by=self.recovery.asked_by,
        )
        with store_write(SCAN_OF_RECORD) as writer:
            writer.write(b"%PDF-1.7 what somebody signed")
        assert writer.stored is not None
        scan_keep(self.scanned_record, stored=writer.stored, by=self.recovery.asked_by)
        self.training = training_plan(
            title="Techniques",
            teaches="Each technique.",
            roles=[Role.EXECUTOR],
            held_on=timezone.localdate(),
            by=self.people.planner,
        )
        self.outside = recorded(self.people)
        self.party = party_register(
            name="A hospital", kind=PartyKind.RECIPIENT, country="CN", by=self.people.planner
        )
        lead = head_propose(self.people.outsider, by=self.people.administrator)
        head_take(lead, by=self.people.outsider)
        self.seat = head_propose(self.people.management, by=self.people.administrator)
        self.talk = talk_record(
            kind=CounterpartKind.AUTHORITY,
            counterpart="The authority",
            held_on=today,
            people=[self.people.planner],
            topic="Cards of a ward",
            outcome="They want a report.",
            follow_up=ToDo("Write the report.", self.people.executor, today),
            by=self.people.planner,
        )
        self.robot = robot_add(
            name="A chat",
            kind=RobotKind.WECOM,
            url="https://robot.invalid/hook",
            by=self.people.administrator,
        )
        self.policy_version = self._policy("A law", PolicyKind.LAW)
        version_decide(self.policy_version, accept=True, reason="as agreed", by=self.people.administrator)
        self.waiting_policy_version = self._policy("Our policy", PolicyKind.POLICY)
        self.table_rules = self._table_rules("Persons")
        rules_decide(self.table_rules, accept=True, reason="as agreed", by=self.people.administrator)
        self.waiting_table_rules = self._table_rules("Few persons")
        check = check_start(by=self.people.auditor)
        self.check = check_continue(check, by=self.people.auditor)

    def _table_rules(self, name: str) -> TableRules:
        return rules_propose(
            name=name,
            counts=True,
            rules={"minimum_contributors": 3},
            reason="our own",
            by=self.people.planner,
        )

    def _policy(self, title: str, kind: PolicyKind) -> PolicyVersion:
        """An entry of the library whose first version, with a document, waits."""
        today = timezone.localdate()
        with store_write(PURPOSE) as writer:
            writer.write(b"What is laid down.")
        wording = Wording("2026", "", today, today + timedelta(days=365), ("staff", "planner"))
        policy = policy_add(
            title=title,
            kind=kind,
            regulation="",
            every_project=False,
            owner=self.people.executor,
            wording=wording,
            document=Document(writer.stored, "it.txt"),
            reason="our own",
            by=self.people.planner,
        )
        return policy.versions.get()

    def _recovery(self) -> Recovery:
        """What another administrator asked for."""
        second = user_create(
            username="second", password=None, full_name="Second", post=Post.ADMINISTRATOR, by=None
        )
        account = self.people.other_executor
        with recording(RECOVERY_REQUESTED, by=second):
            return Recovery.objects.create(
                account=account, lost=Lost.SECOND_STEP, reason="lost", asked_by=second
            )

    def _masking(self) -> MaskingPolicy:
        """A masking policy in force, and another one waiting."""
        people, what = self.people, {"title": "Desk", "scene": "operations", "treatments": {}}
        first = policy_propose(**what, name="desk", reason="a desk", by=people.outsider)
        policy_decide(first, accept=True, reason="as agreed", by=people.administrator)
        return policy_propose(**what, name="counter", reason="a counter", by=people.planner)

    def _client(self, role: str) -> Client:
        client = Client(raise_request_exception=False)
        if role != "anonymous":
            client.force_login(getattr(self.people, role), backend=BACKEND)
        self.sessions[role] = client.cookies.copy()
        return client

    def client(self, role: str, way: str = "session") -> Client:
        """The client of ``role`` as it was after signing in, whatever earlier answers did to it.

        A program that comes with a token has no session; who is deceived into a request has one.
        """
        client = self.clients[way, role]
        client.cookies = SimpleCookie() if way == "token" else self.sessions[role].copy()
        return client

    @property
    def session_keys(self) -> list[str]:
        name = settings.SESSION_COOKIE_NAME
        return [cookies[name].value for cookies in self.sessions.values() if name in cookies]


def unknown() -> uuid.UUID:
    """The id of nothing."""
    return uuid.uuid4()
