"""Values that catch the eye (5.3.4 b): counted by the scan, listed on page and report with what deals with them."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import translation

from approvals.audit.recording import recording
from projects.identification import events
from projects.identification.links.striking import StrikingText
from projects.identification.models import IdentificationRound

from .conftest import Table, make_table


@pytest.fixture
def striking(upload, scan):
    """100 rows: three persons earn far more than the rest, two live where nobody else does."""
    lines = ["收入,科室"]
    lines += [f"{n % 10 + 1},{'内外'[n % 2]}科" for n in range(95)]
    lines += ["8000,内科", "8000,内科", "9000,内科", "5,儿科", "5,儿科"]
    upload(Table(("\n".join(lines) + "\n").encode(), lines[0].split(","), [], []))
    return scan()


def test_what_a_scan_keeps(striking):
    kept = striking.report["striking"]
    assert kept["few"] == 5
    assert kept["columns"] == {
        "收入": {
            "below": {"values": 0, "persons": 0},
            "above": {"values": 2, "persons": 3},
            "rare": {"values": 2, "persons": 3},
        },
        "科室": {"below": None, "above": None, "rare": {"values": 1, "persons": 2}},
    }


def test_page_and_report_list_them_in_both_languages_without_a_value(striking, ready_project, people, client):
    client.force_login(people.supervisor)
    words = {
        "en": [
            "Unusually large numbers",
            "Top and bottom coding",
            "Suppress rare values",
            "fewer than 5 persons",
        ],
        "zh-hans": ["异常大的数值", "顶层与底层编码", "引人注目的取值"],
    }
    for language, expected in words.items():
        client.cookies["django_language"] = language
        for name in ("page", "report"):
            page = client.get(reverse(f"identification:{name}", args=[ready_project.pk])).content.decode()
            assert not [word for word in expected if word not in page], (language, name)
            assert "9000" not in page
            assert "儿科" not in page


def test_a_scan_from_before_asks_to_be_made_again(striking, ready_project, people, client):
    report = {name: part for name, part in striking.report.items() if name != "striking"}
    with recording(events.SCAN_FINISHED, by=None):
        IdentificationRound.objects.filter(pk=striking.pk).update(report=report)
    client.force_login(people.executor)
    client.cookies["django_language"] = "en"
    page = client.get(reverse("identification:page", args=[ready_project.pk])).content.decode()
    assert "This scan did not count them." in page


def test_the_key_of_persons_is_what_a_person_is_and_not_left_out_for_another_reason(upload, scan):
    numbers = make_table().id_numbers[:30]
    lines = ["身份证号,性别,常量"]
    lines += [f"{numbers[n % 30]},{'男女'[n % 2]},x" for n in range(120)]
    upload(Table(("\n".join(lines) + "\n").encode(), lines[0].split(","), numbers, []))
    round_ = scan()
    assert round_.report["links"]["key"] == ["身份证号"]
    with translation.override("en"):
        said = StrikingText(round_).searched
    assert said == [
        "Rows that agree in 身份证号 count as one person.",
        "Not searched, as direct identifiers, as columns of one value, or as too many: 常量.",
    ]
