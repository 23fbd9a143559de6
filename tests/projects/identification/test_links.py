"""Links among columns (5.3.4 a): what a scan keeps of them, and how page, report and API say it before the verdicts."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from approvals.audit.recording import recording
from projects.core.models import Project
from projects.datasets.tables.services import Given as Link
from projects.datasets.tables.services import links_declare, tables_declare
from projects.identification import events
from projects.identification.documents import report_context
from projects.identification.links import search
from projects.identification.links.striking import StrikingText
from projects.identification.links.wording import LinksText
from projects.identification.models import IdentificationRound
from projects.identification.persons.services import count_keep, count_run, person_key_decide
from projects.identification.presentation import rows_of
from projects.identification.services import Given, verdicts_give

from .conftest import Table, make_table

PLACES = ["3100", "3101", "3102", "5180"]
REGIONS = {"3100": "north", "3101": "north", "3102": "south", "5180": "south"}


def linked() -> Table:
    """40 rows: the area follows from the postcode, nobody is alone with either, and everybody with birth year and postcode."""
    lines = ["出生年份,邮编,区域"]
    lines += [f"{1950 + n % 10},{PLACES[n // 10]},{REGIONS[PLACES[n // 10]]}" for n in range(40)]
    return Table(("\n".join(lines) + "\n").encode(), lines[0].split(","), [], [])


@pytest.fixture
def links(upload, scan):
    upload(linked())
    return scan()


def test_what_a_scan_keeps(links):
    kept = links.report["links"]
    assert (kept["key"], kept["persons"]) == ([], 40)
    assert sorted(kept["together"]) == sorted(["出生年份", "邮编", "区域"])
    # Each column, each pair; all three contain a pair that finds everybody.
    assert (kept["searched"], kept["alone"]) == (6, 1)
    [one] = kept["sets"]
    assert (set(one["columns"]), one["persons"]) == ({"出生年份", "邮编"}, 40)
    assert kept["following"] == [{"column": "区域", "source": "邮编", "compared": 40, "agree": 40}]


def test_page_report_and_api_say_it_in_both_languages(links, ready_project, people, client):
    client.force_login(people.supervisor)
    finds = {
        "en": ["finds 40 of 40 persons", "区域 follows from 邮编", "6 combinations"],
        "zh-hans": ["可找出40人中的40人", "区域由邮编决定", "6种组合"],
    }
    state = reverse("api:identification-state", args=[ready_project.pk])
    for language, words in finds.items():
        client.cookies["django_language"] = language
        for name in ("page", "report"):
            page = client.get(reverse(f"identification:{name}", args=[ready_project.pk])).content.decode()
            assert not [word for word in words if word not in page], (language, name)
        said = "\n".join(client.get(state, headers={"accept-language": language}).json()["links"])
        assert not [word for word in words if word not in said], language


def test_a_verdict_that_calls_harmless_what_follows_from_an_identifier_is_named(
    links, ready_project, people, client
):
    reason = "nobody outside knows how areas are cut"
    verdicts_give(
        links,
        [Given("邮编", "quasi", reason=reason), Given("区域", "other", reason=reason)],
        by=people.executor,
    )
    with translation.override("en"):
        [said] = LinksText(links, rows_of(ready_project, links)).against
    assert said.startswith("The verdict on 区域 is “Other”, but it follows from 邮编 (Quasi-identifier)")
    client.force_login(people.executor)
    client.cookies["django_language"] = "en"
    page = client.get(reverse("identification:page", args=[ready_project.pk])).content.decode()
    assert "Called harmless, but linked" in page
    verdicts_give(links, [Given("区域", "quasi", reason=reason)], by=people.executor)
    assert LinksText(links, rows_of(ready_project, links)).against == []


def test_rows_of_one_person_count_once(upload, scan):
    lines = ["身份证号,性别,科室"]
    numbers = make_table().id_numbers[:30]
    lines += [f"{numbers[n % 30]},{'男女'[n % 2]},{'内外儿'[n % 3]}科" for n in range(120)]
    upload(Table(("\n".join(lines) + "\n").encode(), lines[0].split(","), numbers, []))
    kept = scan().report["links"]
    assert (kept["key"], kept["persons"]) == (["身份证号"], 30)
    assert (kept["together"], kept["sets"]) == (["性别", "科室"], [])


def test_a_scan_from_before_asks_to_be_made_again(links, ready_project, people, client):
    report = {name: part for name, part in links.report.items() if name != "links"}
    with recording(events.SCAN_FINISHED, by=None):
        IdentificationRound.objects.filter(pk=links.pk).update(report=report)
    client.force_login(people.executor)
    client.cookies["django_language"] = "en"
    page = client.get(reverse("identification:page", args=[ready_project.pk])).content.decode()
    assert "Scan the file again to see them." in page


def test_a_long_table_is_searched_in_fewer_columns_and_says_so(upload, scan, ready_project, monkeypatch):
    monkeypatch.setattr(search, "MOST_CELLS", 80)
    upload(linked())
    round_ = scan()
    kept = round_.report["links"]
    assert (len(kept["together"]), len(kept["compared"])) == (2, 2)
    [left] = {"出生年份", "邮编", "区域"} - set(kept["compared"])
    with translation.override("en"):
        said = LinksText(round_, rows_of(ready_project, round_)).searched
    assert said[-1].startswith("Not compared")
    assert said[-1].endswith(f": {left}.")


def test_direct_identifiers_are_compared_and_not_put_together(scanned):
    kept = scanned.report["links"]
    assert set(kept["together"]) == {"性别", "科室", "诊断"}
    assert {"患者姓名", "身份证号"} <= set(kept["compared"])


def visits() -> Table:
    """20 patients with five visits each: each has a postcode of their own, which by rows five have."""
    lines = ["case_ref,postcode,drug"]
    lines += [f"K{n // 5},{3100 + n // 5},D{n // 5 % 4}" for n in range(100)]
    return Table(("\n".join(lines) + "\n").encode(), lines[0].split(","), [], [])


KEY = ("case_ref",)
REASON = "one case is one patient, as the register says"
ALL_CLEAR = {"No combination that was searched", "No column that was searched"}


def linked_by(project: Project, column: str, *, by) -> None:
    tables_declare(project, names=["visits", "patients"], by=by)
    links_declare(project, links=[Link("visits", column, "patients", "number")], by=by)


def decided(round_: IdentificationRound, columns: tuple[str, ...], *, by) -> None:
    if columns:
        count_keep(round_, count_run(round_, columns, lambda share: None))
    person_key_decide(round_, columns, reason=REASON, by=by)


def briefs(round_: IdentificationRound) -> tuple[str, str]:
    with translation.override("en"):
        return LinksText(round_, rows_of(round_.project, round_)).brief, StrikingText(round_).brief


def paper(round_: IdentificationRound) -> str:
    """What the PDF of the report says of a table."""
    [table] = report_context(round_.project, round_)["tables"]
    return render_to_string("identification/_report_document_body.html", table)


def test_a_declared_link_says_whose_rows_they_are_without_a_hint(upload, scan, ready_project, people):
    upload(visits())
    assert scan().report["links"]["key"] == []
    linked_by(ready_project, "case_ref", by=people.executor)
    report = scan().report
    assert [one["kind"] for one in report["persons"]] == [""]
    kept = report["links"]
    assert (kept["key"], kept["persons"]) == (["case_ref"], 20)
    assert {"columns": ["postcode"], "persons": 20} in kept["sets"]
    assert report["striking"]["columns"]["postcode"]["rare"] == {"values": 20, "persons": 20}


def test_a_link_by_which_nobody_has_several_rows_leaves_rows_persons(upload, scan, ready_project, people):
    upload(linked())
    linked_by(ready_project, "出生年份", by=people.executor)
    assert scan().report["links"]["key"] == ["出生年份"]
    lines = ["ref,area"] + [f"K{n},{n % 4}" for n in range(40)]
    upload(Table(("\n".join(lines) + "\n").encode(), ["ref", "area"], [], []))
    linked_by(ready_project, "ref", by=people.executor)
    round_ = scan()
    assert round_.report["links"]["key"] == []
    assert not any("do not hold" in said for said in briefs(round_))


def test_whose_rows_they_are_is_decided_after_the_scan(upload, scan, ready_project, people, client):
    upload(visits())
    round_ = scan()
    assert all(said.startswith(tuple(ALL_CLEAR)) for said in briefs(round_))
    decided(round_, KEY, by=people.executor)
    for said in briefs(round_):
        assert said.startswith("These figures count other persons and do not hold until the file is scanned")
        assert said.endswith("rows which agree in case_ref are of one person.")
    client.force_login(people.executor)
    client.cookies["django_language"] = "en"
    pages = [
        client.get(reverse(f"identification:{name}", args=[ready_project.pk])).content.decode()
        for name in ("page", "report")
    ]
    pages.append(paper(round_))
    state = client.get(
        reverse("api:identification-state", args=[ready_project.pk]), headers={"accept-language": "en"}
    )
    for said in (*pages, "\n".join(state.json()["links"])):
        assert "These figures count other persons" in said
        assert not [clear for clear in ALL_CLEAR if clear in said]
    # The next scan counts by what was decided, and nothing is said against it, decided anew or not.
    again = scan()
    assert (again.report["links"]["key"], again.report["links"]["persons"]) == (["case_ref"], 20)
    assert briefs(again)[0] == "Someone who knows postcode finds 20 of 20 persons."
    decided(again, KEY, by=people.executor)
    assert briefs(again)[0] == "Someone who knows postcode finds 20 of 20 persons."
    decided(again, (), by=people.executor)
    assert all(said.endswith("it has been stated that each row is one person.") for said in briefs(again))
    assert scan().report["links"]["key"] == []


def test_a_link_that_is_declared_after_the_scan_says_it_too(upload, scan, ready_project, people):
    upload(visits())
    round_ = scan()
    linked_by(ready_project, "case_ref", by=people.executor)
    assert all("rows which agree in case_ref are of one person" in said for said in briefs(round_))
    # What was decided before the link was declared is not counted by any more.
    again = scan()
    assert again.report["links"]["key"] == ["case_ref"]
    assert briefs(again)[0] == "Someone who knows postcode finds 20 of 20 persons."


def test_the_columns_of_the_key_take_no_place_of_the_others(upload, scan, ready_project, people, monkeypatch):
    monkeypatch.setattr(search, "MOST_COLUMNS", 1)
    monkeypatch.setattr(search, "MOST_COMPARED", 2)
    monkeypatch.setattr(search, "MOST_LISTED", 2)
    lines = ["person,area,block"] + [f"{n % 30},{n % 3},{n % 5}" for n in range(120)]
    upload(Table(("\n".join(lines) + "\n").encode(), lines[0].split(","), [], []))
    linked_by(ready_project, "person", by=people.executor)
    report = scan().report
    assert report["links"]["key"] == ["person"]
    assert report["links"]["together"] == ["area"]
    assert list(report["striking"]["columns"]) == ["area", "block"]


def test_nothing_is_cleared_that_was_not_searched(upload, scan, ready_project, monkeypatch):
    lines = ["a,b"] + [f"{n % 4},{n % 2}" for n in range(80)]
    upload(table := Table(("\n".join(lines) + "\n").encode(), ["a", "b"], [], []))
    assert briefs(scan()) == (
        "No combination that was searched singles anybody out.",
        "No column that was searched has outlying or rare values.",
    )
    monkeypatch.setattr(search, "MOST_CELLS", 80)
    assert all(said.endswith(", but not every column was searched.") for said in briefs(scan()))
    monkeypatch.setattr(search, "MOST_CELLS", 79)
    assert briefs(scan()) == ("No columns were put together.", "No column was searched.")
    assert table.columns == ["a", "b"]


def test_long_values_are_let_go_and_named(upload, scan, ready_project, monkeypatch):
    monkeypatch.setattr(search, "MOST_BYTES", 10_000)
    lines = ["area,备注"] + [f"{n % 4},case {n} {'x' * 200}" for n in range(80)]
    upload(Table(("\n".join(lines) + "\n").encode(), lines[0].split(","), [], []))
    round_ = scan()
    assert round_.report["links"]["long"] == ["备注"]
    assert round_.report["links"]["together"] == ["area"]
    assert list(round_.report["striking"]["columns"]) == ["area"]
    with translation.override("en"):
        for said in (LinksText(round_, rows_of(ready_project, round_)), StrikingText(round_)):
            named = [one for one in said.searched if "their values are too long" in one]
            assert len(named) == 1
            assert named[0].endswith(": 备注.")
            assert "not every column was searched" in said.brief


def test_the_paper_says_which_verdicts_links_speak_against_and_what_only_nearly_follows(
    upload, scan, ready_project, people
):
    head, *rows = linked().content.decode().split()
    content = "\n".join([head, *rows * 3, ""]).replace(",3101,north", ",3101,south", 1)
    upload(Table(content.encode(), head.split(","), [], []))
    round_ = scan()
    [one] = round_.report["links"]["following"]
    assert one["agree"] < one["compared"]
    verdicts_give(
        round_,
        [
            Given("邮编", "quasi", reason="others know where somebody lives"),
            Given("区域", "other", reason="nobody outside knows how areas are cut"),
        ],
        by=people.executor,
    )
    with translation.override("en"):
        said = paper(round_)
    assert "Called harmless, but linked" in said
    assert "but it nearly follows from 邮编" in said
