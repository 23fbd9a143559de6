"""The world that the walk goes through: two projects, one of them carried through every checkpoint.

Everything is made by the services that a person's clicks call. The lifecycle is made once: it goes forward
inside one transaction, side branches (a rejection, a suspension) are undone by savepoints, and in the
end nothing is left in the database.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from decimal import Decimal
from typing import Any
from unittest import mock

from django.core.cache import cache
from django.db import connection, transaction
from django.test import TestCase
from django.utils import timezone

from approvals.decisions.models import Decision, ReviewOutcome
from approvals.documents.services import document_create
from deid_portal.demo.story import DISPENSABLE, Story, without_dispensable
from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.services import member_add, member_end, project_move
from projects.datasets.services import dataset_upload
from projects.datasets.store.store import store_write
from projects.datasets.tables.selectors import first_table
from projects.disposal.services import disposal_propose
from projects.findings.enums import FindingSeverity, FindingSource
from projects.findings.services import finding_act, finding_raise, spot_check_draw
from projects.identification.enums import ColumnRole
from projects.identification.selectors import columns_with_role
from projects.impact.content import content_read
from projects.impact.services import impact_lay
from projects.incidents.enums import IncidentKind, IncidentSeverity
from projects.incidents.services import incident_raise
from projects.intrusion.enums import Knowledge
from projects.intrusion.invitations.services import invitation_make
from projects.intrusion.services import claims_record, intruder_test_open
from projects.lessons.services import lesson_record
from projects.monitoring.afterwards.selectors import ended_releases
from projects.monitoring.afterwards.services import later_open
from projects.monitoring.amendments.services import amendment_review, columns_propose, targets_propose
from projects.monitoring.enums import ChangeKind
from projects.monitoring.services import change_report, stage_review_record
from projects.objective.notice.services import notice_keep
from projects.objective.plan.documents import PLAN_KIND
from projects.objective.plan.need.content import need_read
from projects.objective.plan.need.services import need_answer, need_raise
from projects.objective.selectors import plan_latest, risk_targets
from projects.objective.services import objective_decide, sharing_choose
from projects.objective.surroundings.context import context_assess
from projects.processing.advice.model.services import model_advice_record
from projects.processing.editor.whole.services import preview_start
from projects.processing.recipes.forecast.services import forecast_start
from projects.processing.recipes.levels.services import count_start
from projects.processing.recipes.load.services import load_start
from projects.processing.recipes.proposal.services import proposal_start
from projects.processing.recipes.saved.services import saved_create
from projects.processing.recipes.services import recipe_save
from projects.processing.recipes.suggestion import recipe_suggest
from projects.processing.runs.selectors import latest_run, result_open
from projects.processing.runs.services import run_start
from projects.processing.solutions.services import exploration_start
from projects.queries.selectors import sources_of
from projects.queries.services import grant_decide, grant_propose, query_ask
from projects.releases.agreements.changes.services import change_propose
from projects.releases.agreements.terms import Terms
from projects.releases.deliveries.requests.services import fetch_decide, fetch_request
from projects.releases.enums import CheckInterval
from projects.releases.selectors import current_release
from projects.releases.services import delivery_request
from projects.reversal.services import reversal_ask, reversal_decide
from projects.statistics.definition import Definition
from projects.statistics.services import table_decide, table_make
from projects.vault.models import Secret
from projects.vault.services import secret_propose
from projects.verification.comparison.services import comparison_start
from projects.verification.sign_off.opinions.services import opinion_ask
from projects.verification.trials.services import trial_start
from projects.workflow import Move, Role, Stage
from techniques.disclosure_risk.scales.environment import CONTROLS, MOTIVES
from techniques.disclosure_risk.scales.recovery import RECOVERY
from techniques.disclosure_risk.scales.safeguards import MANAGEMENT, TECHNICAL
from techniques.models.differential_privacy.question import Question

from .checkpoints import CHECKPOINTS
from .expectations.impact import ANSWERS
from .expectations.lessons import LESSON
from .expectations.objective import NEED
from .failing import steps_to_failure
from .personal import Personal
from .roles import OTHER_TEAM
from .world import MINE, OTHERS, World

PDF = b"%PDF-1.7\n% a document of one line\n%%EOF\n"


class Lifecycle:
    """Tells the story up to the checkpoint that is asked for; checkpoints can only be asked for in their order."""

    def __init__(self) -> None:
        self.passed: list[str] = []
        self.walked: dict[str, Any] = {}
        with self._act():
            self.world = World()
        self.personal = Personal(self.world.data)
        self.world.other = self._other()
        self._stops = self._tell()

    def at(self, checkpoint: str) -> World:
        """The world with the project at ``checkpoint``."""
        assert checkpoint not in self.passed or self.passed[-1] == checkpoint, (
            f"The lifecycle is beyond {checkpoint}"
        )
        while not self.passed or self.passed[-1] != checkpoint:
            self.passed.append(next(self._stops))
        project = Project.objects.get(pk=self.world.project.pk)
        assert project.state == CHECKPOINTS[checkpoint], (checkpoint, project.state)
        self.world.project = project
        return self.world

    def end(self) -> None:
        self._stops.close()

    @contextmanager
    def _act(self) -> Iterator[None]:
        """What happens on commit happens at the end; jobs are not offered to workers, the story runs them."""
        with mock.patch("projects.jobs.services.publish"), TestCase.captureOnCommitCallbacks(execute=True):
            yield
        # It has happened; each savepoint that is undone would look through all of it.
        connection.run_on_commit.clear()
        cache.clear()

    def _do(self, story: Story, *steps: Callable[[], object]) -> None:
        """Take the steps, each of them on the project as it stands then."""
        for step in steps:
            if hasattr(story, "project"):
                story.project.refresh_from_db()
                story.project.__dict__.pop("_roles", None)
            with self._act():
                step()

    @contextmanager
    def _aside(self) -> Iterator[None]:
        """A side branch: what happens in it has not happened afterwards."""
        mark = transaction.savepoint()
        try:
            yield
        finally:
            transaction.savepoint_rollback(mark)

    def _story(self, title: str, team: dict[str, str], more: bytes = b"") -> Story:
        """Its agreement asks for an approval of each fetch."""
        people = {role: getattr(self.world.people, name) for role, name in team.items()}
        story = Story(people, title, self.world.data + more, documents=False)
        story.fetch_approval = True
        return story

    def _other(self) -> Project:
        """The other project has everything: data, jobs, documents, a release, a delivery."""
        # With a row more, since one file has one account of answers.
        story = self._story(OTHERS, OTHER_TEAM, self.world.data.splitlines(keepends=True)[-1])
        self._do(story, story.open, lambda: self._informed(story), story.determine_target)
        self._do(story, lambda: self._document(story), story.review)
        self._do(story, story.approve_plan, story.identify, story.review, lambda: self._compared(story))
        self._do(story, story.process, story.review)
        self._do(story, lambda: self._intruded(story))
        self._do(story, story.verify, lambda: self._outside(story))
        self._do(story, story.review, story.approve_release, story.release)
        self._do(
            story, lambda: self._received(story), lambda: self._reversed(story), lambda: self._queried(story),
            lambda: self._tabulated(story), lambda: self._found(story),
        )  # fmt: skip
        return story.project

    def _informed(self, story: Story) -> None:
        """What the people were told is on file; for that the sharing type is chosen first."""
        planner = story.people["planner"]
        project = sharing_choose(story.project, sharing_type=SharingType.CONTROLLED, by=planner)
        with store_write("privacy_notice") as writer:
            writer.write(PDF)
        notice_keep(project, stored=writer.stored, name="consent.pdf", by=planner)

    def _document(self, story: Story) -> None:
        """A document about the submitted plan; what WeasyPrint makes of it is tested elsewhere."""
        version = plan_latest(story.project)
        assert version is not None
        document_create(
            kind=PLAN_KIND,
            subject=version.subject,
            project_id=story.project.pk,
            number=f"{story.project.number}-P1",
            title=f"Plan {story.project.title}",
            language="zh-hans",
            content=PDF,
            by=None,
        )

    def _received(self, story: Story) -> None:
        """Terms that were accepted, a change of them that waits, a delivery that is ready with a fetch of it approved and another
        one requested, a re-assessment that a change has opened, and amendments within it that wait for their review and for their decision."""
        release = current_release(story.project)
        assert release is not None
        impact_lay(story.project, content=content_read(ANSWERS), by=story.people["executor"])
        with store_write("agreement") as writer:
            writer.write(PDF)
        today = timezone.localdate()
        change_propose(
            story.project,
            recipient=story.people["recipient"],
            terms=Terms(
                organisation="Institute", purpose="a study", signed_by="Recipient Person", signed_on=today,
                valid_until=today + timedelta(days=400), check_months=CheckInterval.YEAR, country="CN",
                fetch_approval=True,
            ),
            scan=writer.stored,
            by=story.people["planner"],
        )  # fmt: skip
        delivery_request(release, notice_read=True, by=story.people["recipient"])
        story.run_jobs()
        recipient = story.people["recipient"]
        first = fetch_request(release, file=0, purpose="the first look", by=recipient)
        fetch_decide(first, approve=True, reason="as agreed", by=story.people["supervisor"])
        fetch_request(release, file=0, purpose="the second look", by=recipient)
        opened = change_report(
            story.project,
            kind=ChangeKind.RECIPIENT,
            description="One more person will work with the data.",
            happened_on=today,
            by=story.people["planner"],
        )
        story.run_jobs()
        planner = {"why": "more people know more", "by": story.people["planner"]}
        targets = risk_targets(story.project)
        targets_propose(opened, risk=targets.model_copy(update={"k": targets.k + 1}), **planner)
        columns = [("", "诊断")]
        reviewed = columns_propose(opened, columns=columns, role=ColumnRole.QUASI, **planner)
        amendment_review(
            reviewed, passed=True, review="so it is", seen_hash=reviewed.content_hash, by=story.people["supervisor"]
        )  # fmt: skip

    def _reversed(self, story: Story) -> None:
        """Somebody has the answer to one question, and another question waits."""
        run = latest_run(story.project)
        assert run is not None
        with result_open(run.tables.get()) as stream:
            row = next(csv.DictReader(io.TextIOWrapper(stream, "gb18030")))
        first, _second = (
            reversal_ask(
                run,
                column="病历号",
                values=[row["病历号"]],
                reason="a patient asked",
                by=story.people["executor"],
            )
            for _ in range(2)
        )
        reversal_decide(first, approve=True, reason="as they wish", by=story.people["supervisor"])
        story.run_jobs()

    def _queried(self, story: Story) -> None:
        """The recipient has a part of a budget and an answer, and more was proposed."""
        release = current_release(story.project)
        assert release is not None
        dataset = next(iter(sources_of(release.run_id).values()))
        people = story.people
        for recipient in (None, people["recipient"], None):
            grant = grant_propose(
                story.project, dataset=dataset, recipient=recipient, epsilon=Decimal(1), reason="for the study",
                exhaustion="ask", by=people["planner"],
            )  # fmt: skip
            if grant.number < 3:
                grant_decide(grant, approve=True, reason="it is small", by=people["supervisor"])
        query_ask(release, table="", question=Question(kind="count", epsilon=0.1), by=people["recipient"])
        story.run_jobs()

    def _tabulated(self, story: Story) -> None:
        """A table of statistics is signed, and another waits for its review."""
        people = story.people
        defined = Definition.model_validate({"kind": "persons", "spans": [{"column": "性别"}]})
        # The second is made beside the first that is signed: one made before that would have to be made anew.
        for judges in (("supervisor", "management"), ()):
            table = table_make(
                story.project, title="Patients by sex", source="", definition=defined, rules_id=self.world.table_rules.pk,
                by=people["executor"],
            )  # fmt: skip
            story.run_jobs()
            for who in judges:
                table.refresh_from_db()
                table_decide(table, accept=True, reason="it is as planned", by=people[who])

    def _found(self, story: Story) -> None:
        """One finding is to be put right, the effect of another to be checked, and an auditor has drawn a step."""
        people = story.people
        for number in range(2):
            found = finding_raise(
                story.project, source=FindingSource.REVIEW, stage=Stage.PROCESSING, severity=FindingSeverity.MINOR,
                title="A note is missing", description="The note of the run is empty.", owner=people["executor"],
                due_on=timezone.localdate() + timedelta(days=7), by=people["supervisor"],
            )  # fmt: skip
            if number:
                finding_act(found, action="The note was written.", by=people["executor"])
        incident_raise(
            story.project, kind=IncidentKind.MISUSE, severity=IncidentSeverity.MINOR, description="A copy too many.",
            noticed_at=timezone.now(), by=people["executor"],
        )  # fmt: skip
        lesson_record(story.project, **LESSON, owner=people["executor"], by=people["supervisor"])
        spot_check_draw(size=1, reason="as every month", by=self.world.people.auditor)
        secret = Secret.objects.filter(project=story.project, destroyed_at=None).latest("created_at")
        secret_propose(secret, reason="not needed any more", by=people["planner"])

    def _intruded(self, story: Story) -> None:
        """An intruder test is open, and two claims of its testers wait to be checked."""
        supervisor = story.people["supervisor"]
        test = intruder_test_open(
            story.project, knowledge=Knowledge.OUTSIDER, scope="ten persons", testers="two students",
            auxiliary="the local newspaper", by=supervisor,
        )  # fmt: skip
        claims_record(test, records=[1, 2], reference="envelope 1", by=supervisor)
        invitation_make(
            test, tester=story.people["tester"], country="CN", task="whom you know", until=timezone.localdate(), gets_file=True,
            by=supervisor,
        )  # fmt: skip

    def _outside(self, story: Story) -> None:
        """An external assessor was asked whether the result is of use."""
        asked = {"assessor": story.people["assessor"], "question": "the study of the season"}
        opinion_ask(story.project, **asked, by=story.people["planner"])

    def _assessed(self, story: Story) -> None:
        """The planning manager has answered the questions about the surroundings."""
        context_assess(
            story.project,
            answers={
                "controls": {item.code: 1.0 for item in CONTROLS},
                "motives": {item.code: 0.0 for item in MOTIVES},
                "safeguards": {item.code: 1.0 for item in (*TECHNICAL, *MANAGEMENT)},
                "safeguards_source": "A certificate",
                "recovery": {item.code: 1.0 for item in RECOVERY},
                "recovery_source": "The legal department, 2026",
                "prevalence": 0.001,
                "prevalence_source": "Health survey",
                "breach": 0.1,
                "breach_source": "Yearly report of the sector",
            },
            by=story.people["planner"],
        )

    def _compared(self, story: Story) -> None:
        """Two candidates with different recipes, measured side by side, and advice on the model; nothing is chosen yet."""
        executor = story.people["executor"]
        story.write_recipe()
        runs = [run_start(story.project, by=executor)[0]]
        story.run_jobs()
        # With two columns in the classes and no average to keep there are solutions beside the best one to choose from.
        content = without_dispensable(recipe_suggest(first_table(story.project)), DISPENSABLE)
        content["title"] = "The other way"
        model = next(step for step in content["steps"] if step["technique"] == "model.k_anonymity")
        model["parameters"] |= {"average_risk": None}
        recipe_save(first_table(story.project), content=content, note="another way", by=executor)
        saved_create(first_table(story.project), name="Visits", of_organisation=False, by=executor)
        runs.append(run_start(story.project, by=executor)[0])
        story.run_jobs()
        model_advice_record(first_table(story.project), answers={"knows": True}, by=executor)
        exploration_start(first_table(story.project), by=executor)
        story.run_jobs()
        proposal_start(first_table(story.project), by=executor)
        story.run_jobs()
        table = first_table(story.project)
        (sensitive, *_others) = columns_with_role(table, ColumnRole.SENSITIVE)
        count_start(table, column=sensitive, level_column="", by=executor)
        story.run_jobs()
        forecast_start(first_table(story.project), attack={}, by=executor)
        story.run_jobs()
        load_start(table, rows=1000, by=executor)
        story.run_jobs()
        preview_start(table, content=content, by=executor)
        story.run_jobs()
        trial_start(story.project, by=executor)
        story.run_jobs()
        comparison_start(story.project, run_ids=[run.pk for run in runs], by=executor)
        story.run_jobs()

    def _assessed_later(self, story: Story) -> None:
        """The copy that was fetched is out after the end: its re-assessment is open, and measured."""
        ended = ended_releases(story.project).select_related("project", "released_by").get()
        later_open(ended, by=story.people["supervisor"])
        story.run_jobs()

    def _returned(self, story: Story) -> None:
        stage_review_record(
            story.project,
            object="the records of the stage",
            time=timezone.now(),
            process="compared",
            result="one detail is to be explained",
            measures="explain it",
            outcome=ReviewOutcome.RETURNED,
            by=self.world.people.supervisor,
        )

    def _move(self, story: Story, move: Move, who: str) -> None:
        project_move(story.project, move=move, by=getattr(self.world.people, who), reason="for a good reason")

    def _tell(self) -> Iterator[str]:
        people = self.world.people
        team = {role.value: role.value for role in Role} | {"assessor": "assessor", "tester": "tester"}
        story = self._story(MINE, team)
        aside, do = self._aside, self._do

        def open_with_former() -> None:
            story.open()
            self.world.project = story.project
            former = member_add(story.project, user=people.former, role=Role.EXECUTOR, by=people.planner)
            member_end(former, by=people.planner)
            need_raise(story.project, need=need_read(NEED), by=people.executor)

        def answer() -> None:
            need_answer(story.project, number=1, accept=True, reason="it is needed", by=people.planner)

        def reject() -> None:
            objective_decide(
                story.project, decision=Decision.REJECTED, reason="too much", by=people.management
            )

        def upload_only() -> None:
            content = io.BytesIO(self.world.data)
            dataset_upload(first_table(story.project), content=content, name="visits.csv", by=people.executor)
            story.run_jobs()

        def returned() -> None:
            self._returned(story)

        do(story, open_with_former)
        yield "objective_draft"
        do(story, answer, lambda: self._informed(story), story.determine_target)
        do(story, lambda: self._document(story))
        yield "objective_review"
        with aside():
            do(story, returned, lambda: self._assessed(story))
            yield "objective_draft+complete"
        do(story, story.review)
        yield "plan_approval"
        with aside():
            do(story, reject)
            yield "rejected"
        do(story, story.approve_plan)
        yield "identification"
        with aside():
            do(story, upload_only)
            yield "identification+uploaded"
        do(story, story.identify)
        yield "identification_review"
        with aside():
            do(story, returned)
            yield "identification+complete"
        do(story, story.review)
        yield "processing"
        with aside():
            do(story, story.write_recipe)
            yield "processing+recipe"
        do(story, story.process)
        yield "processing_review"
        with aside():
            do(story, returned, lambda: self._compared(story))
            yield "processing+complete"
        with aside():
            do(story, lambda: self._move(story, Move.WITHDRAW, "planner"))
            yield "withdrawn"
        with aside():
            do(story, lambda: self._move(story, Move.SUSPEND, "supervisor"))
            yield "suspended"
        do(story, story.review)
        yield "verification"
        with aside():
            do(story, *steps_to_failure(story))
            yield "processing+failed"
        do(story, lambda: self._intruded(story), story.verify)
        yield "verification_review"
        do(story, lambda: self._outside(story))
        with aside():
            do(story, returned)
            yield "verification+complete"
        do(story, story.review)
        yield "release_approval"
        do(story, story.approve_release)
        yield "approved"
        with aside():
            do(story, story.sign_agreement)
            yield "approved+agreed"
        do(
            story,
            story.release,
            lambda: self._received(story),
            lambda: self._reversed(story),
            lambda: self._queried(story),
            lambda: self._tabulated(story),
            lambda: self._found(story),
        )
        yield "monitoring"
        with aside():
            do(story, lambda: self._move(story, Move.SUSPEND, "supervisor"))
            yield "suspended+released"
        do(
            story,
            story.fetch,
            story.close,
            lambda: disposal_propose(story.project, reason="it is over", by=people.planner),
            lambda: self._assessed_later(story),
        )
        yield "closed"
