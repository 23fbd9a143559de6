"""Comments on a step: who reads and writes, who is called, what is refused, and what the log says of it."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection, transaction
from django.urls import reverse
from django.utils import translation

from approvals.governance.verdict import Refused
from deid_portal.demo import hospital
from projects.core.comments.identifiers import identifiers_in
from projects.core.comments.selectors import mentioned_in, threads_of
from projects.core.comments.services import comment_write
from projects.core.enums import Thread
from projects.core.models import Notification, StageComment
from projects.core.selectors import history_of
from projects.core.services import project_move
from projects.core.timeline import notification_rows
from projects.workflow import STAGES, Move

pytestmark = pytest.mark.django_db
BACKEND = "deid_portal.accounts.backends.AccountBackend"


def test_there_is_a_thread_for_each_step_and_for_monitoring():
    assert Thread.values == [*(stage.value for stage in STAGES), "monitoring"]


def test_a_comment_stands_in_its_thread_and_calls_whom_it_mentions(people, project):
    said = comment_write(
        project,
        thread=Thread.PROCESSING,
        text=" @executor please look at age, @Supervisor Person too. ",
        by=people.planner,
    )
    assert said.text.startswith("@executor")
    threads = threads_of(project)
    assert [one.pk for one in threads[Thread.PROCESSING]] == [said.pk]
    assert not threads[Thread.OBJECTIVE]
    assert said.mentioned == [people.executor.pk, people.supervisor.pk]
    event = history_of(project).first()
    assert (event.action, event.facts) == (
        "project.comment_written",
        {"thread": "processing", "mentioned": 2},
    )
    # The log never says what was said.
    assert "age" not in str(event.facts) + event.reason + event.subject


def test_who_is_mentioned_has_a_notice_that_leads_to_the_thread(
    people, project, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        comment_write(
            project,
            thread=Thread.OBJECTIVE,
            text="@management @planner @outsider @recipient: by when?",
            by=people.planner,
        )
    (notice,) = Notification.objects.filter(action="project.comment_written")
    assert notice.user == people.management
    with translation.override("en"):
        (row,) = notification_rows([notice])
    assert row["sentence"] == f"Planner Person commented on the step “Determine the target” of “{project}”"
    assert row["url"] == reverse("core:comments", args=[project.pk, "objective"])


def test_the_longest_name_is_meant(people, project):
    members = [people.planner, people.executor]
    assert mentioned_in("@executor, @executors, @exec", members) == [people.executor]
    assert mentioned_in("write to planner@executor.org", [people.planner]) == []
    assert mentioned_in("@Executor Person和@planner", members) == members


@pytest.mark.parametrize(
    "text",
    [
        "患者的号码是{identity}，请核对",
        "call {phone} please",
        "打{wide}",
        "号码{hidden}",
        "打{numerals}找家属",
        "write to someone.else@example.com",
    ],
)
def test_a_text_with_an_identifier_is_refused_and_nothing_kept(people, project, text):
    (row,) = hospital.generate(1, seed=5).to_pylist()
    identity, phone = row["身份证号"], "13812345678"
    wide = phone.translate({ord(str(n)): 0xFF10 + n for n in range(10)})
    said = text.format(identity=identity, phone=phone, wide=wide, hidden=phone[:5] + "\u200b" + phone[5:], numerals="一三八一二三四五六七八")  # fmt: skip
    with pytest.raises(Refused) as refused, translation.override("en"):
        comment_write(project, thread=Thread.OBJECTIVE, text=said, by=people.planner)
    assert refused.value.verdict.reason == "personal_in_text"
    with translation.override("en"):
        shown = str(refused.value.verdict.text)
    assert identity not in shown
    assert phone not in shown
    assert not StageComment.objects.exists()
    assert not history_of(project).filter(action="project.comment_written").exists()


@pytest.mark.parametrize(
    "text",
    [
        "k ≥ 20 在 3 个等价类里不成立，见 5.5.2",
        "张三请在 2026-11-30 前完成",
        "run 12 of 2026-0003 took 10000 rows",
        "see https://example.com/page",
        "@executor 费用 1380.50 元偏高",
        "一二三四五六七八九十条里有三条不成立",
    ],
)
def test_what_is_said_at_work_passes(people, project, text):
    assert identifiers_in(text) == []
    assert comment_write(project, thread=Thread.OBJECTIVE, text=text, by=people.planner)


def test_only_members_write_and_nobody_when_it_is_over(people, project):
    for who in ("planner", "executor", "supervisor", "management"):
        comment_write(project, thread=Thread.OBJECTIVE, text="A question.", by=getattr(people, who))
    for who in ("recipient", "auditor", "assessor", "outsider", "administrator", "superuser"):
        with pytest.raises(Refused):
            comment_write(project, thread=Thread.OBJECTIVE, text="A question.", by=getattr(people, who))
    with pytest.raises(Refused):
        comment_write(project, thread=Thread.OBJECTIVE, text="  ", by=people.planner)
    project = project_move(project, move=Move.WITHDRAW, by=people.planner, reason="no longer needed")
    with pytest.raises(Refused):
        comment_write(project, thread=Thread.OBJECTIVE, text="A question.", by=people.planner)
    assert StageComment.objects.count() == 4


@pytest.mark.parametrize(
    "sql", ["UPDATE core_stagecomment SET text = 'other'", "DELETE FROM core_stagecomment"]
)
def test_nobody_changes_or_removes_a_comment(people, project, sql):
    comment_write(project, thread=Thread.OBJECTIVE, text="A question.", by=people.planner)
    with (
        pytest.raises(DatabaseError, match="a comment is written once"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql)


def test_page_and_api(client, people, project):
    page = reverse("core:comments", args=[project.pk, "objective"])
    api = reverse("api:project-comments", args=[project.pk])
    client.force_login(people.executor, backend=BACKEND)
    refused = client.post(page, {"text": "call 13812345678"}, headers={"accept-language": "en"})
    assert refused.status_code == 422
    assert "looks like" in refused.content.decode()
    assert client.post(page, {"text": "<b>Which</b> table?"}).status_code == 302
    shown = client.get(page).content.decode()
    assert "&lt;b&gt;Which&lt;/b&gt; table?" in shown
    made = client.post(
        api, {"thread": "monitoring", "text": "Next year again."}, content_type="application/json"
    )
    assert made.status_code == 201
    client.force_login(people.auditor, backend=BACKEND)
    assert [one["text"] for one in client.get(api).json()] == ["<b>Which</b> table?", "Next year again."]
    assert '<form class="form"' not in client.get(page).content.decode()
    assert client.post(page, {"text": "A question."}).status_code == 403
    assert client.get(reverse("core:comments", args=[project.pk, "closed"])).status_code == 404
    client.force_login(people.recipient, backend=BACKEND)
    assert {client.get(address).status_code for address in (page, api)} == {404}
