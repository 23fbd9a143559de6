"""Each failing table of two has remedies, and so has the view that joins them; the numbers come true."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.organisation.services import ensure_defaults
from projects.core.models import Project
from projects.core.services import project_move
from projects.jobs.models import JobItem
from projects.processing.recipes.selectors import current_recipe
from projects.processing.runs.services import run_start
from projects.verification.presentation import gate_rows
from projects.verification.remedies.presentation import remedy_by_number, remedy_tables
from projects.verification.remedies.services import may_take_remedy, remedy_take
from projects.verification.selectors import latest_verification
from projects.verification.services import verification_start
from projects.workflow import Move, State
from tests.projects.datasets.tables.stories import KEPT, JointStory, joint_recipe, patients_csv, step
from tests.projects.datasets.tables.test_pages import FRAME

pytestmark = pytest.mark.django_db


def model(columns, **settings):
    return step(
        "model.k_anonymity",
        list(columns),
        hierarchies={name: {"kind": "dates"} if "日期" in name else {"kind": "star"} for name in columns},
        **{"k": 2, "suppression_limit": 0.05, **settings},
    )


def weak_recipe():
    """Both tables ask for two alike where the targets ask for more, one of them with every single day kept."""
    made = joint_recipe()
    patients, visits = (made["tables"][name]["steps"] for name in ("患者表", "就诊"))
    patients[2:] = [model(["性别", "出生日期"])]
    days = {"suppression_limit": 1.0, "maximum_levels": {"就诊日期": 0}}
    visits[1:] = [model(["就诊日期"], **days), step("as_is", ["诊断", "费用"], reason=KEPT)]
    return made


class Measured(JointStory):
    def fresh(self):
        self.project = Project.objects.get(pk=self.project.pk)
        return self.project

    def measure(self):
        verification_start(self.fresh(), by=self.people["executor"])
        self.run_jobs()
        return latest_verification(self.fresh())

    def back(self):
        by = self.people["executor"]
        project_move(self.fresh(), move=Move.BACK_TO_PROCESSING, by=by, reason="k was too small")

    def again(self):
        """The current recipe run and measured."""
        run_start(self.fresh(), by=self.people["executor"])
        self.run_jobs()
        project_move(self.fresh(), move=Move.SUBMIT_PROCESSING, by=self.people["executor"])
        self.fresh()
        self.review()
        return self.measure()


@pytest.fixture
def failed(people, django_capture_on_commit_callbacks):
    ensure_defaults()
    with django_capture_on_commit_callbacks(execute=False):
        story = Measured(vars(people), "Patients and visits", patients_csv(), documents=False)
        story.recipe = weak_recipe()
        story.reach(State.VERIFICATION)
        yield story, story.measure()


def page_of(story, name="verification:page", **more):
    return reverse(name, kwargs={"project_id": story.project.pk, **more})


def figures(verification, table):
    """What was measured of one table: the smallest class, the average risk, and the share that is suppressed."""
    report = (
        verification.report if table == verification.report["main"] else verification.report["tables"][table]
    )
    suppressed = next(
        one["measured"]
        for one in verification.checks
        if (one["kind"], one.get("table")) == ("suppression", table)
    )
    return report["risk"]["k"], report["risk"]["average_risk"], suppressed


def test_each_table_that_fails_is_mended_by_itself_and_that_comes_true(failed, client, people):
    story, verification = failed
    sections = [one for one in remedy_tables(verification.measurement.report) if not one.joined]
    assert [one.table for one in sections] == ["患者表", "就诊"]
    numbers = [row.number for one in remedy_tables(verification.measurement.report) for row in one.rows]
    assert numbers == list(range(1, len(numbers) + 1)), "each way has a number of its own"
    with translation.override("zh-hans"):
        shown = gate_rows(verification.results, verification.measurement.report, recipe_url="/x/")
    rows = {row.label: row for row in shown}
    (about_visits,) = (row for label, row in rows.items() if row.kind == "k" and label.startswith("就诊"))
    assert about_visits.remedies[0].text.startswith("就诊：")
    assert about_visits.remedies[0].url == "#ways-2"
    items = JobItem.objects.filter(job_id=verification.job_id).order_by("position")
    ways = ["remedies-0", "remedies-1", "remedies-joined"]
    assert [item.key for item in items] == ["measurement", "classes", *ways]

    client.force_login(people.executor)
    client.get(page_of(story))
    with CaptureQueriesContext(connection) as statements:
        page = client.get(page_of(story)).content.decode()
    own = [one["sql"] for one in statements if not any(part in one["sql"] for part in FRAME)]
    assert len(own) <= 20, own
    assert 'id="ways"' in page
    assert 'id="ways-2"' in page
    assert may_take_remedy(people.executor, verification, "就诊").code == "back_first"
    story.back()
    wanted = {one.table: one.passing[0] for one in sections}
    for role in ("planner", "supervisor", "management", "superuser"):
        with pytest.raises(Refused):
            remedy_take(verification, number=wanted["就诊"].number, by=getattr(people, role))
    client.force_login(people.executor)
    detail = page_of(story, "api:verification-detail", verification_id=verification.pk)
    listed = client.get(detail).json()["ways"]
    assert (listed[0]["number"], listed[0]["table"]) == (1, "患者表")
    assert {one["table"] for one in listed if not one["joined"]} == {"患者表", "就诊"}
    # A way for one table leaves those for the other one as true as they were.
    before = current_recipe(story.fresh()).tables
    for table, remedy in wanted.items():
        take = page_of(story, "verification:way_take", verification_id=verification.pk, number=remedy.number)
        assert take in client.get(page_of(story)).content.decode()
        assert client.post(take).status_code == 302
        held = latest_verification(story.fresh())
        assert may_take_remedy(people.executor, held, table).code == "ways_outdated"
        assert table in current_recipe(story.fresh()).note
        pointed_at = client.get(page_of(story, "processing:page")).content.decode()
        assert (page_of(story) + "#ways" in pointed_at) is (table == "患者表"), "the other one's still hold"
    assert all(current_recipe(story.fresh()).tables[name] != before[name] for name in before)
    event = AuditEvent.objects.filter(action="verification.way_taken").last()
    assert event.facts["table"] in wanted
    after = story.again()
    for table, remedy in wanted.items():
        expected = remedy_by_number(verification.measurement.report, remedy.number).stored.outcome
        k, average, suppressed = figures(after, table)
        assert k == expected.k
        assert (average, suppressed) == pytest.approx((expected.average_risk, expected.suppressed))
    assert after.report["joined"] != verification.report["joined"]
    the_joined_view_is_mended(story, after, client, people)


def the_joined_view_is_mended(story, verification, client, people):
    """Each table passes by itself now; whoever knows what both say of a person still finds one."""
    assert {one["kind"] for one in verification.checks if one["passed"] is False} == {"joined"}
    (shown,) = remedy_tables(verification.measurement.report)
    assert shown.joined
    found = verification.report["joined_remedies"]
    places = [remedy["columns"] for remedy in found["ways"] if len(remedy["columns"]) == 1]
    assert sorted(places) == [[["就诊", "就诊日期"]], [["患者表", "出生日期"]], [["患者表", "性别"]]]
    (joined,) = verification.report["joined"]
    assert (found["now"]["k"], found["needed"]) == (joined["k"], 5)
    row = next(
        row
        for row in gate_rows(verification.results, verification.measurement.report)
        if row.kind == "joined"
    )
    assert row.remedies[0].text == shown.passing[0].text
    client.force_login(people.executor)
    assert shown.passing[0].text in client.get(page_of(story)).content.decode()
    story.back()
    remedy_take(verification, number=shown.passing[0].number, by=people.executor)
    after = story.again()
    (joined,) = after.report["joined"]
    assert joined["k"] == found["ways"][0]["outcome"]["k"]
    assert after.passed, [one for one in after.checks if not one["passed"]]
