"""The pages, the decision and the API: who reaches them, what they say, what they change."""

from __future__ import annotations

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape

from approvals.audit.recording import recording
from approvals.decisions.models import Decision, SignOff
from approvals.decisions.selectors import current_approval
from approvals.documents.models import Document
from approvals.documents.render import DocumentHead, render_html
from approvals.documents.services import document_open
from approvals.governance.verdict import Refused
from projects.core.models import Project
from projects.core.services import project_move
from projects.jobs.models import Job
from projects.verification import events
from projects.verification.documents import REPORT_KIND, SIGNED_KIND, report_document_context
from projects.verification.enums import APPROVAL_JOB, SIGNED_JOB
from projects.verification.models import Verification
from projects.verification.pages import documents_of
from projects.verification.selectors import current_verification, latest_verification
from projects.verification.services import release_decide
from projects.verification.sign_off.answer import answer_of
from projects.workflow import Move, State
from tests.approvals.documents.printed import print_waiting
from tests.conftest import CHROMIUM
from tests.fixtures import PASSWORD

from . import stories
from .remedies.test_remedies import weak
from .stories import SmallStory, flip_a_byte
from .test_sign_off import PORTAL, WINDOW, showing

START = stories.waiting

pytestmark = pytest.mark.django_db
INSIDE = ("planner", "executor", "supervisor", "management", "auditor", "assessor")
HIDDEN_FROM = ("recipient", "outsider", "superuser", "administrator")


def url(project, name: str) -> str:
    return reverse(f"verification:{name}", kwargs={"project_id": project.pk})


def api(project, name: str, **more) -> str:
    return reverse(f"api:verification-{name}", kwargs={"project_id": project.pk, **more})


def text(client, project, name: str = "page") -> str:
    answer = client.get(url(project, name))
    assert answer.status_code == 200
    return answer.content.decode()


def form(project, decision: str = "approved", reason: str = "The targets are met.") -> dict[str, str]:
    current = current_verification(project)
    return {
        "decision": decision,
        "reason": reason,
        "content_hash": current.content_hash if current else "",
        "secret": PASSWORD,
    }


def test_the_executor_measures_and_reads_the_answer(client, story, people):
    client.force_login(people.executor)
    before = text(client, story.project)
    assert "verdict--unknown" in before
    assert "verdict--ok" not in before
    answer = client.post(url(story.project, "measure"))
    assert (answer.status_code, answer.url) == (302, url(story.project, "page"))
    under_way = text(client, story.project)
    assert "data-job-state" in under_way
    assert "verdict--ok" not in under_way
    story.run_jobs()
    after = text(client, story.project)
    assert "verdict--ok" in after
    assert "年龄" in after
    for value in story.secret:
        assert value not in after


def test_a_failed_gate_is_red_says_what_mends_it_and_leads_back(client, people):
    story = SmallStory(people, hide=True)
    story.reach(State.VERIFICATION)
    client.force_login(people.executor)
    client.post(url(story.project, "measure"), {"then": "submit"})
    story.run_jobs()
    # Submitted at once is only what passes.
    assert story.fresh().state == State.VERIFICATION
    assert latest_verification(story.project).passed is False
    home = client.get(reverse("core:home")).content.decode()
    assert "验证结果（最近一次达标检查不通过）" in home
    page = text(client, story.project)
    assert "verdict--fail" in page
    assert "verdict--ok" not in page
    assert "gate__fixes" in page
    assert reverse("processing:page", kwargs={"project_id": story.project.pk}) in page
    back = reverse("core:move", kwargs={"project_id": story.project.pk, "move": "back_to_processing"})
    assert back in page
    shown = page + text(client, story.project, "decide")
    for value in story.secret:
        assert value not in shown
    assert client.post(back, {"reason": "the remarks hold ID numbers"}).status_code == 302
    later = text(client, story.project)
    assert "the remarks hold ID numbers" in later
    assert story.fresh().state == State.PROCESSING


@pytest.mark.browser
def test_a_failed_verification_takes_three_screens(client, people):
    """What fails, what mends it and what is to be weighed stand unfolded on them; all else is one press away."""
    story = SmallStory(people, hide=True, change=weak)
    story.reach(State.VERIFICATION)
    failed = sum(result.passed is not True for result in story.measure().results)
    assert failed >= 4
    client.force_login(people.executor)
    path = url(story.project, "page")
    pages = {
        language: client.get(path, headers={"accept-language": language}).content.decode()
        for language in ("zh-CN", "en")
    }
    # The driver keeps a loop of its own in its thread, where no connection to the database is at home.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(look_at, path, pages, failed).result()


def look_at(path: str, pages: dict[str, str], failed: int) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="the browser driver is not installed")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=CHROMIUM)
        for language, html in pages.items():
            context = browser.new_context(viewport=WINDOW, locale=language)
            page = context.new_page()
            page.route("**/*", showing(html))
            page.goto(PORTAL + path)
            assert page.evaluate("document.documentElement.scrollHeight") <= 3 * WINDOW["height"], language
            assert page.locator(".gate__row--fail:visible").count() == failed
            assert page.locator(".gate__row--ok:visible").count() == 0
            assert page.locator(".caveat:visible").count() == page.locator(".caveat").count() > 3
            assert page.locator("form[action*='/ways/'] button:visible").count() >= 2
            assert page.locator("main .button--primary:visible:not([aria-disabled])").count() == 1, (
                "the next step"
            )
            found: Any = axe.run(page).response["violations"]
            assert [(rule["id"], [node["html"][:200] for node in rule["nodes"]]) for rule in found] == []
            page.click(".gate > details > summary")
            assert (
                page.locator(".gate__row--ok:visible").count() == page.locator(".gate__row--ok").count() > 5
            )
            context.close()
        browser.close()


def test_an_altered_file_is_never_green(client, story, people):
    story.measure()
    flip_a_byte(story.project)
    story.measure()
    client.force_login(people.supervisor)
    assert "verdict--ok" not in text(client, story.project)
    assert "verdict--ok" not in text(client, story.project, "decide")


def test_management_signs_exactly_what_it_saw(client, waiting, people):
    project = waiting.fresh()
    client.force_login(people.management)
    page = text(client, project, "decide")
    assert "verdict--ok" in page
    current = current_verification(project)
    assert current.content_hash in page
    assert project.summary in page
    reviews = page.count("抽查依据")
    assert reviews >= 4
    answer = client.post(url(project, "decide"), form(project) | {"content_hash": "0" * 64})
    assert answer.status_code == 403
    assert waiting.fresh().state == State.RELEASE_APPROVAL
    assert client.post(url(project, "decide"), form(project, reason="")).status_code == 422
    answer = client.post(url(project, "decide"), form(project))
    assert (answer.status_code, answer.url) == (302, f"{url(project, 'decide')}?handed_on=1")
    assert waiting.fresh().state == State.APPROVED
    signed = current_approval(project.pk, kind="release", content_hash=current.content_hash)
    assert signed.decided_by == people.management
    assert signed.reason == "The targets are met."


def test_others_read_the_decision_page_and_cannot_decide(client, waiting, people):
    for name in ("planner", "executor", "supervisor", "auditor", "assessor"):
        project = waiting.fresh()
        client.force_login(getattr(people, name))
        page = text(client, project, "decide")
        assert 'name="reason"' not in page.split('id="decide"')[1].split("</section>")[0]
        assert client.post(url(project, "decide"), form(project)).status_code == 403
        answer = client.post(api(project, "decision"), form(project), content_type="application/json")
        assert answer.status_code == 403
        assert waiting.fresh().state == State.RELEASE_APPROVAL
        with pytest.raises(Refused):
            release_decide(project, decision=Decision.APPROVED, reason="r", by=getattr(people, name))


def test_who_does_not_see_the_project_finds_nothing(client, waiting, people):
    for name in HIDDEN_FROM:
        project = waiting.project
        verification = Verification.objects.get(project=project)
        client.force_login(getattr(people, name))
        for page in ("page", "decide"):
            assert client.get(url(project, page)).status_code == 404
        for action in ("measure", "decide", "document_make"):
            assert client.post(url(project, action), form(project)).status_code == 404
        for address in (
            api(project, "list"), api(project, "answer"),
            api(project, "detail", verification_id=verification.pk),
        ):  # fmt: skip
            assert client.get(address).status_code == 404
        assert (
            client.post(api(project, "decision"), form(project), content_type="application/json").status_code
            == 404
        )
        assert waiting.fresh().state == State.RELEASE_APPROVAL


def test_signed_out(client, project):
    assert client.get(url(project, "page")).status_code == 302
    assert client.get(api(project, "list")).status_code in (401, 403)


def test_only_the_executor_measures(client, story, people):
    for name in (name for name in INSIDE if name != "executor"):
        client.force_login(getattr(people, name))
        assert client.get(url(story.project, "page")).status_code == 200
        assert client.post(url(story.project, "measure")).status_code == 403
        assert client.post(api(story.project, "list")).status_code == 403
        assert not story.project.verifications.exists()


def test_nothing_is_measured_or_decided_in_another_state(client, project, people):
    client.force_login(people.executor)
    assert "verdict--ok" not in text(client, project)
    assert client.post(url(project, "measure")).status_code == 403
    client.force_login(people.management)
    assert client.post(url(project, "decide"), form(project)).status_code == 403
    assert client.post(url(project, "document_make")).status_code == 403


def test_management_cannot_approve_what_does_not_pass(client, waiting, people):
    project = waiting.fresh()
    # The result is gone from the store's point of view once a newer, failed measurement exists; here the
    # targets change under the request, which makes what was measured out of date.
    current = current_verification(project)
    sent = form(project)
    objective = project.objective
    objective.risk = {**objective.risk, "k": 6}
    from .gate.test_gate import with_governance

    with_governance(objective)
    client.force_login(people.management)
    page = text(client, waiting.fresh(), "decide")
    assert "verdict--ok" not in page
    assert 'value="approved"' not in page
    assert client.post(url(project, "decide"), sent).status_code == 403
    assert waiting.fresh().state == State.RELEASE_APPROVAL
    assert not current_approval(project.pk, kind="release", content_hash=current.content_hash)


def test_return_leads_back_to_processing_and_keeps_the_history(client, waiting, people):
    project = waiting.fresh()
    first = current_verification(project)
    client.force_login(people.management)
    sent = form(project, "returned", "The regions are still too fine.")
    assert client.post(url(project, "decide"), sent).status_code == 302
    assert waiting.fresh().state == State.PROCESSING
    page = text(client, project)
    assert "The regions are still too fine." in page
    assert Verification.objects.get(project=project).pk == first.pk
    assert SignOff.objects.get(project_id=project.pk, subject_kind="release").decision == "returned"


def test_the_report_is_printed_after_the_review_and_signed_after_the_decision(client, waiting, people):
    project = waiting.fresh()
    print_waiting(APPROVAL_JOB)
    current = current_verification(project)
    drafts = Document.objects.filter(kind=REPORT_KIND, subject_hash=current.content_hash)
    assert {d.language for d in drafts} == {"zh-hans", "en"}
    client.force_login(people.management)
    client.post(url(project, "decide"), form(project))
    print_waiting(SIGNED_JOB)
    signed = Document.objects.filter(kind=SIGNED_KIND, subject_hash=current.content_hash)
    assert {d.language for d in signed} == {"zh-hans", "en"}
    content = document_open(signed.get(language="en"))
    assert content.startswith(b"%PDF")
    page = text(client, project)
    assert reverse("documents:open", kwargs={"document_id": signed.first().pk}) in page
    # Asking again makes nothing new.
    client.post(url(project, "document_make"))
    assert not Job.objects.filter(status="queued", kind__startswith="verification.").exists()


def test_a_second_decision_about_the_same_result_has_its_own_report(waiting, people):
    """Approved, taken back, returned: neither page nor document says "signed" any more."""
    waiting.approve_release()
    print_waiting(SIGNED_JOB)
    first = answer_of(waiting.fresh(), latest_verification(waiting.project))
    assert first.code == "approved"
    project_move(
        waiting.fresh(), move=Move.REOPEN_VERIFICATION, by=people.supervisor, reason="a hint from outside"
    )
    taken_back = answer_of(waiting.fresh(), latest_verification(waiting.project))
    assert taken_back.code != "approved"
    with pytest.raises(Refused):
        project_move(waiting.fresh(), move=Move.SUBMIT_VERIFICATION, by=people.executor)
    waiting.fresh()
    waiting.measure()
    project_move(waiting.fresh(), move=Move.SUBMIT_VERIFICATION, by=people.executor)
    waiting.fresh()
    waiting.review()
    current = current_verification(waiting.fresh())
    assert current != first.verification
    assert not current_approval(waiting.project.pk, kind="release", content_hash=current.content_hash)
    release_decide(waiting.fresh(), decision=Decision.RETURNED, reason="Not any more.", by=people.management)
    print_waiting(SIGNED_JOB)
    assert not current_approval(waiting.project.pk, kind="release", content_hash=current.content_hash)
    both = [*documents_of(first.verification), *documents_of(current)]
    signed = [d for d in both if d.kind == SIGNED_KIND and d.language == "en"]
    decisions = SignOff.objects.filter(project_id=waiting.project.pk, subject_kind="release")
    assert [d.subject_id for d in signed] == [str(s.pk) for s in decisions.order_by("submitted_at")]
    assert [s.decision for s in decisions.order_by("submitted_at")] == ["approved", "returned"]
    assert [d.title.partition(" (")[2].partition(")")[0] for d in signed] == ["signed", "returned"]
    printed = Job.objects.filter(kind="verification.signed_pdf").order_by("created_at")
    assert [one.title for one in printed] == [
        "Write the signed approval report as PDF",
        "Write the returned approval report as PDF",
    ]


def test_the_report_says_all_five_things(waiting):
    verification = current_verification(waiting.fresh())
    head = DocumentHead("N", "T", verification.content_hash, verification.measured_at)
    with translation.override("en"):
        context = report_document_context(verification, kind=REPORT_KIND)
    html = render_html("documents/approval.html", context, "en", head=head)
    assert waiting.project.summary in html
    assert "区域疾病谱" in html
    for check in context["gate"]:
        assert check.label in html
    assert html.count("抽查依据") >= 4
    assert html.count("<svg") >= 3
    assert verification.run.tables.get().result_sha256 in html
    assert verification.run.recipe_version.content_hash in html
    for value in waiting.secret:
        assert value not in html


def test_the_api_measures_lists_answers_and_decides(client, story, people):
    project = story.project
    client.force_login(people.executor)
    answer = client.post(api(project, "list"))
    assert answer.status_code == 202
    number = answer.json()["id"]
    assert client.post(api(project, "list")).json()["code"] == "under_way"
    assert client.get(api(project, "answer")).json()["green"] is False
    story.run_jobs()
    assert [row["id"] for row in client.get(api(project, "list")).json()] == [number]
    detail = client.get(api(project, "detail", verification_id=number)).json()
    assert detail["passed"] is True
    assert {row["passed"] for row in detail["gate"]} == {True}
    assert detail["report"]["risk"]["k"] >= 5
    assert client.get(api(project, "answer")).json()["green"] is True
    early = client.post(api(project, "decision"), form(story.fresh()), content_type="application/json")
    assert early.status_code == 403


def test_the_api_decides(client, waiting, people):
    project = waiting.fresh()
    client.force_login(people.management)
    bad = client.post(api(project, "decision"), {"decision": "approved"}, content_type="application/json")
    assert bad.status_code in (400, 422)
    answer = client.post(api(project, "decision"), form(project), content_type="application/json")
    assert answer.status_code == 200, answer.json()
    assert answer.json()["code"] == "approved"
    assert Project.objects.get(pk=project.pk).state == State.APPROVED


def test_page_paper_and_api_say_the_same_of_the_risk_by_entropy(client, waiting, people):
    verification = current_verification(waiting.fresh())
    client.force_login(people.management)
    said = {"accept-language": "en"}
    detail = client.get(
        api(waiting.project, "detail", verification_id=str(verification.pk)), headers=said
    ).json()
    page = client.get(reverse("verification:page", args=[waiting.project.pk]), headers=said).content.decode()
    with translation.override("en"):
        context = report_document_context(verification, kind=REPORT_KIND)
        head = DocumentHead("N", "T", verification.content_hash, verification.measured_at)
        paper = render_html("documents/approval.html", context, "en", head=head)
    assert len(detail["entropy_statements"]) == 6
    assert detail["entropy_statements"][-2].startswith(
        "It rests on: GB/T 37964-2019 4.3; likelihood times impact"
    )
    assert "it can be low while someone stands alone" in detail["entropy_statements"][-1]
    *three, row, guessing = detail["scales"]
    assert [one["has_threshold"] for one in (*three, row, guessing)] == [True, True, True, False, False]
    said_of_rows = [part for one in (row, guessing) for part in (one["plain"], one["formula"]["substituted"])]
    for shown in (page, paper):
        for text in (*detail["entropy_statements"], *said_of_rows):
            assert escape(text) in shown
        assert shown.count("What the quasi-identifiers reveal, column by column") >= 1


SCRIPT = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "deid_portal.settings_test"
import sys, django
django.setup()
import projects.verification.views, projects.verification.api
print([name for name in ("numpy", "pyarrow", "numba", "weasyprint") if name in sys.modules])
"""


def test_pages_and_api_load_no_numerical_library():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_moved_numbers_and_labels_not_understood_are_shown_where_they_are_known(client, waiting, people):
    found = latest_verification(waiting.project)
    report = found.report
    shown = {"费用": {"wasserstein": 0.0321}, "诊断": {"wasserstein": None, "unresolved": 1234}}
    for item in report["columns"]:
        item |= shown.get(item["column"], {})
    keep(found, report)
    client.force_login(people.auditor)
    page = client.get(url(waiting.project, "page"), headers={"accept-language": "en"}).content.decode()
    for said in (
        "3.21 %",
        "of the range",
        "1,234 cells not understood",
        "费用: W = 0.0321",
        "d = ½ Σ |p − q|",
    ):
        assert said in page
    head = DocumentHead("N", "T", found.content_hash, found.measured_at)
    with translation.override("en"):
        context = report_document_context(latest_verification(waiting.project), kind=REPORT_KIND)
    document = render_html("documents/approval.html", context, "en", head=head)
    for said in ("3.21 %", "1,234 cells not understood", "W = ∫ |F(x) − G(x)| dx / (b − a)"):
        assert said in document
    # What was measured before these two were kept has neither, and nothing is said of them.
    for item in report["columns"]:
        del item["wasserstein"], item["unresolved"]
    keep(found, report)
    page = client.get(url(waiting.project, "page"), headers={"accept-language": "en"}).content.decode()
    assert "Moved values" in page
    for said in ("Moved numbers", "of the range", "not understood", "W = "):
        assert said not in page


def keep(verification, report) -> None:
    with recording(events.VERIFICATION_PASSED, by=None):
        verification.report = report
        verification.save()


def test_a_reached_degree_has_nothing_to_accept(client, waiting, people):
    project = waiting.fresh()
    assert current_verification(project).degree_below is None
    client.force_login(people.management)
    assert 'name="acceptance"' not in client.get(url(project, "decide")).content.decode()
    said = form(project) | {"acceptance": "A small study."}
    sent = client.post(api(project, "decision"), said, content_type="application/json")
    assert (sent.status_code, sent.json()["code"]) == (403, "nothing_to_accept")
    signoff = SignOff.objects.get(subject_kind="release")
    signoff.acceptance = "A small study."
    event = recording(events.VERIFICATION_JUSTIFIED, by=None, about=signoff, old="")
    with pytest.raises(IntegrityError), transaction.atomic(), event:
        signoff.save()
