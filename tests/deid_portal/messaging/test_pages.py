"""The pages of messages: who sets what up, that nothing of a secret is shown, what the list says, and in a browser."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.messaging.enums import MessageKind, MessageStatus, Pace, Problem, RobotKind
from deid_portal.messaging.models import Message, MessageChoice, Robot
from deid_portal.messaging.selectors import choice_of, robots
from deid_portal.messaging.services import choice_set, message_test, robot_add, robot_remove
from deid_portal.messaging.tasks import run
from tests.conftest import CHROMIUM
from tests.projects.verification.test_sign_off import PORTAL, showing

pytestmark = pytest.mark.django_db
PAGE = reverse("messaging:page")
ENGLISH = {"Accept-Language": "en"}


def signed_in(client, person):
    client.force_login(person, backend="deid_portal.accounts.backends.AccountBackend")
    return client


def sent(robot, **more):
    return {"name": "Data office", "kind": "dingtalk", "url": robot.url, "secret": "SEC-of-the-robot"} | more


def test_an_administrator_sets_a_robot_up_and_tries_it(client, people, robot):
    signed_in(client, people.administrator)
    assert client.post(reverse("messaging:robot_add"), sent(robot)).status_code == 302
    made = Robot.objects.get()
    page = client.get(PAGE, headers=ENGLISH).content.decode()
    for secret in ("very-secret-key", "SEC-of-the-robot", made.sealed):
        assert secret not in page
    assert "127.0.0.1" in page
    answer = client.post(reverse("messaging:test"), {"channel": str(made.pk)}, headers=ENGLISH, follow=True)
    assert "The test message was sent." in answer.content.decode()
    ((path, body),) = robot.posts
    assert "sign=" in path
    assert "Administrator Person" in body["text"]["content"]
    said = list(AuditEvent.objects.order_by("seq").values_list("action", flat=True))[-2:]
    assert said == ["robot.added", "message.tested"]
    event = AuditEvent.objects.get(action="robot.added")
    assert event.facts == {"robot_kind": "dingtalk", "host": "127.0.0.1"}
    assert "very-secret-key" not in str(AuditEvent.objects.values_list("facts", "subject"))


def test_a_test_that_fails_says_why_and_is_not_tried_again(client, people, robot):
    signed_in(client, people.administrator)
    client.post(reverse("messaging:robot_add"), sent(robot))
    robot.answer = {"errcode": 310000}
    answer = client.post(
        reverse("messaging:test"), {"channel": str(Robot.objects.get().pk)}, headers=ENGLISH, follow=True
    )
    assert "did not go out: The server refused the message or the address." in answer.content.decode()
    run()
    assert len(robot.posts) == 1
    (row,) = Message.objects.all()
    assert (row.kind, row.status, row.problem) == (MessageKind.TEST, MessageStatus.FAILED, Problem.REFUSED)


def test_a_test_mail_arrives(client, reachable, mailbox):
    signed_in(client, reachable.administrator)
    client.post(reverse("messaging:test"), {"channel": "mail"})
    assert "Administrator Person had this message sent" in mailbox.said("administrator@hospital.example")


def test_without_a_server_the_page_says_so(client, people, settings):
    signed_in(client, people.administrator)
    page = client.get(PAGE, headers=ENGLISH).content.decode()
    assert "No mail server is set" in page
    answer = client.post(reverse("messaging:test"), {"channel": "mail"}, headers=ENGLISH, follow=True)
    assert "your account has no address" in answer.content.decode()
    assert not Message.objects.exists()


@pytest.mark.parametrize(
    ("more", "field"),
    [({"url": "http://10.0.0.1/x"}, "url"), ({"url": "https://127.0.0.1/x"}, "url"), ({}, "name")],
)
def test_what_the_form_refuses_stands_at_its_field(client, people, robot, more, field):
    robot_add(name="Data office", kind=RobotKind.WECOM, url=robot.url, by=people.administrator)
    signed_in(client, people.administrator)
    answer = client.post(reverse("messaging:robot_add"), sent(robot) | more)
    assert answer.status_code == 422
    assert field in answer.context["form"].errors
    assert robots().count() == 1


def test_a_robot_that_is_removed_is_forgotten(people, robot, reachable, mailbox):
    made = robot_add(name="Chat", kind=RobotKind.WECOM, url=robot.url, by=people.administrator)
    choice_set(pace=Pace.AT_ONCE, robot=made, by=people.executor)
    robot_remove(made, by=people.administrator)
    made.refresh_from_db()
    assert made.sealed == ""
    for act in (
        lambda: robot_remove(made, by=people.administrator),
        lambda: choice_set(pace=Pace.AT_ONCE, robot=made, by=people.executor),
        lambda: message_test(made, by=people.administrator),
    ):
        with pytest.raises(Refused) as refused:
            act()
        assert refused.value.verdict.code == "robot_removed"
    robot_add(name="Chat", kind=RobotKind.WECOM, url=robot.url, by=people.administrator)


def test_who_comes_from_outside_writes_into_no_chat(client, people, robot):
    made = robot_add(name="Chat", kind=RobotKind.WECOM, url=robot.url, by=people.administrator)
    page = reverse("messaging:choice")
    for person in (people.recipient, people.assessor):
        with pytest.raises(Refused) as refused:
            choice_set(pace=Pace.AT_ONCE, robot=made, by=person)
        assert refused.value.verdict.code == "message_outside"
        assert "Chat" not in signed_in(client, person).get(page).content.decode()
    assert "Chat" in signed_in(client, people.executor).get(page).content.decode()


def test_everybody_chooses_for_themselves(client, people, robot):
    made = robot_add(name="Chat", kind=RobotKind.WECOM, url=robot.url, by=people.administrator)
    assert choice_of(people.executor).pace == Pace.AT_ONCE
    assert not MessageChoice.objects.exists()
    signed_in(client, people.executor)
    assert (
        client.post(reverse("messaging:choice"), {"pace": "daily", "channel": str(made.pk)}).status_code
        == 302
    )
    choice = choice_of(people.executor)
    assert (choice.pace, choice.robot) == (Pace.DAILY, made)
    event = AuditEvent.objects.get(action="message.chosen")
    assert (event.actor_id, event.facts) == (str(people.executor.pk), {"pace": "daily", "channel": "Chat"})
    assert client.post(reverse("messaging:choice"), {"pace": "hourly"}).status_code == 422
    answer = client.put(reverse("api:messages-choice"), {"pace": "never"}, content_type="application/json")
    assert answer.json() == {"pace": "never", "robot": None}


def test_the_list_says_to_whom_and_how_and_never_what(client, project, reachable, mailbox):
    """Administrators read no project data: neither title nor number of a project, nor whose task it is."""
    run()
    assert mailbox.to("planner@hospital.example")
    signed_in(client, reachable.administrator)
    page = client.get(PAGE, headers=ENGLISH).content.decode()
    assert "Planner Person" in page
    assert "Newly waits" in page
    for private in (project.title, project.number, str(project.pk), "planner@hospital.example"):
        assert private not in page
    (row,) = client.get(reverse("api:messages-list")).json()["results"]
    assert (row["recipient"], row["kind"], row["status"]) == ("planner", "new", "sent")
    assert not {"key", "holder", "project"} & row.keys()


def test_the_database_holds_each_thing_once(people):
    now = timezone.now()
    row = {
        "recipient": people.planner, "holder": people.planner, "kind": "new", "key": "k", "made_at": now, "next_at": now,
    }  # fmt: skip
    Message.objects.create(**row)
    with pytest.raises(IntegrityError), transaction.atomic():
        Message.objects.create(**row)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE messaging_message SET status = 'sent'")


@pytest.mark.browser
def test_axe_finds_nothing_and_nothing_is_too_wide(client, project, reachable, mailbox, robot):
    made = robot_add(name="数据治理群", kind=RobotKind.FEISHU, url=robot.url, by=reachable.administrator)
    mailbox.refuses["planner@hospital.example"] = "550 no such mailbox"
    run()
    message_test(made, by=reachable.administrator)
    pages = {}
    for person, path in (
        (reachable.administrator, PAGE),
        (reachable.executor, reverse("messaging:choice")),
    ):
        signed_in(client, person)
        for language in ("zh-CN", "en"):
            pages[path, language] = client.get(path, headers={"Accept-Language": language}).content.decode()
    # The driver keeps a loop of its own in its thread, where no connection to the database is at home.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(_look_at, pages).result()


def _look_at(pages: dict[tuple[str, str], str]) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="the browser driver is not installed")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=CHROMIUM)
        for (path, language), html in pages.items():
            for width in (1366, 390):
                context = browser.new_context(viewport={"width": width, "height": 800}, locale=language)
                page = context.new_page()
                page.route("**/*", showing(html))
                page.goto(PORTAL + path)
                assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, language, width)
                found: Any = axe.run(page).response["violations"]
                assert [(rule["id"], [node["html"][:200] for node in rule["nodes"]]) for rule in found] == []
                context.close()
        browser.close()
