"""Sentences to choose: none beforehand, and what is chosen stands with the person's own words."""

from __future__ import annotations

from django import forms

from deid_portal.ui.tags.forms import error_summary
from projects.core.forms import OfferingForm


class Said(OfferingForm):
    offers = {"result": ("Complete.", "Sound.")}
    result = forms.CharField(label="Result", widget=forms.Textarea, max_length=100)


def test_nothing_is_chosen_beforehand():
    form = Said()
    assert form["result_chosen"].value() is None
    assert not form["result"].value()
    assert "checked" not in str(form["result_chosen"])


def test_chosen_sentences_and_own_words_make_the_text():
    assert Said({"result_chosen": ["1"], "result": ""}).is_valid()
    form = Said({"result_chosen": ["0", "1"], "result": "But see page 3."})
    assert form.is_valid()
    assert form.cleaned_data == {"result": "Complete.\nSound.\nBut see page 3."}
    form = Said({"result": "All in my own words."})
    assert form.is_valid()
    assert form.cleaned_data["result"] == "All in my own words."


def test_saying_nothing_is_refused_at_the_field():
    form = Said({"result": " "})
    assert not form.is_valid()
    assert list(form.errors) == ["result"]
    assert not Said({"result_chosen": ["7"]}).is_valid()


def test_the_list_of_errors_names_the_question():
    form = Said({"result": " "})
    form.is_valid()
    (entry,) = error_summary(form)["entries"]
    assert entry["label"] == "Result"
    assert entry["target"] == "id_result"
