"""Answers from an account: who grants, who asks, what is charged, what is refused, what is never seen."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import timezone, translation

from approvals.audit.models import AuditEvent
from approvals.documents.models import Document
from approvals.governance.governed import GovernanceBypassed
from approvals.governance.triggers import registered
from approvals.governance.verdict import Refused
from projects.core.models import Notification, Project
from projects.core.timeline import notification_rows
from projects.datasets.models import Dataset
from projects.jobs.models import Job
from projects.jobs.services import job_cancel
from projects.queries.documents import ACCOUNT_JOB, guarantee_said
from projects.queries.enums import QueryStatus
from projects.queries.home import budgets
from projects.queries.models import Grant, Query
from projects.queries.presentation import book, own_accounts
from projects.queries.selectors import account_of, charged_in, grants_of
from projects.queries.services import grant_decide, grant_propose, more_ask, query_ask
from projects.releases.models import Agreement
from projects.releases.services import agreement_end
from techniques.core.messages import EngineError
from techniques.models.differential_privacy.outcome import plain
from techniques.models.differential_privacy.planning import plan
from techniques.models.differential_privacy.question import Question
from tests.approvals.documents.printed import needs_poppler, print_waiting, text_of
from tests.projects.rows import member, put, unkept

from .conftest import granted, released

pytestmark = pytest.mark.django_db
START = released
BACKEND = "deid_portal.accounts.backends.AccountBackend"
BY_SEX = {"kind": "count", "by": [{"column": "性别", "values": ["男", "女"]}]}


def question(epsilon=0.2, **more):
    return Question(**{**BY_SEX, "epsilon": epsilon, **more})


def asked(opened, *, who=None, run=True, **given):
    made = query_ask(opened.release, table="", question=question(**given), by=who or opened.people.recipient)
    if run:
        opened.story.run_jobs()
        made.refresh_from_db()
    return made


def left(opened, recipient=None):
    found = account_of(opened.dataset, list(grants_of(opened.project)), charged_in(opened.project), recipient)
    return found.left


def refused(call):
    with pytest.raises(Refused) as caught:
        call()
    return caught.value.verdict.code


def events(project):
    rows = AuditEvent.objects.filter(project_id=project.pk, action__regex="^(query|grant)[.]").order_by("seq")
    return list(rows.values_list("action", flat=True))


def test_a_question_is_paid_answered_and_said_to_be(opened):
    made = asked(opened)
    assert (made.status, made.failed_code) == ("answered", "")
    cells = {tuple(cell["labels"]): cell for cell in made.answer["cells"]}
    assert set(cells) == {("男",), ("女",)}
    assert sum(cell["value"] for cell in cells.values()) == pytest.approx(300, abs=200)
    assert all(cell["low"] <= max(cell["value"], 0) <= cell["high"] for cell in cells.values())
    assert left(opened) == Decimal("0.8")
    assert left(opened, opened.people.recipient) == Decimal("0.3")
    assert events(opened.project)[-2:] == ["query.asked", "query.answered"]
    said = str(list(AuditEvent.objects.filter(action__startswith="query.").values_list("facts", flat=True)))
    assert "性别" not in said
    assert "男" not in said


def test_an_equal_question_gets_the_stored_answer_at_no_cost(opened):
    first = asked(opened)
    again = asked(opened, where={}, mechanism="laplace")
    assert (again.status, again.same_as, again.paid.answer) == ("repeated", first, first.answer)
    assert left(opened) == Decimal("0.8")
    assert events(opened.project)[-1] == "query.repeated"


def test_one_that_is_still_being_answered_is_not_paid_twice(opened):
    first = asked(opened, run=False)
    assert asked(opened, run=False).same_as == first
    assert left(opened) == Decimal("0.8")


def test_beyond_a_recipients_part_nothing_is_answered_and_the_refusal_is_kept(opened):
    asked(opened, epsilon=0.4)
    over = asked(opened, epsilon=0.2)
    assert (over.status, over.answer) == ("refused", None)
    assert left(opened) == Decimal("0.6")
    event = AuditEvent.objects.filter(action="query.refused").get()
    assert (event.facts["epsilon"], event.facts["left"]) == ("0.2", "0.1")
    assert asked(opened, epsilon=0.1).status == "answered"
    assert left(opened, opened.people.recipient) == 0


def test_beyond_the_budget_of_the_data_set_neither(opened):
    granted(opened.people, opened.release, opened.dataset, "5", opened.people.recipient)
    assert asked(opened, epsilon=0.7, run=False).status == "running"
    assert asked(opened, epsilon=0.4, run=False).status == "refused"
    assert asked(opened, epsilon=0.3, run=False).status == "running"
    assert left(opened) == 0


def test_an_answer_that_failed_costs_nothing(opened):
    made = asked(opened, run=False)
    job_cancel(Job.objects.get(subject_id=made.pk), by=opened.people.recipient)
    made.refresh_from_db()
    assert (made.status, left(opened)) == ("failed", Decimal(1))
    # It can be asked again, and is paid then.
    assert asked(opened).status == "answered"


def test_what_repeats_a_question_that_failed_says_so(client, opened):
    first = asked(opened, run=False)
    again = asked(opened, run=False)
    shown = page(
        client, opened.people.recipient, "queries_receive:detail", opened.release.pk, again.pk
    ).content.decode()
    assert "being answered" in shown
    job_cancel(Job.objects.get(subject_id=first.pk), by=opened.people.recipient)
    shown = page(
        client, opened.people.recipient, "queries_receive:detail", opened.release.pk, again.pk
    ).content.decode()
    assert "Failed, nothing was charged" in shown
    assert "being answered" not in shown
    assert "stored answer" not in shown


def test_an_answer_is_not_given_once_the_agreement_has_ended(opened):
    made = asked(opened, run=False)
    agreement = Agreement.objects.get(project=opened.project, ended_at=None)
    agreement_end(agreement, why="the study is over", by=opened.people.planner)
    with pytest.raises(RuntimeError, match="no_agreement"):
        opened.story.run_jobs()
    made.refresh_from_db()
    assert (made.status, made.answer, made.failed_code) == ("failed", None, "no_agreement")
    assert refused(lambda: asked(opened)) == "no_agreement"


def test_who_may_ask_what(opened):
    people = opened.people
    assert refused(lambda: asked(opened, who=people.planner)) == "not_a_recipient"
    assert refused(lambda: asked(opened, where={"姓名": ["王伟"]})) == "direct_identifier"
    assert refused(lambda: asked(opened, where={"age": ["1"]})) == "no_such_column"
    with pytest.raises(EngineError):
        asked(opened, epsilon=1e-6, error=3)
    assert not Query.objects.exists()
    assert left(opened) == 1
    # That the recipient tried stays: no row, for nothing was asked, and no word of the question.
    tried = AuditEvent.objects.filter(action="query.turned_away").order_by("seq")
    assert [one.facts["code"] for one in tried] == ["direct_identifier", "no_such_column"]
    assert "姓名" not in str(list(tried.values_list("facts", flat=True)))


def test_what_cannot_be_answered_at_any_price_leaves_an_event(opened):
    beyond = {"kind": "sum", "column": "费用", "lower": 0, "upper": 2e9, "step": 1, "error": 0.5}
    with pytest.raises(EngineError):
        query_ask(opened.release, table="", question=Question(**beyond), by=opened.people.recipient)
    (event,) = AuditEvent.objects.filter(action="query.turned_away")
    assert event.facts == {"kind": "sum", "code": "error_too_small"}
    assert event.project_id == opened.project.pk


def test_a_choice_says_in_its_row_how_far_it_may_be_off(client, opened):
    made = query_ask(
        opened.release, table="", by=opened.people.recipient,
        question=Question(kind="mode", column="性别", candidates=["男", "女"], epsilon=0.5),
    )  # fmt: skip
    opened.story.run_jobs()
    # 2 S/ε · ln(2/0.05) = 14.76
    shown = page(client, opened.people.recipient, "queries_receive:detail", opened.release.pk, made.pk)
    assert ">at most 14.8 rows worse than the best<" in shown.content.decode()
    found = page(client, opened.people.recipient, "api:receive-query", opened.release.pk, made.pk).json()
    assert found["off"] == pytest.approx(14.7555, abs=1e-3)


def test_who_grants_reads_what_is_compared_whose_data_and_how_costs_add_up(client, asking):
    grant_propose(
        asking.project, dataset=asking.dataset, recipient=None, epsilon=Decimal(1), reason="for the study",
        neighbours="change", by=asking.people.planner,
    )  # fmt: skip
    shown = page(client, asking.people.supervisor, "queries:page", asking.project.pk).content.decode()
    for words in (
        "Tables in which one person is replaced by another",
        "one row, which is one person",
        "One after another: ε is added up",
    ):
        assert f"<dd>{words}</dd>" in shown, words
    account, *_others = page(client, asking.people.supervisor, "api:queries", asking.project.pk).json()[
        "accounts"
    ]
    assert account["person_key"] == []


def test_without_a_budget_or_a_part_of_it_nothing_is_asked(asking):
    assert refused(lambda: asked(asking)) == "no_account"
    granted(asking.people, asking.release, asking.dataset, "1")
    assert refused(lambda: asked(asking)) == "no_allotment"


def test_who_proposes_does_not_grant(asking):
    people, project, dataset = asking.people, asking.project, asking.dataset
    what = {"dataset": dataset, "recipient": None, "epsilon": Decimal(1), "reason": "for the study"}
    for who in ("executor", "supervisor", "recipient"):
        assert refused(lambda who=who: grant_propose(project, **what, by=getattr(people, who))) in (
            "not_your_role",
            "not_a_member",
        )
    grant = grant_propose(project, **what, by=people.planner)
    for who in ("planner", "executor", "recipient"):
        assert (
            refused(lambda who=who: grant_decide(grant, approve=True, reason="so", by=getattr(people, who)))
            == "not_your_role"
        )
    assert (
        refused(lambda: grant_decide(grant, approve=True, reason=" ", by=people.management))
        == "reason_needed"
    )
    grant_decide(grant, approve=False, reason="too much", by=people.management)
    assert refused(lambda: asked(asking)) == "no_account"
    assert (
        refused(lambda: grant_decide(grant, approve=True, reason="so", by=people.supervisor))
        == "decided_already"
    )
    assert events(project) == ["grant.proposed", "grant.refused", "query.turned_away"]
    for epsilon, delta in ((0, 0), (1001, 0), (1, 0.5)):
        given = {**what, "epsilon": Decimal(epsilon), "delta": delta}
        assert (
            refused(lambda given=given: grant_propose(project, **given, by=people.planner))
            == "amount_invalid"
        )


def test_more_is_asked_for_and_granted_by_another(opened):
    recipient = opened.people.recipient
    asked(opened, epsilon=0.5)
    grant = more_ask(
        opened.release, dataset=opened.dataset, epsilon=Decimal("0.25"), reason="one table more", by=recipient
    )
    assert left(opened, recipient) == 0
    grant_decide(grant, approve=True, reason="it is left", by=opened.people.management)
    assert left(opened, recipient) == Decimal("0.25")
    assert asked(opened, epsilon=0.25).status == "answered"


def test_an_account_that_stops_is_never_filled_again(asking):
    people = asking.people
    granted(people, asking.release, asking.dataset, "1", exhaustion="stop")
    granted(people, asking.release, asking.dataset, "1", people.recipient)
    more = {"dataset": asking.dataset, "epsilon": Decimal(1), "reason": "more"}
    assert refused(lambda: more_ask(asking.release, **more, by=people.recipient)) == "stopped"
    assert (
        refused(lambda: grant_propose(asking.project, **more, recipient=None, by=people.planner)) == "stopped"
    )


def test_two_proposals_to_open_an_account_open_one(asking):
    """What the first that is granted says of stopping and counting holds for whatever waited beside it."""
    people, what = (
        asking.people,
        {"dataset": asking.dataset, "epsilon": Decimal(1), "reason": "for the study"},
    )

    def proposed(**counting):
        return grant_propose(asking.project, **what, recipient=None, by=people.planner, **counting)

    def granting(grant):
        return lambda: grant_decide(grant, approve=True, reason="it is small", by=people.supervisor)

    first, same = proposed(exhaustion="ask"), proposed(exhaustion="ask")
    other, strict = proposed(exhaustion="ask", neighbours="change"), proposed(exhaustion="stop")
    granting(first)()
    assert refused(granting(other)) == "other_counting"
    assert refused(granting(strict)) == "other_counting"
    granting(same)()
    assert account_of(asking.dataset, list(grants_of(asking.project)), []).epsilon == 2


def test_of_two_proposals_that_stop_one_is_granted(asking):
    people, what = (
        asking.people,
        {"dataset": asking.dataset, "epsilon": Decimal(1), "reason": "for the study"},
    )
    first, second = (
        grant_propose(asking.project, **what, recipient=None, by=people.planner) for _each in range(2)
    )
    grant_decide(first, approve=True, reason="it is small", by=people.supervisor)
    with pytest.raises(Refused) as caught:
        grant_decide(second, approve=True, reason="it is small", by=people.supervisor)
    assert caught.value.verdict.code == "stopped"
    assert (
        grant_decide(second, approve=False, reason="one is enough", by=people.supervisor).status == "refused"
    )


def test_the_same_file_has_one_account_wherever_it_lies(asking):
    people = asking.people
    with unkept():
        twin = put(
            Dataset,
            project=asking.project,
            table=asking.dataset.table,
            sha256=asking.dataset.sha256,
            columns=["a"],
        )
        what = {"recipient": None, "epsilon": Decimal(1), "reason": "for the study", "by": people.planner}
        here = grant_propose(asking.project, dataset=asking.dataset, **what)
        assert refused(lambda: grant_propose(asking.project, dataset=twin, **what)) == "other_account"
        grant_decide(here, approve=False, reason="too much", by=people.supervisor)
        # What was refused stands in nobody's way; what another project granted meanwhile does.
        there = grant_propose(asking.project, dataset=twin, **what)
        elsewhere = put(Project, state="monitoring")
        member(elsewhere, "supervisor", people.supervisor)
        file = put(Dataset, project=elsewhere, sha256=asking.dataset.sha256, columns=["a"])
        put(Grant, project=elsewhere, dataset=file, nano_epsilon=10**9, reason="so", status="granted",
            proposed_by=people.planner, decided_by=people.supervisor, decided_at=timezone.now(), decision_reason="so")  # fmt: skip
        with pytest.raises(Refused) as caught:
            grant_decide(there, approve=True, reason="it is small", by=people.supervisor)
        assert caught.value.verdict.code == "other_account"


def test_once_persons_are_counted_otherwise_nothing_more_is_asked(opened):
    made = asked(opened)
    with unkept():
        put(Query, project=opened.project, dataset=opened.dataset, release_id=made.release_id, recipient=opened.people.recipient,
            question=made.question, question_hash="0" * 64, person_key=["病历号", "姓名"], loss=made.loss, status="running")  # fmt: skip
        assert refused(lambda: asked(opened, epsilon=0.1)) == "persons_changed"


def test_budgets_may_come_to_more_than_one_may_be(asking):
    for _each in range(2):
        granted(asking.people, asking.release, asking.dataset, "600", exhaustion="ask")
    assert left(asking) == 1200


def test_what_costs_beyond_all_bounds_is_refused_with_its_reason(opened):
    with pytest.raises(EngineError) as caught:
        plan(Question(kind="sum", column="费用", lower=0, upper=2e9, step=1, error=0.5), "add_remove")
    assert caught.value.code == "error_too_small"


def test_who_asked_after_another_reads_the_answer_while_asking_is_allowed(client, opened):
    asked(opened, run=False)
    again = asked(opened, run=False)
    opened.story.run_jobs()
    where = ("queries_receive:detail", opened.release.pk, again.pk)
    assert page(client, opened.people.recipient, *where).status_code == 200
    agreement = Agreement.objects.get(project=opened.project, ended_at=None)
    agreement_end(agreement, why="the study is over", by=opened.people.planner)
    assert page(client, opened.people.recipient, *where).status_code == 403
    assert page(client, opened.people.recipient, *where[:2], again.paid.pk).status_code == 200


def test_many_small_answers_cost_less_in_an_account_that_counts_so(asking):
    people = asking.people
    granted(people, asking.release, asking.dataset, "1", composition="zcdp", delta=1e-6)
    granted(people, asking.release, asking.dataset, "1", people.recipient)
    # Five times 0.4 by themselves are 2.
    for number in range(5):
        made = asked(
            asking, run=False, epsilon=0.4, delta=1e-6, mechanism="gaussian", confidence=0.5 + number / 10
        )
        assert made.status == QueryStatus.RUNNING
    assert 0 < left(asking) < Decimal("0.5")


def test_nobody_writes_past_the_services(opened):
    made = asked(opened)
    asked(opened, run=False, epsilon=0.1)
    with pytest.raises(GovernanceBypassed):
        Grant.objects.update(nano_epsilon=100)
    statements = [
        "UPDATE queries_grant SET nano_epsilon = 100",
        "DELETE FROM queries_grant",
        "UPDATE queries_query SET loss = '{}'",
        "UPDATE queries_query SET status = 'failed', failed_code = 'x', loss = '{}' WHERE status = 'running'",
        "DELETE FROM queries_query",
    ]
    for statement in statements:
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    made.refresh_from_db()
    assert made.status == "answered"
    assert {"grant_is_final", "query_is_final"} <= {one.name for one in registered()}


# -- pages and API -----------------------------------------------------------------------------------------------


def page(client, user, name, *args, data=None, language="en", **more):
    client.force_login(user, backend=BACKEND)
    call = client.get if data is None else client.post
    return call(reverse(name, args=args), data, headers={"accept-language": language}, **more)


def test_the_account_reads_like_that_of_a_bank(client, opened):
    asked(opened)
    shown = page(client, opened.people.supervisor, "queries:page", opened.project.pk).content.decode()
    for text in (
        "Budget of answers",
        "The whole data set",
        str(opened.people.recipient),
        "Q1 · Count",
        ">0.8<",
        ">0.3<",
        "Answered",
    ):
        assert text in shown, text
    assert "by 性别" in shown
    # Answers are the recipient's, and values that a question names are for who asked.
    assert "男" not in shown
    assert page(client, opened.people.recipient, "queries:page", opened.project.pk).status_code == 404


def test_a_budget_is_proposed_and_granted_on_the_page(client, asking):
    people, project = asking.people, asking.project
    budget = {
        "table": "",
        "recipient": "",
        "epsilon": "1",
        "composition": "sequential",
        "neighbours": "add_remove",
        "exhaustion": "stop",
    }
    first = Grant.objects.filter(project=project)
    name = (
        page(client, people.planner, "queries:page", project.pk).context["form"].fields["table"].choices[0][0]
    )
    sent = {**budget, "table": name, "reason": "for the study"}
    assert (
        page(client, people.planner, "queries:propose", project.pk, data={**sent, "epsilon": ""}).status_code
        == 422
    )
    assert page(client, people.planner, "queries:propose", project.pk, data=sent).status_code == 302
    grant = first.get()
    decide = ("queries:decide", project.pk, grant.pk)
    assert (
        page(client, people.planner, *decide, data={"decision": "approve", "reason": "so"}).status_code == 403
    )
    assert page(client, people.management, *decide, data={"decision": "approve"}).status_code == 422
    assert (
        page(client, people.management, *decide, data={"decision": "approve", "reason": "so"}).status_code
        == 302
    )
    assert first.get().status == "granted"


def test_a_recipient_asks_on_the_page_after_the_price(client, opened):
    user, release = opened.people.recipient, opened.release
    name = (
        page(client, user, "queries_receive:page", release.pk).context["form"].fields["table"].choices[0][0]
    )
    sent = {"table": name, "kind": "count", "by": "性别", "values": "男\n女", "error": "20", "price": "1"}
    priced = page(client, user, "queries_receive:ask", release.pk, data=sent)
    text = priced.content.decode()
    assert "ε = 0.146003416, δ = 0" in text
    assert "one more count could cost at most ε = 0.353996584" in text
    assert "noise moves the number of a group by at most 20." in text
    dear = page(client, user, "queries_receive:ask", release.pk, data={**sent, "error": "2"})
    assert "The budget does not allow this question" in dear.content.decode()
    assert not Query.objects.exists()
    wrong = page(client, user, "queries_receive:ask", release.pk, data={**sent, "error": ""})
    assert wrong.status_code == 422
    assert "Say either the epsilon or the error that you accept." in wrong.content.decode()
    sent.pop("price")
    answer = page(client, user, "queries_receive:ask", release.pk, data=sent, follow=True).content.decode()
    assert "being answered" in answer
    opened.story.run_jobs()
    made = Query.objects.get()
    for language, text, groups in (
        ("en", "One person&#x27;s data make any answer", "性别: 男, 女"),
        ("zh-hans", "一个人的数据最多使任一答案的可能性变为", "性别：男、女"),
    ):
        shown = page(
            client, user, "queries_receive:detail", release.pk, made.pk, language=language
        ).content.decode()
        assert text in shown
        assert f"<dd>{groups}</dd>" in shown
        assert "b = S/ε = 6.84915, S = 1" in shown
    assert (
        page(client, opened.people.planner, "queries_receive:detail", release.pk, made.pk).status_code == 404
    )


def test_the_api_does_the_same(client, opened):
    user, release = opened.people.recipient, opened.release
    body = {"question": {**BY_SEX, "epsilon": 0.2}}
    url = "api:receive-queries"
    priced = page(
        client, user, url, release.pk, data={**body, "price": True}, content_type="application/json"
    )
    assert priced.json()["epsilon"] == "0.200000000"
    (noise,) = priced.json()["expected"]
    assert (noise["code"], noise["params"]) == ("expected_count", {"percent": "95", "error": 15})
    assert "by at most 15." in noise["text"]
    (own,) = page(client, user, url, release.pk).json()["accounts"]
    promised = Decimal(priced.json()["left_after"])
    assert promised == Decimal(own["left"]) - Decimal("0.2")
    too_much = {"question": {**BY_SEX, "epsilon": 50}, "price": True}
    refused = page(client, user, url, release.pk, data=too_much, content_type="application/json")
    assert refused.json()["left_after"] is None
    made = page(client, user, url, release.pk, data=body, content_type="application/json")
    assert (made.status_code, made.json()["status"]) == (201, "running")
    (own,) = page(client, user, url, release.pk).json()["accounts"]
    assert min(Decimal(own["left"]), Decimal(own["left_of_all"])) == promised, "as the price said"
    again = page(client, user, url, release.pk, data={**body, "price": True}, content_type="application/json")
    assert Decimal(again.json()["left_after"]) == promised, "asking again costs nothing"
    opened.story.run_jobs()
    found = page(client, user, "api:receive-query", release.pk, made.json()["id"]).json()
    assert [cell["labels"] for cell in found["cells"]] == [["男"], ["女"]]
    assert any("ε = 0.2" in one for one in found["statements"])
    assert any("b = S/ε = 5, S = 1" in one for one in found["statements"])
    (own,) = page(client, user, url, release.pk).json()["accounts"]
    assert (own["granted"], own["spent"], own["left"], own["left_of_all"]) == ("0.5", "0.2", "0.3", "0.8")
    book = page(client, opened.people.planner, "api:queries", opened.project.pk).json()
    assert book["accounts"][0]["whole"]["left"] == "0.8"
    assert book["queries"][0]["epsilon"] == "0.2"
    assert page(client, user, "api:queries", opened.project.pk).status_code == 404


@needs_poppler
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_accounts_are_printed_in_both_languages_with_what_they_guarantee(
    client, opened, language, tmp_path
):
    people, project = opened.people, opened.project
    asked(opened, epsilon=0.2)
    assert page(client, people.recipient, "queries:print_account", project.pk, data={}).status_code == 404
    assert page(client, people.executor, "queries:print_account", project.pk, data={}).status_code == 403
    assert page(client, people.planner, "queries:print_account", project.pk, data={}).status_code == 302
    print_waiting(ACCOUNT_JOB)
    printed = Document.objects.filter(project_id=project.pk, kind="answer_account")
    assert set(printed.values_list("language", flat=True)) == {"en", "zh-hans"}
    document = printed.get(language=language)
    flat = "".join(text_of(document, tmp_path).split())
    for words in ("1.222", "T/ISC 0078-2025 10.4", "Q1", "0.8", str(people.recipient)):
        assert "".join(words.split()) in flat, words
    said = "Tables with and without one person" if language == "en" else "一个人"
    assert "".join(said.split()) in flat
    assert ("Notcovered" in flat) == (language == "en")
    # Nothing happened since: the same document serves; a further entry makes another.
    page(client, people.supervisor, "queries:print_account", project.pk, data={})
    assert not Job.objects.filter(kind=ACCOUNT_JOB, status="queued").exists()
    asked(opened, epsilon=0.1)
    page(client, people.supervisor, "queries:print_account", project.pk, data={})
    print_waiting(ACCOUNT_JOB)
    assert printed.count() == 4
    assert document.filename in page(client, people.planner, "queries:page", project.pk).content.decode()


@pytest.mark.parametrize(
    ("counting", "ending"),
    [
        ({}, "what came out 1.222 times as likely at most (e^ε, ε = 0.2)."),
        ({"composition": "zcdp", "delta": 1e-6}, "turned into ε by the δ of the account."),
    ],
)
def test_the_printed_guarantee_says_how_the_costs_came_together(asking, counting, ending):
    granted(asking.people, asking.release, asking.dataset, "5", **counting)
    granted(asking.people, asking.release, asking.dataset, "5", asking.people.recipient)
    with translation.override("en"):
        (before,) = book(asking.project, {"": asking.dataset})
        assert guarantee_said(before).endswith("what came out 1 times as likely at most (e^ε, ε = 0).")
        asked(asking, run=False, epsilon=0.2)
        (account,) = book(asking.project, {"": asking.dataset})
        assert guarantee_said(account).endswith(ending)


def test_the_statement_reads_like_that_of_a_bank(opened):
    asked(opened, epsilon=0.2)
    asked(opened, epsilon=0.2)
    asked(opened, epsilon=0.9)
    (account,) = book(opened.project, {"": opened.dataset})
    entries = [(one.number, one.received, one.paid, one.balance) for one in account["lines"]]
    assert entries == [
        ("Q2", "", "0", "0.8"), ("Q1", "", "0.2", "0.8"), ("B2", "", "", "1"), ("B1", "1", "", "1"),
    ]  # fmt: skip
    assert account["lines"][0].balance == account["whole"]["left"]
    assert account["parts"] == {"granted": "0.5", "free": "0.5", "is_more": False}
    (own,) = own_accounts(opened.people.recipient, opened.release)
    assert [(one.number, one.balance) for one in own["lines"]] == [
        ("Q2", "0.3"),
        ("Q1", "0.3"),
        ("B2", "0.5"),
    ]


def test_a_zero_concentrated_balance_falls_by_what_the_answers_cost_together(asking):
    granted(asking.people, asking.release, asking.dataset, "5", composition="zcdp", delta=1e-6)
    granted(asking.people, asking.release, asking.dataset, "5", asking.people.recipient)
    for values in (["男"], ["女"], ["男", "女"]):
        asked(asking, run=False, epsilon=0.5, by=[{"column": "性别", "values": values}])
    (account,) = book(asking.project, {"": asking.dataset})
    spent = Decimal(5) - Decimal(account["lines"][0].balance)
    assert plain(spent) == account["whole"]["spent"]
    assert spent <= Decimal("1.5")


def test_who_decides_has_a_task_and_who_asked_is_told(opened, django_capture_on_commit_callbacks):
    people = opened.people
    with django_capture_on_commit_callbacks(execute=True):
        grant = more_ask(
            opened.release, dataset=opened.dataset, epsilon=Decimal("0.3"), reason="more", by=people.recipient
        )
    (task,) = budgets(people.supervisor)
    assert task.url.startswith(reverse("queries:page", args=[opened.project.pk]))
    assert not budgets(people.recipient)
    assert not budgets(people.executor)
    notices = Notification.objects.filter(action="grant.proposed", facts__subject=str(grant))
    assert people.supervisor.pk in set(notices.values_list("user", flat=True))
    with django_capture_on_commit_callbacks(execute=True):
        grant_decide(grant, approve=False, reason="too much", by=people.supervisor)
    assert not budgets(people.supervisor)
    notices = Notification.objects.filter(action="grant.refused", facts__subject=str(grant))
    assert set(notices.values_list("user", flat=True)) == {people.planner.pk, people.recipient.pk}
    (row,) = notification_rows(notices.filter(user=people.recipient.pk).select_related("project"))
    assert (str(grant) in row["sentence"], row["url"]) == (True, reverse("recipient:list"))


def test_who_asked_is_claim_state_the_answer(opened, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        made = asked(opened)
    notices = Notification.objects.filter(action="query.answered", facts__subject=str(made))
    assert list(notices.values_list("user", flat=True)) == [opened.people.recipient.pk]
