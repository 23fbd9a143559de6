"""The stage review: five fields, exactly the content that was shown, and the only way to pass or return."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.urls import reverse
from django.utils import translation

from approvals.decisions.models import Review
from projects.core.sentences import as_read
from projects.core.services import member_end
from projects.monitoring.forms import ReviewForm
from projects.workflow import REVIEW_STATES, State
from tests.projects.releases import stories
from tests.projects.verification.test_sign_off import WINDOW, on_screens

INSIDE = ["planner", "executor", "supervisor", "management", "auditor", "assessor"]
OUTSIDE = ["outsider", "recipient", "administrator", "superuser"]


def url(name, project, **kwargs):
    return reverse(name, kwargs={"project_id": project.pk, **kwargs})


def filled(client, project, **changes):
    """The form as it is prefilled, with what a person adds."""
    form = client.get(url("monitoring:review", project)).context["form"]
    values = {name: form.initial[name] for name in ("content", "object")}
    values["process"] = "Read it, and compared it with the inventory of the records."
    values["time"] = form.initial["time"].strftime("%Y-%m-%dT%H:%M")
    ticked = {row["met"].html_name: "on" for row in form.requirement_rows()}
    return {
        **values,
        **ticked,
        "result": "Complete and sound.",
        "measures": "None needed.",
        "outcome": "passed",
        **changes,
    }


@pytest.mark.parametrize("who", INSIDE)
def test_who_sees_the_project_sees_what_is_reviewed(reviewed, people, client, who):
    client.force_login(getattr(people, who))
    response = client.get(url("monitoring:review", reviewed))
    assert response.status_code == 200
    assert (response.context["form"] is not None) == (who == "supervisor")
    assert response.context["judged"].hash in response.content.decode()
    if who != "supervisor":
        assert client.post(url("monitoring:review", reviewed), {}).status_code == 403
    assert not Review.objects.exists()


@pytest.mark.parametrize("who", OUTSIDE)
def test_hidden_from_others(reviewed, people, client, who):
    client.force_login(getattr(people, who))
    assert client.get(url("monitoring:review", reviewed)).status_code == 404
    assert client.post(url("monitoring:review", reviewed), {}).status_code == 404


def test_the_portal_attests_nothing_and_shows_what_is_judged(reviewed, people, client):
    client.force_login(people.supervisor)
    response = client.get(url("monitoring:review", reviewed))
    assert set(response.context["form"].initial) == {"content", "object", "time"}
    page = response.content.decode()
    assert response.context["judged_title"] in page
    scope = reviewed.objective.scope["use"]
    assert page.count(scope) >= 1
    assert page.index(scope) < page.index('id="review"')


def test_passing_records_the_five_fields_and_moves(reviewed, people, client):
    client.force_login(people.supervisor)
    response = client.post(url("monitoring:review", reviewed), filled(client, reviewed))
    assert response.status_code == 302
    reviewed.refresh_from_db()
    assert reviewed.state == State.PLAN_APPROVAL
    review = Review.objects.get()
    assert (review.result, review.measures) == ("Complete and sound.", "None needed.")
    assert review.reviewed_by == people.supervisor
    assert review.submitted_by == people.planner
    record = client.get(url("monitoring:page", reviewed)).content.decode()
    for text in (review.result, review.measures):
        assert text in record
    # Nothing is under review any more.
    assert client.get(url("monitoring:review", reviewed)).status_code == 302
    assert client.post(url("monitoring:review", reviewed), {}).status_code == 403


def test_what_is_not_ticked_does_not_pass(reviewed, people, client):
    client.force_login(people.supervisor)
    sent = filled(client, reviewed)
    rows = client.get(url("monitoring:review", reviewed)).context["form"].requirement_rows()
    assert rows
    assert not any(row["met"].value() or row["comment"].value() for row in rows), "nothing attests beforehand"
    # The plan is approved after its review, so nobody attests that before.
    assert not [row for row in rows if row["clause"].key.endswith(": approval")]
    for row in rows:
        without = {name: value for name, value in sent.items() if name != row["met"].html_name}
        response = client.post(url("monitoring:review", reviewed), without)
        assert response.status_code == 422
        assert row["clause"].clause in str(response.context["form"].errors["outcome"])
    assert not Review.objects.exists()
    sent |= {rows[0]["comment"].html_name: "Compared with the register of laws."}
    assert client.post(url("monitoring:review", reviewed), sent).status_code == 302
    process = Review.objects.get().process
    assert "Compared with the register of laws." in process
    assert all(row["clause"].clause in process for row in rows)


def test_returning_takes_the_result_as_the_reason(reviewed, people, client):
    client.force_login(people.supervisor)
    sent = filled(client, reviewed, outcome="returned", result="Section three is empty.")
    client.post(url("monitoring:review", reviewed), sent)
    reviewed.refresh_from_db()
    assert reviewed.state == State.OBJECTIVE_DRAFT
    assert "Section three is empty." in client.get(url("core:history", reviewed)).content.decode()


def test_the_process_follows_from_the_ticks_and_from_nothing_else(reviewed, people, client):
    client.force_login(people.supervisor)
    address = url("monitoring:review", reviewed)
    returned = client.post(address, filled(client, reviewed, process=" ", outcome="returned"))
    assert "process" in returned.context["form"].errors
    answer = client.post(address, filled(client, reviewed, process=" "))
    assert answer.url == f"{address}?handed_on=1"
    recorded = Review.objects.get().process
    assert recorded.startswith(str(ReviewForm.ONE_BY_ONE))
    # Who has just reviewed sees what they recorded, and who has to act now; anybody else is led to all reviews.
    done = client.get(answer.url, headers={"accept-language": "en"}).content.decode()
    with translation.override("en"):
        assert as_read(recorded).splitlines()[0] == str(ReviewForm.ONE_BY_ONE)
        assert str(ReviewForm.ONE_BY_ONE) in done
    assert f"Now {people.management} has to act." in done
    client.force_login(people.planner)
    assert client.get(answer.url).url == url("monitoring:page", reviewed)


@pytest.mark.parametrize("field", ["object", "time", "result", "measures", "outcome"])
def test_each_field_is_needed(reviewed, people, client, field):
    client.force_login(people.supervisor)
    sent = filled(client, reviewed, **{field: " "})
    # Something is remarked upon, so that the result does not follow from the ticks.
    sent |= {
        next(
            name
            for name in client.get(url("monitoring:review", reviewed)).context["form"].fields
            if name.startswith("said-")
        ): "Hm."
    }
    response = client.post(url("monitoring:review", reviewed), sent)
    assert response.status_code == 422
    assert field in response.context["form"].errors
    assert not Review.objects.exists()


def test_other_content_than_was_shown_is_refused(reviewed, people, client):
    client.force_login(people.supervisor)
    response = client.post(url("monitoring:review", reviewed), filled(client, reviewed, content="0" * 64))
    assert response.status_code == 422
    assert not Review.objects.exists()


def test_the_general_move_leads_to_the_form(reviewed, people, client):
    client.force_login(people.supervisor)
    for move in ("pass_objective", "return_objective"):
        response = client.post(url("core:move", reviewed, move=move), {"reason": "because"})
        assert response.status_code == 403
    reviewed.refresh_from_db()
    assert reviewed.state == State.OBJECTIVE_REVIEW
    page = client.get(url("objective:page", reviewed)).content.decode()
    assert url("monitoring:review", reviewed) in page
    assert url("core:move", reviewed, move="pass_objective") not in page


def test_a_former_supervisor_finds_nothing(reviewed, people, client):
    membership = reviewed.memberships.get(user=people.supervisor)
    member_end(membership, by=people.planner)
    client.force_login(people.supervisor)
    assert client.get(url("monitoring:review", reviewed)).status_code == 404


def test_a_result_without_a_deviation_says_of_the_measures_that_there_were_none(reviewed, people, client):
    client.force_login(people.supervisor)
    sent = filled(client, reviewed, result="", measures="", result_chosen="1")
    assert "measures" in client.post(url("monitoring:review", reviewed), sent).context["form"].errors
    response = client.post(url("monitoring:review", reviewed), sent | {"result_chosen": "0"})
    assert response.status_code == 302
    said = Review.objects.get().measures
    assert said == str(ReviewForm.offers["measures"][0])


def test_the_result_follows_from_ticks_alone_and_only_where_nothing_was_remarked(reviewed, people, client):
    client.force_login(people.supervisor)
    sent = filled(client, reviewed, result="", measures="")
    names = [name for name in sent if name.startswith("met-")]
    for other in (
        {names[0]: ""},
        {names[0].replace("met-", "said-"): "Look again."},
        {"outcome": "returned"},
    ):
        assert (
            "result" in client.post(url("monitoring:review", reviewed), sent | other).context["form"].errors
        )
    assert client.post(url("monitoring:review", reviewed), sent).status_code == 302
    review = Review.objects.get()
    assert review.result == str(ReviewForm.ALL_MET)
    assert review.measures == str(ReviewForm.offers["measures"][0])


def test_the_conclusion_is_a_button_and_the_enter_key_draws_none(reviewed, people, client):
    client.force_login(people.supervisor)
    page = client.get(url("monitoring:review", reviewed)).content.decode()
    buttons = re.findall(r"<button[^>]*>", page[page.index('id="review"') :])
    assert 'aria-hidden="true"' in buttons[0]
    assert "name=" not in buttons[0]
    assert [re.search(r'value="(\w+)"', one)[1] for one in buttons[1:3]] == ["passed", "returned"]


@pytest.mark.browser
def test_the_buttons_stay_in_view_however_long_the_form_is(reviewed, people, client):
    """Beside the content on a desk; on a phone, where they would cover what is read, they stand at the end of the form."""
    client.force_login(people.supervisor)
    path = url("monitoring:review", reviewed)
    pages = {
        language: client.get(path, headers={"accept-language": language}).content.decode()
        for language in ("zh-CN", "en")
    }

    def judge(page):
        form = page.locator(".sign__decision")
        assert form.evaluate("e => e.scrollHeight > e.clientHeight"), "longer than the window"
        buttons = page.locator("#review button[name=outcome]")
        for scrolled in (0, 400, 100_000):
            form.evaluate("(e, y) => e.scrollTo(0, y)", scrolled)
            for place in range(buttons.count()):
                box = buttons.nth(place).bounding_box()
                assert box["y"] >= 0
                assert box["y"] + box["height"] <= WINDOW["height"], (scrolled, box)
        page.focus("#review [name=object]")
        field, bar = (
            page.locator(one).bounding_box() for one in ("#review [name=object]", "#review .choices")
        )
        assert field["y"] + field["height"] <= bar["y"] + 1, "what has the focus is not behind the buttons"
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.locator("#review .choices").evaluate("e => getComputedStyle(e).position") == "static"

    with ThreadPoolExecutor(1) as thread:
        thread.submit(on_screens, path, pages, judge).result()


@pytest.mark.parametrize("state", REVIEW_STATES)
def test_the_object_that_the_portal_suggested_is_read_in_the_readers_language(
    story_at, people, client, state
):
    project = story_at(state, lambda people: stories.reach(people, state)).project
    client.force_login(people.supervisor)
    address = url("monitoring:review", project)
    suggested = {
        language: client.get(address, headers={"accept-language": language}).context["form"].initial["object"]
        for language in ("zh-hans", "en")
    }
    assert suggested["zh-hans"] != suggested["en"]
    for writer, reader in (("zh-hans", "en"), ("en", "zh-hans")):
        with translation.override(reader):
            assert as_read(suggested[writer]) == suggested[reader]
            assert as_read(f"{suggested[writer]} 另见附件") == f"{suggested[writer]} 另见附件"
