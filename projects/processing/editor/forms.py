"""Forms made from the engine's description of each technique: one more technique needs no form here."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from techniques import catalogue
from techniques.catalogue.technique import Technique
from techniques.core.fields import ParameterField

from .drafts import COLUMN_MAPS, Raw, StepDraft, hierarchy_fields, sensitive_positions
from .fields import form_field

BRIEF = 3
"""Settings that the line of a folded step names."""


class EntriesForm(forms.Form):
    """A form about raw entries: bound to them where they are to be checked, else only filled with them."""

    def __init__(self, values: Raw, *, prefix: str, check: bool) -> None:
        self.values = values
        data = MultiValueDict({f"{prefix}-{name}": entry for name, entry in values.items()})
        super().__init__(data if check else None, prefix=prefix)

    def entries_show(self) -> None:
        """Fill an unbound form; called when every field is there."""
        for name, one in self.fields.items():
            entry = self.values.get(name, [])
            if isinstance(one, forms.MultipleChoiceField):
                one.initial = entry
            elif isinstance(one, forms.BooleanField):
                one.initial = bool(entry)
            else:
                one.initial = entry[0] if entry else ""


_OUTPUT = ("format", "encoding", "delimiter")


class GeneralForm(EntriesForm):
    """What holds for the whole recipe."""

    title = forms.CharField(label=gettext_lazy("Name of the recipe"), max_length=200, required=False)
    unlisted = forms.ChoiceField(
        label=gettext_lazy("Columns that no step mentions"),
        choices=[
            ("refuse", gettext_lazy("Refuse to run: every column has to be decided")),
            ("remove", gettext_lazy("Remove them")),
            ("keep", gettext_lazy("Keep them as they are")),
        ],
    )
    order = forms.ChoiceField(
        label=gettext_lazy("Order of the records"),
        choices=[
            ("shuffled", gettext_lazy("Shuffled: the position of a record reveals nothing")),
            (
                "kept",
                gettext_lazy(
                    "As in the source: can be joined by position with any other table in that order"
                ),
            ),
        ],
    )
    records = forms.MultipleChoiceField(
        label=gettext_lazy("Columns that name a record from release to release (D.5)"),
        help_text=gettext_lazy(
            "For data that grow and are released again. Noise, random rounding and simple samples then keep for each record what was "
            "drawn for it as long as its value stays, so that several releases tell no more than one and an unchanged record reads "
            "as it did. Choose what names a person or a visit for good, such as its number; never a row number."
        ),
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    records_purpose = forms.CharField(
        label=gettext_lazy("Purpose whose projects share what was drawn"),
        help_text=gettext_lazy(
            "Where each release is a project of its own: the name of the purpose, written alike in all of them. Empty: this project."
        ),
        max_length=60,
        required=False,
    )
    unprepared = forms.CharField(
        label=gettext_lazy("Why nothing is prepared (5.4.2)"),
        help_text=gettext_lazy(
            "Where values mean the same but are written differently, add the technique "
            "“Normalisation” before they are treated; a sample is also preparation. If you choose no "
            "preparation, you have to state why: reviewers and signers read it."
        ),
        min_length=3,
        max_length=500,
        required=False,
    )
    format = forms.ChoiceField(
        label=gettext_lazy("Form of the result"),
        choices=[("same", gettext_lazy("As the source")), ("csv", "CSV"), ("xlsx", "XLSX"), ("parquet", "Parquet")],
    )  # fmt: skip
    encoding = forms.ChoiceField(
        label=gettext_lazy("Encoding of a CSV result"),
        choices=[("same", gettext_lazy("As the source")), ("utf-8", "UTF-8"),
                 ("utf-8-sig", gettext_lazy("UTF-8 with byte order mark, opens in Excel")),
                 ("gb18030", "GB18030"), ("utf-16", "UTF-16")],
    )  # fmt: skip
    delimiter = forms.ChoiceField(
        label=gettext_lazy("Delimiter of a CSV result"),
        choices=[("same", gettext_lazy("As the source")), (",", ","), (";", ";"), ("\t", gettext_lazy("Tab")), ("|", "|")],
    )  # fmt: skip
    note = forms.CharField(
        label=gettext_lazy("What changed and why"), max_length=300, widget=forms.Textarea(attrs={"rows": 2})
    )

    def __init__(self, values: Raw, columns: Sequence[str], *, check: bool, note_required: bool) -> None:
        super().__init__(values, prefix="g", check=check)
        self.names = columns
        self.fields["records"].choices = [(str(place), name) for place, name in enumerate(columns)]  # type: ignore[attr-defined]
        self.fields["note"].required = note_required
        self.entries_show()

    @property
    def plain_fields(self) -> list[forms.BoundField]:
        """What is chosen or named, side by side on the page; the reason and the note are written."""
        return [self[name] for name in ("title", "unlisted", "order", *_OUTPUT)]

    @property
    def names_records(self) -> bool:
        """Whether something is said of records, or wrong with it: else what is about them stays folded."""
        named = self.values.get("records") or any(self.values.get("records_purpose", ()))
        return bool(named or self["records"].errors or self["records_purpose"].errors)

    def records_content(self) -> dict[str, Any]:
        """What a recipe says of records; nothing where no column was chosen."""
        named = [self.names[int(place)] for place in self.cleaned_data["records"]]
        purpose = self.cleaned_data["records_purpose"]
        return {"records": {"columns": named, "purpose": purpose}} if named else {}

    def clean(self) -> dict[str, Any]:
        """A purpose alone names no record."""
        given: dict[str, Any] = super().clean() or {}
        if given.get("records_purpose") and not given.get("records"):
            self.add_error("records", _("Choose the columns that name a record, or leave the purpose empty."))
        return given

    def output(self) -> dict[str, str]:
        return {name: self.cleaned_data[name] for name in _OUTPUT}


class StepForm(EntriesForm):
    """The settings of one step. ``columns`` are the file's, ``eligible`` the positions that may be chosen."""

    def __init__(
        self, step: StepDraft, number: int, columns: Sequence[str], eligible: Sequence[int], *, check: bool
    ) -> None:
        values = step.values | {"columns": [str(position) for position in step.columns]}
        super().__init__(values, prefix=f"s{number}", check=check)
        self.step, self.number, self.names = step, number, columns
        offered = sorted({*eligible, *step.columns})
        self.fields["columns"] = forms.MultipleChoiceField(
            label=_("Columns"),
            choices=[(str(position), columns[position]) for position in offered],
            widget=forms.CheckboxSelectMultiple,
            error_messages={"required": _("Choose at least one column.")},
        )
        self._hierarchies: dict[str, str] = {}
        self._sensitive: list[int] = []
        for one in catalogue.parameter_fields(step.technique):
            if one.kind == "hierarchies":
                for position in step.columns:
                    self._hierarchy_add(f"h{position}-", columns[position], model=True)
                    self._column_numbers_add(position)
            elif one.kind == "hierarchy":
                self._hierarchy_add("h-", _(one.title))
            elif one.kind == "conditions":
                self._conditions_add(one)
            elif one.kind == "column":
                self.fields[f"p-{one.name}"] = forms.ChoiceField(
                    label=_(one.title),
                    help_text=_(one.help),
                    choices=[("", _("Choose")), *((name, name) for name in columns)],
                )
            elif one.name not in COLUMN_MAPS:
                self.fields[f"p-{one.name}"] = form_field(one)
        self.entries_show()

    @property
    def spec(self) -> Technique:
        return catalogue.get(self.step.technique)

    def _hierarchy_add(self, prefix: str, label: str, *, model: bool = False) -> None:
        kind = self.values.get(f"{prefix}kind", ["star"])[0]
        self._hierarchies[prefix] = label
        self.fields[f"{prefix}kind"] = forms.ChoiceField(
            label=_("How values become coarser"),
            choices=[(one.kind, _(one.name)) for one in catalogue.hierarchy_kinds() if model or not one.models_only],
        )  # fmt: skip
        self.fields[f"{prefix}shown"] = forms.CharField(required=False, widget=forms.HiddenInput)
        for one in hierarchy_fields(kind):
            self.fields[f"{prefix}{one.name}"] = form_field(one)

    def _conditions_add(self, one: ParameterField) -> None:
        """Which columns are sensitive, and for each of them what its classes must hold."""
        self.fields[f"p-{one.name}"] = forms.MultipleChoiceField(
            label=_(one.title),
            help_text=_(one.help),
            required=False,
            choices=[(str(position), name) for position, name in enumerate(self.names)],
            widget=forms.CheckboxSelectMultiple,
        )
        self._sensitive = [p for p in sensitive_positions(self.step) if p < len(self.names)]
        for position in self._sensitive:
            for field in catalogue.condition_fields():
                if field.kind == "hierarchy":
                    self._hierarchy_add(f"c{position}-h-", self.names[position])
                    del self._hierarchies[f"c{position}-h-"]
                else:
                    self.fields[f"c{position}-{field.name}"] = form_field(field)

    def _column_numbers_add(self, position: int) -> None:
        """What a model may be told about one column beside its hierarchy, all of it optional."""
        for name, label, hint in (
            ("max", _("Highest level"), _("Empty: as far as needed.")),
            ("min", _("Lowest level"), _("Empty: from the value itself.")),
        ):
            self.fields[f"h{position}-{name}"] = forms.IntegerField(
                label=label, help_text=hint, min_value=0, max_value=50, required=False
            )
        self.fields[f"h{position}-weight"] = forms.FloatField(
            label=_("Importance"),
            help_text=_("Empty: 1. With 2, its detail is worth twice as much."),
            required=False,
            widget=forms.NumberInput(attrs={"step": "any"}),
        )

    # -- for the page --

    @property
    def settings(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("p-")]

    @property
    def hierarchies(self) -> list[tuple[str, list[forms.BoundField], str]]:
        """(column or title, fields, the place of its table of levels or "") of every hierarchy of the step."""
        return [
            (
                label,
                [self[name] for name in self.fields if name.startswith(prefix)],
                prefix[:-1] if self.values.get(f"{prefix}kind", [""])[0] == "table" else "",
            )
            for prefix, label in self._hierarchies.items()
        ]

    @property
    def conditions(self) -> list[tuple[str, list[forms.BoundField]]]:
        """(column, fields) of every sensitive attribute of the step."""
        return [
            (self.names[position], [self[name] for name in self.fields if name.startswith(f"c{position}-")])
            for position in self._sensitive
        ]

    @property
    def brief(self) -> list[tuple[str, str]]:
        """(setting, entry) of the first few, for the line of the folded step."""
        found = []
        for one in catalogue.parameter_fields(self.step.technique):
            given = self.values.get(f"p-{one.name}", [])
            if one.kind not in ("integer", "decimal", "choice", "text") or one.name in COLUMN_MAPS:
                continue
            if any(given):
                words = {choice.value: _(choice.label) for choice in one.choices}
                found.append((_(one.title), words.get(given[0], given[0])))
        return found[:BRIEF]

    # -- for the recipe --

    @property
    def chosen(self) -> list[str]:
        """Names of the chosen columns, in the order of the file."""
        return [self.names[position] for position in self.step.columns]

    def parameters(self) -> dict[str, Any]:
        """The settings as the engine reads them; an empty optional one is left out."""
        values: dict[str, Any] = {}
        for one in catalogue.parameter_fields(self.step.technique):
            if one.kind == "hierarchy":
                values[one.name] = self._definition("h-")
            elif one.kind == "hierarchies":
                values[one.name] = {self.names[p]: self._definition(f"h{p}-") for p in self.step.columns}
            elif one.kind == "conditions":
                values[one.name] = {self.names[p]: self._conditions(p) for p in self._sensitive}
            elif one.name in COLUMN_MAPS:
                given = {p: self.cleaned_data.get(f"h{p}-{COLUMN_MAPS[one.name]}") for p in self.step.columns}
                values[one.name] = {
                    self.names[p]: number for p, number in given.items() if number is not None
                }
            else:
                _put(values, one, self.cleaned_data.get(f"p-{one.name}"))
        return values

    def _conditions(self, position: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for one in catalogue.condition_fields():
            if one.kind == "hierarchy":
                values[one.name] = self._definition(f"c{position}-h-")
            else:
                _put(values, one, self.cleaned_data.get(f"c{position}-{one.name}"))
        return values

    def _definition(self, prefix: str) -> dict[str, Any]:
        kind = self.cleaned_data[f"{prefix}kind"]
        values: dict[str, Any] = {"kind": kind}
        for one in hierarchy_fields(kind):
            _put(values, one, self.cleaned_data.get(f"{prefix}{one.name}"))
        return values

    def place(self, path: str) -> str | None:
        """The field for a place inside the step, such as ``parameters.hierarchies.出生日期.units[1]``."""
        if path.startswith("column"):
            return "columns"
        for map_name, ending in (*COLUMN_MAPS.items(), ("hierarchies", "")):
            if path.startswith(f"parameters.{map_name}"):
                return self._hierarchy_place(path.removeprefix(f"parameters.{map_name}").lstrip("."), ending)
        if path.startswith("parameters.sensitive"):
            return self._conditions_place(path.removeprefix("parameters.sensitive").lstrip("."))
        for name in ("hierarchy", "tree"):
            if path.startswith(f"parameters.{name}"):
                return self._known(
                    f"h-{_first(path.removeprefix(f'parameters.{name}').lstrip('.'))}", "h-kind"
                )
        return self._known(f"p-{_first(path.removeprefix('parameters').lstrip('.'))}", None)

    def _hierarchy_place(self, rest: str, ending: str) -> str | None:
        # The longest name wins: one column's name may begin another's.
        for position in sorted(self.step.columns, key=lambda p: -len(self.names[p])):
            name = self.names[position]
            if rest.startswith(name):
                wanted = ending or _first(rest.removeprefix(name).lstrip("."))
                return self._known(f"h{position}-{wanted}", f"h{position}-kind")
        return "columns"

    def _conditions_place(self, rest: str) -> str | None:
        for position in sorted(self._sensitive, key=lambda p: -len(self.names[p])):
            name = self.names[position]
            if rest.startswith(name):
                wanted = _first(rest.removeprefix(name).lstrip("."))
                return self._known(f"c{position}-{wanted}", f"c{position}-distinct")
        return "p-sensitive"

    def _known(self, name: str, otherwise: str | None) -> str | None:
        return name if name in self.fields else otherwise


class TextForm(forms.Form):
    text = forms.CharField(
        label=gettext_lazy("Recipe as YAML or JSON"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 28, "spellcheck": "false"}),
        help_text=gettext_lazy("Checked exactly like the form."),
    )
    note = forms.CharField(
        label=gettext_lazy("What changed and why"), max_length=300, widget=forms.Textarea(attrs={"rows": 2})
    )

    def __init__(self, *args: Any, note_required: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["note"].required = note_required


def _put(values: dict[str, Any], one: ParameterField, value: Any) -> None:
    if one.kind == "mapping":
        values[one.name] = _pairs(value or [])
    elif value is None or (value == "" and one.kind not in ("text",)):
        return
    else:
        values[one.name] = value


def _pairs(rows: Sequence[Sequence[str]]) -> Mapping[str, str]:
    return dict(rows)  # type: ignore[arg-type]


def _first(path: str) -> str:
    return re.split(r"[.\[]", path, maxsplit=1)[0]
