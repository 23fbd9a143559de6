"""Forms of tables of statistics; they translate only."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from projects.core.drafts.forms import KeptForm
from projects.core.forms import SignedForm
from techniques.core.validation import validated

from .definition import Definition
from .rule_sets import RuleSet
from .services import UPLOAD_LIMIT

SPANS = (1, 2, 3)
_KINDS = (
    ("persons", _("Count persons")),
    ("rows", _("Count rows, where a person may have several")),
    ("sum", _("Add up a column")),
)
_IMPORTED = (
    ("persons", _("Counts of persons")),
    ("sum", _("Sums of amounts, with the largest contributions")),
)
_LEAST = (
    ("values", _("As little as possible of what is counted or added up")),
    ("cells", _("As few cells as possible")),
)


def _tree(label: Any) -> forms.CharField:
    return forms.CharField(
        label=label, required=False, widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Totals between a value and the whole: on each line, a value and then, after commas, its groups from small to large."),
    )  # fmt: skip


class _TableForm(KeptForm):
    """What every table has."""

    title = forms.CharField(
        label=_("Title"), max_length=120, help_text=_("Recipients see it: do not include values.")
    )
    kind = forms.ChoiceField(label=_("What the cells hold"), choices=_KINDS)
    rules = forms.ChoiceField(
        label=_("Rules"), help_text=_("What makes a cell sensitive. The content of the rules is secret.")
    )
    base = forms.FloatField(
        label=_("Round all cells to multiples of"), required=False,
        help_text=_("Instead of hiding cells. If empty, cells are hidden."),
    )  # fmt: skip
    least = forms.ChoiceField(label=_("Hiding cells that are not sensitive should cost"), choices=_LEAST)
    total = forms.CharField(label=_("What totals are called"), max_length=60)
    negative = forms.BooleanField(label=_("Readers do not know that no value is below zero"), required=False)

    def __init__(self, *args: Any, sets: Sequence[RuleSet], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        words = {True: gettext("for counts of persons"), False: gettext("for amounts and rows")}
        self.fields["rules"].choices = [  # type: ignore[attr-defined]
            (str(one.id), f"{one} · {words[one.counts]}") for one in sets
        ]
        self.fields["total"].initial = gettext("Total")

    def _common(self) -> dict[str, Any]:
        given = self.cleaned_data
        return {name: given[name] for name in ("kind", "base", "least", "total", "negative")}


class MakeForm(_TableForm):
    """A table from the project's data."""

    draft_name = "statistics.make"

    source = forms.ChoiceField(label=_("Data set"), required=False)
    column = forms.ChoiceField(label=_("Column that is added up"), required=False)
    holding = forms.ChoiceField(
        label=_("One contributor by the column"), required=False,
        help_text=_("Where it is not empty, rows with the same value belong to one contributor: a family, a company, a group of companies."),
    )  # fmt: skip
    span1 = forms.ChoiceField(label=_("Spanned by"))
    tree1 = _tree(_("Its groups"))
    span2 = forms.ChoiceField(label=_("And by"), required=False)
    tree2 = _tree(_("Groups of the second"))
    span3 = forms.ChoiceField(label=_("And by a third"), required=False)
    tree3 = _tree(_("Groups of the third"))
    field_order = (
        "title", "source", "kind", "column", "span1", "tree1", "span2", "tree2", "span3", "tree3", "holding", "rules", "base",
        "least", "total", "negative",
    )  # fmt: skip

    def __init__(
        self,
        *args: Any,
        sources: Sequence[tuple[str, str]],
        columns: Sequence[str],
        everything: Sequence[str],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["source"].choices = sources  # type: ignore[attr-defined]
        for name in ("column", *(f"span{place}" for place in SPANS)):
            self.fields[name].choices = [("", "–"), *((one, one) for one in columns)]  # type: ignore[attr-defined]
        self.fields["holding"].choices = [("", "–"), *((one, one) for one in everything)]  # type: ignore[attr-defined]

    def definition(self) -> Definition:
        """What is asked for; EngineError where it does not fit together."""
        given = self.cleaned_data
        spans = [
            {"column": given[f"span{place}"], "tree": _lines(given[f"tree{place}"])}
            for place in SPANS
            if given[f"span{place}"]
        ]
        column = given["column"] if given["kind"] == "sum" else ""
        return validated(
            Definition,
            {**self._common(), "column": column, "holding": given["holding"], "spans": spans},
            "table",
        )


class AskForm(KeptForm):
    """What a recipient of an enclave asks for; by which rules it is protected is the organisation's."""

    draft_name = "statistics.ask"

    title = forms.CharField(label=_("Title"), max_length=120)
    purpose = forms.CharField(
        label=_("What it is needed for"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("The supervisor and senior management read it. It is recorded in the audit log."),
    )
    source = forms.ChoiceField(label=_("Data set"), required=False)
    kind = forms.ChoiceField(label=_("What the cells hold"), choices=_KINDS)
    column = forms.ChoiceField(label=_("Column that is added up"), required=False)
    span1 = forms.ChoiceField(label=_("Spanned by"))
    span2 = forms.ChoiceField(label=_("And by"), required=False)
    span3 = forms.ChoiceField(label=_("And by a third"), required=False)

    def __init__(self, *args: Any, sources: Sequence[str], columns: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["source"].choices = [(name, name) for name in sources]  # type: ignore[attr-defined]
        if list(sources) == [""]:
            del self.fields["source"]
        for name in ("column", *(f"span{place}" for place in SPANS)):
            self.fields[name].choices = [("", "–"), *((one, one) for one in columns)]  # type: ignore[attr-defined]

    def definition(self) -> Definition:
        """What is asked for; EngineError where it does not fit together."""
        given = self.cleaned_data
        spans = [{"column": given[f"span{place}"]} for place in SPANS if given[f"span{place}"]]
        column = given["column"] if given["kind"] == "sum" else ""
        total = gettext("Total")
        return validated(
            Definition, {"kind": given["kind"], "column": column, "spans": spans, "total": total}, "table"
        )


class ImportForm(_TableForm):
    """A table that was made elsewhere."""

    draft_name = "statistics.bring"

    file = forms.FileField(
        label=_("CSV file"),
        help_text=_(
            "One cell per row: the labels, “value”, and for sums “contributors”, “largest1”, "
            "“largest2” and so on. At most 1 MB; it is stored encrypted."
        ),
    )  # fmt: skip
    span1 = forms.CharField(label=_("Column that has groups"), required=False, max_length=512)
    tree1 = _tree(_("Its groups"))
    span2 = forms.CharField(label=_("Second column that has groups"), required=False, max_length=512)
    tree2 = _tree(_("Groups of the second"))
    field_order = (
        "title",
        "file",
        "kind",
        "span1",
        "tree1",
        "span2",
        "tree2",
        "rules",
        "base",
        "least",
        "total",
        "negative",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["kind"].choices = _IMPORTED  # type: ignore[attr-defined]

    def clean_file(self) -> bytes:
        upload = self.cleaned_data["file"]
        if upload.size > UPLOAD_LIMIT:
            raise forms.ValidationError(gettext("The file is larger than 1 MB."))
        content: bytes = upload.read()
        return content

    def definition(self) -> Definition:
        """What is asked for; EngineError where it does not fit together."""
        given = self.cleaned_data
        spans = [
            {"column": given[f"span{place}"], "tree": _lines(given[f"tree{place}"])}
            for place in (1, 2)
            if given[f"span{place}"]
        ]
        column = "value" if given["kind"] == "sum" else ""
        return validated(Definition, {**self._common(), "column": column, "spans": spans}, "table")


class DecideForm(SignedForm):
    """The word of the supervisor or of senior management, which lets a table out or keeps it in."""

    reason = forms.CharField(
        label=_("Reason of the decision"), max_length=500, widget=forms.Textarea(attrs={"rows": 2})
    )


def _lines(text: str) -> list[list[str]]:
    """The rows of a hierarchy as they were typed."""
    rows = csv.reader(text.splitlines(), skipinitialspace=True)
    return [[cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row)]
