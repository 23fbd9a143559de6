"""Which columns are counted, and the sensitivity level and the tree of each value."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.core.numbers import whole_number

from .joining import UPLOAD_LIMIT

MOST_LEVEL = 100
_TOP = "*"


class ColumnsForm(forms.Form):
    """The sensitive attribute, and the column that says what each person asks for."""

    column = forms.ChoiceField(label=_("Sensitive attribute"))
    level_column = forms.ChoiceField(
        label=_("Column with the protection levels"),
        required=False,
        help_text=_("A whole number from 1 upwards in each row; an empty cell requests nothing."),
    )

    def __init__(self, *args: Any, sensitive: Sequence[str], columns: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["column"].choices = [(one, one) for one in sensitive]  # type: ignore[attr-defined]
        nobody = ("", _("None: nobody has been asked yet"))
        self.fields["level_column"].choices = [nobody, *((one, one) for one in columns)]  # type: ignore[attr-defined]


class AnswersForm(forms.Form):
    """The answers of the form about protection levels, and how they find their rows."""

    file = forms.FileField(
        label=_("CSV file of the answers"),
        help_text=_("In UTF-8, at most 2 MB: the key and the levels under the names of the CSV form, one answer per row. It is removed once it has been joined."),
    )  # fmt: skip
    key = forms.ChoiceField(
        label=_("Column by which answers are joined"),
        help_text=_("It appears in both files under the same name and identifies whose row it is."),
    )
    more_keys = forms.MultipleChoiceField(
        label=_("Further columns of the key"),
        required=False,
        help_text=_(
            "For when one column does not identify whose row it is: an answer is joined where all of them match."
        ),
    )
    default = forms.IntegerField(
        label=_("Level of persons who did not answer"),
        min_value=0,
        max_value=MOST_LEVEL,
        initial=0,
        required=False,
        help_text=_("0: they request nothing."),
    )

    def __init__(self, *args: Any, columns: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("key", "more_keys"):
            self.fields[name].choices = [(one, one) for one in columns]  # type: ignore[attr-defined]

    def clean_file(self) -> bytes:
        upload = self.cleaned_data["file"]
        if upload.size > UPLOAD_LIMIT:
            raise forms.ValidationError(_("The file is larger than 2 MB."))
        content: bytes = upload.read()
        return content


class ValuesForm(forms.Form):
    """A sensitivity level and what stands above, for each value that was counted; further values as text."""

    further = forms.CharField(
        label=_("Further values, one per line"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=100_000,
        help_text=_("Value; sensitivity level; what is above it, from the next level on."),
    )

    def __init__(
        self,
        *args: Any,
        values: Sequence[str],
        known: Mapping[str, tuple[int, Sequence[str]]] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.values = list(values)
        given = known or {}
        self.known = {value: (level, [*above]) for value, (level, above) in given.items()}
        for place, value in enumerate(self.values):
            level, above = given.get(value, (1, ()))
            named = _("Sensitivity level of %(value)s") % {"value": value}
            self.fields[f"level-{place}"] = forms.IntegerField(
                label=named,
                widget=forms.NumberInput(attrs={"class": "control", "aria-label": named}),
                min_value=1,
                max_value=MOST_LEVEL,
                initial=level,
            )
            named = _("What is above %(value)s") % {"value": value}
            self.fields[f"above-{place}"] = forms.CharField(
                label=named,
                widget=forms.TextInput(attrs={"class": "control", "aria-label": named}),
                required=False,
                max_length=2000,
                initial="; ".join(above),
            )
        if given:
            rest = [
                [one, str(level), *above] for one, (level, above) in given.items() if one not in self.values
            ]
            self.fields["further"].initial = _lines(rest)

    def initial_entries(self) -> dict[str, tuple[int, list[str]]]:
        """The entries before anybody changed them."""
        return {
            value: (
                int(self.fields[f"level-{place}"].initial),
                [
                    cell.strip()
                    for cell in str(self.fields[f"above-{place}"].initial).split(";")
                    if cell.strip()
                ],
            )
            for place, value in enumerate(self.values)
        } | dict(self.known)

    def clean_further(self) -> dict[str, tuple[int, list[str]]]:
        """Value → (sensitivity level, what stands above)."""
        found: dict[str, tuple[int, list[str]]] = {}
        for number, row in enumerate(csv.reader(io.StringIO(self.cleaned_data["further"]), delimiter=";"), 1):
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            level = whole_number(cells[1]) if len(cells) > 1 else -1
            if not cells[0] or not 1 <= level <= MOST_LEVEL:
                raise forms.ValidationError(
                    _("Line %(number)s is not a value with a sensitivity level."), params={"number": number}
                )
            if cells[0] in found or cells[0] in self.values:
                raise forms.ValidationError(_("Line %(number)s repeats a value."), params={"number": number})
            found[cells[0]] = (level, [cell for cell in cells[2:] if cell])
        return found

    def entries(self) -> dict[str, tuple[int, list[str]]]:
        """Every value that was entered: value → (sensitivity level, what stands above, without the last *)."""
        found = {
            value: (
                int(self.cleaned_data[f"level-{place}"]),
                [cell.strip() for cell in self.cleaned_data[f"above-{place}"].split(";") if cell.strip()],
            )
            for place, value in enumerate(self.values)
        } | self.cleaned_data["further"]
        return {
            value: (level, above[:-1] if above[-1:] == [_TOP] else above)
            for value, (level, above) in found.items()
        }


def parameters(entries: Mapping[str, tuple[int, Sequence[str]]], level_column: str) -> dict[str, Any]:
    """The settings of the step: values whose branch is shorter than the others' come to ``*`` the earlier."""
    width = max((len(above) for _level, above in entries.values()), default=0)
    rows = [[value, *above, *[_TOP] * (width - len(above))] for value, (_level, above) in entries.items()]
    return {
        "level_column": level_column,
        "tree": {"kind": "table", "rows": rows} if width else {"kind": "star"},
        "levels": {value: level for value, (level, _above) in entries.items() if level > 1},
    }


def entries_of(step: Mapping[str, Any]) -> dict[str, tuple[int, list[str]]]:
    """What a step of a recipe says of each value, as :meth:`ValuesForm.entries` has it; nothing where its tree is no table."""
    tree, levels = step["parameters"].get("tree", {}), step["parameters"].get("levels", {})
    rows = tree.get("rows", []) if tree.get("kind") == "table" else [[value] for value in levels]
    return {row[0]: (int(levels.get(row[0], 1)), [cell for cell in row[1:] if cell != _TOP]) for row in rows}


def height(entries: Mapping[str, tuple[int, Sequence[str]]]) -> int:
    """Levels of the tree: the value itself, what stands above, and the last, on which all values are the same."""
    return 2 + max((len(above) for _level, above in entries.values()), default=0)


def _lines(rows: Sequence[Sequence[str]]) -> str:
    target = io.StringIO()
    csv.writer(target, delimiter=";", lineterminator="\n").writerows(rows)
    return target.getvalue()
