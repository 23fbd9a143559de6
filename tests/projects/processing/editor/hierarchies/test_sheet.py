"""The sheet of levels: what is done there stands in the editor and in the recipe, paged, and never slow."""

from __future__ import annotations

from html import unescape

import pytest
from django.urls import reverse

from projects.processing.recipes.selectors import current_recipe
from tests.projects.processing.conftest import NOTE, at_processing
from tests.projects.processing.editor.editing import entries, press, step_of

START = at_processing
pytestmark = pytest.mark.django_db
ROWS = "男;成人;*\n女;成人;*"


@pytest.fixture
def table_form(executor, address, saved, processing):
    """The editor's entries with a table of levels for 性别, waiting in the session; the address of its sheet."""
    form = entries(executor.get(address))
    step = step_of(form, "model.k_anonymity")
    place = next(
        name.removeprefix(f"{step}-").removesuffix("-kind")
        for name in form
        if name.startswith(f"{step}-h") and name.endswith("-kind") and name[len(step) + 2 : -5] == "2"
    )
    press(executor, address, form | {f"{step}-{place}-kind": ["table"]}, "refresh")
    form = entries(executor.get(address)) | {f"{step}-{place}-rows": [ROWS]}
    answer = press(executor, address, form, f"sheet:{int(step[1:]) + 1}:{place}")
    sheet = reverse("processing:hierarchy", args=[processing.pk, int(step[1:]) + 1, place])
    assert answer["Location"] == sheet
    return sheet, f"{step}-{place}-rows"


def now(executor, address, name):
    return entries(executor.get(address))[name][0].strip().replace("\r\n", "\n")


def test_what_is_done_in_the_sheet_stands_in_the_editor_and_is_undone(executor, address, table_form):
    sheet, name = table_form
    page = unescape(executor.get(sheet).content.decode())
    assert "性别" in page
    assert "2 of 2 values" in page
    cells = {"cell-0-1": "成人", "cell-1-1": "成人"}
    assert (
        executor.post(sheet, cells | {"do": "rename", "level": "1", "old": "成人", "new": "人"}).status_code
        == 302
    )
    assert now(executor, address, name) == "男;人;*\n女;人;*"
    executor.post(sheet, {"do": "move", "level": "1", "pick": ["1"], "group": "女性"})
    executor.post(sheet, {"do": "add:1"})
    assert now(executor, address, name) == "男;人;人;*\n女;女性;女性;*"
    press(executor, address, entries(executor.get(address)), "undo")
    assert now(executor, address, name) == "男;人;*\n女;女性;*"


def test_the_tree_shows_groups_within_groups_and_is_edited_where_it_is_read(executor, address, table_form):
    sheet, name = table_form
    page = unescape(executor.get(f"{sheet}?view=tree").content.decode())
    assert page.index('value="2-0"') < page.index('value="1-0"') < page.index("女"), (
        "the highest level outermost"
    )
    answer = executor.post(f"{sheet}?view=tree", {"name-1-0": "人", "name-2-0": "*", "do": "cells"})
    assert answer["Location"].endswith("?view=tree"), "it stays a tree"
    assert now(executor, address, name) == "男;人;*\n女;人;*"
    # A tick on a group is one on each of its values.
    executor.post(f"{sheet}?view=tree", {"branch": ["1-0"], "do": "move", "level": "1", "group": "全部"})
    assert now(executor, address, name) == "男;全部;*\n女;全部;*"
    press(executor, address, entries(executor.get(address)), "undo")
    assert now(executor, address, name) == "男;人;*\n女;人;*"
    refused = executor.post(f"{sheet}?view=tree", {"name-1-0": " ", "do": "cells"})
    assert refused.status_code == 422
    assert now(executor, address, name) == "男;人;*\n女;人;*"


def test_the_recipe_keeps_it_as_the_engine_reads_it(executor, address, table_form, processing):
    sheet, _name = table_form
    executor.post(sheet, {"cell-0-1": "甲", "cell-1-1": "乙", "do": "cells"})
    press(executor, address, entries(executor.get(address)) | {"g-note": [NOTE]}, "save")
    recipe = current_recipe(processing).tables[""]
    (model,) = (one for one in recipe["steps"] if one["technique"] == "model.k_anonymity")
    assert model["parameters"]["hierarchies"]["性别"] == {
        "kind": "table", "rows": [["男", "甲", "*"], ["女", "乙", "*"]],
    }  # fmt: skip


def test_what_does_not_fit_is_refused_with_its_reason(executor, address, table_form):
    sheet, name = table_form
    before = now(executor, address, name)
    answer = executor.post(sheet, {"cell-0-1": "", "do": "cells"})
    assert answer.status_code == 422
    assert "Row 1 has an empty cell" in answer.content.decode()
    typed = executor.post(
        sheet, {"cell-1-1": "", "cell-0-1": "甲", "pick": ["0"], "group": "乙", "do": "cells"}
    )
    kept = typed.content.decode()
    assert 'value="甲"' in kept, "what was typed stays"
    assert 'value="乙"' in kept
    assert kept.count(" checked") == 1
    for wrong in (
        {"do": "rename", "level": "9"},
        {"do": "move", "level": "1"},
        {"do": "drop:7"},
        {"do": "values"},
    ):
        assert executor.post(sheet, wrong).status_code == 422, wrong
    assert executor.post(sheet, {"do": "dance", "pick": ["x", "99"]}).status_code == 302
    assert now(executor, address, name) == before


def test_where_there_is_no_table_one_is_led_back(executor, address, saved, processing):
    executor.get(address)
    for number, place, status in ((900, "h", 302), (1, "h0", 302), (1, "x", 404)):
        assert (
            executor.get(reverse("processing:hierarchy", args=[processing.pk, number, place])).status_code
            == status
        )


def test_ten_thousand_values_are_paged(executor, address, table_form):
    sheet, name = table_form
    form = entries(executor.get(address))
    many = "\n".join(f"v{number};g{number % 100};*" for number in range(10_000))
    press(executor, address, form | {name: [many]}, "refresh")
    page = executor.get(sheet + "?page=3&q=g7").content.decode()
    assert page.count('name="pick"') == 50
    assert "v2207" not in page or "g7" in page
    assert (
        executor.post(sheet, {"do": "rename", "level": "1", "old": "g7", "new": "seven"}).status_code == 302
    )
    assert now(executor, address, name).count(";seven;") == 100
