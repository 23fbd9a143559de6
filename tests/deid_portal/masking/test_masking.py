"""Live masking: a policy by two people, and single values by the post of who asks (T/ISC 0078 B.3.1)."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from rest_framework.exceptions import ValidationError
from rest_framework.test import APIClient

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.accounts.services import user_create
from deid_portal.masking import services
from deid_portal.masking.api import MaskRequestSerializer, values_read
from deid_portal.masking.models import MaskingPolicy, MaskingUse
from deid_portal.organisation.proposals.models import ProposalStatus
from projects.core.models import Notification
from projects.core.tasks_registry import tasks_of
from projects.workflow.posts import Post
from techniques.core.messages import EngineError

pytestmark = pytest.mark.django_db
PHONE, NAME = "13800138000", "欧阳修文"
TREATMENTS = {
    "staff": {"phone": "partial", "name": "generalise"},
    "administrator": {"phone": "hidden"},
    "auditor": {"phone": "in_full"},
}


@pytest.fixture
def second(people):
    return user_create(
        username="second", password="correct-horse-battery", full_name="Second", post=Post.PLANNER, by=None
    )


def propose(by, **more):
    given = {
        "name": "front-desk",
        "title": "Front desk",
        "scene": "live_display",
        "treatments": TREATMENTS,
        "reason": "the new counter",
    }
    return services.policy_propose(**(given | more), by=by)


@pytest.fixture
def policy(people, second):
    return services.policy_decide(propose(people.planner), accept=True, reason="as agreed", by=second)


def ask(user, values, name="front-desk"):
    client = APIClient()
    client.force_authenticate(user)
    sent = [{"kind": kind, "value": value} for kind, value in values]
    return client.post(reverse("api:masking", args=[name]), {"values": sent}, format="json")


def test_a_proposal_stands_before_who_decides(people, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        propose(people.planner)
    assert [t.url for t in tasks_of(people.administrator)] == [reverse("masking:policy", args=["front-desk"])]
    notification = Notification.objects.get(user=people.administrator)
    assert notification.reason == "the new counter"
    for person in (people.planner, people.executor):
        assert not Notification.objects.filter(user=person).exists()
        assert not [task for task in tasks_of(person) if "front-desk" in task.url]


def test_values_are_shown_by_post(policy, people):
    values = [("phone", PHONE), ("name", NAME), ("id_number", "440524188001010014"), ("phone", None)]
    answer = ask(people.executor, values)
    assert answer.status_code == 200
    assert answer.json() == {
        "policy": "front-desk",
        "version": 1,
        "masked": ["138****8000", "欧阳某某", "***", None],
    }
    assert ask(people.auditor, values).json()["masked"] == [PHONE, "***", "***", None]
    assert ask(people.administrator, values).json()["masked"] == ["***", "***", "***", None]
    # Nothing was said for recipients.
    assert ask(people.recipient, values).json()["masked"] == ["***", "***", "***", None]


def test_what_has_not_the_shape_of_its_kind_is_hidden_whole(policy, people):
    answer = ask(people.executor, [("phone", "ask at the desk"), ("phone", "1" * 2000), ("phone", " ")])
    assert not set("".join(answer.json()["masked"])) - {"*", " "}


def test_use_is_counted_and_no_value_is_kept(policy, people, caplog):
    ask(people.executor, [("phone", PHONE), ("name", NAME)])
    ask(people.executor, [("phone", PHONE)])
    use = MaskingUse.objects.get()
    assert (use.user, use.calls, use.values) == (people.executor, 2, 3)
    kept = " ".join(f"{event.subject} {event.facts} {event.reason}" for event in AuditEvent.objects.all())
    assert PHONE not in kept + caplog.text
    assert NAME not in kept + caplog.text


def test_it_asks_the_database_seldom(policy, people, django_assert_max_num_queries):
    ask(people.executor, [("phone", PHONE)])
    with django_assert_max_num_queries(3):
        ask(people.executor, [("phone", PHONE)] * 100)


@pytest.mark.parametrize(
    "values",
    [
        [],
        [("hat size", "7")],
        [("phone", PHONE)] * 1001,
        [("phone", {"a": 1})],
        [("phone", "1" * 10_001)],
    ],
)
def test_bad_requests_say_what_is_wrong(policy, people, values):
    answer = ask(people.executor, values)
    assert answer.status_code == 400
    assert PHONE not in answer.content.decode()


def test_without_a_policy_in_force_there_is_none(people, second):
    assert ask(people.executor, [("phone", PHONE)]).status_code == 404
    waiting = propose(people.planner)
    assert ask(people.executor, [("phone", PHONE)]).status_code == 404
    services.policy_decide(waiting, accept=False, reason="not yet", by=second)
    assert ask(people.executor, [("phone", PHONE)]).status_code == 404


def test_a_later_version_replaces_the_one_in_force(policy, people, second):
    later = propose(people.planner, treatments={})
    assert later.number == 2
    assert ask(people.executor, [("phone", PHONE)]).json()["version"] == 1
    services.policy_decide(later, accept=True, reason="too much was shown", by=second)
    assert ask(people.executor, [("phone", PHONE)]).json() == {
        "policy": "front-desk",
        "version": 2,
        "masked": ["***"],
    }
    policy.refresh_from_db()
    assert policy.status == ProposalStatus.REPLACED


def test_two_people_by_rule_and_by_constraint(people, second):
    policy = propose(people.planner)
    with pytest.raises(Refused, match="own_proposal"):
        services.policy_decide(policy, accept=True, reason="mine", by=people.planner)
    for nobody in (people.executor, people.auditor, people.superuser):
        with pytest.raises(Refused):
            services.policy_decide(policy, accept=True, reason="why not", by=nobody)
        with pytest.raises(Refused):
            propose(nobody, name="other")
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE masking_maskingpolicy SET status = 'in_force', decided_by_id = made_by_id, "
            "decided_at = made_at, decision_reason = 'x'"
        )
    with pytest.raises(Refused, match="one_is_waiting"):
        propose(second)
    services.policy_decide(policy, accept=True, reason="fine", by=second)
    with pytest.raises(Refused, match="decided_already"):
        services.policy_decide(policy, accept=False, reason="after all", by=second)
    actions = set(AuditEvent.objects.values_list("action", flat=True))
    assert {"masking.proposed", "masking.in_force"} <= actions


@pytest.mark.parametrize(
    ("treatments", "code"),
    [({"staff": {"hat": "partial"}}, "kind_unknown"), ({"staff": {"phone": "random"}}, "treatment_unknown")],
)
def test_unknown_kinds_and_treatments_are_refused(people, treatments, code):
    with pytest.raises(EngineError) as error:
        propose(people.planner, treatments=treatments)
    assert error.value.code == code
    assert not MaskingPolicy.objects.exists()


def test_pages_from_proposal_to_force(client, people, second):
    client.force_login(people.planner)
    form = client.get(reverse("masking:propose"))
    assert form.status_code == 200
    data = {
        "title": "Desk",
        "name": "desk",
        "scene": "operations",
        "reason": "needed",
        "staff-phone": "partial",
    }
    every = {
        f"{post.value}-{kind}": "hidden"
        for post in Post
        for kind in ("name", "id_number", "bank_card", "address", "phone", "number", "date", "position")
    }
    assert client.post(reverse("masking:propose"), {**every, **data, "name": "not a slug"}).status_code == 422
    assert client.post(reverse("masking:propose"), every | data).status_code == 302
    assert client.post(reverse("masking:propose"), every | data).status_code == 422, "one is waiting"
    policy = MaskingPolicy.objects.get()
    assert policy.treatments["staff"] == {"phone": "partial"}
    page = client.get(reverse("masking:policy", args=["desk"]))
    assert page.status_code == 200
    assert 'name="decision"' not in page.content.decode(), "who proposed it does not decide"
    client.force_login(second)
    decide = reverse("masking:decide", args=[policy.pk])
    assert client.post(decide, {"decision": "accept", "reason": ""}).status_code == 422
    policy.refresh_from_db()
    assert policy.status == ProposalStatus.PROPOSED, "a reason is needed"
    client.post(decide, {"decision": "accept", "reason": "good"})
    policy.refresh_from_db()
    assert policy.status == ProposalStatus.IN_FORCE
    assert client.get(reverse("masking:next", args=["desk"])).status_code == 200
    assert client.get(reverse("masking:next", args=["none"])).status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        {"values": [{"kind": "phone", "value": PHONE}, {"kind": "name", "value": None}]},
        {"values": [{"kind": "phone", "value": 13800138000}]},
        {"values": [{"kind": "phone", "value": ""}]},
        {"values": [{"kind": "phone"}]},
        {"values": [{"kind": "phone", "value": True}]},
        {"values": [{"kind": "phone", "value": "1\x00"}]},
        {"values": [{"kind": "phone", "value": "1\ud800"}]},
        {"values": [{"kind": "phone", "value": "1" * 10_001}]},
        {"values": [{"kind": ["phone"], "value": "1"}]},
        {"values": {"kind": "phone", "value": "1"}},
        {"values": ["1"]},
        {"values": []},
        {},
        [],
        "phone",
    ],
)
def test_the_short_way_through_a_body_accepts_what_the_serializer_accepts(body):
    serializer = MaskRequestSerializer(data=body)
    if serializer.is_valid():
        given = [(one["kind"], one["value"]) for one in serializer.validated_data["values"]]
        assert values_read(body) == given
    else:
        with pytest.raises(ValidationError):
            values_read(body)
