"""Links among columns (5.3.4 a): what a scan keeps of them, and how page, report and API say it before the verdicts."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import translation

from approvals.audit.recording import recording
from projects.identification import events
from projects.identification.links import search
from projects.identification.links.wording import LinksText
from projects.identification.models import IdentificationRound
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
