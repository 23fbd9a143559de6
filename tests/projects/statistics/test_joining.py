"""Several tables of the same data: what is out already is part of what readers have."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.urls import reverse
from django.utils.translation import override

from approvals.governance.verdict import Refused
from projects.statistics import joining
from projects.statistics.presentation import others_of, report_view
from projects.statistics.selectors import report_of
from projects.statistics.services import table_decide
from projects.workflow import State
from techniques.core.messages import filled
from tests.projects.processing.conftest import small_story

from .conftest import in_force, made, released, signed

pytestmark = pytest.mark.django_db
START = released


def hidden_of(table):
    return {tuple(one["labels"]) for one in report_of(table)["cells"] if one["hidden"]}


def said(table):
    return [filled(one["message"], one["params"]) for one in report_of(table)["statements"]]


def elsewhere(making):
    """A second project of the same people from the same content, as far as a table can be signed there."""
    story = small_story(making.people)
    story.reach(State.PROCESSING)
    return SimpleNamespace(**{**vars(making), "story": story, "project": story.project})


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
        assert any("of the same data that were read together with it" in one for one in said(same))
        with override("en"):
            view = report_view(same, making.people.supervisor)
        assert any("T1" in one and "Read together" in one for one in view["warnings"])
        whys = [why for one in view["reasons"] for why in one["why"]]
        assert "If it were published, sensitive cells of T1 could be worked out too closely." in whys
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
        assert "Make it again so that it is protected alongside them." in shown
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

    def test_rows_are_persons_where_each_row_is_one(self, making, lax):
        """Both count the same: what one hides the other must not show, whatever its rules."""
        first = signed(making, made(making))
        assert first.person_key == []
        rules = in_force(making.people, "Lax rows", counts=False, minimum_contributors=2)
        rows = made(making, kind="rows", rules=rules)
        assert [one["id"] for one in report_of(rows)["together"]["tables"]] == [str(first.pk)]
        assert hidden_of(rows), "its own rules hide nothing"
        # Two that are read together in the other order, too.
        assert signed(making, rows).status == "approved"
        persons = made(making, rules=lax)
        assert len(report_of(persons)["together"]["tables"]) == 2
        assert hidden_of(persons)

    def test_tables_of_something_else_are_not_read_together(self, making, lax):
        signed(making, made(making))
        fees = made(making, kind="sum", column="费用", rules=making.amounts)
        assert report_of(fees)["together"]["tables"] == []
        assert signed(making, fees).status == "approved"

    def test_the_same_of_other_contributors_is_not_let_out_beside_it(self, making, lax):
        """The numbers are the same, or bound each other, and cannot be read together: one that hides stands alone."""
        first = signed(making, made(making))
        assert hidden_of(first)
        rules = in_force(making.people, "Lax rows", counts=False, minimum_contributors=2)
        rows = made(making, kind="rows", holding="费用", rules=rules)
        assert report_of(rows)["together"] == {"tables": [], "left": [], "whole": True}
        with pytest.raises(Refused) as caught:
            table_decide(rows, accept=True, reason="it is as planned", by=making.people.supervisor)
        assert caught.value.verdict.code == "table_other_contributors"
        assert "T1" in caught.value.verdict.text

    def test_where_neither_hides_a_cell_both_go_out(self, making, lax):
        signed(making, made(making, rules=lax))
        rules = in_force(making.people, "Lax rows", counts=False, minimum_contributors=2)
        rows = made(making, kind="rows", holding="性别", spans=[{"column": "诊断"}], rules=rules)
        assert not hidden_of(rows)
        assert signed(making, rows).status == "approved"

    def test_rows_of_persons_who_have_several_are_not_their_count(self, making, lax):
        """A cell of one row has one person, so a count of rows tells of what a count of persons hides."""
        first = signed(making, made(making))
        rows = made(making, kind="rows", rules=making.amounts)
        for table in (first, rows):
            table.person_key = ["病案号"]
        assert first.measured != rows.measured
        rows.person_key = []
        assert first.measured == rows.measured

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
        (warning,) = (one for one in warnings if "not read together with this one: T1" in one)
        assert "or counting again gives different cells" in warning

    def test_what_gives_other_cells_now_is_not_read(self, making, lax, monkeypatch):
        first, kept = signed(making, made(making)), report_of
        other = [{"labels": ["another", "cell"]}]
        monkeypatch.setattr(
            joining,
            "report_of",
            lambda one: {**kept(one), "cells": other} if one.pk == first.pk else kept(one),
        )
        together = report_of(made(making, rules=lax))["together"]
        assert (together["tables"], [one["id"] for one in together["left"]]) == ([], [str(first.pk)])

    def test_a_table_of_another_project_counts_and_is_named_to_who_may_see_it(self, making, lax):
        """The content decides, not the project; a stranger to the other project reads nothing of it."""
        blind, there = made(making, rules=lax), elsewhere(making)
        first = signed(there, made(there))
        assert (first.project_id, first.dataset.sha256) != (making.project.pk, "")
        assert first.dataset.sha256 == blind.dataset.sha256
        with pytest.raises(Refused) as caught:
            table_decide(blind, accept=True, reason="it is as planned", by=making.people.supervisor)
        assert caught.value.verdict.code == "table_other_tables"
        assert there.project.number not in caught.value.verdict.text
        table = made(making, rules=lax)
        report = report_of(table)
        (read,) = report["together"]["tables"]
        assert (read["id"], read["project"]) == (str(first.pk), str(there.project.pk))
        assert hidden_of(table), "its own rules hide nothing"
        with override("en"):
            names = others_of(table, report, making.people.executor)
            assert names == {str(first.pk): f"{there.project.number} T1"}
            stranger = others_of(table, report, making.people.outsider)
        assert stranger == {str(first.pk): "a table of a project that you may not see"}
