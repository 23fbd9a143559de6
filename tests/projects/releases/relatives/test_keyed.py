"""Releases of different files whose persons have the same pseudonyms: that they are related, and what they tell together."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.urls import reverse
from django.utils.translation import override

from projects.datasets.tables.selectors import first_table
from projects.identification.enums import ColumnRole
from projects.identification.selectors import current_round
from projects.identification.services import Given, verdicts_give
from projects.monitoring.enums import ChangeKind
from projects.processing.models import Run
from projects.processing.recipes.services import recipe_save
from projects.releases.relatives.presentation import finding_row, overview, summary
from projects.releases.relatives.report import OWN, findings_of
from projects.releases.relatives.selectors import (
    apart,
    pseudonyms_of,
    relatives_of,
    run_shown,
    sets_left_out,
    sets_of,
)
from projects.workflow import State
from techniques.disclosure_risk.releases.findings import Inference
from tests.projects.processing.conftest import UNPREPARED, SmallStory

from .test_relatives import BACKEND, measured

pytestmark = pytest.mark.django_db
PERSONS = 300
NO_PSEUDONYMS = "The pseudonyms of %(column)s are not in the rows of each of these releases, so nothing is joined by them."
FORMS = {
    "病历号": (ColumnRole.DIRECT, "medical_record"),
    "编号": (ColumnRole.DIRECT, "medical_record"),
    "性别": (ColumnRole.QUASI, "gender"),
    "民族": (ColumnRole.QUASI, "ethnic_group"),
    "诊断": (ColumnRole.SENSITIVE, "diagnosis"),
    "费用": (ColumnRole.OTHER, "fee"),
}
KEY = {
    "technique": "pseudonymization.keyed_hash",
    "parameters": {"joinable": "purpose", "purpose": "follow-up", "domain": "patient", "prefix": "P-", "length": 24},
}  # fmt: skip


class Keyed(SmallStory):
    """Gives each person the pseudonym that the purpose shares, and the rest as it is."""

    key = KEY

    def utility(self):
        return [one for one in super().utility() if not one.get("column")]

    def judge(self) -> None:
        table = first_table(self.project)
        given = [
            Given(column, *FORMS[column], "assessed for this test, see the plan")
            for column in current_round(self.project).dataset.columns
        ]
        verdicts_give(current_round(table.project), given, by=self.people["executor"])

    def write_recipe(self) -> None:
        key, *rest = current_round(self.project).dataset.columns
        kept = "the study needs it, and every value is shared by many"
        steps = [
            {**self.key, "columns": [key]},
            {"technique": "as_is", "columns": rest, "parameters": {"reason": kept}},
        ]
        content = {"recipe": 1, "order": "kept", "steps": steps, "unprepared": UNPREPARED}
        recipe_save(first_table(self.project), content=content, by=self.people["executor"])


def by_sex() -> bytes:
    """100 of 300 persons are women."""
    rows = [
        f"BL{n:08},{'女' if n < 100 else '男'},{('高血压', '糖尿病', '肺炎')[n % 3]}" for n in range(PERSONS)
    ]
    return "\n".join(["病历号,性别,诊断", *rows, ""]).encode()


def by_people() -> bytes:
    """The first two women and 150 others are 回; twenty persons are not in the other file."""
    rows = [f"BL{n:08},{'回' if n < 2 or n >= 170 else '汉'},100.50" for n in range(PERSONS + 20)]
    return "\n".join(["编号,民族,费用", *rows, ""]).encode()


def released(people, title, content, **more) -> SmallStory:
    story = type("Story", (Keyed,), more)(
        vars(people), title, content, file_name="visits.csv", documents=False
    )
    story.reach(State.MONITORING)
    return story


def START(people):
    first = released(people, "First study", by_sex())
    second = released(people, "Second study", by_people())
    return SimpleNamespace(first=first, second=second)


@pytest.fixture
def both(own_start):
    return own_start.story


def test_a_release_with_other_columns_under_the_same_key_calls_for_another_look(both):
    """No column of one is called as in the other (5.6.2 d)."""
    (change,) = both.first.project.changes.all()
    assert change.kind == ChangeKind.NEW_DATA
    with override("en"):
        assert f"Project {both.second.project.number} released data whose pseudonyms" in change.said
        assert "编号" not in change.said
    assert change.reassessment.remeasured.relations.measurement
    assert not both.second.project.changes.exists()


def test_who_is_alone_with_two_attributes_of_two_files_is_counted(both, client, people):
    (one,) = relatives_of(run_shown(both.second.project))
    assert (one.same_source, one.versions, one.same_key) == ({}, {}, ("编号",))
    assert one.keyed == {("", "编号"): (("", "病历号"),)}
    # As the verification was submitted.
    assert summary(both.second.project)["is_risky"]
    made = measured(both.second)
    found, alone = findings_of(made.findings)
    assert (found.problem, found.kind, found.releases) == ("", "keyed", (OWN, str(one.release_id)))
    # One row each: the course of a person over both files is the joined row, which two have alone.
    assert (found.linkage.ordered, found.linkage.most_rows, found.linkage.new) == (True, 2, 2)
    assert (alone.kind, alone.releases, alone.is_risky) == ("linked", (OWN,), False)
    # Of 320 persons 300 are in both; only the first two are women and 回.
    joined = found.joined
    assert (joined.persons, joined.held, joined.k, joined.alone) == (300, (320, 300), 2, 100)
    assert (joined.below, joined.new) == (2, 2)
    assert found.is_risky
    with override("en"):
        said = overview(both.second.project, people.planner)
        assert "were not compared" not in said["summary"]["text"]
        assert "may be left with as few as 2, and with one release alone with as few as 100." in str(
            said["findings"]
        )
    with override("zh-hans"):
        assert "本结果、" in str(overview(both.second.project, people.planner)["findings"])
    client.force_login(people.planner, backend=BACKEND)
    rest = client.get(reverse("api:release-relatives", args=[both.second.project.pk])).json()
    assert [(one["kind"], one["is_risky"]) for one in rest["findings"]] == [
        ("keyed", True),
        ("linked", False),
    ]
    address = reverse("releases:relatives", args=[both.second.project.pk])
    shown = client.get(address, headers={"accept-language": "en"}).content.decode()
    assert "300 of 320 persons of the first are in all of them" in shown
    assert "BL0" not in shown
    assert "P-" not in shown


def test_pseudonyms_of_one_run_join_no_other(both, people):
    """The key of a project is its own, and inside a run the salt is the run's."""
    alone = {"technique": KEY["technique"], "parameters": {"prefix": "P-", "length": 24}}
    third = released(people, "Third study", by_people().replace(b"100.50", b"99.50"), key=alone)
    found = relatives_of(run_shown(third.project))
    # By its columns it is a version of the second; no pseudonym joins them.
    assert [(one.versions, one.same_key, one.keyed) for one in found] == [({"": ""}, (), {})]


def test_what_pseudonyms_rest_on(both):
    run = Run.objects.get(project=both.first.project)
    (table,) = run.tables.select_related("run__recipe_version")
    of = pseudonyms_of(table)
    assert of == {"病历号": {("pseudonymization.keyed_hash", "purpose", "follow-up", "patient")}}
    step = table.run.recipe_version.tables[""]["steps"][0]["parameters"]
    for given, key in (
        ({"joinable": "project"}, ("project", str(run.key_id), "病历号")),
        ({"domain": "d"}, ("run", str(run.key_id), str(run.seed_id), "d")),
        ({"joinable": "never"}, None),
    ):
        step.clear()
        step.update(given)
        expected = {} if key is None else {"病历号": {("pseudonymization.keyed_hash", *key)}}
        assert pseudonyms_of(table) == expected


def test_what_one_recipient_holds_and_all_are_joined_together(both, people):
    third = released(people, "Third study", by_sex().replace("肺炎".encode(), "哮喘".encode()))
    run = run_shown(third.project)
    sets = [
        (one["kind"], len(one["releases"]))
        for one in sets_of(run, relatives_of(run))
        if one["kind"] == "keyed"
    ]
    assert sorted(sets) == [("keyed", 1), ("keyed", 1), ("keyed", 2)]
    found = [one for one in findings_of(measured(third).findings) if one.kind == "keyed"]
    assert [one.problem for one in found] == ["", "", ""]
    three = next(one.joined for one in found if len(one.releases) == 3)
    assert (three.persons, len(three.held), three.k) == (300, 3, 2)


def keyed_findings(story):
    return [one for one in findings_of(measured(story).findings) if one.kind == "keyed"]


def with_key(**parameters):
    return {**KEY, "parameters": {**KEY["parameters"], **parameters}}


def test_persons_are_found_though_one_release_writes_its_pseudonyms_longer_and_without_a_prefix(both, people):
    """Text by text no pseudonym agrees; the shorter one is the beginning of the longer."""
    third = released(
        people, "Third study", by_people().replace(b"100.50", b"99.50"), key=with_key(prefix="", length=32)
    )
    found = keyed_findings(third)
    assert sorted((one.problem, one.joined.persons) for one in found) == [("", 300), ("", 300), ("", 320)]
    assert all(
        one.is_risky and one.joined.k == 2
        for one in found
        if len(one.releases) == 2 and one.joined.held[1] == 300
    )


def test_a_release_of_the_same_file_is_joined_with_those_of_others_under_the_key(both, people):
    """Who holds all three knows what the other study says of a person and what both releases of this file do."""
    third = released(people, "Third study", by_sex())
    first, second = (str(one.project.releases.get().pk) for one in (both.first, both.second))
    run = run_shown(third.project)
    sets = sets_of(run, relatives_of(run))
    assert {(one["kind"], frozenset(one["releases"])) for one in sets} == {
        ("composition", frozenset({first})),
        ("keyed", frozenset({second})),
        ("keyed", frozenset({first, second})),
        ("linked", frozenset()),
    }
    assert (sets_left_out(sets), apart(sets)) == (0, set())
    assert apart([one for one in sets if len(one["releases"]) < 2]) == {first}
    assert sets_left_out([one for one in sets if len(one["releases"]) < 2]) == 0
    three = next(one for one in keyed_findings(third) if len(one.releases) == 3)
    assert (three.problem, three.joined.persons, three.joined.k) == ("", 300, 2)


def test_rows_of_one_file_are_recognised_by_pseudonyms_of_another_length(both, people):
    third = released(people, "Third study", by_sex(), key=with_key(prefix="", length=32))
    found = [one for one in findings_of(measured(third).findings) if one.kind == "composition"]
    assert [(one.problem, one.composed.unlinked) for one in found] == [("", 0)]
    assert "病历号" in found[0].composed.by


def test_where_pseudonyms_are_written_in_other_ways_it_is_not_measured_and_never_fine(both, people):
    third = released(
        people,
        "Third study",
        by_sex().replace("肺炎".encode(), "哮喘".encode()),
        key=with_key(alphabet="base32"),
    )
    found = keyed_findings(third)
    assert len(found) == 3
    assert all(one.joined is None and "different ways" in one.problem for one in found)
    with override("en"):
        rows = [one for one in overview(third.project, people.planner)["findings"] if one["kind"] == "keyed"]
    assert {(one["tone"], one["is_measured"]) for one in rows} == {("warn", False)}
    assert all("It could not be measured: These releases write" in str(one["sentences"]) for one in rows)


def by_illness() -> bytes:
    """A pseudonym and a diagnosis, nothing else: the first two persons alone have one of their own."""
    ill = [("哮喘" if n < 2 else "高血压") for n in range(PERSONS)]
    return "\n".join(["病历号,诊断", *(f"BL{n:08},{one}" for n, one in enumerate(ill)), ""]).encode()


def test_a_release_of_pseudonyms_and_diagnoses_alone_is_measured_with_one_that_says_whose_they_are(
    both, people
):
    third = released(people, "Third study", by_illness())
    found = {one.releases[1:]: one for one in keyed_findings(third)}
    second = str(both.second.project.releases.get().pk)
    one = found[(second,)]
    # All 168 who are 汉 and in both have the same illness; the third study alone tells it of nobody.
    assert (one.problem, one.joined.persons, one.joined.k) == ("", 300, 132)
    assert (one.joined.sensitive["诊断"].certain, one.joined.sensitive["诊断"].new) == (168, 168)


def test_no_name_of_a_column_is_claim_state_a_release_that_one_may_not_see(both, client, people):
    """The planner of the second study alone may not see the first: its column of diagnoses is an attribute of it."""
    made = measured(both.second)
    found = findings_of(made.findings)[0]
    first = found.releases[1]
    assert found.attributes == {OWN: (), first: ("诊断",)}
    said = Inference(certain=2, new=2, share=1.0)
    inferred = found.model_copy(
        update={"joined": found.joined.model_copy(update={"sensitive": {"诊断": said}})}
    )
    refused = found.model_copy(
        update={"joined": None, "problem": NO_PSEUDONYMS, "params": {"column": "病历号", "release": first}}
    )
    hidden = {first: "Release 1 of a project that you may not see"}
    with override("en"):
        for one in (inferred, inferred.model_copy(update={"attributes": {}}), refused):
            text = str(finding_row(one, 5, hidden, frozenset(), {})["sentences"])
            assert "诊断" not in text
            assert "病历号" not in text
            assert "an attribute of Release 1 of a project that you may not see" in text
            known = str(finding_row(one, 5, hidden, {first}, {})["sentences"])
            assert ("病历号" if one is refused else "诊断") in known
        # What the result has under the same name its reader knows.
        own = inferred.model_copy(update={"attributes": {OWN: ("诊断",), first: ("诊断",)}})
        assert "only one value of 诊断" in str(finding_row(own, 5, hidden, frozenset(), {})["sentences"])
