"""Entries of the editor wait as the person's own draft: typed ones by themselves, over signing out, and never over a later button."""

from __future__ import annotations

import pytest

from projects.core.drafts.models import FormDraft
from projects.processing.editor.desk import Desk
from projects.processing.recipes.selectors import current_recipe
from tests.projects.processing.conftest import at_processing

from .editing import entries, press, step_of
from .hierarchies.test_sheet import ROWS, now, table_form

START = at_processing
pytestmark = pytest.mark.django_db
__all__ = ["table_form"]


def kept_by_the_page(client, address, form):
    return client.post(address, {**form, "then": "keep"}).status_code


def typed(form, k):
    return form | {f"{step_of(form, 'model.k_anonymity')}-p-k": [k]}


def k_now(client, address):
    form = entries(client.get(address))
    return form[f"{step_of(form, 'model.k_anonymity')}-p-k"]


def test_what_is_typed_waits_and_signing_out_does_not_lose_it(executor, address, saved, people):
    first = entries(executor.get(address))
    (before,) = first[f"{step_of(first, 'model.k_anonymity')}-p-k"]
    assert kept_by_the_page(executor, address, first) == 204
    assert not FormDraft.objects.exists(), "nothing was typed"
    # One page sends itself again and again; it shows what it showed when it was opened.
    assert kept_by_the_page(executor, address, typed(first, "6")) == 204
    assert kept_by_the_page(executor, address, typed(first, "7") | {"g-note": ["半句"]}) == 204
    executor.logout()
    executor.force_login(people.executor)
    page = executor.get(address)
    assert k_now(executor, address) == ["7"]
    assert entries(page)["g-note"] == ["半句"]
    assert page.context["is_kept"]
    press(executor, address, entries(page), "undo")
    press(executor, address, entries(executor.get(address)), "undo")
    assert k_now(executor, address) == [before]


def test_a_note_alone_is_kept(executor, address, saved):
    first = entries(executor.get(address))
    assert kept_by_the_page(executor, address, first | {"g-note": ["半句"]}) == 204
    assert entries(executor.get(address))["g-note"] == ["半句"]


@pytest.mark.parametrize("button", ["save", "discard", "remove"])
def test_what_arrives_after_a_button_changes_nothing(executor, address, saved, processing, button):
    first = entries(executor.get(address))
    form = typed(first, "7") | {"g-note": ["一处更改，见差异。"]}
    assert kept_by_the_page(executor, address, form) == 204
    step = step_of(first, "as_is")[1:]
    assert press(executor, address, form, {"remove": f"remove:{step}"}.get(button, button)).status_code == 302
    after = entries(executor.get(address))
    assert kept_by_the_page(executor, address, form) == 409
    token = {"csrfmiddlewaretoken": []}
    assert entries(executor.get(address)) | token == after | token
    assert (current_recipe(processing).number == 2) is (button == "save")


def test_of_another_data_set_nothing_is_kept(executor, address, saved):
    form = typed(entries(executor.get(address)), "7")
    assert kept_by_the_page(executor, address, form | {"dataset": ["x"]}) == 409
    assert not FormDraft.objects.exists()


def test_the_entries_are_the_persons_own_and_go_with_the_version(
    executor, address, saved, people, processing
):
    form = typed(entries(executor.get(address)), "7")
    press(executor, address, form, "refresh")
    (kept,) = FormDraft.objects.all()
    assert (kept.saved_by, kept.project) == (people.executor, processing)
    dataset = processing.tables.get().datasets.get()
    assert Desk(people.planner, dataset).draft is None
    press(executor, address, form | {"g-note": ["一处更改，见差异。"]}, "save")
    assert Desk(people.executor, dataset).draft is None


def test_cells_of_a_sheet_wait_but_not_over_a_later_button(executor, address, table_form):
    sheet, name = table_form
    seen = executor.get(sheet).context["seen"]
    for text in ("大", "大人"):
        assert kept_by_the_page(executor, sheet, {"cell-0-1": text, "seen": seen}) == 204
    assert now(executor, address, name) == ROWS.replace("男;成人", "男;大人")
    executor.post(sheet, {"do": "drop:1"})
    dropped = now(executor, address, name)
    assert kept_by_the_page(executor, sheet, {"cell-0-1": "大", "seen": seen}) == 409
    assert now(executor, address, name) == dropped
