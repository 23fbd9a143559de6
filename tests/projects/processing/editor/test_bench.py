"""The workbench: a change is undone and made again, several columns are treated at once, and a line says what is kept."""

from __future__ import annotations

import pytest
from django.urls import reverse

from projects.processing.editor.keeping import kept_text
from techniques import catalogue
from tests.projects.processing.conftest import at_processing

from .editing import entries, press, step_of

START = at_processing
NOTE = "两处更改，见差异。"
TOKEN = {"csrfmiddlewaretoken": [], "seen": []}
"""What says which page was sent is no entry."""


def lines(client, address):
    return {line.column: line for line in client.get(address).context["editor"].lines}


def treatments(client, address):
    return {column: [name for _n, name in line.treatments] for column, line in lines(client, address).items()}


def test_what_was_changed_is_undone_and_made_again(executor, address, saved):
    first = entries(executor.get(address))
    model = step_of(first, "model.k_anonymity")
    typed = first | {f"{model}-p-k": ["7"]}
    press(executor, address, typed, f"remove:{step_of(first, 'as_is')[1:]}")
    second = entries(executor.get(address))
    assert "as_is" not in [value for values in second.values() for value in values]
    # What was typed and what the button did are two changes, for each can be wrong by itself.
    press(executor, address, second, "undo")
    third = entries(executor.get(address))
    assert third | TOKEN == typed | TOKEN
    press(executor, address, third, "undo")
    assert entries(executor.get(address)) | TOKEN == first | TOKEN
    press(executor, address, first, "redo")
    press(executor, address, entries(executor.get(address)), "redo")
    assert entries(executor.get(address)) | TOKEN == second | TOKEN


def test_a_look_changes_nothing_that_could_be_undone(executor, address, saved):
    first = entries(executor.get(address))
    for do in ("refresh", "look:1", "up:0", "refresh"):
        press(executor, address, entries(executor.get(address)), do)
    answer = executor.post(address, {**entries(executor.get(address)), "do": "undo"}, follow=True)
    assert [str(one) for one in answer.context["messages"]], "there is nothing to undo"
    assert entries(executor.get(address)) | TOKEN == first | TOKEN


def test_what_is_typed_after_going_back_is_no_longer_made_again(executor, address, saved):
    first = entries(executor.get(address))
    model = step_of(first, "model.k_anonymity")
    press(executor, address, first | {f"{model}-p-k": ["7"]}, "refresh")
    press(executor, address, entries(executor.get(address)), "undo")
    back = entries(executor.get(address))
    assert back[f"{model}-p-k"] == first[f"{model}-p-k"]
    press(executor, address, back | {f"{model}-p-k": ["9"], "g-note": [NOTE]}, "redo")
    now = entries(executor.get(address))
    assert (now[f"{model}-p-k"], now["g-note"]) == (["9"], [NOTE])


def test_several_columns_are_treated_at_once(executor, address, saved, processing):
    form = entries(executor.get(address))
    places = {column: line.position for column, line in lines(executor, address).items()}
    wanted = {
        "pick": [str(places["性别"]), str(places["费用"]), str(places["姓名"])],
        "several": ["new:as_is"],
    }
    answer = executor.post(address, {**form, **wanted, "several-instead": "on", "do": "several"}, follow=True)
    said = " ".join(str(one) for one in answer.context["messages"])
    assert "姓名" in said, "a direct identifier is not left as it is"
    assert "费用" not in said
    now = treatments(executor, address)
    kept = now["费用"]
    assert now["性别"] == kept
    assert len(kept) == 1
    assert now["姓名"] != kept
    # Beside what treats them, and then by nothing at all.
    form = entries(executor.get(address))
    number = step_of(form, "suppression.remove_column")[1:]
    beside = {name: given for name, given in form.items() if name != "several-instead"}
    press(
        executor, address, beside | {"pick": [str(places["性别"])], "several": [f"join:{number}"]}, "several"
    )
    assert len(treatments(executor, address)["性别"]) == 2
    form = entries(executor.get(address))
    press(executor, address, form | {"pick": [str(places["性别"])], "several": ["none"]}, "several")
    assert treatments(executor, address)["性别"] == []
    # Every line about which nothing is said, for who has no script.
    form = entries(executor.get(address))
    press(executor, address, form | {"pick": ["open"], "several": [f"join:{number}"]}, "several")
    assert len(treatments(executor, address)["性别"]) == 1


@pytest.mark.parametrize("choice", ["", "new:no.such", "join:99", "join:x", "dance"])
def test_nonsense_about_several_changes_nothing(executor, address, saved, choice):
    form = entries(executor.get(address))
    press(executor, address, form | {"pick": ["0", "99", "x"], "several": [choice]}, "several")
    assert entries(executor.get(address)) | TOKEN == form | TOKEN


def test_a_line_says_what_its_treatments_keep(executor, address, saved):
    found = lines(executor, address)
    assert found["姓名"].keeps == kept_text(["suppression.remove_column"])
    assert found["费用"].keeps == kept_text(["as_is"])
    assert all(line.keeps for line in found.values() if line.treatments)


def test_two_treatments_keep_no_more_than_the_one_that_keeps_least():
    claims = {spec.key: spec.claims for spec in catalogue.techniques() if spec.claims}
    for first, one in claims.items():
        for second in claims:
            together = kept_text([first, second])
            assert together == kept_text([second, first])
            if second == first:
                assert together == kept_text([first])
        assert kept_text([first, "as_is"]) == kept_text([first])
        assert kept_text(["suppression.remove_column", first]) == kept_text(["suppression.remove_column"])
        assert one is not None
    assert kept_text([]) == ""


def test_the_editor_sends_few_statements(executor, address, saved, django_assert_max_num_queries):
    executor.get(address)
    with django_assert_max_num_queries(21):
        executor.get(address)


def test_scenes_begin_the_entries_anew_and_can_be_undone(executor, address, saved, processing):
    form = entries(executor.get(address))
    executor.post(address, {"dataset": form["dataset"][0], "g-note": "", "do": "scene:operations"})
    assert reverse("processing:recipe", args=[processing.pk]) == address
    changed = entries(executor.get(address))
    assert changed["g-scene"] == ["operations"]
    press(executor, address, changed, "undo")
    assert entries(executor.get(address)) | TOKEN == form | TOKEN
