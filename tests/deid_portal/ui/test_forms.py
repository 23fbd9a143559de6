"""Fields carry label, hint and error to assistive technology, whatever the widget."""

from __future__ import annotations

from typing import Any

import pytest
from django import forms
from django.template import Context, Template
from django.utils import timezone

from approvals.governance.verdict import ALLOW
from deid_portal.accounts.models import User
from deid_portal.ui.gallery_forms import ObjectiveExampleForm
from projects.core.drafts.forms import KeptForm
from projects.core.drafts.models import FormDraft
from projects.core.drafts.selectors import Place
from tests.deid_portal.ui.test_components import HOSTILE
from tests.deid_portal.ui.wellformed import Reader, read


def render(form: forms.Form, source: str = "{% error_summary form %}{% form_fields form %}") -> str:
    return Template("{% load ui %}" + source).render(Context({"form": form}))


def controls(reader: Reader) -> list[dict[str, Any]]:
    return [values for tag, values in reader.elements if tag in {"input", "select", "textarea"}]


def test_every_control_has_a_label() -> None:
    reader = read(render(ObjectiveExampleForm()), fragment=False)
    labels = {values.get("for") for tag, values in reader.elements if tag == "label"}
    assert {values["id"] for values in controls(reader)} <= labels


def test_hint_error_and_unit_are_tied_to_the_control() -> None:
    reader = read(render(ObjectiveExampleForm({"k": "1"})), fragment=False)
    (k,) = [values for values in controls(reader) if values["name"] == "k"]
    assert k["aria-describedby"].split() == ["id_k_error", "id_k_unit"]
    assert k["aria-invalid"] == "true"
    (name,) = [values for values in controls(reader) if values["name"] == "name"]
    assert name["aria-describedby"].split() == ["id_name_hint", "id_name_error"]


def test_groups_are_fieldsets_with_a_legend() -> None:
    html = render(ObjectiveExampleForm(), "{% field form.sharing %}{% field form.factors %}")
    reader = read(html, fragment=False)
    assert [tag for tag, _v in reader.elements].count("fieldset") == 2
    assert [tag for tag, _v in reader.elements].count("legend") == 2
    assert "field--cards" in html


def test_choices_as_buttons_send_the_form_and_enter_chooses_none() -> None:
    html = render(
        ObjectiveExampleForm({}), "{% error_summary form %}{% choice_buttons form.sharing label='Sign' %}"
    )
    reader = read(html, fragment=False)
    buttons = [values for tag, values in reader.elements if tag == "button"]
    assert "name" not in buttons[0], "what the Enter key presses"
    chosen = [(one["name"], one["value"]) for one in buttons[1:]]
    assert chosen == [
        ("sharing", str(value)) for value, _label in ObjectiveExampleForm().fields["sharing"].choices
    ]
    assert "#id_sharing_0" in {values["href"] for tag, values in reader.elements if tag == "a"}
    assert {one["aria-describedby"] for one in buttons[1:]} <= set(reader.ids)


def test_error_summary_leads_to_the_controls() -> None:
    html = render(ObjectiveExampleForm({}))
    reader = read(html, fragment=False)
    targets = {values["href"] for tag, values in reader.elements if tag == "a"}
    assert targets <= {f"#{i}" for i in reader.ids}
    assert "#id_sharing_0" in targets
    assert render(ObjectiveExampleForm(), "{% error_summary form %}").strip() == ""


def test_bound_values_survive() -> None:
    html = render(ObjectiveExampleForm({"sharing": "enclave", "factors": ["law", "use"], "purpose": "研究"}))
    reader = read(html)
    checked = {(v["name"], v["value"]) for v in controls(reader) if "checked" in v}
    assert checked == {("sharing", "enclave"), ("factors", "law"), ("factors", "use")}
    assert "研究</textarea>" in html


@pytest.mark.parametrize("kind", ["text", "radio", "check", "select", "textarea", "file"])
def test_hostile_labels_hints_and_values(kind: str) -> None:
    makers: dict[str, Any] = {
        "text": lambda: forms.CharField(label=HOSTILE, help_text=HOSTILE, initial=HOSTILE),
        "radio": lambda: forms.ChoiceField(
            label=HOSTILE, help_text=HOSTILE, widget=forms.RadioSelect, choices=[(HOSTILE, HOSTILE)]
        ),
        "check": lambda: forms.BooleanField(label=HOSTILE, help_text=HOSTILE),
        "select": lambda: forms.ChoiceField(label=HOSTILE, choices=[(HOSTILE, HOSTILE)]),
        "textarea": lambda: forms.CharField(label=HOSTILE, widget=forms.Textarea, initial=HOSTILE),
        "file": lambda: forms.FileField(label=HOSTILE, help_text=HOSTILE),
    }
    one = type("One", (forms.Form,), {"one": makers[kind]()})
    html = Template("{% load ui %}{% field form.one descriptions=d unit=u %}").render(
        Context({"form": one(), "d": {HOSTILE: HOSTILE}, "u": HOSTILE})
    )
    reader = read(html, fragment=False)
    assert not [tag for tag, _v in reader.elements if tag in {"script", "img"}]
    bound = one({"one": HOSTILE})
    bound.is_valid()
    bound.add_error("one", HOSTILE)
    reader = read(render(bound))
    assert not [tag for tag, _v in reader.elements if tag in {"script", "img"}]


def test_hidden_fields_and_selection_of_fields() -> None:
    class Small(forms.Form):
        token = forms.CharField(widget=forms.HiddenInput, initial="t")
        a = forms.CharField(label="A")
        b = forms.CharField(label="B")

    assert 'type="hidden"' in render(Small(), "{% form_fields form %}")
    assert 'name="b"' not in render(Small(), "{% form_fields form only='a' %}")
    assert 'name="a"' not in render(Small(), "{% form_fields form exclude='a' %}")


def pressed(html: str) -> list[Any]:
    return [one.get("value") for tag, one in read(html, fragment=False).elements if tag == "button"]


def test_a_form_offers_a_draft_only_where_it_keeps_one() -> None:
    source = "{% kept_form form label='Save' %}<p>fields</p>{% endkept_form %}"
    assert pressed(render(ObjectiveExampleForm(), source)) == [None]
    form: Any = KeptForm()
    assert pressed(render(form, source)) == [None], "who may not save it keeps no draft of it"
    form.place = Place("example", ALLOW)
    html = render(form, source)
    assert pressed(html) == [None, "later"]
    assert "data-draft-said" in html
    assert "notice" not in html
    form.draft = FormDraft(saved_by=User(full_name=HOSTILE), saved_at=timezone.now())
    html = render(form, source)
    assert pressed(html) == [None, "later", "discard"]
    assert "notice" in html
    assert HOSTILE not in html


def test_a_form_that_keeps_drafts_is_whole() -> None:
    class Letter(KeptForm):
        words = forms.CharField(label="Words")
        paper = forms.FileField(label="Paper", required=False)

    class Part(KeptForm):
        more = forms.CharField(label="More")

    form = Letter({})
    form.beside = (Part({}),)
    html = render(form, "{% kept_form form '/there/' label='Save' %}{% endkept_form %}")
    reader = read(html)
    sent = [values for tag, values in reader.elements if tag == "form"]
    assert [(one["action"], one["method"], one["enctype"]) for one in sent] == [
        ("/there/", "post", "multipart/form-data")
    ]
    assert [one["name"] for one in controls(reader)] == ["words", "paper"]
    links = [values["href"] for tag, values in reader.elements if tag == "a"]
    assert links == ["#id_words", "#id_more"], "what was refused of each part is said"
    own = read(
        render(
            Letter(),
            "{% kept_form form %}{% field form.words %}{% draft_actions form %}{% endkept_form %}",
        ),
        fragment=False,
    )
    (sent_to,) = [values for tag, values in own.elements if tag == "form"]
    assert "action" not in sent_to
    assert [one["name"] for one in controls(own)] == ["words"]
    assert pressed(render(Letter(), "{% kept_form form %}<p></p>{% endkept_form %}")) == []
