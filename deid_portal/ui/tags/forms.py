"""Forms: label, hint, error and control, wired for assistive technology, from Django's bound fields."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.template import Context, Library
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from deid_portal.ui.tags.common import address, pick

register = Library()


_KINDS: tuple[tuple[str, tuple[type[forms.Widget], ...]], ...] = (
    ("checks", (forms.CheckboxSelectMultiple,)),
    ("radios", (forms.RadioSelect,)),
    ("check", (forms.CheckboxInput,)),
    ("file", (forms.FileInput,)),
    ("select", (forms.Select,)),
    ("textarea", (forms.Textarea,)),
    ("number", (forms.NumberInput,)),
    ("date", (forms.DateInput, forms.DateTimeInput, forms.TimeInput)),
    ("multi", (forms.MultiWidget,)),
)
"""Shape of the templates, and the widgets that take it; the first that fits counts."""


def _kind(bound: BoundField) -> str:
    """Which of the templates' shapes a widget takes."""
    return next((kind for kind, widgets in _KINDS if isinstance(bound.field.widget, widgets)), "text")


def _width(kind: str, bound: BoundField) -> str:
    """A width that hints at the length of the answer."""
    if kind in {"number", "date"}:
        return "s"
    limit = getattr(bound.field, "max_length", None)
    if kind == "text" and limit and limit <= 12:
        return "s"
    if kind == "text" and limit and limit <= 40:
        return "m"
    return "l"


def _options(bound: BoundField, descriptions: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The choices of a radio or checkbox group: control, label, and the sentence that explains it."""
    options = []
    for index, widget in enumerate(bound.subwidgets):
        data = widget.data
        value = data["value"]
        described = descriptions.get(str(value)) or descriptions.get(value) or ""
        identifier = data["attrs"].get("id") or f"{bound.auto_id}_{index}"
        options.append({
            "id": identifier, "name": data["name"], "value": "" if value is None else str(value),
            "label": data["label"], "selected": data["selected"], "description": described,
            "disabled": bool(data["attrs"].get("disabled")), "required": bool(data["attrs"].get("required")),
            "type": data["type"],
        })  # fmt: skip
    return options


def field_context(bound: BoundField, **given: Any) -> dict[str, Any]:
    """Everything ``components/field.html`` needs for one bound field."""
    kind = _kind(bound)
    hint = given.get("hint") or bound.help_text
    hint_id, error_id = f"{bound.auto_id}_hint", f"{bound.auto_id}_error"
    beside = kind not in {"radios", "checks", "check", "file"}  # where a unit has a place to stand
    unit = (given.get("unit") or getattr(bound.field, "unit", "")) if beside else ""
    unit_id = f"{bound.auto_id}_unit"
    described = " ".join(
        identifier
        for identifier, wanted in ((hint_id, hint), (error_id, bound.errors), (unit_id, unit))
        if wanted
    )
    control_attributes: dict[str, Any] = {"class": f"control control--{kind}"}
    if described:
        control_attributes["aria-describedby"] = described
    if kind == "date" and getattr(bound.field.widget, "input_type", "") == "text":
        control_attributes |= {"type": "date"} if isinstance(bound.field.widget, forms.DateInput) else {}
    if kind == "number":
        control_attributes.setdefault("inputmode", "decimal")
    descriptions = given.get("descriptions") or getattr(bound.field, "choice_hints", None) or {}
    grouped = kind in {"radios", "checks"}
    return {
        "bound": bound, "kind": kind, "label": given.get("label") or bound.label, "hint": hint,
        "hint_id": hint_id, "error_id": error_id, "unit": unit, "unit_id": unit_id, "described": described,
        "width": given.get("width") or _width(kind, bound), "required": bound.field.required,
        "optional_mark": not bound.field.required and not given.get("plain"),
        "cards": given.get("cards", kind == "radios" and bool(descriptions)),
        "options": _options(bound, descriptions) if grouped else [],
        "control": "" if grouped or kind == "file" else bound.as_widget(attrs=control_attributes),
        "accept": given.get("accept") or bound.field.widget.attrs.get("accept", ""),
        "multiple": bool(getattr(bound.field.widget, "allow_multiple_selected", False)) and kind == "file",
        "aside": given.get("aside", ""),
    }  # fmt: skip


@register.simple_tag
def field(
    bound: BoundField,
    label: str = "",
    hint: str = "",
    unit: str = "",
    width: str = "",
    cards: bool | None = None,
    descriptions: Mapping[str, Any] | None = None,
    accept: str = "",
    plain: bool = False,
) -> SafeString:
    """``{% field form.name %}``: one field, whatever its widget.

    ``unit`` stands after a number (or set ``unit`` on the form field); ``width`` is s, m or l; ``cards`` draws
    radio buttons as cards; ``descriptions`` maps choice values to a sentence (or set ``choice_hints`` on the
    form field); ``accept`` is for file fields; ``plain`` drops the "(optional)" mark.
    """
    if bound.is_hidden:
        return bound.as_widget()
    given: dict[str, Any] = {
        "label": label, "hint": hint, "unit": unit, "width": width, "descriptions": descriptions,
        "accept": accept, "plain": plain,
    }  # fmt: skip
    if cards is not None:
        given["cards"] = cards
    return SafeString(render_to_string("components/field.html", field_context(bound, **given)))


@register.inclusion_tag("components/choice_buttons.html")
def choice_buttons(bound: BoundField, label: str = "", even: bool = False) -> dict[str, Any]:
    """``{% choice_buttons form.decision %}``: the last field of a form, each of whose choices is a button that sends it.

    The first choice stands out, unless they are ``even``: then many stand in columns. The Enter key chooses none. ``choice_hints`` of the
    form field say what each does.
    """
    shown = field_context(bound, label=label)
    for place, option in enumerate(shown["options"]):
        option["tone"] = "primary" if place == 0 and not even else "secondary"
    return shown | {"even": even}


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


@register.simple_tag
def form_fields(form: forms.BaseForm, only: str = "", exclude: str = "", plain: bool = False) -> SafeString:
    """All fields of ``form`` in order, hidden ones included; ``only`` and ``exclude`` are comma-separated."""
    wanted, barred = _names(only), set(_names(exclude))
    chosen = [form[name] for name in wanted] if wanted else list(form)
    return SafeString("".join(field(bound, plain=plain) for bound in chosen if bound.name not in barred))


@register.inclusion_tag("components/error_summary.html")
def error_summary(*sources: Any) -> dict[str, Any]:
    """The box at the top of a page after a refused form, with a link to each field.

    Takes forms and formsets. Renders nothing where nothing is wrong. A field with a ``question`` is named by it, for its own label may
    be that of several.
    """
    entries: list[dict[str, str]] = []
    for source in sources:
        children: Iterable[Any] = getattr(source, "forms", None) or [source]
        if hasattr(source, "non_form_errors"):
            entries += [{"text": str(e), "target": ""} for e in source.non_form_errors()]
        for form in children:
            if not form or not form.is_bound:
                continue
            entries += [{"text": str(e), "target": ""} for e in form.non_field_errors()]
            for bound in form:
                target = bound.id_for_label or bound.auto_id
                if _kind(bound) in {"radios", "checks"} and bound.subwidgets:
                    target = bound.subwidgets[0].data["attrs"].get("id", target)
                label = str(getattr(bound.field, "question", bound.label))
                entries += [{"text": str(e), "label": label, "target": target} for e in bound.errors]
    return {"entries": entries}


@register.simple_block_tag(takes_context=True, end_name="endkept_form")
def kept_form(
    context: Context,
    content: str,
    form: Any,
    url: str = "",
    *arguments: Any,
    label: str = "",
    icon: str = "",
    tone: str = "primary",
    wide: bool = False,
) -> SafeString:
    """``{% kept_form form label=_("Report it") %}fields{% endkept_form %}``: a form that keeps drafts, sent to ``url`` (see ``address``), the
    form's own ``address``, or the page's.

    In this order: what was refused, whose draft it begins with and since when, its fields, the button ``label`` and those of the draft.
    Without content all its fields stand there; without ``label`` the content ends with buttons of its own and ``draft_actions``.
    """
    values = {
        "content": SafeString(content.strip()), "form": form, **error_summary(form, *getattr(form, "beside", ())),
        "draft": None if form.is_bound else getattr(form, "draft", None),
        "url": address(url or getattr(form, "address", ""), arguments), "label": label, "icon": icon, "tone": tone, "wide": wide,
        "csrf_token": context.get("csrf_token"),
    }  # fmt: skip
    return SafeString(render_to_string("components/kept_form.html", values))


@register.inclusion_tag("components/draft_actions.html")
def draft_actions(form: Any) -> dict[str, Any]:
    """``{% draft_actions form %}``: behind the button that saves a form, the ones that keep a draft of it and throw one away.

    Where the form keeps none, or may not be saved, there are none. The page keeps a draft by itself too, and says here when it did.
    """
    return {name: getattr(form, name, None) for name in ("place", "draft", "opened")}


@register.simple_block_tag(takes_context=True, end_name="endfilter_bar")
def filter_bar(
    context: Context, content: str, reset_url: str = "", label: str = "", apply: str = ""
) -> SafeString:
    """``{% filter_bar %}{% field form.q %}…{% endfilter_bar %}``: a GET form that narrows a list."""
    request = context.get("request")
    values = {
        "content": content, "label": label, "apply": apply,
        "reset_url": reset_url or (request.path if request else ""),
        "active": bool(request and any(v for k, v in request.GET.items() if k != "page")),
    }  # fmt: skip
    return SafeString(render_to_string("components/filter_bar.html", values))


@register.inclusion_tag("components/pagination.html", takes_context=True)
def pagination(
    context: Context, page: Any, parameter: str = "page", label: str = "", anchor: str = ""
) -> dict[str, Any]:
    """Pages of a list from Django's ``Page``; other query parameters of the address are kept.

    ``anchor``: the id of the list, where it is not the first of its page, so that its next page is shown where it stands.
    """
    request = context.get("request")
    query = request.GET.copy() if request else None
    paginator = pick(page, "paginator", None)

    def address(number: int) -> str:
        place = f"#{anchor}" if anchor else ""
        if query is None:
            return f"?{parameter}={number}{place}"
        query[parameter] = str(number)
        return f"?{query.urlencode()}{place}"

    if paginator is None:
        return {"total": 0}
    marks = []
    for number in paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1):
        isnumber = isinstance(number, int)
        marks.append({"number": number, "url": address(int(number)) if isnumber else "", "gap": not isnumber})
    return {
        "total": paginator.num_pages, "count": paginator.count, "current": page.number, "marks": marks,
        "start": page.start_index(), "end": page.end_index(), "label": label,
        "previous": address(page.number - 1) if page.has_previous() else "",
        "next": address(page.number + 1) if page.has_next() else "",
    }  # fmt: skip
