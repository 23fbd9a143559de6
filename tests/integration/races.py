"""The portal's services called at the same moment from several threads, each with its own connection."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from django.db import DatabaseError, OperationalError, connection
from django.utils import timezone

from approvals.audit import events
from approvals.audit.recording import recording
from approvals.audit.verify import verify
from approvals.decisions.models import Decision, ReviewOutcome
from approvals.governance.draft import Subject
from approvals.governance.verdict import Refused
from approvals.request_cache import cached_read, caching_reads, is_caching
from deid_portal.accounts.services import user_create
from deid_portal.demo import accounts, story
from deid_portal.messaging.tasks import run as messages_run
from projects.core.models import Project
from projects.core.services import member_add, member_end, project_create, project_edit
from projects.identification.models import ColumnVerdict
from projects.jobs import lease
from projects.jobs.models import Job
from projects.jobs.services import job_cancel, job_run, job_start, jobs_sweep
from projects.monitoring.services import stage_review_record
from projects.objective.services import objective_decide
from projects.queries.models import Query
from projects.queries.selectors import account_of, charged_in, grants_of, sources_of
from projects.queries.services import grant_decide, grant_propose, query_ask
from projects.releases.models import Release
from projects.workflow import Role, State
from projects.workflow.posts import Post
from techniques.models.differential_privacy.question import Question


class OnPurpose(Exception):
    """Undoes an act after it wrote."""


def together(*functions: Callable[[], Any]) -> list[str]:
    """Call the functions at one moment; what became of each: "done", "refused: CODE" or the error's name."""
    barrier = threading.Barrier(len(functions))
    outcomes = [""] * len(functions)

    def call(index: int, function: Callable[[], Any]) -> None:
        try:
            connection.ensure_connection()
            barrier.wait(30)
            function()
            outcomes[index] = "done"
        except Refused as refused:
            outcomes[index] = (
                f"refused: {refused.verdict.code}" if refused.verdict.text else "refused without a reason"
            )
        except Exception as error:  # noqa: BLE001  an outcome like the others
            outcomes[index] = f"{type(error).__name__}: {error}"
        finally:
            connection.close()

    threads = [threading.Thread(target=call, args=pair) for pair in enumerate(functions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def verdicts_of(project: Project) -> Sequence[ColumnVerdict]:
    return list(ColumnVerdict.objects.filter(project=project, superseded_at=None))


def write_events(threads: str, each: str) -> dict:
    """Acts of one event, of two, and such that are undone after they wrote."""

    def write() -> None:
        for number in range(int(each)):
            try:
                with recording(events.LOG_EXPORTED, by=None, format="outer") as event:
                    event.facts["number"] = number
                    if number % 3:
                        with recording(events.LOG_EXPORTED, by=None, format="inner"):
                            pass
                    if number % 5 == 4:
                        raise OnPurpose
            except OnPurpose:
                pass

    kept = [n for n in range(int(each)) if n % 5 != 4]
    outcomes = together(*[write] * int(threads))
    return {"outcomes": outcomes, "events": int(threads) * sum(2 if n % 3 else 1 for n in kept)}


def watch_log(seconds: str) -> dict:
    """Check the log again and again while others write."""
    faults, sizes, end = [], [], time.monotonic() + float(seconds)
    while time.monotonic() < end:
        checked = verify()
        sizes.append(checked.rows)
        faults += [str(fault) for fault in checked.faults]
    return {"checks": len(sizes), "first": sizes[0], "last": sizes[-1], "faults": faults}


def race_projects(threads: str) -> dict:
    """Everybody opens a project at once; each must get a number of its own."""
    planner = accounts.ensure_people()["planner"]
    outcomes = together(*[lambda: project_create(title="At once", by=planner)] * int(threads))
    numbers = Project.objects.filter(title="At once").values_list("number", flat=True)
    return {"outcomes": outcomes, "numbers": list(numbers)}


def race_messages(people: str, threads: str) -> dict:
    """So many planning managers have one thing to do each, and several workers find it out and send it at once, twice."""
    for number in range(int(people)):
        planner = user_create(
            username=f"planner{number}",
            password=None,
            full_name=f"Planner {number}",
            email=f"planner{number}@hospital.example",
            post=Post.PLANNER,
            by=None,
        )
        project_create(title=f"Study {number}", by=planner)
    return {"outcomes": [together(*[messages_run] * int(threads)) for _round in range(2)]}


def race_decisions(rounds: str) -> dict:
    """Twice at once: a review passed and returned, and a plan approved and returned."""
    people = accounts.ensure_people()
    reviews, decisions, states = [], [], []
    for number in range(int(rounds)):
        demo = story.Story(people, f"Decisions {number}", b"", documents=False)
        demo.reach(State.OBJECTIVE_REVIEW)

        def review(outcome: ReviewOutcome, project: Project = demo.project) -> None:
            stage_review_record(
                project,
                object="o",
                time=timezone.now(),
                process="p",
                result="r",
                measures="m",
                outcome=outcome,
                by=people["supervisor"],
            )

        def decide(decision: Decision, project: Project = demo.project) -> None:
            objective_decide(project, decision=decision, reason="r", by=people["management"])

        # In the last round both pass it, so that at least one plan comes to a decision.
        other = ReviewOutcome.PASSED if number == int(rounds) - 1 else ReviewOutcome.RETURNED
        reviews.append(together(lambda: review(ReviewOutcome.PASSED), lambda other=other: review(other)))
        demo.project.refresh_from_db()
        states.append(demo.project.state)
        if demo.project.state == State.PLAN_APPROVAL:
            decisions.append(together(lambda: decide(Decision.APPROVED), lambda: decide(Decision.RETURNED)))
            demo.project.refresh_from_db()
            states.append(demo.project.state)
    return {"reviews": reviews, "decisions": decisions, "states": states}


def _quick(number: object, pause: float = 0.002) -> Job:
    user = accounts.ensure_people()["planner"]
    subject = Subject("killtest", f"quick {number}", "quick")
    return job_start(
        "killtest.quick", project=None, subject=subject, title="Quick", by=user, params={"pause": pause}
    )


def race_claims(threads: str, rounds: str) -> dict:
    """Several workers take the same job at once; how many got it, round by round."""
    taken = []
    for number in range(int(rounds)):
        job, owners = _quick(f"claim {number}"), []
        outcomes = together(
            *[lambda job=job, owners=owners: owners.append(lease.claim(job.pk))] * int(threads)
        )
        assert set(outcomes) == {"done"}, outcomes
        taken.append(len([owner for owner in owners if owner]))
        Job.objects.filter(pk=job.pk).update(status="queued", lease_owner="", lease_until=None)
        job_cancel(Job.objects.get(pk=job.pk), by=job.requested_by)
    return {"taken": taken}


def race_endings(rounds: str) -> dict:
    """A worker ends a job while a person cancels it, another worker takes it and the sweeper looks.

    The cancelling is aimed at the moment of the job's end by how the rounds before ended.
    """
    pause, ends, strange = 0.05, Counter(), []
    for number in range(int(rounds)):
        job = _quick(f"end {number}")

        def cancel(job: Job = job, pause: float = pause) -> None:
            time.sleep(pause)
            job_cancel(Job.objects.get(pk=job.pk), by=job.requested_by)

        outcomes = together(
            lambda job=job: job_run(job.pk), cancel, lambda job=job: job_run(job.pk), jobs_sweep
        )
        job.refresh_from_db()
        ends[job.status] += 1
        pause *= 1.3 if job.status == "cancelled" else 0.75
        strange += [text for text in outcomes if text != "done" and not text.startswith("refused: ")]
    return {"ends": dict(ends), "strange": strange}


def storm(seconds: str) -> dict:
    """Acts of all sorts on the same few projects at once; nothing may fail but by a rule."""
    people = accounts.ensure_people()
    few = [project_create(title=f"Storm {number}", by=people["planner"]) for number in range(3)]
    end, lock = time.monotonic() + float(seconds), threading.Lock()
    counts: Counter[str] = Counter()
    strange: list[str] = []

    def acts(chance: random.Random) -> Callable[[], Any]:
        project = Project.objects.get(pk=chance.choice(few).pk)
        which = chance.randrange(5)
        if which == 0:
            return lambda: project_edit(project, title=project.title, summary="s", by=people["planner"])
        if which == 1:
            return lambda: member_add(
                project, user=people["supervisor"], role=Role.SUPERVISOR, by=people["planner"]
            )
        if which == 2:
            membership = project.memberships.filter(role=Role.SUPERVISOR).first()
            return lambda: membership and member_end(membership, by=people["planner"])
        if which == 3:
            return lambda: job_run(_quick(f"storm {chance.randrange(3)}", 0.0).pk)
        return jobs_sweep

    def person(seed: int) -> None:
        chance = random.Random(seed)
        while time.monotonic() < end:
            act = acts(chance)
            try:
                act()
                word = "done"
            except Refused:
                word = "refused"
            with lock:
                counts[word] += 1

    strange = [text for text in together(*[lambda s=s: person(s) for s in range(6)]) if text != "done"]
    return {"counts": dict(counts), "strange": strange}


def read_one_state() -> dict:
    """What a reading request sees of a project while somebody else changes it, statement by statement."""
    demo = story.Story(accounts.ensure_people(), "One state", b"", documents=False)
    demo.open()
    project, seen = demo.project, []

    def change(title: str) -> list[str]:
        return together(lambda: project_edit(project, title=title, summary="", by=demo.people["planner"]))

    def title() -> str:
        return Project.objects.values_list("title", flat=True).get(pk=project.pk)

    seen.append(title())
    with caching_reads():
        # Nothing holds the database before the first read that is kept.
        outcomes = change("Before")
        seen.append(cached_read(title)())
        outcomes += change("Changed")
        seen.append(title())
        kept = is_caching()
    seen.append(title())
    with caching_reads():
        cached_read(title)()
        outcomes += change("Again")
        seen.append(title())
        # An act of this very request ends the reading and sees what others did meanwhile.
        project_edit(project, title=title() + "!", summary="", by=demo.people["planner"])
        seen.append(title())
    with caching_reads():
        cached_read(title)()
        outcomes += change("Once more")
        try:
            connection.cursor().execute("SELECT nothing FROM nowhere")
        except DatabaseError:
            seen.append(title())
    return {"outcomes": outcomes, "seen": seen, "kept": kept}


def race_questions(questions: str) -> dict:
    """So many questions at one moment, each for a twentieth of the budget; every tenth is the same one."""
    people = accounts.ensure_people()
    demo = story.Story(people, "Questions", story.csv_bytes(1200), documents=False)
    demo.reach(State.MONITORING)
    release = Release.objects.select_related("project").get(project=demo.project)
    (dataset,) = sources_of(release.run_id).values()
    recipient = people["recipient"]
    for whose in (None, recipient):
        grant = grant_propose(
            release.project, dataset=dataset, recipient=whose, epsilon=Decimal(1), reason="for the study", by=people["planner"]
        )  # fmt: skip
        grant_decide(grant, approve=True, reason="it is small", by=people["supervisor"])

    def ask(number: int) -> None:
        alike = 0 if number % 10 == 0 else number
        question = Question(kind="count", epsilon=0.05, confidence=0.5 + alike / 1000)
        end = time.monotonic() + 300
        while True:
            try:
                query_ask(release, table="", question=question, by=recipient)
                return
            except OperationalError:
                # Who has waited for the lock too long is told to try again, and does.
                if time.monotonic() > end:
                    raise

    outcomes = together(*[lambda n=n: ask(n) for n in range(int(questions))])
    rows = Query.objects.filter(project=demo.project)
    account = account_of(dataset, list(grants_of(demo.project)), charged_in(demo.project))
    return {
        "outcomes": dict(Counter(outcomes)),
        "became": dict(Counter(rows.values_list("status", flat=True))),
        "charged": str(sum(Decimal(row.loss["epsilon"]) for row in rows.filter(status="running"))),
        "left": str(account.left),
        "faults": [str(fault) for fault in verify().faults],
    }


VERBS = (
    race_questions,
    write_events,
    watch_log,
    race_projects,
    race_messages,
    race_decisions,
    race_claims,
    race_endings,
    storm,
    read_one_state,
)
