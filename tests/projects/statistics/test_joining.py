"""Several tables of the same data: what is out already is part of what readers have."""

from __future__ import annotations

import hashlib

import pytest
from django.urls import reverse
from django.utils.translation import override

from approvals.governance.verdict import Refused
from projects.statistics import joining
from projects.statistics.models import Tabulation
from projects.statistics.presentation import others_of, report_view
from projects.statistics.selectors import report_of
from projects.statistics.services import table_decide
from techniques.core.messages import filled

from .conftest import in_force, made, released, signed

pytestmark = pytest.mark.django_db
START = released


def hidden_of(table):
    return {tuple(one["labels"]) for one in report_of(table)["cells"] if one["hidden"]}


def said(table):
    return [filled(one["message"], one["params"]) for one in report_of(table)["statements"]]


@pytest.fixture
def lax(making):
    """Rules that make no cell of these tables sensitive."""
    return in_force(making.people, "Lax", counts=True, minimum_contributors=2)


class TestBesideASignedTable:
    def test_what_is_hidden_there_is_told_by_no_table_after_it(self, client, making, lax):
        """Diagnosis by sex hides few of them; the same table by lax rules would tell all, and so would its parts and a larger one."""
        first = signed(making, made(making))
        assert hidden_of(first)
        same = made(making, rules=lax)
        assert hidden_of(same), "its own rules hide nothing"
        (read,) = report_of(same)["together"]["tables"]
        assert read["id"] == str(first.pk)
        assert any("are out already, read together" in one for one in said(same))
        with override("en"):
            view = report_view(same, making.people.supervisor)
        assert any("T1" in one and "Read together" in one for one in view["warnings"])
        whys = [why for one in view["reasons"] for why in one["why"]]
        assert "Were it published, sensitive cells of T1 could be worked out too closely." in whys
        assert view["primary"] == 0
        page = reverse("statistics:detail", args=[making.project.pk, same.pk])
        client.force_login(making.people.supervisor)
        answer = client.get(page, headers={"accept-language": "zh-hans"})
        assert "已与先前已签署的同一数据的表一并阅读" in answer.content.decode()

    def test_what_tells_nothing_of_it_stays_as_it_is(self, making, lax):
        """Who has which diagnosis is told by totals that the signed table shows itself, as far as it shows them."""
        first = signed(making, made(making, rules=lax))
        assert not hidden_of(first)
        second = made(making, rules=lax, spans=[{"column": "诊断"}])
        assert not hidden_of(second)
        assert report_of(second)["together"]["tables"]

    def test_one_that_was_made_before_is_made_anew(self, client, making, lax):
        first, blind = made(making), made(making, rules=lax)
        assert not hidden_of(blind)
        page = reverse("statistics:detail", args=[making.project.pk, blind.pk])
        client.force_login(making.people.supervisor)
        assert 'value="accept"' in client.get(page).content.decode()
        first = signed(making, first)
        shown = client.get(page, headers={"accept-language": "en"}).content.decode()
        assert 'value="accept"' not in shown, "no button that would only refuse"
        assert 'value="refuse"' in shown
        assert "Make it anew, so that it is protected beside them." in shown
        with pytest.raises(Refused) as caught:
            table_decide(blind, accept=True, reason="it is as planned", by=making.people.supervisor)
        assert caught.value.verdict.code == "table_other_tables"
        assert "T1" in caught.value.verdict.text
        # One that was taken back may be in somebody's hands.
        table_decide(first, accept=False, reason="too coarse", by=making.people.supervisor)
        with pytest.raises(Refused):
            table_decide(blind, accept=True, reason="it is as planned", by=making.people.supervisor)
        again = signed(making, made(making, rules=lax))
        assert again.status == "approved"
        assert hidden_of(again)

    def test_tables_of_something_else_are_not_read_together(self, making, lax):
        signed(making, made(making))
        assert report_of(made(making, kind="rows", rules=making.amounts))["together"]["tables"] == []

    def test_three_tables_are_sums_of_one(self, making, lax):
        signed(making, made(making, rules=lax))
        signed(making, made(making, rules=lax, spans=[{"column": "性别"}]))
        third = report_of(made(making, rules=lax, spans=[{"column": "诊断"}]))["together"]
        assert (len(third["tables"]), third["whole"]) == (2, True)

    def test_too_many_cells_are_said_and_not_read(self, making, lax, monkeypatch):
        first = signed(making, made(making))
        monkeypatch.setattr(joining, "MOST_TOGETHER", 15)
        table = made(making, rules=lax)
        assert [one["id"] for one in report_of(table)["together"]["left"]] == [str(first.pk)]
        with override("en"):
            warnings = report_view(table, making.people.supervisor)["warnings"]
        assert any("not read together with this table, are T1" in one for one in warnings)

    def test_a_table_of_another_project_counts_and_is_named_to_who_may_see_it(self, making, lax):
        """The content decides, not the project; a stranger to the other project reads nothing of it."""
        first = signed(making, made(making))
        table = made(making, rules=lax)
        report = report_of(table)
        (read,) = report["together"]["tables"]
        elsewhere = {**read, "project": hashlib.sha256(b"elsewhere").hexdigest()[:32]}
        with override("en"):
            names = others_of(table, {"together": {"tables": [elsewhere]}}, making.people.executor)
        assert list(names.values()) == ["a table of a project that you may not see"]
        assert Tabulation.objects.filter(dataset__sha256=first.dataset.sha256).count() == 2
