"""Tables of statistics: who makes them, what is hidden, who lets them out, who has them."""

from __future__ import annotations

import csv
import io
from collections import Counter

import pytest
from django.db import IntegrityError, connection, transaction

from approvals.audit.models import AuditEvent
from approvals.governance.governed import GovernanceBypassed
from approvals.governance.triggers import registered
from approvals.governance.verdict import Refused
from projects.core.models import Notification
from projects.jobs.models import Job
from projects.jobs.services import job_cancel
from projects.releases.models import Agreement
from projects.releases.services import agreement_end
from projects.statistics.models import Tabulation
from projects.statistics.selectors import report_of, signed_of
from projects.statistics.services import table_decide, table_fetch
from techniques.core.messages import EngineError
from tests.projects.processing.conftest import make_csv
from tests.projects.rows import put

from .conftest import imported, in_force, made, released, signed

pytestmark = pytest.mark.django_db
START = released


def rows():
    return list(csv.DictReader(io.StringIO(make_csv().decode())))


def cells(text):
    return {tuple(row[:-1]): row[-1] for row in list(csv.reader(io.StringIO(text.decode())))[1:]}


def refused(call):
    with pytest.raises(Refused) as caught:
        call()
    return caught.value.verdict.code


def said(project):
    found = AuditEvent.objects.filter(project_id=project.pk, action__startswith="tabulation.").order_by("seq")
    return list(found.values_list("action", flat=True))


def by_label(report):
    return {tuple(one["labels"]): one for one in report["cells"]}


class TestMaking:
    def test_persons_are_counted_and_few_of_them_hidden(self, making):
        table = made(making)
        assert (table.status, table.failed_code) == ("protected", "")
        counted = Counter((row["诊断"], row["性别"]) for row in rows())
        report = by_label(report_of(table))
        assert {labels: int(report[labels]["value"]) for labels in counted} == counted
        few = {labels for labels, number in counted.items() if number < 50}
        assert few, "the table has something to hide"
        assert {labels for labels, one in report.items() if one["rules"]} == few
        out = cells(table_fetch(table, by=making.people.executor))
        assert all(out[labels] == "x" for labels in few)
        assert {labels for labels, one in report.items() if one["hidden"]} == {
            labels for labels, text in out.items() if text == "x"
        }
        assert all(int(text) == report[labels]["value"] for labels, text in out.items() if text != "x")

    def test_each_hidden_cell_says_why_and_between_what_it_lies(self, making):
        report = report_of(made(making))
        for one in report["cells"]:
            if one["rules"]:
                assert one["rules"] == ["minimum_contributors"]
                assert one["closed"]
                assert one["room"] >= 1 - 1e-6
                # Whoever reads the table cannot tell that fewer than the rule asks contribute.
                assert one["low"] <= one["value"] <= one["high"]
                assert one["high"] >= 50 - 1e-6
            elif one["hidden"]:
                assert one["protects"]
                assert all(report["cells"][place]["rules"] for place in one["protects"])

    def test_amounts_by_a_holding_and_by_groups(self, making):
        tree = [["高血压", "慢性"], ["糖尿病", "慢性"], ["肺炎", "急性"]]
        table = made(
            making, kind="sum", column="费用", spans=[{"column": "诊断", "tree": tree}], holding="性别"
        )
        report = by_label(report_of(table))
        wanted = sum(float(row["费用"]) for row in rows() if row["诊断"] != "肺炎")
        assert report["慢性",]["value"] == pytest.approx(wanted)
        # Two holdings, fewer than three contributors everywhere.
        assert {one["contributors"] for one in report.values()} == {2}
        assert all("minimum_contributors" in one["rules"] for one in report.values())

    def test_rounding_instead_of_hiding(self, making):
        table = made(making, base=100)
        assert table.status == "protected"
        out = cells(table_fetch(table, by=making.people.supervisor))
        assert {int(text) % 100 for text in out.values()} == {0}
        report = report_of(table)
        assert report["loss"]["hidden"] == 0
        assert report["loss"]["most_change"] > 0

    def test_what_cannot_be_closed_never_goes_out(self, making):
        table = made(making, base=2)
        assert (table.status, table.result, table.result_sha256) == ("open", None, "")
        assert any(not one["closed"] for one in report_of(table)["cells"] if one["rules"])
        assert refused(lambda: table_fetch(table, by=making.people.executor)) == "table_no_file"
        assert (
            refused(lambda: table_decide(table, accept=True, reason="now", by=making.people.supervisor))
            == "table_not_waiting"
        )
        assert said(making.project)[-1] == "tabulation.left_open"

    def test_a_failure_says_nothing_of_the_data(self, making):
        # The total claims a second contributor whom no part has: whoever contributes to the part alone knows it.
        text = "c,value,contributors,absolute,alone,largest1,largest2\nx,10,1,10,p,10,0\ny,0,0,0,,0,0\nTotal,10,2,10,,6,4\n"
        hard = in_force(making.people, "Hard", counts=False, minimum_contributors=3, p_percent=20)
        table = imported(
            making, text, rules=hard, kind="sum", column="value", spans=[{"column": "c"}], fails=True
        )
        assert (table.status, table.failed_code) == ("failed", "cannot_be_hidden")
        job = Job.objects.get(subject_id=table.pk)
        assert job.error_params == {}

    def test_a_cancelled_job_leaves_no_table(self, making):
        table = made(making, run=False)
        job_cancel(Job.objects.get(subject_id=table.pk), by=making.people.executor)
        table.refresh_from_db()
        assert (table.status, table.failed_code) == ("failed", "cancelled")

    @pytest.mark.parametrize(
        ("change", "code"),
        [
            ({"spans": []}, "table_no_columns"),
            ({"spans": [{"column": "姓名"}]}, "direct_identifier"),
            ({"spans": [{"column": "nothing"}]}, "no_such_column"),
            ({"kind": "sum", "column": "病历号"}, "direct_identifier"),
            ({"source": "other"}, "table_no_data"),
        ],
    )  # fmt: skip
    def test_what_is_asked_for_must_be_there(self, making, change, code):
        assert refused(lambda: made(making, run=False, **change)) == code

    def test_rules_are_those_of_the_kind_and_in_force(self, making):
        assert refused(lambda: made(making, run=False, rules=making.amounts)) == "table_rules_for_amounts"
        rows = {"kind": "rows"}
        assert (
            refused(lambda: made(making, run=False, rules=making.counts, **rows)) == "table_rules_for_persons"
        )
        old = making.counts
        in_force(making.people, "Persons", counts=True, minimum_contributors=60)
        assert refused(lambda: made(making, run=False, rules=old)) == "table_no_rules"

    def test_a_table_keeps_the_version_that_it_was_made_by(self, making):
        table = made(making, run=False)
        in_force(making.people, "Persons", counts=True, minimum_contributors=60)
        making.story.run_jobs()
        table.refresh_from_db()
        assert (table.status, table.rules_name) == ("protected", "Persons · 1")

    @pytest.mark.parametrize(
        "who", ["planner", "supervisor", "management", "recipient", "auditor", "administrator"]
    )
    def test_only_the_executor_makes_one(self, making, who):
        assert refused(lambda: made(making, run=False, by=getattr(making.people, who))) in (
            "not_your_role",
            "not_a_member",
        )


class TestImporting:
    def test_counts_that_were_made_elsewhere(self, making):
        table = imported(making, "town,sex,value\nA,f,7\nA,m,90\nB,f,80\nB,m,70\n", kind="persons")
        assert table.status == "protected"
        report = by_label(report_of(table))
        assert report["A", "f"]["rules"] == ["minimum_contributors"]
        assert report["Total", "Total"]["value"] == 247

    def test_amounts_with_the_largest_contributions(self, making):
        text = "town,value,contributors,largest1,largest2\nA,100,9,95,2\nB,90,9,20,15\nC,80,9,20,15\nTotal,270,27,95,20\n"
        table = imported(making, text, kind="sum", column="turnover")
        report = report_of(table)
        # 100 - 95 - 2 = 3 is less than a tenth of 95; the total's 155 is not.
        assert [one["labels"] for one in report["cells"] if one["rules"]] == [["A"]]
        assert report["alone_unknown"]

    def test_what_is_no_table_says_why(self, making):
        table = imported(making, "town,value\nA,many\n", kind="persons", fails=True)
        assert (table.status, table.failed_code) == ("failed", "cells_not_numbers")


class TestLettingOut:
    def test_reviewed_then_signed_then_had(self, making):
        table = made(making)
        people = making.people
        assert list(signed_of(making.project)) == []
        table = table_decide(table, accept=True, reason="it is as planned", by=people.supervisor)
        assert table.status == "reviewed"
        table = table_decide(table, accept=True, reason="it may go out", by=people.management)
        assert list(signed_of(making.project)) == [table]
        assert cells(table_fetch(table, by=people.recipient, release=making.release))
        assert said(making.project)[-5:] == [
            "tabulation.started", "tabulation.protected", "tabulation.reviewed", "tabulation.signed", "tabulation.fetched",
        ]  # fmt: skip

    def test_the_log_has_no_cell_and_no_rule(self, making):
        signed(making, made(making))
        facts = str(list(AuditEvent.objects.values_list("facts", "reason"))) + str(
            list(Notification.objects.values_list("facts"))
        )
        assert "50" not in str(
            list(AuditEvent.objects.filter(action__startswith="table_rules.").values_list("facts", flat=True))
        )
        assert not any(word in facts for word in ("高血压", "minimum", "p_percent"))

    def test_who_is_next_is_news_of(self, making, django_capture_on_commit_callbacks):
        def news_of(who):
            return list(
                Notification.objects.filter(user=who, action__startswith="tabulation.").values_list(
                    "action", flat=True
                )
            )

        with django_capture_on_commit_callbacks(execute=True):
            table = made(making)
        assert news_of(making.people.supervisor) == ["tabulation.protected"]
        with django_capture_on_commit_callbacks(execute=True):
            table_decide(table, accept=True, reason="it is as planned", by=making.people.supervisor)
        assert news_of(making.people.management) == ["tabulation.reviewed"]
        assert news_of(making.people.recipient) == []

    @pytest.mark.parametrize("who", ["executor", "planner", "management", "recipient", "auditor"])
    def test_only_the_supervisor_reviews(self, making, who):
        table = made(making)
        assert refused(
            lambda: table_decide(table, accept=True, reason="yes", by=getattr(making.people, who))
        ) in ("not_your_role", "not_a_member")

    @pytest.mark.parametrize("who", ["executor", "planner", "supervisor", "recipient", "auditor"])
    def test_only_senior_management_signs(self, making, who):
        table = table_decide(
            made(making), accept=True, reason="it is as planned", by=making.people.supervisor
        )
        assert refused(
            lambda: table_decide(table, accept=True, reason="yes", by=getattr(making.people, who))
        ) in ("not_your_role", "not_a_member")

    def test_a_decision_needs_a_reason(self, making):
        assert (
            refused(lambda: table_decide(made(making), accept=True, reason=" ", by=making.people.supervisor))
            == "reason_needed"
        )

    def test_what_was_refused_stays_refused(self, making):
        table = table_decide(made(making), accept=False, reason="too coarse", by=making.people.supervisor)
        assert table.status == "refused"
        assert (
            refused(lambda: table_decide(table, accept=True, reason="yes", by=making.people.supervisor))
            == "table_not_waiting"
        )
        assert (
            refused(lambda: table_fetch(table, by=making.people.recipient, release=making.release))
            == "table_not_signed"
        )

    def test_a_signed_table_is_taken_back(self, making):
        table = signed(making, made(making))
        table = table_decide(
            table, accept=False, reason="another table tells more", by=making.people.supervisor
        )
        assert said(making.project)[-1] == "tabulation.taken_back"
        assert (
            refused(lambda: table_fetch(table, by=making.people.recipient, release=making.release))
            == "table_not_signed"
        )

    def test_persons_decided_anew_need_a_new_table(self, making, monkeypatch):
        table = made(making)
        # No move leads from here to another key; what would come of it is what the rule compares.
        monkeypatch.setattr("projects.statistics.rules.settled_key", lambda dataset: ("姓名",))
        assert (
            refused(lambda: table_decide(table, accept=True, reason="yes", by=making.people.supervisor))
            == "table_other_data"
        )

    def test_without_an_agreement_nothing_is_had(self, making):
        table = signed(making, made(making))
        agreement = Agreement.objects.get(project=making.project, recipient=making.people.recipient)
        agreement_end(agreement, why="it is over", by=making.people.planner)
        assert (
            refused(lambda: table_fetch(table, by=making.people.recipient, release=making.release))
            == "no_agreement"
        )

    def test_what_was_altered_is_not_given_out(self, making):
        table = signed(making, made(making))
        path = table.result.path
        content = bytearray(path.read_bytes())
        content[-1] ^= 1
        path.write_bytes(bytes(content))
        with pytest.raises((EngineError, Refused)):
            table_fetch(table, by=making.people.recipient, release=making.release)


class TestWhatTheDatabaseHolds:
    def row(self, making, **given):
        from projects.datasets.models import StoredFile

        content = put(StoredFile, purpose="x", sha256="0" * 64, size=1)
        given = {
            "definition": {},
            "rules_name": "r",
            "title": "t",
            "imported": content,
            "made_by": making.people.executor,
        } | given
        return put(Tabulation, project=making.project, **given)

    def test_nobody_goes_past_the_services(self, making):
        table = made(making)
        with pytest.raises(GovernanceBypassed):
            table.save()
        with pytest.raises(GovernanceBypassed):
            Tabulation.objects.filter(pk=table.pk).update(status="approved")

    @pytest.mark.parametrize(
        "change",
        [
            {"status": "approved"},
            {"status": "protected"},
            {"title": "another"},
            {"definition": {"kind": "rows"}},
            {"result_sha256": "0" * 64},
            {"result_id": None},
            {"status": "reviewed", "who": "executor"},
            {"status": "reviewed", "who": "management"},
            {"status": "approved", "who": "supervisor"},
        ],
    )  # fmt: skip
    def test_a_protected_table_changes_by_judgement_alone(self, making, change):
        table = made(making)
        change = dict(change)
        who = change.pop("who", None)
        names = {"reviewed": "reviewed", "approved": "signed"}
        fields, values = [], []
        if who:
            name = names[change["status"]]
            fields = [f"{name}_by_id = %s", f"{name}_at = made_at", f"{name}_reason = 'so'"]
            values = [
                getattr(making.people, who).pk.hex
                if connection.vendor == "sqlite" and hasattr(getattr(making.people, who).pk, "hex")
                else getattr(making.people, who).pk
            ]
        import json

        for name, value in change.items():
            fields.append(f"{name} = %s")
            values.append(json.dumps(value) if isinstance(value, dict) else value)
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                f"UPDATE statistics_tabulation SET {', '.join(fields)} WHERE id = %s", [*values, table.pk.hex]
            )

    def test_it_is_never_deleted(self, making):
        table = made(making)
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("DELETE FROM statistics_tabulation WHERE id = %s", [table.pk.hex])

    def test_every_trigger_is_there(self):
        names = {one.name for one in registered() if one.table == "statistics_tabulation"}
        assert {
            "tabulation_is_final",
            "tabulation_stays",
            "tabulation_judged_by_judges",
            "tabulation_two_judges",
        } <= names
