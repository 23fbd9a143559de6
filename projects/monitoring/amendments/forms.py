"""Forms by which an amendment is proposed, reviewed and decided; those of the target and its surroundings serve again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.core.drafts.forms import KeptForm
from projects.core.forms import SignedForm
from projects.identification.enums import ColumnRole
from projects.objective.forms import RiskForm
from projects.objective.surroundings.forms import ContextForm
from projects.objective.targets.risk import RiskTargets

from .selectors import labelled, role_label
from .yardstick import CONTEXT

LONG = 2000


def _text(rows: int, **more: Any) -> forms.CharField:
    return forms.CharField(widget=forms.Textarea(attrs={"rows": rows}), max_length=LONG, strip=True, **more)


class AmendedTargetsForm(RiskForm):
    """The risk targets in force, to be set otherwise; what is about the surroundings has a form of its own."""

    draft_name = "monitoring.targets"
    offers = {}

    def __init__(self, *args: Any, now: RiskTargets, **kwargs: Any) -> None:
        super().__init__(*args, initial=self.initial_of(now) | {"why": ""}, **kwargs)
        self.now = now
        for name in CONTEXT:
            del self.fields[name]
        self.fields["why"].label = _("Why the targets are amended")
        self.fields["why"].help_text = _("What changed, so that what was signed is not right any more.")

    def read(self, data: dict[str, Any]) -> RiskTargets:
        # What was left as it stood keeps all its digits, which the form shows rounded.
        held = self.now.model_dump(mode="json")
        left = {name: held[name] for name in held if name not in self.changed_data and name in data}
        context = {name: held[name] for name in CONTEXT}
        return super().read({**data, **left, **context})


class AmendedSurroundingsForm(ContextForm):
    """The questions about the surroundings, answered as they are today."""

    draft_name = "monitoring.surroundings"
    why = _text(
        3,
        label=_("What changed in the surroundings"),
        help_text=_("And since when, so that the earlier answers are not right any more."),
    )


class AmendedColumnsForm(KeptForm):
    """Columns of the release that turned out to be what nobody took them for."""

    draft_name = "monitoring.columns"

    columns = forms.MultipleChoiceField(
        label=_("Columns of the release"), widget=forms.CheckboxSelectMultiple
    )
    role = forms.ChoiceField(
        label=_("What they turned out to be"),
        choices=[(one.value, one.label) for one in (ColumnRole.QUASI, ColumnRole.SENSITIVE)],
        widget=forms.RadioSelect,
    )
    why = _text(
        3,
        label=_("How that became known"),
        help_text=_(
            "Which outside data or event shows it, since when, and who can get at it. No personal data here."
        ),
    )

    def __init__(self, *args: Any, held: Mapping[tuple[str, str], str], **kwargs: Any) -> None:
        """``held``: (table, column) of the release → what it counts as now."""
        super().__init__(*args, **kwargs)
        self.held = held
        field: Any = self.fields["columns"]
        text = str(_("%(column)s (now: %(role)s)"))
        field.choices = [
            (str(place), text % {"column": labelled(*one), "role": role_label(role)})
            for place, (one, role) in enumerate(held.items())
        ]
        role_field: Any = self.fields["role"]
        role_field.choice_hints = {
            ColumnRole.QUASI.value: _("Persons can be told apart by it: it counts in the classes."),
            ColumnRole.SENSITIVE.value: _(
                "It must not become known: what is asked of sensitive attributes is asked of it."
            ),
        }

    @property
    def named(self) -> list[tuple[str, str]]:
        places = list(self.held)
        return [places[int(one)] for one in self.cleaned_data["columns"]]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        role = data.get("role")
        if role and "columns" in data:
            same = [labelled(*one) for one in self.named if self.held[one] == role]
            if same:
                said = _("These already count as that: %(columns)s") % {"columns": _(", ").join(same)}
                self.add_error("columns", said)
        return data


class AmendmentReviewForm(forms.Form):
    """The supervisor's review of exactly what the page shows."""

    outcome = forms.ChoiceField(
        label=_("Conclusion"),
        choices=[("pass", _("Pass it on to senior management")), ("refuse", _("Refuse the amendment"))],
        widget=forms.RadioSelect,
    )
    review = _text(
        3,
        label=_("Result of the review"),
        help_text=_("What the reason was checked against, and whether the new values follow from it."),
    )


class AmendmentDecisionForm(SignedForm):
    """Senior management's decision about exactly what the page shows."""

    decision = forms.ChoiceField(
        label=_("Decision"),
        choices=[("approve", _("Approve the amendment")), ("refuse", _("Refuse the amendment"))],
        widget=forms.RadioSelect,
    )
    reason = _text(
        3,
        label=_("Reason for the decision"),
        help_text=_("It is recorded in the audit log: do not include personal data."),
    )
