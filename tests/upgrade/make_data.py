"""Make a data directory that later portals must open, and the list of what is looked at; see the README.

``python -m tests.upgrade.make_data ADDRESSES``, at the commit that the directory is to stand for.
"""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from deid_portal.accounts.services import user_create  # noqa: E402
from deid_portal.demo import accounts, masking, notice, story  # noqa: E402
from deid_portal.demo.loading import STAGE_PURPOSES  # noqa: E402
from deid_portal.organisation.services import ensure_defaults  # noqa: E402
from projects.core.models import Project  # noqa: E402
from projects.core.services import member_add, project_move  # noqa: E402
from projects.datasets.tables.selectors import first_table  # noqa: E402
from projects.jobs.enums import JobStatus  # noqa: E402
from projects.jobs.models import Job  # noqa: E402
from projects.jobs.services import job_run  # noqa: E402
from projects.processing.recipes.services import recipe_save  # noqa: E402
from projects.processing.runs.selectors import latest_run, result_open, tables_of_run  # noqa: E402
from projects.processing.runs.services import run_start  # noqa: E402
from projects.processing.solutions.services import exploration_start, solution_choose  # noqa: E402
from projects.releases.models import Release  # noqa: E402
from projects.releases.services import release_create  # noqa: E402
from projects.releases.shares.services import share_assign  # noqa: E402
from projects.reversal.services import reversal_ask, reversal_decide  # noqa: E402
from projects.verification.comparison.services import candidate_choose, comparison_start  # noqa: E402
from projects.verification.services import verification_start  # noqa: E402
from projects.workflow import Move, Role, State  # noqa: E402
from projects.workflow.posts import Post  # noqa: E402
from tests.projects.datasets.tables.stories import JointStory, joint_recipe, patients_csv  # noqa: E402
from tests.projects.releases.shares.test_shares import split  # noqa: E402
from tests.projects.reversal.test_several_tables import TwoRuns  # noqa: E402
from tests.projects.verification.remedies.test_remedies import weak  # noqa: E402
from tests.projects.verification.stories import SmallStory  # noqa: E402

ROWS = 600
WHY = "A patient asked for the record of a visit"


class People:
    """The demo's people as attributes, as the tests' stories want them."""

    def __init__(self, people: dict[str, Any]) -> None:
        self.__dict__.update(people)


def demo_projects(people: People) -> None:
    """The projects that the demo shows; documents stay in the queue but for one."""
    for state, purpose in STAGE_PURPOSES:
        document, data = (notice.FILE_NAME, notice.CONTENT), story.csv_bytes(ROWS)
        one = story.Story(
            vars(people), purpose.title, data, documents=False, notice=document, purpose=purpose
        )
        one.reach(state)
        if state == State.IDENTIFICATION:
            one.upload()
            one.scan()
        elif state == State.PROCESSING:
            one.write_recipe()
        elif state == State.VERIFICATION:
            verification_start(one.project, by=people.executor)
            one.run_jobs()
        elif state == State.MONITORING:
            one.fetch()
            one.look_back()
    masking.agree(vars(people))
    waiting = Job.objects.filter(project=one.project, status=JobStatus.QUEUED, kind__endswith="_pdf")
    for job in waiting.order_by("created_at")[:1]:
        job_run(job.pk)


class Chosen(SmallStory):
    """One table: its solutions are listed and one is chosen, two runs are compared, numbers are assigned pseudonyms."""

    def process(self) -> None:
        by = self.people["executor"]
        self.write_recipe()
        exploration, _job = exploration_start(first_table(self.fresh()), by=by)
        self.run_jobs()
        exploration.refresh_from_db()
        nodes = exploration.result["space"]["nodes"]
        levels = next(node["levels"] for node in nodes if node["satisfies"] and not node["best"])
        solution_choose(exploration, levels=levels, reason="the ages are needed more than the rest", by=by)
        for k in (8, 6):
            content = copy.deepcopy(self.fresh().recipes.order_by("number")[0].content)
            model = next(step for step in content["steps"] if step["technique"].startswith("model."))
            model["parameters"]["k"] = k
            recipe_save(first_table(self.fresh()), content=content, note="another k", by=by)
            run_start(self.fresh(), by=by)
            self.run_jobs()
        runs = list(self.project.runs.order_by("number"))
        comparison, _job = comparison_start(self.fresh(), run_ids=[run.pk for run in runs], by=by)
        self.run_jobs()
        comparison.refresh_from_db()
        candidate_choose(
            comparison, run_id=runs[-1].pk, reason="most detail at a risk that is allowed", by=by
        )
        project_move(self.fresh(), move=Move.SUBMIT_PROCESSING, by=by)
        self.run_jobs()


def assigned(content: dict[str, Any]) -> None:
    """The numbers of the records become assigned pseudonyms, kept in a mapping table."""
    for step in content["steps"]:
        step["columns"] = [column for column in step["columns"] if column != "病历号"]
    content["steps"] = [step for step in content["steps"] if step["columns"]]
    content["steps"].append({"technique": "pseudonymization.random", "columns": ["病历号"], "parameters": {}})


def request_values(one: story.Story, table: str, column: str, *, approve: bool = True) -> None:
    """Two pseudonyms of the current result are asked about."""
    run = latest_run(one.project)
    with result_open(tables_of_run(run)[table]) as stream:
        head, *lines = stream.read().decode("utf-8-sig").splitlines()[:3]
    place = [name.strip('"') for name in head.split(",")].index(column)
    values = [line.split(",")[place].strip('"') for line in lines]
    request = reversal_ask(
        run, table=table, column=column, values=values, reason=WHY, by=one.people["executor"]
    )
    if approve:
        reversal_decide(request, approve=True, reason="as they wish", by=one.people["supervisor"])
        one.run_jobs()


def one_table(people: People) -> None:
    one = Chosen(people, change=assigned)
    one.reach(State.MONITORING)
    one.fetch()
    one.look_back()
    request_values(one, "", "病历号")


def several_tables(people: People) -> None:
    one = TwoRuns(vars(people), "Patients and visits", patients_csv(), documents=False)
    one.reach(State.MONITORING)
    one.fetch()
    one.look_back()
    for table, column in (("患者表", "姓名"), ("就诊", "患者")):
        request_values(one, table, column)
    request_values(one, "患者表", "病历号", approve=False)


def several_tables_earlier(people: People) -> None:
    """At each stage one, and one whose joined view is too fine."""
    for state in (State.IDENTIFICATION_REVIEW, State.PROCESSING_REVIEW, State.RELEASE_APPROVAL):
        JointStory(
            vars(people), f"Patients and visits, {state.value}", patients_csv(), documents=False
        ).reach(state)
    fine = JointStory(vars(people), "Patients and visits, too fine", patients_csv(), documents=False)
    fine.recipe = copy.deepcopy(joint_recipe())
    fine.recipe["tables"]["就诊"]["steps"][1]["parameters"]["unit"] = "month"
    fine.reach(State.VERIFICATION)
    verification_start(fine.project, by=people.executor)
    fine.run_jobs()


def failing(people: People) -> None:
    one = SmallStory(people, change=weak)
    one.reach(State.VERIFICATION)
    one.measure()


def shares(people: People) -> None:
    """Fees split into shares, a recipient for each."""
    story.UTILITY = [{"kind": "rows_retained", "bound": 0.9}]
    one = SmallStory(people, change=split)
    one.reach(State.APPROVED)
    holders = [people.recipient]
    for name in ("second", "third"):
        person = user_create(
            username=f"{name}.recipient", password=None, full_name=name, post=Post.RECIPIENT, by=None
        )
        member_add(one.project, user=person, role=Role.RECIPIENT, by=people.planner)
        holders.append(person)
    for number, person in enumerate(holders, 1):
        one.people = vars(people) | {"recipient": person}
        one.sign_agreement()
        share_assign(one.project, number=number, holder=person, by=people.planner)
    release_create(one.fresh(), by=people.planner)
    one.run_jobs()


PAGES = [
    "/",
    "/projects/",
    "/notifications/",
    "/help/process/",
    "/help/glossary/",
    "/account/",
    "/organisation/",
    "/organisation/metadata/",
    "/organisation/cryptography/",
    "/organisation/rules/",
    "/masking/",
    "/audit/",
    "/monitoring/",
    "/receive/",
]
OF_PROJECT = [
    "",
    "edit/",
    "members/",
    "history/",
    "data/",
    "vault/",
    "objective/",
    "objective/sharing/",
    "objective/scope/\n",
    "",
    "",
    "",
    "objective/factors/",
    "objective/risk/",
    "objective/risk/context/",
    "objective/utility/",
    "objective/plan/",
    "objective/plan/edit/\n",
    "",
    "",
    "",
    "identification/",
    "identification/report/",
    "identification/columns/0/",
    "processing/",
    "processing/advice/",
    "processing/scenes/\n",
    "",
    "",
    "",
    "processing/model/",
    "processing/solutions/",
    "processing/recipe/",
    "processing/recipe/text/",
    "processing/versions/1/\n",
    "",
    "",
    "",
    "processing/report/",
    "reversal/",
    "verification/",
    "verification/candidates/",
    "release/",
    "monitoring/",
]
ANSWERS = ["/api/tasks/", "/api/projects/", "/api/organisation/rules/"]
OF_API = [
    "",
    "members/",
    "history/",
    "data/",
    "data/tables/",
    "vault/",
    "objective/",
    "objective/defaults/",
    "objective/versions/\n",
    "",
    "",
    "",
    "objective/context/",
    "identification/",
    "identification/verdicts/",
    "identification/columns/0/verdicts/",
    "processing/advice/\n",
    "",
    "",
    "",
    "processing/scenes/",
    "processing/model-advice/",
    "processing/explorations/",
    "processing/suggestion/",
    "processing/recipes/\n",
    "",
    "",
    "",
    "processing/recipes/1/",
    "processing/runs/",
    "reversal/",
    "reversal/columns/",
    "verification/",
    "verification/answer/\n",
    "",
    "",
    "",
    "verification/comparisons/",
    "release/",
    "release/deliveries/",
    "release/shares/",
    "release/agreements/",
    "monitoring/reviews/\n",
    "",
    "",
    "",
    "monitoring/changes/",
    "monitoring/reassessments/",
]
WHOLE = ("2026-0007", "2026-0009")
"""Looked at by everybody and through the API: the released projects with one table and with several."""

NOT_OF_THE_TEAM = ("wu.assessor", "zheng.admin")


def addresses() -> dict[str, list[str]]:
    """By account, the addresses that are looked at."""
    found: dict[str, list[str]] = {name: list(PAGES) for name, *_ in accounts.PEOPLE}
    for project in Project.objects.order_by("number"):
        pages = [f"/projects/{project.pk}/{one.strip()}" for one in OF_PROJECT]
        pages += [f"/projects/{project.pk}/processing/runs/{run.pk}/" for run in project.runs.all()]
        for name in found:
            if name == "lin.planner" or (project.number in WHOLE and name not in NOT_OF_THE_TEAM):
                found[name] += pages
    for release in Release.objects.order_by("released_at"):
        found["li.recipient"] += [f"/receive/{release.pk}/", f"/api/receive/{release.pk}/"]
    answered = list(ANSWERS)
    for project in Project.objects.filter(
        number__in=[*WHOLE, "2026-0008", "2026-0013", "2026-0014", "2026-0015"]
    ):
        answered += [f"/api/projects/{project.pk}/{one.strip()}" for one in OF_API]
        answered += [f"/api/projects/{project.pk}/data/{one.pk}/" for one in project.datasets.all()]
        answered += [f"/api/projects/{project.pk}/processing/runs/{one.pk}/" for one in project.runs.all()]
        answered += [
            f"/api/projects/{project.pk}/verification/{one.pk}/" for one in project.verifications.all()
        ]
        answered += [
            f"/api/projects/{project.pk}/identification/scans/{one.pk}/report/"
            for one in project.rounds.all()
        ]
    found["lin.planner"] = answered + found["lin.planner"]
    return found


def main() -> None:
    call_command("migrate", verbosity=0)
    ensure_defaults()
    people = People(accounts.ensure_people())
    demo_projects(people)
    for tell in (one_table, several_tables, several_tables_earlier, failing, shares):
        tell(people)
    Path(sys.argv[1]).write_text(json.dumps(addresses(), indent=1))
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.execute("VACUUM")


if __name__ == "__main__":
    main()
