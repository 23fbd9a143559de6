"""The API of reviews, changes, re-assessments and the board."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from approvals.decisions.models import Review
from projects.monitoring.models import ChangeEvent, Reassessment
from projects.workflow import State

INSIDE = ["planner", "executor", "supervisor", "management", "auditor", "assessor"]
OUTSIDE = ["outsider", "recipient", "administrator", "superuser"]


def url(name, *args):
    return reverse(f"api:{name}", args=args)


def caller(user):
    client = APIClient()
    client.force_authenticate(user)
    return client


def test_review(reviewed, people):
    client = caller(people.supervisor)
    subject = client.get(url("reviews-subject", reviewed.pk)).json()
    assert subject["stage"] == "objective"
    sent = {
        "content": subject["content"], "object": subject["name"], "time": timezone.now().isoformat(),
        "process": "Compared.", "result": "Sound.", "measures": "None.", "outcome": "passed",
    }  # fmt: skip
    path = url("reviews", reviewed.pk)
    for who in (*INSIDE, *OUTSIDE):
        if who != "supervisor":
            other = caller(getattr(people, who)).post(path, sent, format="json")
            assert other.status_code == (404 if who in OUTSIDE else 403)
    for wrong in ({"content": "0" * 64}, {"measures": ""}, {"time": "2999-01-01T00:00:00Z"}):
        assert client.post(path, {**sent, **wrong}, format="json").status_code == 400, wrong
    assert not Review.objects.exists()
    assert client.post(path, sent, format="json").status_code == 201
    reviewed.refresh_from_db()
    assert reviewed.state == State.PLAN_APPROVAL
    assert [row["result"] for row in client.get(path).json()] == ["Sound."]
    assert client.get(url("reviews-subject", reviewed.pk)).status_code == 404


def test_changes_reassessments_and_board(monitored, people):
    pk = monitored.project.pk
    change = {"kind": "environment", "description": "A new network.", "happened_on": "2026-01-05"}
    periodic = Reassessment.objects.get()
    for who in OUTSIDE:
        client = caller(getattr(people, who))
        for name in ("changes", "reassessments", "reviews"):
            assert client.get(url(name, pk)).status_code == 404
        assert client.post(url("changes", pk), change, format="json").status_code == 404
        assert client.get(url("reassessments-detail", pk, periodic.pk)).status_code == 404
        assert client.get(url("board")).json()["results"] == []
    for who in ("management", "auditor", "assessor"):
        assert caller(getattr(people, who)).post(url("changes", pk), change, format="json").status_code == 403
    planner, supervisor = caller(people.planner), caller(people.supervisor)
    assert planner.post(url("changes", pk), {**change, "kind": "weather"}, format="json").status_code == 400
    late = planner.post(url("changes", pk), {**change, "happened_on": "2999-01-01"}, format="json")
    assert late.status_code == 400
    made = planner.post(url("changes", pk), change, format="json")
    assert made.status_code == 201
    one = made.json()["id"]
    assert ChangeEvent.objects.count() == len(planner.get(url("changes", pk)).json()) == 1
    conclusion = {"outcome": "keep", "finding": "As before."}
    early = supervisor.post(url("reassessments-conclude", pk, one), conclusion, format="json")
    assert early.json()["code"] == "not_measured"
    monitored.run_jobs()
    assert supervisor.get(url("reassessments-detail", pk, one)).json()["measurement"]["met"] is True
    for name in ("open", "measure", "conclude"):
        path = url(f"reassessments-{name}", pk, one)
        assert planner.post(path, conclusion, format="json").status_code == 403
    again = supervisor.post(url("reassessments-open", pk, one), format="json")
    assert again.json()["code"] == "already_open"
    assert supervisor.post(url("reassessments-measure", pk, one), format="json").status_code == 202
    monitored.run_jobs()
    assert [row["id"] for row in caller(people.auditor).get(url("board")).json()["results"]] == [
        one,
        str(periodic.pk),
    ]
    done = supervisor.post(url("reassessments-conclude", pk, one), conclusion, format="json")
    assert done.json()["outcome"] == "keep"
    first = supervisor.get(url("board"), {"limit": 1}).json()
    assert (first["count"], [row["id"] for row in first["results"]]) == (1, [str(periodic.pk)])
