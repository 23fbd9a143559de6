"""Every decision of a project's way is made by the forms as the server sends them: nothing that a script shows or fills in is used."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from projects.releases.selectors import current_release
from projects.workflow import State
from tests.fixtures import PASSWORD
from tests.projects.verification.stories import SmallStory

from .wellformed import VOID

pytestmark = pytest.mark.django_db


class Forms(HTMLParser):
    """The forms of a page as a browser without script shows them: what wants a script (``needs-js``) is not there."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[dict[str, Any]] = []
        self.stack: list[tuple[str, bool]] = []
        self.text: str | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        gone = "needs-js" in given.get("class", "").split() or any(gone for _tag, gone in self.stack)
        if tag not in VOID:
            self.stack.append((tag, gone))
        if gone:
            return
        if tag == "form":
            self.found.append(
                {"action": given.get("action", ""), "fields": {}, "buttons": [], "names": set(), "select": ""}
            )
        elif self.found:
            self._control(tag, given, self.found[-1])

    def _control(self, tag: str, given: dict[str, str], form: dict[str, Any]) -> None:
        name, kind = given.get("name", ""), given.get("type", "submit" if tag == "button" else "text")
        if tag == "button" and kind == "submit" and "aria-hidden" not in given:
            form["buttons"].append((name, given.get("value", "")))
        elif tag == "option" and form["select"]:
            # Of a list the first stands there until another one is chosen.
            if "selected" in given or form["select"] not in form["fields"]:
                form["fields"][form["select"]] = [given.get("value", "")]
        elif tag in ("input", "select", "textarea") and name:
            form["names"].add(name)
            if tag == "select":
                form["select"] = name
            elif tag == "textarea":
                self.text = name
            elif kind != "file" and (kind not in ("checkbox", "radio") or "checked" in given):
                nothing = "on" if kind == "checkbox" else ""
                form["fields"].setdefault(name, []).append(given.get("value", nothing))

    def handle_data(self, data: str) -> None:
        if self.text:
            self.found[-1]["fields"][self.text] = [data.removeprefix("\n")]

    def handle_endtag(self, tag: str) -> None:
        self.text = None
        if tag == "select" and self.found:
            self.found[-1]["select"] = ""
        if any(tag == open_tag for open_tag, _gone in self.stack):
            while self.stack.pop()[0] != tag:
                pass


class Decider:
    """Presses what the page has, and is where the answer leads."""

    def __init__(self, client: Any, story: SmallStory) -> None:
        self.client, self.story = client, story

    def act(
        self, who: str, page: str, button: tuple[str, str] = ("", ""), ending: str = "", **fields: Any
    ) -> State:
        """Press ``button`` of the form that has it and whose address has this ``ending``, after filling in ``fields``; the
        state of the project afterwards."""
        self.client.force_login(
            self.story.people[who], backend="deid_portal.accounts.backends.AccountBackend"
        )
        address = page if page.startswith("/") else reverse(page, args=[self.story.project.pk])
        shown = self.client.get(address)
        assert shown.status_code == 200, (who, page, shown.status_code)
        forms = [
            form
            for form in Forms(shown.content.decode()).found
            if button in form["buttons"] and form["action"].endswith(ending) and form["names"] >= set(fields)
        ]
        assert len(forms) == 1, (who, page, button, ending, sorted(fields), len(forms))
        (form,) = forms
        ticks = {name: "on" for name in form["names"] if name.startswith("met-")}
        sent = form["fields"] | ticks | fields | ({button[0]: button[1]} if button[0] else {})
        answer = self.client.post(form["action"].partition("#")[0] or address, sent)
        problem = answer.context and answer.context.get("form") and answer.context["form"].errors
        assert answer.status_code == 302, (who, page, answer.status_code, problem)
        self.story.run_jobs()
        return State(self.story.fresh().state)


def test_every_decision_is_made_without_script(client, people):
    story = SmallStory(people)
    act = Decider(client, story).act
    passed = {"button": ("outcome", "passed")}
    signed = {"button": ("decision", "approved"), "reason": "It fits.", "secret": PASSWORD}
    story.reach(State.OBJECTIVE_REVIEW)

    returned = act(
        "supervisor",
        "monitoring:review",
        ("outcome", "returned"),
        process="Read.",
        result="Too wide.",
        measures="None.",
    )
    assert returned == State.OBJECTIVE_DRAFT
    # Unchanged, it comes back with a justification alone.
    again = act(
        "planner",
        "objective:page",
        ending="/move/submit_objective/",
        justification="It is as narrow as the use.",
    )
    assert again == State.OBJECTIVE_REVIEW
    assert act("supervisor", "monitoring:review", **passed) == State.PLAN_APPROVAL
    assert act("management", "objective:decide", **signed) == State.IDENTIFICATION
    suspended = act("supervisor", "core:project", ending="/move/suspend/", reason="A question is open.")
    assert suspended == State.SUSPENDED
    assert (
        act("supervisor", "core:project", ending="/move/resume/", reason="It is answered.")
        == State.IDENTIFICATION
    )

    story.upload()
    story.scan()
    verdict = {
        "button": ("what", "suggestions"),
        "all-reason": "As look-up and rules found.",
        "all-against": "on",
    }
    assert act("executor", "identification:page", **verdict) == State.IDENTIFICATION
    story.judge()
    handed = act("executor", "identification:page", ending="/move/submit_identification/")
    assert handed == State.IDENTIFICATION_REVIEW
    assert act("supervisor", "monitoring:review", **passed) == State.PROCESSING

    # What the editor's buttons post is shown with the editor.
    story.write_recipe()
    assert act("executor", "processing:page", ending="/processing/run/") == State.PROCESSING
    assert act("executor", "processing:page", ending="/move/submit_processing/") == State.PROCESSING_REVIEW
    assert act("supervisor", "monitoring:review", **passed) == State.VERIFICATION
    # Every check passes, so it is handed on by itself, as was asked for.
    assert act("executor", "verification:page", ("then", "submit")) == State.VERIFICATION_REVIEW
    assert act("supervisor", "monitoring:review", **passed) == State.RELEASE_APPROVAL
    assert act("management", "verification:decide", **signed) == State.APPROVED

    bars = dict.fromkeys(
        ("prohibits_reidentification", "prohibits_linkage", "prohibits_onward_sharing"), "on"
    )
    scan = SimpleUploadedFile("agreement.pdf", b"%PDF-1.4\n%%EOF\n", content_type="application/pdf")
    agreed = bars | {"purpose_chosen": "0", "signed_by_chosen": "0", "organisation": "School", "file": scan}
    assert act("planner", "releases:agreement", ("then", "release"), **agreed) == State.MONITORING
    release = current_release(story.project)
    page = reverse("recipient:detail", args=[release.pk])
    act("recipient", page, accepted="on", notice_read="on")
    assert "/download/" in client.get(page).content.decode(), "notice and file stand on one page"
    act("supervisor", "monitoring:page", ("kind", "recipient"), description="One more reader.")
    reassessment = story.project.reassessments.filter(change__isnull=False).get()
    look = reverse("monitoring:reassessment", args=[story.project.pk, reassessment.pk])
    act("supervisor", look, ("outcome", "keep"), finding="The reader is named in the agreement.")
    reassessment.refresh_from_db()
    assert reassessment.concluded_at
