"""Values of two tables come back: each from its own mapping table or source, one person from either."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.organisation.services import ensure_defaults
from projects.datasets.store.store import store_open
from projects.datasets.tables.selectors import first_table
from projects.jobs.models import Job
from projects.processing.models import MappingTable
from projects.processing.recipes.services import recipe_save
from projects.processing.runs.mapping_tables import mapping_find
from projects.processing.runs.selectors import result_open, tables_of_run
from projects.processing.runs.services import run_start
from projects.reversal.models import ReversalRequest
from projects.reversal.selectors import reversible_columns
from projects.reversal.services import reversal_ask, reversal_decide, reversal_read
from projects.vault.models import Secret
from projects.workflow import State
from techniques.core.messages import EngineError
from tests.projects.datasets.tables.stories import (
    HASH,
    JointStory,
    patients_csv,
    patients_recipe,
    step,
    visits_csv,
    visits_recipe,
)

pytestmark = pytest.mark.django_db
WHY = "A patient asked for the record of a visit"
ENCRYPTED = {"technique": "encryption.deterministic", "parameters": {}}
PATIENTS, VISITS = "患者表", "就诊"
KEYS = ((PATIENTS, "病历号"), (VISITS, "患者"))


def with_names(key):
    """The names of the patients become assigned pseudonyms."""
    patients = patients_recipe(key)
    patients["steps"][1] = step("pseudonymization.random", ["姓名"])
    tables = {PATIENTS: patients, VISITS: visits_recipe(key)}
    return {"recipe": 1, "tables": {name: one | {"order": "kept"} for name, one in tables.items()}}


def with_everything(key):
    """So do the diagnoses, and the fee is encrypted in its order; which no target of utility lets pass."""
    content = with_names(key)
    content["tables"][VISITS]["steps"][2:] = [
        step("pseudonymization.random", ["诊断"]),
        step("encryption.order_preserving", ["费用"], minimum=0.0, maximum=1000.0, decimals=1),
    ]
    return content


class TwoRuns(JointStory):
    """Before the run that is approved, whose keys are hashed, one whose keys are encrypted."""

    recipe = with_names(HASH)

    def process(self) -> None:
        executor = self.people["executor"]
        recipe_save(first_table(self.project), content=with_everything(ENCRYPTED), by=executor)
        run_start(self.project, by=executor)
        self.run_jobs()
        super().process()

    def write_recipe(self) -> None:
        recipe_save(
            first_table(self.project), content=self.recipe, note="hash the keys", by=self.people["executor"]
        )


def START(people):
    ensure_defaults()
    story = TwoRuns(vars(people), "Patients and visits", patients_csv(), documents=False)
    story.reach(State.APPROVED)
    return story


@pytest.fixture
def story(own_start, settings):
    settings.DEID_STORE_DIR = own_start.store
    return own_start.story


def rows(stream):
    return list(csv.DictReader(io.StringIO(stream.read().decode("utf-8-sig"))))


def before(table):
    return rows(io.BytesIO(patients_csv() if table == PATIENTS else visits_csv()))


def after(run, table):
    with result_open(tables_of_run(run)[table]) as stream:
        return rows(stream)


def ask(story, run, table, column, values):
    return reversal_ask(
        run, table=table, column=column, values=values, reason=WHY, by=story.people["executor"]
    )


def got(story, run, table, column, values):
    """What each value stands for, asked for and approved."""
    request = ask(story, run, table, column, values)
    reversal_decide(request, approve=True, reason="as they wish", by=story.people["supervisor"])
    story.run_jobs()
    request.refresh_from_db()
    assert (request.status, request.failed_code) == ("ready", "")
    return {one.value: one for one in reversal_read(request, by=story.people["executor"])}


def runs_of(story):
    """The run with encrypted keys and the one with hashed keys."""
    return list(story.project.runs.order_by("number"))


def test_a_pseudonym_of_two_tables_is_the_same_person_from_either(story):
    number = 41
    person = before(PATIENTS)[number]["病历号"]
    visit = next(place for place, row in enumerate(before(VISITS)) if row["患者"] == person)
    stranger = before(VISITS)[0]["患者"]
    assert stranger not in {row["病历号"] for row in before(PATIENTS)}
    for run, way in zip(runs_of(story), ("decryption", "recomputation"), strict=True):
        pseudonym = after(run, PATIENTS)[number]["病历号"]
        assert after(run, VISITS)[visit]["患者"] == pseudonym != person
        of_stranger = after(run, VISITS)[0]["患者"]
        for table, column in KEYS:
            answers = got(story, run, table, column, [pseudonym, of_stranger])
            assert answers[pseudonym].original == person
            # Whoever is in one table alone comes back from that one only: what was not there is not answered.
            there = table == VISITS
            assert answers[of_stranger].in_result is there
            assert answers[of_stranger].original == (stranger if there else None)
        ways = {
            (one.table, one.column): one.way for one in reversible_columns(story.project) if one.run == run
        }
        assert {ways[place] for place in KEYS} == {way}
        assert ways.pop((PATIENTS, "姓名")) == "mapping_table"
        others = {(VISITS, "诊断"): "mapping_table", (VISITS, "费用"): "decryption"}
        assert {place: way for place, way in ways.items() if place not in KEYS} == (
            others if way == "decryption" else {}
        )


def test_each_table_has_its_own_mapping_table(story, people):
    run = runs_of(story)[0]
    kept = {
        one.table: one for one in MappingTable.objects.filter(run=run).select_related("stored", "key", "run")
    }
    assert {table: one.column for table, one in kept.items()} == {PATIENTS: "姓名", VISITS: "诊断"}
    assert {one.key.purpose for one in kept.values()} == {"mapping tables of run 1"}
    assert Secret.objects.filter(purpose__startswith="mapping tables").count() == 2
    for table, place in ((PATIENTS, 7), (VISITS, 1100)):
        column = kept[table].column
        was, became = before(table)[place][column], after(run, table)[place][column]
        assert got(story, run, table, column, [became])[became].original == was != became
        with store_open(kept[table].stored) as stream:
            assert was.encode() not in stream.read()
    # A piece of one table is not opened as that of the other, whoever exchanges them.
    kept[PATIENTS].stored, kept[VISITS].stored = kept[VISITS].stored, kept[PATIENTS].stored
    for one in kept.values():
        with pytest.raises(EngineError, match="altered"):
            mapping_find(one, ["P-1"])
    said = AuditEvent.objects.filter(action="run.mapping_kept", subject_id=str(run.pk))
    assert {event.facts["column"] for event in said} == {"患者表.姓名", "就诊.诊断"}
    titles = Job.objects.filter(subject_id=str(run.pk)).get().items.values_list("key", flat=True)
    assert [key for key in titles if "mappings" in key] == ["0/mappings", "1/mappings"]


def test_what_is_asked_of_which_table_stays_as_it_was_asked(story):
    run = runs_of(story)[1]
    value = after(run, PATIENTS)[3]["病历号"]
    for table, column in ((PATIENTS, "患者"), (VISITS, "病历号"), ("没有", "病历号"), (VISITS, "就诊日期")):
        with pytest.raises(Refused) as refused:
            ask(story, run, table, column, [value])
        assert refused.value.verdict.code == "not_reversible"
    request = ask(story, run, PATIENTS, "病历号", [value])
    assert (request.table, request.place) == (PATIENTS, "患者表.病历号")
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute('UPDATE reversal_reversalrequest SET "table" = %s WHERE number = %s', [VISITS, 1])
    event = AuditEvent.objects.get(action="reversal.asked")
    assert event.facts["column"] == "患者表.病历号"
    seen = json.dumps([event.subject, event.reason, event.facts], ensure_ascii=False, default=str)
    assert value not in seen


def test_the_pages_ask_for_the_table(story, people, client, django_assert_max_num_queries):
    project, run = story.project, runs_of(story)[1]
    asking = reverse("reversal:ask", args=[project.pk])
    client.force_login(people.executor)
    client.get(asking)
    with django_assert_max_num_queries(20):
        shown = client.get(asking).content.decode()
    assert "患者表.病历号" in shown
    assert "就诊.患者" in shown
    person, became = before(VISITS)[40]["患者"], after(run, VISITS)[40]["患者"]
    for wrong in (f"{run.pk}:患者", f"{run.pk}:{PATIENTS}:患者"):
        assert client.post(asking, {"what": wrong, "values": became, "reason": WHY}).status_code == 422
    sent = client.post(asking, {"what": f"{run.pk}:{VISITS}:患者", "values": became, "reason": WHY})
    assert sent.status_code == 302
    client.force_login(people.executor)
    assert client.post(f"{sent.url}decide/", {"decision": "approve", "reason": "mine"}).status_code == 403
    client.force_login(people.supervisor)
    with django_assert_max_num_queries(20):
        assert "就诊.患者" in client.get(sent.url).content.decode()
    assert client.post(f"{sent.url}decide/", {"decision": "approve", "reason": "yes"}).status_code == 302
    story.run_jobs()
    assert client.post(f"{sent.url}read/").status_code == 403
    assert "就诊.患者" in client.get(reverse("reversal:page", args=[project.pk])).content.decode()
    client.force_login(people.executor)
    answer = client.post(f"{sent.url}read/").content.decode()
    assert person in answer
    assert "就诊.患者" in answer


def test_the_api_asks_for_the_table(story, people, client):
    project, run = story.project, runs_of(story)[1]
    client.force_login(people.planner)
    listed = reverse("api:reversal-list", args=[project.pk])
    columns = client.get(reverse("api:reversal-columns", args=[project.pk])).json()
    assert {(one["table"], one["column"]) for one in columns if one["number"] == 2} == {
        *KEYS,
        (PATIENTS, "姓名"),
    }
    person, became = before(VISITS)[50]["患者"], after(run, VISITS)[50]["患者"]
    body = {"run": str(run.pk), "table": VISITS, "column": "患者", "values": [became], "reason": WHY}
    refused = client.post(listed, {**body, "table": PATIENTS}, content_type="application/json")
    assert refused.status_code == 403
    made = client.post(listed, body, content_type="application/json")
    assert made.status_code == 201, made.content
    assert (made.json()["table"], made.json()["column"]) == (VISITS, "患者")
    request = ReversalRequest.objects.get()
    one = reverse("api:reversal-detail", args=[project.pk, request.pk])
    client.force_login(people.management)
    answer = client.post(f"{one}decide/", {"approve": True, "reason": "yes"}, content_type="application/json")
    assert answer.json()["status"] == "running"
    story.run_jobs()
    assert client.post(f"{one}read/").status_code == 403
    client.force_login(people.planner)
    assert client.post(f"{one}read/").json() == [{"value": became, "in_result": True, "original": person}]
    client.force_login(people.outsider)
    assert client.get(one).status_code == 404


def test_linked_columns_are_never_assigned(people):
    ensure_defaults()
    story = JointStory(vars(people), "Links", patients_csv(), documents=False)
    story.reach(State.PROCESSING)
    drawn = {"technique": "pseudonymization.random", "parameters": {}}
    tables = {
        PATIENTS: patients_recipe(drawn) | {"order": "kept"},
        VISITS: visits_recipe(drawn) | {"order": "kept"},
    }
    with pytest.raises(EngineError) as error:
        recipe_save(first_table(story.project), content={"recipe": 1, "tables": tables}, by=people.executor)
    assert error.value.code == "reference_not_joinable"
