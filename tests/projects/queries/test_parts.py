"""Parts that share nobody (B.2.4.4): what questions about different parts cost an account of the portal together."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from django.utils.translation import override

from projects.identification.persons.services import person_key_decide
from projects.identification.selectors import current_round
from projects.queries import pricing, services
from projects.queries.documents import guarantee_said
from projects.queries.models import Grant
from projects.queries.presentation import book
from projects.queries.services import grant_propose
from techniques.models.differential_privacy.question import Question
from tests.projects.processing.conftest import SmallStory

from .conftest import granted, released
from .test_queries import asked, left, page, refused

pytestmark = pytest.mark.django_db
REASON = "each visit is a person's only one by the contract"
MEN, WOMEN = {"性别": ["男"]}, {"性别": ["女"]}


class Said(SmallStory):
    """Somebody decides that each row is one person."""

    def judge(self) -> None:
        super().judge()
        person_key_decide(current_round(self.project), (), reason=REASON, by=self.people["executor"])


def START(people):
    return released(people, Said)


def opened_in_parts(asking, **counting):
    granted(asking.people, asking.release, asking.dataset, "1", part="性别", **counting)
    granted(asking.people, asking.release, asking.dataset, "1", asking.people.recipient)
    return asking


def count(opened, epsilon, where):
    return asked(opened, run=False, epsilon=epsilon, by=[], where=where).status


def test_parts_cost_what_the_dearest_does_and_questions_about_all_are_added(asking):
    opened = opened_in_parts(asking)
    assert count(opened, 0.5, MEN) == "running"
    assert left(opened) == Decimal("0.5")
    assert count(opened, 0.4, WOMEN) == "running"
    assert left(opened) == Decimal("0.5")
    assert count(opened, 0.2, WOMEN) == "running"
    assert left(opened) == left(opened, opened.people.recipient) == Decimal("0.4")
    assert count(opened, 0.3, {}) == "running"
    assert left(opened) == Decimal("0.1")
    # Both parts have to bear a question about both.
    assert count(opened, 0.15, {"性别": ["女", "男"]}) == "refused"
    assert count(opened, 0.15, MEN) == "running"
    assert left(opened) == Decimal("0.05")
    # A condition on another column leaves a question in all parts.
    assert count(opened, 0.1, {"诊断": ["肺炎"]}) == "refused"


@pytest.mark.parametrize(
    ("neighbours", "said"), [("add_remove", "the dearest value."), ("change", "the two dearest values.")]
)
def test_the_printed_guarantee_says_how_parts_were_counted(asking, neighbours, said):
    opened = opened_in_parts(asking, neighbours=neighbours)
    assert count(opened, 0.5, MEN) == count(opened, 0.25, WOMEN) == "running"
    (account,) = book(asking.project, {"": asking.dataset})
    spent = "0.5" if neighbours == "add_remove" else "0.75"
    with override("en"):
        text = guarantee_said(account)
    assert f"(e^ε, ε = {spent})." in text
    assert text.endswith(said)


def test_where_a_person_is_exchanged_the_two_dearest_parts_count(asking):
    opened = opened_in_parts(asking, neighbours="change")
    assert count(opened, 0.5, MEN) == "running"
    assert count(opened, 0.4, WOMEN) == "running"
    assert left(opened) == Decimal("0.1")


def test_without_parts_everything_adds_up(asking):
    granted(asking.people, asking.release, asking.dataset, "1")
    granted(asking.people, asking.release, asking.dataset, "1", asking.people.recipient)
    assert count(asking, 0.5, MEN) == "running"
    assert count(asking, 0.4, WOMEN) == "running"
    assert left(asking) == Decimal("0.1")


def test_the_statement_ends_at_what_the_account_has_left(asking):
    opened = opened_in_parts(asking)
    for epsilon, where in ((0.5, MEN), (0.4, WOMEN), (0.2, {})):
        count(opened, epsilon, where)
    (account,) = book(opened.project, {"": opened.dataset})
    lines = [(one.number, one.what, one.paid, one.balance) for one in account["lines"]][:3]
    assert lines == [
        ("Q3", "计数", "0.2", "0.3"),
        ("Q2", "计数，只问部分数据", "0.4", "0.5"),
        ("Q1", "计数，只问部分数据", "0.5", "0.5"),
    ]
    assert account["whole"]["left"] == "0.3"


def test_where_persons_have_several_rows_parts_may_share_them(asking, monkeypatch):
    monkeypatch.setattr(services, "settled_key", lambda dataset: ("病历号",))
    what = {"dataset": asking.dataset, "recipient": None, "epsilon": Decimal(1), "reason": "for the study"}
    by = asking.people.planner
    assert refused(lambda: grant_propose(asking.project, **what, part="性别", by=by)) == "parts_share_persons"
    assert refused(lambda: grant_propose(asking.project, **what, part="姓名", by=by)) == "direct_identifier"
    assert refused(lambda: grant_propose(asking.project, **what, part="age", by=by)) == "no_such_column"
    assert not Grant.objects.exists()
    # An account that was opened before charges its questions to all parts.
    monkeypatch.undo()
    opened = opened_in_parts(asking)
    monkeypatch.setattr(services, "settled_key", lambda dataset: ("病历号",))
    assert count(opened, 0.5, MEN) == "running"
    assert count(opened, 0.4, WOMEN) == "running"
    assert left(opened) == Decimal("0.1")


def test_an_account_of_parts_answers_only_while_the_decision_stands(asking, monkeypatch):
    opened = opened_in_parts(asking)
    assert count(opened, 0.5, MEN) == "running"
    monkeypatch.setattr(services, "person_key_of", lambda table: None)
    assert refused(lambda: count(opened, 0.4, WOMEN)) == "parts_unsaid"
    assert left(opened) == Decimal("0.5")


def test_the_price_does_not_promise_parts_while_whose_rows_they_are_is_not_settled(asking, monkeypatch):
    opened = opened_in_parts(asking)
    question = Question.model_validate({"kind": "count", "epsilon": 0.2, "where": MEN})
    said = []
    for key in ((), None, ("病历号",)):
        monkeypatch.setattr(pricing, "settled_key", lambda dataset, key=key: key)
        with override("en"):
            price = pricing.price_row(pricing.price_of(opened.people.recipient, opened.release, "", question))
            said.append("in each part that it names" in price["cost"])
    assert said == [True, False, False]


def test_page_and_api_say_how_parts_count_and_under_which_condition(client, asking):
    people = asking.people
    given = {
        "table": "", "recipient": "", "epsilon": "1", "composition": "sequential", "neighbours": "add_remove", "part": "性别",
        "exhaustion": "stop", "reason": "for the study",
    }  # fmt: skip
    assert page(client, people.planner, "queries:propose", asking.project.pk, data=given).status_code == 302
    # Who decides reads how it counts before it is granted.
    waiting = page(client, people.supervisor, "queries:page", asking.project.pk).content.decode()
    assert "While each row counts as one person" in waiting
    services.grant_decide(Grant.objects.get(), approve=True, reason="it is small", by=people.supervisor)
    granted(people, asking.release, asking.dataset, "1", people.recipient)
    rest = page(client, people.supervisor, "api:queries", asking.project.pk).json()
    assert [one["part"] for one in rest["grants"]] == ["性别", "性别"]
    for who, where in (
        (people.supervisor, ("queries:page", asking.project.pk)),
        (people.recipient, ("queries_receive:page", asking.release.pk)),
    ):
        shown = page(client, who, *where).content.decode()
        assert "While each row counts as one person" in shown
        assert "as much as the dearest" in shown
    assert "0.2 in each part that it names, nothing in the others; it spends 0.2 from your account" in priced(
        client, asking, "男"
    )


def priced(client, opened, *parts):
    question = {
        "table": "", "kind": "count", "epsilon": "0.2", "where": "性别", "where_values": "\n".join(parts), "price": "1",
    }  # fmt: skip
    found = page(client, opened.people.recipient, "queries_receive:ask", opened.release.pk, data=question)
    return found.content.decode()


@pytest.mark.parametrize(
    ("neighbours", "earlier", "parts", "rise"),
    [
        ("add_remove", "男", ["女"], "0.1"),
        ("add_remove", "男", ["男", "女"], "0.2"),
        ("change", "男", ["女"], "0.2"),
        # Who is exchanged leaves one of the parts and enters another; three questions by themselves cost no more than all.
        ("change", "男女未", ["男", "女"], "0.3"),
    ],
)
def test_the_price_says_what_of_the_account_would_be_spent(client, asking, neighbours, earlier, parts, rise):
    opened = opened_in_parts(asking, neighbours=neighbours)
    for part in earlier:
        assert count(opened, 0.1, {"性别": [part]}) == "running"
    before = left(opened, opened.people.recipient)
    said = rf"0\.2 in each part .* it spends {re.escape(rise)} from your account"
    assert re.search(said, priced(client, opened, *parts))
    assert count(opened, 0.2, {"性别": parts}) == "running"
    assert before - left(opened, opened.people.recipient) == Decimal(rise)
