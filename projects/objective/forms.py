"""Forms of the target: they translate between a page and typed content, and decide nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _translated
from django.utils.translation import gettext_lazy as _

from approvals.decisions.models import Decision
from projects.core.drafts.forms import KeptForm
from projects.core.enums import SharingType
from projects.core.forms import SHARING_HINTS, DecisionForm, OfferingForm
from projects.datasets.upload.uploading import FIELD
from techniques import catalogue

from . import enums, wording
from .surroundings.profile import fields as profile_fields
from .surroundings.profile.acts import acts_of
from .targets.conditions import CONDITION_TARGETS, FIGURE_TARGETS, OPTIONAL_TARGETS
from .targets.content import (
    DEADLINE_STAGES,
    LONG,
    MOST_QUERIES,
    PREPARING,
    Factors,
    Plan,
    RelatedRelease,
    Scope,
)
from .targets.reading import factors_read, plan_read, risk_read, scope_read
from .targets.risk import RiskTargets, risk_defaults, scenario_shared


def _question(field: forms.Field, question: wording.Question) -> forms.Field:
    field.label, field.help_text = question.label, question.hint
    field.clause = question.clause  # type: ignore[attr-defined]
    return field


def long_text(rows: int = 4, required: bool = True) -> forms.CharField:
    """A text of several lines, as long as an answer of the target may be."""
    return forms.CharField(
        widget=forms.Textarea(attrs={"rows": rows}), max_length=LONG, required=required, strip=True
    )


class ContentForm(KeptForm):
    """A form whose typed content is ``content`` after a successful ``is_valid``."""

    keeps_ticks = True
    content: Any = None

    def ask(self, questions: Mapping[str, wording.Question]) -> None:
        """Ask each field's question; where sentences are offered, above them."""
        for name, question in questions.items():
            _question(self.fields.get(f"{name}_chosen") or self.fields[name], question)

    def read(self, data: dict[str, Any]) -> Any:
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            try:
                self.content = self.read(data)
            except ValidationError as error:
                for field, messages in error.message_dict.items():
                    self.add_error(field if field in self.fields else None, messages)
        return data


class SharingForm(forms.Form):
    """Step 1. The confirmation is asked for by the rule, and so only where it matters."""

    sharing_type = forms.ChoiceField(
        label=_("How will the data be shared?"), choices=SharingType.choices, widget=forms.RadioSelect
    )
    irrevocable_understood = forms.BooleanField(
        label=_("I understand that completely public data can never be recalled."),
        help_text=_("Only needed for completely public sharing."),
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["sharing_type"].choice_hints = SHARING_HINTS  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("sharing_type") == SharingType.PUBLIC and not data.get("irrevocable_understood"):
            self.add_error("irrevocable_understood", _("Confirm this for completely public sharing."))
        return data


class ScopeForm(ContentForm, OfferingForm):
    """Step 2: six factors."""

    offers = {
        "laws": tuple(wording.DEMANDS.values()),
        "relation": (wording.NOTHING_DISCLOSED,),
    }

    regulations = forms.MultipleChoiceField(
        choices=enums.Regulation.choices, widget=forms.CheckboxSelectMultiple
    )
    laws = long_text()
    classification = forms.ChoiceField(choices=enums.Classification.choices, widget=forms.RadioSelect)
    policy = long_text()
    promise = forms.ChoiceField(choices=enums.Promise.choices, widget=forms.RadioSelect)
    source = long_text()
    business = long_text()
    use = long_text()
    use_risk = forms.ChoiceField(choices=enums.Level.choices, widget=forms.RadioSelect)
    related = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)
    relation = long_text()

    def __init__(
        self, *args: Any, history: list[RelatedRelease], register_names: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        # Whether the last look-up of the register found anything.
        self.register_names = register_names
        # Ticked ones that the person may no longer see stay, so that saving does not drop them unseen.
        self.history = {row.number: row for row in history}
        self.ask(wording.SCOPE)
        related = self.fields["related"]
        assert isinstance(related, forms.MultipleChoiceField)
        # Those that are ticked stand first: the list may be long.
        ticked = set(self.initial.get("related") or ())
        rows = sorted(self.history.values(), key=lambda row: row.number not in ticked)
        related.choices = [(row.number, wording.named(row)) for row in rows]

    def follows(self, name: str, chosen: Mapping[str, list[str]]) -> Iterable[Any]:
        """What a ticked law demands is offered beside it; left open, it is what the ticked ones demand."""
        ticked = self.cleaned_data.get("regulations") or []
        return [wording.DEMANDS[one] for one in ticked if one in wording.DEMANDS] if name == "laws" else ()

    @staticmethod
    def initial_of(scope: dict[str, Any]) -> dict[str, Any]:
        return {**scope, "related": [row["number"] for row in scope.get("related", [])]}

    def clean(self) -> dict[str, Any]:
        chosen = self.cleaned_data.get("relation_chosen")
        if chosen and self.cleaned_data.get("related"):
            self.add_error(
                "relation", _("Releases are ticked above: state what was disclosed, or untick them.")
            )
        elif chosen and self.register_names:
            self.add_error(
                "relation",
                _("The register of releases names some: tick them, or say why they are not related."),
            )
        return super().clean()

    def read(self, data: dict[str, Any]) -> Scope:
        related = [self.history[number].model_dump(mode="json") for number in data["related"]]
        return scope_read({**data, "related": related})


class NoticeForm(forms.Form):
    """Only draws the field; the file itself is received by ``notice_files``."""

    file = forms.FileField(
        label=_("Privacy notice or consent text"),
        help_text=_("PDF or plain text, at most 20 MB. It is encrypted as it arrives."),
        widget=forms.ClearableFileInput(attrs={"accept": ".pdf,.txt"}),
    )

    assert FIELD == "file"


class FactorsForm(ContentForm, OfferingForm):
    """Step 3: five factors."""

    offers = {
        "protection": (
            _(
                "The agreement requires the recipient to apply them; the planning manager asks for evidence before the release and at each re-assessment."
            ),
        ),
        "risk_level": (
            _(
                "The recipients are known, few and bound by an agreement: the average over the persons decides, with a cap for each."
            ),
            _("Anyone may look for anyone: the person who is easiest to find decides."),
        ),
        "applicability": (
            _(
                "Each record has to stay true: values are made coarser, replaced or removed, but none are made up."
            ),
            _("Records of one person have to be linkable, so identifiers are replaced by pseudonyms."),
            _(
                "Figures about many persons have to be right but individual values do not, so noise may be added."
            ),
        ),
    }
    TRUE_RECORDS = "0"
    """The offered reason by which no value is made up."""
    MAKE_UP = (enums.Candidate.RANDOMISATION, enums.Candidate.SYNTHESIS, enums.Candidate.DIFFERENTIAL_PRIVACY)

    use_after = long_text()
    personal_information = long_text()
    protections = forms.MultipleChoiceField(
        choices=enums.Protection.choices, widget=forms.CheckboxSelectMultiple
    )
    protection = long_text()
    risk_model = forms.ChoiceField(choices=enums.RiskModel.choices, widget=forms.RadioSelect)
    risk_level = long_text()
    candidates = forms.MultipleChoiceField(
        choices=enums.Candidate.choices, widget=forms.CheckboxSelectMultiple
    )
    applicability = long_text()
    acts = forms.ChoiceField(choices=profile_fields.CHOICES, widget=forms.RadioSelect, required=False)
    allowed = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple, required=False)
    queries_a_day = forms.IntegerField(min_value=1, max_value=MOST_QUERIES, required=False)

    def __init__(self, *args: Any, sharing_type: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sharing_type = sharing_type
        self.ask(wording.FACTORS | wording.PROFILE)
        permitted = acts_of(sharing_type)
        allowed = self.fields["allowed"]
        assert isinstance(allowed, forms.MultipleChoiceField)
        allowed.choices = [(act.value, act.label) for act in permitted]
        if enums.Act.QUERY not in permitted:
            del self.fields["queries_a_day"]

    @staticmethod
    def initial_of(factors: Mapping[str, Any]) -> dict[str, Any]:
        return profile_fields.as_fields({"profile": None, **factors})

    def clean(self) -> dict[str, Any]:
        chosen, candidates = (
            self.cleaned_data.get("applicability_chosen"),
            self.cleaned_data.get("candidates"),
        )
        if self.TRUE_RECORDS in (chosen or ()) and set(self.MAKE_UP) & set(candidates or ()):
            text = _(
                "Techniques that make up values are ticked: state why they are suitable, or untick them."
            )
            self.add_error("applicability", text)
        return super().clean()

    def read(self, data: dict[str, Any]) -> Factors:
        return factors_read(profile_fields.as_content(data, self.sharing_type), self.sharing_type)


def _probability(**more: Any) -> forms.FloatField:
    return forms.FloatField(
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "any", "min": "0", "max": "1"}),
        **more,
    )


class RiskForm(ContentForm, OfferingForm):
    """Step 4, first half: the acceptable risk."""

    offers = {
        "why": (
            _(
                "They are the values that the sharing type suggests; neither the data nor their use requires others."
            ),
        )
    }

    k = forms.IntegerField(min_value=2, max_value=100_000)
    measure = forms.ChoiceField(
        choices=[("max", _("Maximum risk")), ("strict_average", _("Strict average risk"))],
        widget=forms.RadioSelect,
    )
    max_risk = _probability()
    average_risk = _probability(required=False)
    strict_cap = _probability()
    context_risk = _probability()
    context_reason = long_text(3, required=False)
    overall_threshold = _probability()
    suppression_limit = _probability()
    reassess_months = forms.IntegerField(min_value=1, max_value=60)
    circulation = forms.ChoiceField(required=False)
    why = long_text(3)

    def __init__(self, *args: Any, sharing_type: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sharing_type = sharing_type
        self._ask_circulation()
        for target in OPTIONAL_TARGETS:
            self.fields[target.name] = forms.FloatField(
                required=False,
                min_value=target.least,
                max_value=target.most,
                widget=forms.NumberInput(attrs={"step": "any"}),
            )
            if target.kind:
                choices = [(key, kind.label) for key, kind in target.kinds.items()]
                self.fields[target.kind] = forms.ChoiceField(choices=choices, required=False)
        self.order_fields([*wording.RISK, "why_chosen"])
        self.ask(wording.RISK)
        self.fields["reassess_months"].unit = _("months")  # type: ignore[attr-defined]
        self.fields["measure"].choice_hints = {  # type: ignore[attr-defined]
            "max": _(
                "The person who is easiest to find decides. The only measure for completely public sharing."
            ),
            "strict_average": _("The mean over all persons decides, and nobody may exceed the cap."),
        }

    AS_SHARED = {
        enums.Circulation.INTERNAL: _("As the sharing type has it: the data stay within the enclave"),
        enums.Circulation.EXTERNAL: _("As the sharing type has it: to other organisations"),
    }

    def _ask_circulation(self) -> None:
        """What the sharing type has first; public data travel everywhere, and nothing is asked."""
        if self.sharing_type == SharingType.PUBLIC:
            self.fields["circulation"].widget = forms.HiddenInput()
            return
        own = enums.Circulation(scenario_shared(self.sharing_type).value)
        other = next(one for one in enums.Circulation if one is not own)
        self.fields["circulation"].choices = [("", self.AS_SHARED[own]), (other.value, other.label)]  # type: ignore[attr-defined]

    @staticmethod
    def initial_of(targets: RiskTargets) -> dict[str, Any]:
        return {
            name: round(value, 4) if isinstance(value, float) else value
            for name, value in targets.model_dump(mode="json").items()
        }

    SUGGESTED = _(
        "They are the values that the sharing type suggests; why that risk is right is explained under the risk level."
    )
    """The reason that follows where the values were left as they are suggested."""

    def follows(self, name: str, chosen: Mapping[str, list[str]]) -> Iterable[Any]:
        return (self.SUGGESTED,)

    def clean(self) -> dict[str, Any]:
        is_said = bool(self.cleaned_data.get("why_chosen")) or not self.cleaned_data.get("why")
        data = super().clean()
        if is_said and self.content is not None:
            found, suggested = self.content, risk_defaults(self.sharing_type)
            if self.initial_of(found) | {"why": ""} != self.initial_of(suggested) | {"why": ""}:
                self.add_error(
                    "why",
                    _(
                        "The values differ from those that the sharing type suggests: state why these are right."
                    ),
                )
        return data

    def read(self, data: dict[str, Any]) -> RiskTargets:
        if data["measure"] == "max":
            # Filled in from a default of the other measure; it says nothing here.
            data = {**data, "average_risk": None}
        data = {**data, "circulation": data.get("circulation") or None}
        # Nothing chosen means the first choice; it counts only where there is a bound.
        kinds = {
            target.kind: data.get(target.kind) or next(iter(target.kinds))
            for target in OPTIONAL_TARGETS
            if target.kind
        }
        return risk_read({**data, **kinds}, self.sharing_type)

    @property
    def condition_names(self) -> str:
        """The fields about sensitive attributes, for the card that they stand in."""
        return ",".join(name for target in CONDITION_TARGETS for name in target.names)

    @property
    def figure_names(self) -> str:
        """The fields about further figures, for the card that they stand in."""
        return ",".join(name for target in FIGURE_TARGETS for name in target.names)


class PlanForm(ContentForm, OfferingForm):
    """Step 5: nine sections, and with the scheme how the data are prepared."""

    UNPREPARED = "none"
    SAME_FORM = _("Nothing is prepared: according to the owner of the source, each column has a single form.")
    preparation_explanation = long_text(4)
    offers = {"preparation_explanation": (SAME_FORM,)}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for section in enums.Section:
            question = wording.Question(section.label, wording.PLAN_HINTS[section.value], "5.2.4")
            self.fields[section.value] = _question(long_text(6), question)
            if section is enums.Section.SCHEME:
                self._ask_preparation()
        for stage in DEADLINE_STAGES:
            day = forms.DateField(
                widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"), required=False
            )
            self.fields[f"deadline_{stage}"] = _question(day, wording.DEADLINES[stage])

    def _ask_preparation(self) -> None:
        """One choice for each place in the order; the first may say that nothing is prepared."""
        steps = [(key, _translated(catalogue.get(key).name)) for key in PREPARING]
        first = [("", ""), (self.UNPREPARED, _("Nothing is prepared")), *steps]
        for place, question in enumerate(wording.PREPARATION):
            offered = first if place == 0 else [("", "–"), *steps]
            look = forms.RadioSelect if place == 0 else forms.Select
            field = forms.ChoiceField(
                choices=offered[1:] if place == 0 else offered, widget=look, required=place == 0
            )
            if place == 0:
                said = _("Recorded for it if you write nothing else below: %(sentence)s") % {
                    "sentence": self.SAME_FORM
                }
                field.choice_hints = {self.UNPREPARED: said}  # type: ignore[attr-defined]
            self.fields[f"preparation_{place + 1}"] = _question(field, question)
        for name in ("preparation_explanation_chosen", "preparation_explanation"):
            # Behind the places that it explains.
            self.fields[name] = self.fields.pop(name)
        self.ask({"preparation_explanation": wording.PREPARATION_EXPLAINED})

    def follows(self, name: str, chosen: Mapping[str, list[str]]) -> Iterable[Any]:
        """Who says that nothing is prepared reads beside it what that is taken to mean."""
        return (self.SAME_FORM,) if self.cleaned_data.get("preparation_1") == self.UNPREPARED else ()

    @staticmethod
    def initial_of(plan: Mapping[str, Any]) -> dict[str, Any]:
        """What the form shows of a plan; nothing is chosen for a plan that does not say how data are prepared."""
        sections = {name: text for name, text in plan.items() if name not in ("preparation", "deadlines")}
        sections |= {f"deadline_{stage}": day for stage, day in (plan.get("deadlines") or {}).items()}
        if (said := plan.get("preparation")) is None:
            return sections
        steps = said["steps"] or [PlanForm.UNPREPARED]
        places = {f"preparation_{place}": key for place, key in enumerate(steps, start=1)}
        return sections | places | {"preparation_explanation": said["explanation"]}

    def read(self, data: dict[str, Any]) -> Plan:
        chosen = [data[f"preparation_{place + 1}"] for place in range(len(wording.PREPARATION))]
        named = [key for key in chosen if key]
        if named != [self.UNPREPARED] and str(self.SAME_FORM) in data["preparation_explanation"]:
            raise ValidationError({"preparation_explanation": [_("Steps are named: state what they do.")]})
        if self.UNPREPARED in named and len(named) > 1:
            text = _("Either state that nothing is prepared, or name steps.")
            raise ValidationError({"preparation_1": [text]})
        said = {
            "steps": [key for key in named if key != self.UNPREPARED],
            "explanation": data["preparation_explanation"],
        }
        sections = {section.value: data[section.value] for section in enums.Section}
        days = {stage: day for stage in DEADLINE_STAGES if (day := data[f"deadline_{stage}"])}
        try:
            return plan_read(sections | {"preparation": said, "deadlines": days or None}, stated=True)
        except ValidationError as error:
            fields = error.message_dict
            if "preparation" in fields:
                fields["preparation_1"] = fields.pop("preparation")
            if "deadlines" in fields:
                fields["deadline_objective"] = fields.pop("deadlines")
            raise ValidationError(fields) from None


class PlanDecisionForm(DecisionForm):
    hints = {
        Decision.APPROVED: _("Data may be uploaded and processed under exactly this version."),
        Decision.RETURNED: _("The planning manager works on it and submits it again."),
        Decision.REJECTED: _("The project ends here."),
    }
