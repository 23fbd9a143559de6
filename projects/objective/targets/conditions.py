"""What the targets ask of every sensitive attribute of the result (B.1.2, B.1.3): a field and a row for each condition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from django.utils.translation import gettext_lazy as _
from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from .content import Content


class ConditionTargets(Content):
    """``l``, ``t`` and ``beta`` bind every class in every sensitive attribute of the result, each None where it is not
    asked for; ``l`` by entropy may be a fraction. So are ``at_risk``, the share of records whose risk is ``at_risk_above``,
    ``membership``, the chance of guessing who was learned from, ``presence``, with which somebody of the population table is
    known to be in the result, ``attacks``, what attacks on the result may do better than without the persons' records, ``intruders``, whom people may recognise who try, and ``epsilon``, of differentially private rows."""

    l: float | None = Field(default=None, ge=2, le=1000, allow_inf_nan=False)  # noqa: E741 - the model's own letter
    l_kind: Literal["distinct", "entropy"] = "distinct"
    t: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    t_distance: Literal["equal", "ordered"] = "equal"
    beta: float | None = Field(default=None, ge=0, le=1000, allow_inf_nan=False)
    alpha: float | None = Field(default=None, gt=0, le=1, allow_inf_nan=False)
    at_risk: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    at_risk_above: Literal["0.05", "0.075", "0.1"] = "0.05"
    membership: float | None = Field(default=None, ge=0.5, le=1, allow_inf_nan=False)
    presence: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    attacks: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    attacks_known: Literal["exact", "noisy"] = "exact"
    intruders: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    epsilon: float | None = Field(default=None, gt=0, le=1000, allow_inf_nan=False)

    @property
    def conditions(self) -> dict[str, Any]:
        """The same as a model's settings say it of one attribute; empty where nothing is asked."""
        bounds: dict[str, Any] = {}
        if self.l is not None:
            bounds[self.l_kind] = int(self.l) if self.l_kind == "distinct" else self.l
        if self.t is not None:
            bounds |= {"t": self.t, "distance": self.t_distance}
        if self.beta is not None:
            bounds["beta"] = self.beta
        if self.alpha is not None:
            bounds["alpha"] = self.alpha
        return bounds

    @model_serializer(mode="wrap")
    def _without_unset(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # What was saved, approved and hashed before a condition could be asked for stays the same, letter by letter.
        found: dict[str, Any] = handler(self)
        for target in OPTIONAL_TARGETS:
            own = {name: found.pop(name) for name in target.names}
            if own[target.name] is not None:
                found |= own
        return found


class Kind(NamedTuple):
    """One way to measure a condition: what a choice calls it, and what is asked, about the condition's ``name``."""

    label: Any
    plain: Any


@dataclass(frozen=True)
class ConditionTarget:
    """The row of a condition: its question, its bounds, and what it asks in words.

    ``kinds`` are the ways to measure it, the first being meant where none is chosen in the field ``kind``; a condition
    that is measured in one way has no such field.
    """

    name: str
    clause: str
    label: Any
    hint: Any
    sense: str
    least: float
    most: float
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    kind: str = ""
    kind_label: Any = ""
    unit: str = "number"

    @property
    def names(self) -> list[str]:
        """Its fields in the targets and in the form."""
        return [name for name in (self.name, self.kind) if name]

    def plain(self, targets: ConditionTargets) -> Any:
        """What is asked, about ``name``."""
        return self.kinds[getattr(targets, self.kind) if self.kind else ""].plain


CONDITION_TARGETS = (
    ConditionTarget(
        name="alpha",
        clause="B.1.2",
        label=_("Greatest share of a value in a class (α)"),
        hint=_("No sensitive value has more than this share of a class. Leave empty if not required."),
        sense="at_most",
        least=0,
        most=1,
        kinds={"": Kind("", _("No sensitive value has more than the share %(alpha)s of any class."))},
    ),
    ConditionTarget(
        name="l",
        clause="B.1.2",
        label=_("Least variety of every sensitive attribute (l)"),
        hint=_(
            "At least this many different values in every class, for each sensitive attribute of the result. Leave empty if not required."
        ),
        sense="at_least",
        least=2,
        most=1000,
        kind="l_kind",
        kind_label=_("How variety is counted"),
        kinds={
            "distinct": Kind(
                _("By different values"),
                _("In every class each sensitive attribute has at least %(l)s different values."),
            ),
            "entropy": Kind(
                _("By entropy"),
                _(
                    "Every class is as varied in each sensitive attribute as if %(l)s values were equally frequent."
                ),
            ),
        },
    ),
    ConditionTarget(
        name="t",
        clause="B.1.3",
        label=_("Greatest distance from the whole table (t)"),
        hint=_(
            "How far the values of every sensitive attribute in a class may be from those of "
            "everyone, 0 to 1. Leave empty if not required."
        ),
        sense="at_most",
        least=0,
        most=1,
        kind="t_distance",
        kind_label=_("How the distance is measured"),
        kinds={
            "equal": Kind(
                _("All values are equally far apart"),
                _("No class is further than %(t)s from the whole table in any sensitive attribute."),
            ),
            "ordered": Kind(
                _("By their order"),
                _(
                    "No class is further than %(t)s from the whole table in any sensitive attribute, by the order of its values."
                ),
            ),
        },
    ),
    ConditionTarget(
        name="beta",
        clause="B.1.3",
        label=_("Greatest gain of a value over the whole table (β)"),
        hint=_(
            "By how many times its share in the whole table the share of a sensitive value in a class"
            " may exceed it: 1 allows twice the share. Leave empty if not required."
        ),
        sense="at_most",
        least=0,
        most=1000,
        kinds={
            "": Kind(
                "",
                _(
                    "In no class does the share of a sensitive value exceed that in the whole table by more than "
                    "%(beta)s times the latter."
                ),
            )
        },
    ),
)

FIGURE_TARGETS = (
    ConditionTarget(
        name="at_risk",
        clause="B.1.4.1 a",
        label=_("Greatest share of persons at risk"),
        hint=_("What share of all persons may be above the threshold, 0 to 1. Leave empty if not required."),
        sense="at_most",
        least=0,
        most=1,
        unit="share",
        kind="at_risk_above",
        kind_label=_("Threshold above which a person is at risk"),
        kinds={
            "0.05": Kind(
                _("0.05: great harm"),
                _(
                    "At most a share of %(at_risk)s of the persons can be found with a probability above 0.05."
                ),
            ),
            "0.075": Kind(
                _("0.075: medium harm"),
                _(
                    "At most a share of %(at_risk)s of the persons can be found with a probability above 0.075."
                ),
            ),
            "0.1": Kind(
                _("0.1: little harm"),
                _("At most a share of %(at_risk)s of the persons can be found with a probability above 0.1."),
            ),
        },
    ),
    ConditionTarget(
        name="membership",
        clause="4.3.2 d",
        label=_("Greatest membership risk of made-up rows"),
        hint=_(
            "The probability with which it may be guessed who was learned from, 0.5 (guessing) to 1. "
            "If empty, what the run's test accepts as chance."
        ),
        sense="at_most",
        least=0.5,
        most=1,
        kinds={
            "": Kind(
                "",
                _(
                    "Who was learned from can be guessed with a probability of at most %(membership)s (one half is guessing)."
                ),
            )
        },
    ),
    ConditionTarget(
        name="presence",
        clause="4.3.2 d",
        label=_("Greatest probability that someone is known to be in the data (δ)"),
        hint=_(
            "For everyone in the population table, which has to be named with the data set; 0 to 1. Leave empty if not required."
        ),
        sense="at_most",
        least=0,
        most=1,
        unit="share",
        kinds={
            "": Kind(
                "",
                _(
                    "The probability that someone in the population table is known to be in the data is at most %(presence)s."
                ),
            )
        },
    ),
    ConditionTarget(
        name="attacks",
        clause="5.5.2 d, e",
        label=_("Greatest success of attacks that are tried on the result"),
        hint=_(
            "An insider looks for records, predicates single out, secrets are inferred: in how many of the cases in which chance or "
            "the control fails, 0 to 1; empty: no such test is asked for."
        ),
        sense="at_most",
        least=0,
        most=1,
        unit="share",
        kind="attacks_known",
        kind_label=_("What the attacker knows of the quasi-identifiers"),
        kinds={
            "exact": Kind(
                _("All of them, exactly"),
                _(
                    "Attacks by all quasi-identifiers succeed in at most a share of %(attacks)s of the cases where chance or the control fails."
                ),
            ),
            "noisy": Kind(
                _("All of them, with errors: numbers off by up to 5 %, one other value in twenty wrong"),
                _(
                    "Attacks by quasi-identifiers that are known with errors succeed in at most a share of %(attacks)s of the cases where "
                    "chance or the control fails."
                ),
            ),
        },
    ),
    ConditionTarget(
        name="intruders",
        clause="5.5.2 d",
        label=_("Greatest share of persons whom people recognise who try"),
        hint=_(
            "In an intruder test of the result, whose claims are checked by others; the review waits for it. 0 to 1; empty: no such "
            "test is asked for."
        ),
        sense="at_most",
        least=0,
        most=1,
        unit="share",
        kinds={
            "": Kind(
                "",
                _(
                    "People who try to recognise somebody in the result succeed with at most a share of %(intruders)s of the persons."
                ),
            )
        },
    ),
    ConditionTarget(
        name="epsilon",
        clause="B.2",
        label=_("Greatest privacy budget (ε)"),
        hint=_(
            "For rows that are made up from noisy counts, all steps of all tables together. Leave empty if not required."
        ),
        sense="at_most",
        least=0,
        most=1000,
        kinds={
            "": Kind("", _("Differentially private rows spend at most ε = %(epsilon)s, all steps together."))
        },
    ),
)
"""Bounds of figures that are not asked for by default."""
OPTIONAL_TARGETS = (*CONDITION_TARGETS, *FIGURE_TARGETS)
