"""A year in the life of a release, by the pages of those who act and the clock's own tasks; the auditor tells it afterwards."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from approvals.audit.verify import verify
from approvals.documents.models import Document
from deid_portal.accounts.models import User
from deid_portal.accounts.services import user_create
from deid_portal.demo.story import SCAN, run_jobs
from deid_portal.messaging.tasks import run as tell_people
from deid_portal.organisation.models import Policy
from deid_portal.records.models import PostCatalogue
from projects.disposal.enums import CERTIFICATE_JOB
from projects.disposal.models import Disposal
from projects.incidents.models import Incident
from projects.monitoring.models import Amendment, Reassessment
from projects.monitoring.tasks import open_due
from projects.objective.selectors import risk_targets
from projects.releases.models import Agreement, Delivery, RecipientChange, Release
from projects.releases.selectors import current_release
from projects.reversal.tasks import expire
from projects.vault.documents import CERTIFICATE
from projects.workflow import State
from projects.workflow.posts import Post
from tests.approvals.documents.printed import print_waiting
from tests.deid_portal.organisation.policies.test_policies import approved
from tests.fixtures import PASSWORD
from tests.projects.releases import stories

pytestmark = pytest.mark.django_db
BACKEND = "deid_portal.accounts.backends.AccountBackend"


def START(people: SimpleNamespace) -> stories.Story:
    """The project rests on a policy that holds for all, and is released."""
    approved(people, title="Releases of the house", every_project=True)
    return stories.released(people)


class Year:
    """The release and its people, and a clock that only goes forward."""

    def __init__(self, story: stories.Story, people: SimpleNamespace, clock: time_machine.Traveller) -> None:
        self.story, self.project, self.people, self.clock = story, story.project, people, clock
        self.begin = timezone.localdate()

    def day(self, number: int) -> date:
        return self.begin + timedelta(days=number)

    def wait_until(self, number: int) -> None:
        """The morning of this day: what the clock starts by itself has been done."""
        morning = datetime.combine(self.day(number), time(9), timezone.get_current_timezone())
        self.clock.move_to(morning)
        for task in (open_due, expire, tell_people):
            task()
        run_jobs(documents=False)
        self.project.refresh_from_db()

    def client(self, person: User) -> Client:
        client = Client(headers={"accept-language": "en"})
        client.force_login(User.objects.get(pk=person.pk), backend=BACKEND)
        return client

    def where(self, name: str, *more: Any) -> str:
        return reverse(name, args=[self.project.pk, *more])

    def page(self, person: User, path: str, *, status: int = 200) -> str:
        """The words of a page."""
        answer = self.client(person).get(path)
        assert answer.status_code == status, (path, answer.status_code)
        return words(answer)

    def send(self, person: User, path: str, *, status: int = 302, **form: Any) -> str:
        """A form of a page is sent; where it goes on, or the words of the page that comes back."""
        answer = self.client(person).post(path, form)
        assert answer.status_code == status, (path, answer.status_code, words(answer)[-900:])
        run_jobs(documents=False)
        self.project.refresh_from_db()
        return str(answer.url) if status == 302 else words(answer)

    def fetch(self, person: User, **form: Any) -> bytes:
        """A recipient asks for the released file and takes it."""
        release = current_release(self.project)
        assert release is not None
        made = Delivery.objects.count()
        self.send(person, reverse("recipient:request", args=[release.pk]), notice_read="on", **form)
        assert Delivery.objects.count() == made + 1
        delivery = Delivery.objects.filter(recipient=person).latest("requested_at")
        answer = self.client(person).get(reverse("recipient:download", args=[delivery.pk]))
        assert answer.status_code == 200, words(answer)
        return b"".join(answer.streaming_content)  # type: ignore[arg-type]

    def refused_to(self, person: User) -> str:
        """Why the recipient does not get the file now, in the words of their page."""
        release = Release.objects.filter(project=self.project).latest("released_at")
        made = Delivery.objects.count()
        self.send(person, reverse("recipient:request", args=[release.pk]), status=403, notice_read="on")
        assert Delivery.objects.count() == made
        return self.page(person, reverse("recipient:detail", args=[release.pk]))


def words(answer: Any) -> str:
    """What a reader sees of a page, on one line."""
    return shown(answer.content.decode())


def shown(markup: str) -> str:
    text = re.sub(r"<(script|style)\b.*?</\1>|<[^>]+>", " ", markup, flags=re.DOTALL)
    return " ".join(html.unescape(text).split())


@pytest.fixture
def year(story_at: Any, people: SimpleNamespace) -> Iterator[Year]:
    story = story_at(State.MONITORING, START)
    with time_machine.travel(timezone.now(), tick=True) as clock:
        yield Year(story, people, clock)


class Parts:
    """The year in its order; each part is played by :func:`test_a_year_of_a_release`."""

    def __init__(self, year: Year) -> None:
        self.year, self.people = year, year.people
        self.first = year.people.recipient
        self.second = year.people.outsider
        self.successor = user_create(
            username="successor",
            password=PASSWORD,
            full_name="Successor Person",
            post=Post.STAFF,
            by=year.people.administrator,
        )

    def posts_ask_for_a_training(self) -> None:
        year, people = self.year, self.people
        year.wait_until(15)
        texts = {
            f"{role}_{part}": "as clause 6.2 has it"
            for role in ("planner", "executor", "supervisor", "management")
            for part in ("technical", "confidentiality")
        }
        page = reverse("records:catalogue")
        year.send(people.planner, page, **texts, executor_asks=["training"], reason="clause 6.2")
        version = PostCatalogue.objects.get()
        decide = reverse("records:catalogue_decide", args=[version.pk])
        year.send(people.administrator, decide, decision="accept", reason="as agreed")
        self.training(until=50)

    def training(self, *, until: int) -> None:
        year = self.year
        year.send(
            self.people.administrator,
            reverse("records:records", args=[self.successor.pk]),
            kind="training", title="A course with a test", done_on=timezone.localdate().isoformat(),
            valid_until=year.day(until).isoformat(), passed="yes", kept_at="folder 7",
        )  # fmt: skip

    def somebody_leaves(self) -> None:
        year, people = self.year, self.people
        year.wait_until(60)
        leaver = people.executor
        page = reverse("accounts:leaving", args=[leaver.pk])
        assert year.project.number in year.page(people.administrator, page), (
            "what they have in hand is listed"
        )
        signed_in = year.client(leaver)
        assert signed_in.get(year.where("core:project")).status_code == 200
        year.send(people.administrator, page, reason="another house", agreed="silent, paper in folder 9")
        assert signed_in.get(year.where("core:project")).status_code == 302, "access has ended at once"

    def a_training_that_is_over_blocks(self) -> None:
        year, people = self.year, self.people
        year.wait_until(61)
        team, join = year.where("core:members"), {"user": self.successor.pk, "role": "executor"}
        said = year.send(people.planner, team, status=422, **join)
        assert f"Training with a test, valid until {year.day(50).isoformat()} only" in said
        self.training(until=400)
        year.send(people.planner, team, **join)
        assert "Successor Person" in year.page(people.supervisor, team)

    def a_recipient_is_refused_then_approved(self) -> None:
        year, people, second = self.year, self.people, self.second
        year.wait_until(100)
        year.send(people.planner, year.where("core:members"), user=second.pk, role="recipient")
        self.decided(self.proposed("Whatever may come."), "refuse", "of no purpose that the plan has")
        assert not Agreement.objects.filter(recipient=second).exists()
        year.refused_to(second)
        year.wait_until(110)
        self.decided(self.proposed("A study of fees."), "approve", "within the plan")
        file = year.fetch(second, accepted="on")
        assert file == year.fetch(self.first), "both get what was approved"
        # Who receives was changed, which is looked at.
        year.wait_until(112)
        self.concluded(Reassessment.objects.get(change__kind="recipient"), "keep")

    def concluded(self, look: Reassessment, outcome: str) -> None:
        page = self.year.where("monitoring:reassessment", look.pk)
        self.year.send(
            self.people.supervisor, page, outcome=outcome, finding="looked at by the targets of today"
        )

    def proposed(self, purpose: str) -> RecipientChange:
        year = self.year
        prohibitions = ("prohibits_reidentification", "prohibits_linkage", "prohibits_onward_sharing")
        year.send(
            self.people.planner,
            year.where("releases:agreement"),
            recipient=self.second.pk, organisation="School", purpose=purpose, signed_by="Dean",
            signed_on=timezone.localdate().isoformat(), valid_until=year.day(360).isoformat(), check_months="12", country="CN",
            file=SimpleUploadedFile("signed.pdf", SCAN), **dict.fromkeys(prohibitions, "on"),
        )  # fmt: skip
        return RecipientChange.objects.latest("proposed_at")

    def decided(self, change: RecipientChange, decision: str, reason: str) -> None:
        year = self.year
        page = year.where("releases:recipient_change", change.pk)
        seen = {"content_hash": change.content_hash, "secret": PASSWORD}
        year.send(self.people.management, page, decision=decision, reason=reason, **seen)

    def a_policy_asks_for_more(self) -> None:
        """Its newer version opens a look back that nobody takes: after the grace nothing is handed out."""
        year, people = self.year, self.people
        year.wait_until(150)
        policy = Policy.objects.get()
        year.send(
            people.planner,
            reverse("organisation:policy_propose", args=[policy.pk]),
            text="At least 300 persons look alike.", effective_on=year.day(150).isoformat(),
            review_on=year.day(500).isoformat(), concerns=["staff"], reason="a study was published",
        )  # fmt: skip
        version = policy.versions.latest("number")
        decide = reverse("organisation:policy_decide", args=[policy.pk, version.pk])
        year.send(people.management, decide, decision="accept", reason="as published")
        self.look = Reassessment.objects.get(change__kind="rules")
        assert self.look.due_on is not None
        due = (self.look.due_on - year.begin).days
        year.wait_until(due + 30)
        year.fetch(self.first)
        year.wait_until(due + 31)
        assert "re-assessment" in year.refused_to(self.first)
        assert "re-assessment" in year.refused_to(self.second)

    def it_fails_and_is_accepted_until_a_day(self) -> None:
        year, people = self.year, self.people
        year.wait_until(215)
        page = year.where("monitoring:reassessment", self.look.pk)
        now = {
            name: f"{value:.4g}" if isinstance(value, float) else value
            for name, value in risk_targets(year.project).model_dump(mode="json").items()
            if value is not None
        }
        year.send(
            people.planner, page + "amend/targets/", **now | {"k": 300, "why": "the policy asks for it"}
        )
        amendment = Amendment.objects.get()
        at = year.where("monitoring:amendment", amendment.pk)
        seen = {"content_hash": amendment.content_hash}
        year.send(people.supervisor, at + "review/", outcome="pass", review="read the policy", **seen)
        agreed = seen | {"decision": "approve", "reason": "agreed", "secret": PASSWORD}
        year.send(people.management, at + "decide/", **agreed)
        kept = {"outcome": "keep", "finding": "as it was"}
        assert "senior management" in year.send(people.supervisor, page, status=422, **kept)
        year.send(
            people.management,
            page + "accept/",
            until=year.day(260).isoformat(), reason="a trusted recipient, and the study ends soon", secret=PASSWORD,
        )  # fmt: skip
        self.concluded(self.look, "keep")
        year.fetch(self.first)

    def an_incident_stops_and_is_put_right(self) -> None:
        year, people = self.year, self.people
        year.wait_until(230)
        release = current_release(year.project)
        assert release is not None
        noticed = timezone.localtime().strftime("%Y-%m-%dT%H:%M")
        year.send(
            self.second,
            reverse("recipient_incidents:page", args=[release.pk]),
            kind="leak", severity="major", description="A folder lay open.", noticed_at=noticed,
        )  # fmt: skip
        incident = Incident.objects.get()
        page = year.where("incidents:incident", incident.pk)
        year.send(people.planner, page, act="stop", text="until it is known what was seen")
        assert "incident" in year.refused_to(self.first).lower()
        for who, act in (
            (people.supervisor, "confirm"),
            (self.successor, "measure"),
            (people.planner, "authority"),
            (people.management, "spare"),
            (people.supervisor, "resume"),
            (people.management, "close"),
        ):
            year.wait_until((timezone.localdate() - year.begin).days + 1)
            year.send(who, page, act=act, text=f"{act}: as it was agreed")
        year.fetch(self.first)

    def it_is_withdrawn(self) -> None:
        """The risk was accepted until a day; nobody decides anew, and the planning manager ends it."""
        year, people = self.year, self.people
        year.wait_until(261)
        year.refused_to(self.first)
        year.wait_until(270)
        release = current_release(year.project)
        assert release is not None
        year.send(
            people.planner, year.where("releases:end", release.pk), reason="not to be kept by the policy"
        )
        year.refused_to(self.second)
        for person in (self.first, self.second):
            page = reverse("recipient_copies:page", args=[release.pk])
            year.send(person, page, how="overwritten", confirmed="on")
        year.send(people.planner, year.where("core:move", "close"), reason="the study is over")
        assert year.project.state == State.CLOSED

    def the_data_are_destroyed(self) -> None:
        year, people = self.year, self.people
        year.wait_until(300)
        there = year.client(people.planner).get(year.where("disposal:page")).context["forms"]["propose"]
        kinds = [kind for kind, _label in there.fields["kinds"].choices]
        year.send(people.planner, year.where("disposal:propose"), kinds=kinds, reason="nothing needs them")
        disposal = Disposal.objects.get()
        carry_out = year.where("disposal:carry_out", disposal.pk)
        year.send(people.planner, carry_out, status=403, reason="by myself")
        year.send(people.supervisor, carry_out, reason="the term is over")
        disposal.refresh_from_db()
        assert disposal.is_destroyed
        print_waiting(CERTIFICATE_JOB)
        assert {one.language for one in Document.objects.filter(kind=CERTIFICATE)} == {"en", "zh-hans"}

    def read_in_the_log(self) -> list[tuple[int, str]]:
        """(day, sentence) of every event, the oldest first, from the pages of the auditor's log alone."""
        year, rows, number = self.year, [], 1
        client = year.client(self.people.auditor)
        while True:
            page = client.get(reverse("audit:log"), {"since": year.begin.isoformat(), "page": number})
            for row in re.findall(r"<tr>(.*?)</tr>", page.content.decode(), flags=re.DOTALL)[1:]:
                cells = [
                    shown(cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, flags=re.DOTALL)
                ]
                rows.append(((date.fromisoformat(cells[1][:10]) - year.begin).days, cells[2]))
            if not page.context["page"].has_next():
                return rows[::-1]
            number += 1


LOG = (
    (15, "Administrator Person put version 1 of the catalogue of posts in force (as agreed)"),
    (60, "Administrator Person recorded that Executor Person leaves: access ended; appointments ended: 0; tokens ended: 0;"
         " roles in projects to hand over: 1. Reason: another house"),
    (61, "Administrator Person added a record for Successor Person: Training with a test, passed: yes"),
    (61, "Planner Person gave Successor Person the role Executor in “{project}”"),
    (100, "Management Person refused the change to what was signed about Outsider Person Reason: of no purpose that the plan has"),
    (110, "Management Person approved the change to what was signed about Outsider Person Reason: within the plan"),
    (110, "Outsider Person fetched “{number}.csv”"),
    (150, "The portal started the job “Measure the release again” for “{number} · {due}”"),
    (150, "The portal reported a change of “{project}”: Laws, standards or policies changed"),
    (150, "Management Person approved “Releases of the house · 2” (as published)"),
    (215, "Management Person approved the amendment “{number} A1”: the release is measured by it from now on Reason: agreed"),
    (215, "Management Person accepted until {accepted} that the release of “{project}” does not meet every target Reason: a trusted"
          " recipient, and the study ends soon"),
    (230, "Outsider Person reported the incident “{number} E1”: Data leaked, were altered or lost (Major: persons may be affected)"),
    (230, "Planner Person stopped deliveries because of the incident “{number} E1”"),
    (236, "Management Person closed the incident “{number} E1”"),
    (261, "The portal started the job “Measure the release again” for “{number} · {accepted}”"),
    (270, "Planner Person ended the release “{number}.csv” Reason: not to be kept by the policy"),
    (270, "Outsider Person stated that their copy of “{number}.csv” is destroyed: overwritten"),
    (270, "Planner Person closed “{project}” Reason: the study is over"),
    (300, "Planner Person proposed to destroy the data of the project ({number} X1): nothing needs them"),
    (300, "Supervisor Person destroyed the data of the project ({number} X1), 5 files and 2 keys of the vault: the term is over"),
    (300, "The portal removed the encrypted files from the disk ({number} X1): 5 files, none is left"),
)  # fmt: skip
"""What an auditor reads, by the day of the year, in this order."""


def test_a_year_of_a_release(year: Year) -> None:
    parts = Parts(year)
    file = year.fetch(parts.first)
    assert file.count(b"\n") > 100
    parts.posts_ask_for_a_training()
    parts.somebody_leaves()
    parts.a_training_that_is_over_blocks()
    parts.a_recipient_is_refused_then_approved()
    parts.a_policy_asks_for_more()
    parts.it_fails_and_is_accepted_until_a_day()
    parts.an_incident_stops_and_is_put_right()
    parts.it_is_withdrawn()
    parts.the_data_are_destroyed()
    year.wait_until(365)
    names = {
        "project": year.project, "number": year.project.number, "due": parts.look.due_on, "accepted": year.day(260),
    }  # fmt: skip
    found = iter(parts.read_in_the_log())
    for day, sentence in LOG:
        event = day, sentence.format(**names)
        assert event in found, f"{event} is not in the log, or stands elsewhere"
    assert verify().sound
    # The pages of the project tell of its end, a year later and without its data.
    auditor = year.people.auditor
    release = Release.objects.get(project=year.project)
    assert "not to be kept by the policy" in year.page(auditor, year.where("releases:page"))
    assert release.ended_at is not None
    destroyed = year.page(auditor, year.where("disposal:page"))
    for who in ("Planner Person", "Supervisor Person"):
        assert who in destroyed, destroyed[-2500:]
    history = year.page(auditor, year.where("core:history"))
    assert "Planner Person closed" in history
    assert year.client(parts.second).get(reverse("recipient:detail", args=[release.pk])).status_code == 200
    assert year.client(year.people.executor).get(year.where("core:project")).status_code == 302
