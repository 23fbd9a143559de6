"""Pages and API of tables of statistics: what each reader sees of them, and what nobody sees."""

from __future__ import annotations

from copy import copy
from html import unescape
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils.translation import override

from projects.core.tasks_registry import tasks_of
from projects.statistics.comparing import beside
from projects.statistics.models import Tabulation
from projects.statistics.presentation import _warnings, promised_to_readers
from projects.statistics.selectors import report_of
from projects.statistics.services import table_decide
from tests.fixtures import PASSWORD

from .conftest import imported, in_force, made, released, signed

pytestmark = pytest.mark.django_db
START = released
BACKEND = "deid_portal.accounts.backends.AccountBackend"


def get(client, who, name, *arguments, language="en"):
    client.force_login(who, backend=BACKEND)
    return client.get(reverse(name, args=arguments), headers={"accept-language": language})


def post(client, who, name, *arguments, data=None, **more):
    client.force_login(who, backend=BACKEND)
    return client.post(reverse(name, args=arguments), data or {}, headers={"accept-language": "en"}, **more)


def form(making, **more):
    return {
        "title": "Diagnoses by sex", "source": "", "kind": "persons", "span1": "诊断", "span2": "性别", "rules": str(making.counts.pk),
        "least": "values", "total": "Total",
    } | more  # fmt: skip


class TestMaking:
    def test_the_executor_makes_one_on_the_page(self, client, making):
        answer = post(client, making.people.executor, "statistics:make", making.project.pk, data=form(making))
        assert answer.status_code == 302
        making.story.run_jobs()
        table = Tabulation.objects.get(project=making.project)
        assert (table.status, table.title) == ("protected", "Diagnoses by sex")

    def test_and_brings_one_in(self, client, making):
        given = {
            "title": "From the office", "kind": "persons", "rules": str(making.counts.pk), "least": "values", "total": "All",
            "span1": "town", "tree1": "A, N\nB, N\nC, S",
            "file": SimpleUploadedFile("cells.csv", b"\xef\xbb\xbftown,value\nA,60\nB,70\nC,80\n"),
        }  # fmt: skip
        data = {f"bring-{name}": value for name, value in given.items()}
        assert (
            post(client, making.people.executor, "statistics:bring", making.project.pk, data=data).status_code
            == 302
        )
        making.story.run_jobs()
        table = Tabulation.objects.get(project=making.project)
        shown = {tuple(one["labels"]): one["shown"] for one in report_of(table)["cells"]}
        assert shown == {
            ("All",): "210",
            ("N",): "130",
            ("S",): "80",
            ("A",): "60",
            ("B",): "70",
            ("C",): "80",
        }

    @pytest.mark.parametrize(
        ("change", "text"),
        [
            ({"kind": "sum"}, "Say which column is added up"),
            ({"span2": "诊断"}, "A column spans the table once"),
            ({"tree1": "高血压"}, "Each line of a hierarchy has a value"),
            ({"kind": "rows"}, "is for counts of persons"),
            ({"title": ""}, "required"),
            ({"base": "-2"}, "more than 0"),
        ],
    )  # fmt: skip
    def test_what_does_not_fit_is_said_beside_the_form(self, client, making, change, text):
        answer = post(
            client, making.people.executor, "statistics:make", making.project.pk, data=form(making, **change)
        )
        assert answer.status_code == 422
        assert text in answer.content.decode()
        assert not Tabulation.objects.filter(project=making.project).exists()

    def test_direct_identifiers_are_no_choice(self, client, making):
        shown = get(client, making.people.executor, "statistics:page", making.project.pk).context["make"]
        assert "姓名" not in dict(shown.fields["span1"].choices)
        assert "诊断" in dict(shown.fields["span1"].choices)

    def test_by_a_program(self, client, making):
        definition = {"kind": "persons", "spans": [{"column": "诊断"}]}
        given = {"title": "Diagnoses", "definition": definition, "rules": str(making.counts.pk)}
        answer = post(
            client,
            making.people.executor,
            "api:statistics",
            making.project.pk,
            data=given,
            content_type="application/json",
        )
        assert (answer.status_code, answer.json()["status"]) == (201, "running")
        cells = {**given, "definition": {"kind": "persons"}, "cells": "town,value\nA,60\nB,70\n"}
        answer = post(
            client,
            making.people.executor,
            "api:statistics",
            making.project.pk,
            data=cells,
            content_type="application/json",
        )
        making.story.run_jobs()
        assert Tabulation.objects.get(pk=answer.json()["id"]).status == "protected"


class TestSeeing:
    @pytest.mark.parametrize(
        ("who", "sees"), [("executor", True), ("supervisor", True), ("management", False), ("auditor", False)]
    )
    def test_true_values_are_for_who_makes_and_who_reviews(self, client, making, who, sees):
        table = made(making)
        answer = get(client, getattr(making.people, who), "statistics:detail", making.project.pk, table.pk)
        text = answer.content.decode()
        assert ("True value" in text) == sees
        one = next(one for one in report_of(table)["cells"] if one["rules"])
        assert (f'<td data-label="Contributors" class="num">{one["contributors"]}</td>' in text) == sees
        assert "Few contribute to it." in text
        assert "could be worked out too closely" in text
        shown = get(
            client, getattr(making.people, who), "api:statistics-table", making.project.pk, table.pk
        ).json()
        assert any("value" in one for one in shown["hidden"]) == sees

    @pytest.mark.parametrize("who", ["executor", "supervisor", "management", "auditor", "planner"])
    @pytest.mark.parametrize("language", ["en", "zh-hans"])
    def test_numbers_of_rules_stand_nowhere(self, client, making, who, language):
        """Of the rules' numbers (50 contributors) nothing; how much room they leave for planning managers alone."""
        table = made(making)
        person = getattr(making.people, who)
        report = report_of(table)
        for name in ("statistics:page", "api:statistics"):
            assert (
                "minimum"
                not in get(client, person, name, making.project.pk, language=language).content.decode()
            )
        for name in ("statistics:detail", "api:statistics-table"):
            text = get(client, person, name, making.project.pk, table.pk, language=language).content.decode()
            assert "minimum" not in text
            assert "p_percent" not in text
        rooms = [one["room"] for one in report["cells"] if one.get("room") is not None]
        shown = get(client, person, "api:statistics-table", making.project.pk, table.pk).json()["hidden"]
        assert sorted(one["room"] for one in shown if "room" in one) == (
            sorted(rooms) if who == "planner" else []
        )

    def test_a_page_asks_the_database_seldom(self, client, making, django_assert_max_num_queries):
        table = made(making)
        client.force_login(making.people.executor, backend=BACKEND)
        for name, arguments in (("statistics:page", []), ("statistics:detail", [table.pk])):
            address = reverse(name, args=[making.project.pk, *arguments])
            client.get(address)
            with django_assert_max_num_queries(21):
                assert client.get(address).status_code == 200

    def test_a_table_that_stays_open_says_so(self, client, making):
        table = made(making, base=2)
        text = get(
            client, making.people.executor, "statistics:detail", making.project.pk, table.pk
        ).content.decode()
        assert "This table must not be released" in text
        assert "Too closely bounded" in text
        assert "must not go out" in str(
            get(client, making.people.auditor, "api:statistics-table", making.project.pk, table.pk).json()
        )

    def test_what_must_not_go_out_is_told_to_who_works_on_it_alone(self, client, making):
        table = made(making, base=1)
        assert table.result is None
        for person, sees in ((making.people.executor, True), (making.people.auditor, False)):
            answer = get(client, person, "api:statistics-table", making.project.pk, table.pk).json()
            assert bool(answer["hidden"]) is sees
            page = get(client, person, "statistics:detail", making.project.pk, table.pk).content.decode()
            assert ("The table as it was made; it must not be released" in page) is sees
            assert "The table for release" not in page

    def test_twenty_and_then_twenty_one_is_named(self, client, making):
        """D.1: a group of 20, and of 21 in the next version."""
        lax = in_force(making.people, "Lax", counts=True, minimum_contributors=2)
        first = signed(making, imported(making, "town,value\nA,20\nB,70\nC,80\n", rules=lax, kind="persons"))
        second = imported(making, "town,value\nA,21\nB,70\nC,120\n", rules=lax, kind="persons")
        (found,) = report_of(second)["beside"]
        assert (found["number"], found["source"], found["opened"]["number"]) == (first.number, "unknown", 0)
        assert found["apart"] == {"compared": 4, "number": 1, "cells": [[["A"], "20", "21"]]}
        text = get(
            client, making.people.supervisor, "statistics:detail", making.project.pk, second.pk
        ).content.decode()
        assert "1 differ by fewer than 5: A (20 → 21)" in text
        third = imported(making, "town,value\nA,20\nB,90\nC,120\n", rules=lax, kind="persons")
        assert report_of(third)["beside"][0]["apart"]["number"] == 0
        assert "equal or at least 5 apart" in self.page(client, making, third)

    def page(self, client, making, table, language="en"):
        answer = get(
            client,
            making.people.supervisor,
            "statistics:detail",
            making.project.pk,
            table.pk,
            language=language,
        )
        return answer.content.decode()

    @pytest.mark.parametrize(
        ("change", "source", "text"),
        [
            # The same content in a data set of its own, as when a file is uploaded again.
            ({}, "same", "is made from the same data"),
            # The same persons with a column more, as when answers are joined to the data.
            ({"sha256": "f" * 64}, "other", "is made from another file"),
        ],
    )
    def test_what_one_hides_is_looked_for_in_another_upload_too(self, client, making, change, source, text):
        first = made(making)
        hidden = sum(one["hidden"] for one in report_of(first)["cells"])
        lax = in_force(making.people, "Lax", counts=True, minimum_contributors=2)
        other = made(making, rules=lax)
        signed(making, first)
        again = copy(other.dataset)
        for name, value in {"pk": uuid4(), **change}.items():
            setattr(again, name, value)
        other.dataset = again
        report = report_of(other)
        (found,) = report["beside"] = beside(other, report)
        assert (found["source"], found["opened"]["number"]) == (source, hidden)
        with override("en"):
            said = " ".join(_warnings(other, report, {}))
        assert f"T1 {text}" in said
        assert f"{hidden} are hidden in one and shown in the other" in said

    def test_of_cells_that_were_brought_in_nobody_knows_from_what_they_come(self, client, making):
        """A is below 50 and hidden in the first; the second tells it and differs nowhere."""
        first = signed(making, imported(making, "town,value\nA,20\nB,30\nC,80\n", kind="persons"))
        lax = in_force(making.people, "Lax", counts=True, minimum_contributors=2)
        second = imported(making, "town,value\nA,20\nB,30\nC,80\n\n", rules=lax, kind="persons")
        (found,) = report_of(second)["beside"]
        assert (found["source"], found["opened"]["number"]) == ("unknown", 2)
        text = self.page(client, making, second)
        assert f"It is not known whether T{first.number} comes from the same data" in text
        assert "2 are hidden in one and shown in the other: A (" in text
        assert "other data" not in text
        assert f"not compared with this table: T{first.number}" not in text
        assert "不知道" in self.page(client, making, second, "zh-hans")

    def test_what_it_is_made_of_and_who_said_what_stands_there(self, client, making):
        table = signed(making, made(making))
        text = get(
            client, making.people.auditor, "statistics:detail", making.project.pk, table.pk
        ).content.decode()
        for words in (
            "Counts of persons",
            "Persons · 1",
            "it is as planned",
            "it may go out",
            table.result_sha256[:8],
        ):
            assert words in text

    def test_who_is_next_has_a_task(self, client, making):
        table = made(making)
        address = reverse("statistics:detail", args=[making.project.pk, table.pk])
        assert address in [one.url for one in tasks_of(making.people.supervisor)]
        assert address not in [one.url for one in tasks_of(making.people.management)]
        table_decide(table, accept=True, reason="it is as planned", by=making.people.supervisor)
        assert address in [one.url for one in tasks_of(making.people.management)]


class TestHaving:
    def test_the_recipient_fetches_what_was_signed(self, client, making):
        table, recipient = made(making), making.people.recipient
        assert (
            get(client, recipient, "statistics_receive:download", making.release.pk, table.pk).status_code
            == 404
        )
        signed(making, table)
        assert (
            table.title
            in get(client, recipient, "statistics_receive:page", making.release.pk).content.decode()
        )
        answer = get(client, recipient, "statistics_receive:download", making.release.pk, table.pk)
        text = b"".join(answer.streaming_content).decode()
        assert text.splitlines()[0] == "诊断,性别,value"
        assert ",x" in text
        listed = get(client, recipient, "api:receive-statistics", making.release.pk).json()
        assert [one["number"] for one in listed] == [1]
        assert set(listed[0]) == {
            "id", "number", "title", "result_sha256", "signed_at", "basis", "made_of", "statements"
        }  # fmt: skip
        answer = get(client, recipient, "api:receive-statistics-file", making.release.pk, table.pk)
        assert b"".join(answer.streaming_content).decode() == text

    @pytest.mark.parametrize("language", ["en", "zh-hans"])
    def test_the_recipient_reads_what_it_is_what_is_promised_and_what_not(self, client, making, language):
        table, recipient = signed(making, made(making)), making.people.recipient
        page = get(client, recipient, "statistics_receive:page", making.release.pk, language=language)
        listed = get(client, recipient, "api:receive-statistics", making.release.pk, language=language)
        (one,) = listed.json()
        text = unescape(page.content.decode())
        rows = {row["what"]: row["which"] for row in one["made_of"]}
        assert one["basis"] == "T/ISC 0078-2025 10.5; GB/T 37964-2019 A.1.3"
        assert one["basis"] in rows.values()
        for said in (*rows, *rows.values(), *one["statements"]):
            assert said in text
        codes = [said["code"] for said in report_of(table)["statements"]]
        assert codes == ["hidden", "optimal", "closed", "known", "beyond", "groups"]
        assert len(one["statements"]) == 5
        if language == "en":
            assert rows["What it holds"] == "Counts of persons"
            assert "no sensitive cell is bounded more closely" in one["statements"][1]
            assert "what empty cells tell" in one["statements"][4]
        else:
            assert "空单元格" in one["statements"][4]
        # Neither the set of rules nor the file that it was made from is a recipient's.
        for hidden in (table.rules_name, "visits.csv", "minimum"):
            assert hidden not in text
            assert hidden not in listed.content.decode()

    def test_what_other_tables_tell_already_is_promised_to_nobody_and_told_to_nobody(
        self, making, monkeypatch
    ):
        table = made(making)
        report = report_of(table)
        joint = {"code": "jointly_but", "message": "They bound %(before)d.", "params": {"before": 3}}
        beyond = {"code": "beyond", "message": "Only tables that were not read.", "params": {}}
        kept = [one for one in report["statements"] if one["code"] != "beyond"]
        changed = {**report, "statements": [*kept, joint, beyond]}
        monkeypatch.setattr("projects.statistics.presentation.report_of", lambda table: changed)
        with override("en"):
            said = promised_to_readers(table)
        assert said[-1].startswith("Not covered: other tables of the same data, several contributors")
        assert not any("They bound" in one or "Only tables" in one for one in said)

    def test_nothing_of_the_project_is_the_recipients(self, client, making):
        table = signed(making, made(making))
        for name in (
            "statistics:detail",
            "statistics:download",
            "api:statistics-table",
            "api:statistics-file",
        ):
            assert get(client, making.people.recipient, name, making.project.pk, table.pk).status_code == 404

    def test_decisions_by_page_and_by_program(self, client, making):
        table = made(making)
        where = (making.project.pk, table.pk)
        assert (
            post(
                client, making.people.supervisor, "statistics:decide", *where, data={"decision": "accept"}
            ).status_code
            == 422
        )
        said = {"decision": "accept", "reason": "it is as planned", "secret": PASSWORD}
        assert (
            post(client, making.people.supervisor, "statistics:decide", *where, data=said).status_code == 302
        )
        answer = post(
            client, making.people.management, "api:statistics-decide", *where,
            data={"accept": True, "reason": "it may go out", "secret": PASSWORD}, content_type="application/json",
        )  # fmt: skip
        assert (answer.status_code, answer.json()["status"]) == (200, "approved")

    @pytest.mark.parametrize("secret", ["", "wrong-horse-battery"])
    def test_nothing_is_signed_with_a_wrong_secret(self, client, making, secret):
        table = made(making)
        where = (making.project.pk, table.pk)
        said = {"decision": "accept", "accept": True, "reason": "it is as planned", "secret": secret}
        page = post(client, making.people.supervisor, "statistics:decide", *where, data=said)
        assert page.status_code == 422
        assert ("required" if not secret else "Nothing was signed") in page.content.decode()
        answer = post(
            client, making.people.supervisor, "api:statistics-decide", *where, data=said, content_type="application/json"
        )  # fmt: skip
        assert (answer.status_code, "secret" in str(answer.json())) == (400, True)
        table.refresh_from_db()
        assert table.status == "protected"

    def test_what_is_no_decision_spends_no_secret(self, client, making):
        said = {"decision": "perhaps", "reason": "it is as planned", "secret": PASSWORD}
        where = (making.project.pk, made(making).pk)
        assert (
            post(client, making.people.supervisor, "statistics:decide", *where, data=said).status_code == 400
        )
