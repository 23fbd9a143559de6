"""The recipe editor: which treatments a column may have, what a draft says, and where an error belongs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from projects.core.numbers import whole_number
from projects.datasets.models import Dataset
from projects.datasets.selectors import dataset_columns
from projects.identification.enums import ENGINE_ROLE, ColumnRole
from projects.identification.models import ColumnVerdict
from projects.identification.selectors import verdicts_of
from projects.identification.wording import kind_names
from techniques import catalogue
from techniques.catalogue.family import FAMILIES, Family
from techniques.catalogue.technique import Scope, Technique
from techniques.core.messages import EngineError, gettext_noop
from techniques.recipe.policy import NATIONAL

from .. import wording
from ..recipes.policy import national_only
from ..recipes.suggestion import MODELS, REMOVAL, hierarchy_of, settings_for
from . import drafts, presets
from .drafts import Draft, StepDraft
from .forms import GeneralForm, StepForm
from .keeping import kept_text
from .target_bounds import TargetBounds, target_bounds

ROLE_TONES = {
    ColumnRole.DIRECT: "fail",
    ColumnRole.QUASI: "warn",
    ColumnRole.SENSITIVE: "info",
    ColumnRole.OTHER: "neutral",
}
_CONFLICTS = {
    "late": gettext_noop("%(column)s was treated by step %(earlier)s already; prepare it before that step."),
    "removed": gettext_noop("%(column)s is removed by step %(earlier)s already."),
    "read": gettext_noop("Step %(earlier)s reads the values of %(column)s; treat it before that step."),
    "sealed": gettext_noop(
        "Step %(earlier)s has made ciphertexts of %(column)s; this technique needs numbers."
    ),
}
"""What is said where two steps of a recipe do not go together, by how they do not."""
_STEP = re.compile(r"steps\[(\d+)\]\.?(.*)", re.DOTALL)


@dataclass
class Line:
    """One column of the file: its verdict, the steps that treat it, and what else could."""

    position: int
    column: str
    verdict: ColumnVerdict | None
    kind: str = ""
    treatments: list[tuple[int, str]] = field(default_factory=list)
    keeps: str = ""
    options: list[tuple[str, list[tuple[str, str]]]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def role_tone(self) -> str:
        return "unknown" if self.verdict is None else ROLE_TONES[ColumnRole(self.verdict.role)]

    @property
    def role_text(self) -> str:
        return _("No verdict yet") if self.verdict is None else str(ColumnRole(self.verdict.role).label)

    def fits(self, spec: Technique) -> bool:
        """Whether the technique is meant for columns with this verdict; a direct identifier is never left as it is."""
        if self.verdict is None:
            return False
        if self.verdict.role == ColumnRole.DIRECT and spec.family is Family.NONE:
            return False
        return ENGINE_ROLE[ColumnRole(self.verdict.role)] in {role.value for role in spec.roles}


class Editor:
    """One showing of the editor: a draft, its forms, and the lines of the columns."""

    def __init__(self, dataset: Dataset, draft: Draft) -> None:
        self.dataset, self.draft = dataset, draft
        self.header = dataset_columns(dataset)
        self.national = national_only()
        given, names = verdicts_of(dataset.table), kind_names()
        self.lines = [
            Line(position, column, found, names.get(found.kind, found.kind) if found else "")
            for position, column in enumerate(self.header)
            for found in [given.get(column)]
        ]
        self.completed = self.complete()
        self.general: GeneralForm
        self.steps: list[StepForm] = []
        self.errors: list[tuple[str, str]] = []
        """(text, anchor) of everything that is wrong."""
        self.unfit: list[str] = []
        """Columns that a treatment of several was not given to, because it is not meant for their verdicts."""

    def complete(self) -> list[bool]:
        """Fill in what the page shows before anybody entered it; of each step whether there was anything."""
        return self._completed(self.draft)

    def is_said_by(self, other: Draft) -> bool:
        """Whether other entries, completed likewise, say the same."""
        self._completed(other)
        return other.said == self.draft.said

    def _completed(self, draft: Draft) -> list[bool]:
        return [
            drafts.hierarchies_complete(step, {p: self._hierarchy(p) for p in step.columns})
            for step in draft.steps
        ]

    def _hierarchy(self, position: int) -> Mapping[str, Any]:
        verdict = self.lines[position].verdict
        return {"kind": "star"} if verdict is None else hierarchy_of(verdict)

    @property
    def places(self) -> dict[str, int]:
        return {column: position for position, column in enumerate(self.header)}

    # -- buttons --

    def act(self, action: str, argument: str, posted: Any) -> str:
        """Carry out one button; returns the anchor to come back to. Unknown ones change nothing."""
        first, _colon, second = argument.partition(":")
        number, position = whole_number(first), whole_number(second)
        if action in ("up", "down"):
            return drafts.step_move(self.draft, number, -1 if action == "up" else 1)
        if action == "remove":
            return drafts.step_remove(self.draft, number)
        if action == "out":
            return drafts.step_leave(self.draft, number, position)
        if action == "treat" and 0 <= number < len(self.lines):
            # One goes on in the sheet; the panel of the step would lie over it.
            self._treat(number, posted.get(f"t{number}", ""))
            return f"column-{number}"
        if action == "several":
            return self._several(posted)
        if action == "add":
            return self._add(posted.get("new", ""), [])
        return f"step-{number + 1}" if action == "refresh" else "steps"

    def _treat(self, position: int, choice: str) -> None:
        kind, _colon, value = choice.partition(":")
        verdict = self.lines[position].verdict
        found = presets.chosen(verdict.kind, value) if kind == "preset" and verdict is not None else None
        if kind == "join":
            drafts.step_join(self.draft, whole_number(value), position)
        elif kind == "new":
            self._add(value, [position])
        elif found is not None:
            drafts.step_add(self.draft, found[0], [position], found[1], self.places)

    def _several(self, posted: Any) -> str:
        """What is said of the columns that are ticked; ``open`` stands for every one that nothing is said about."""
        ticked = posted.getlist("pick")
        treated = {position for step in self.draft.steps for position in step.columns}
        chosen = [
            line
            for line in self.lines
            if str(line.position) in ticked or ("open" in ticked and line.position not in treated)
        ]
        choice = posted.get("several", "")
        kind, _colon, value = choice.partition(":")
        if kind == "join" and 0 <= (number := whole_number(value)) < len(self.draft.steps):
            key = self.draft.steps[number].technique
        elif kind == "new" and value in {spec.key for spec in catalogue.techniques()}:
            key = value
        elif choice == "none":
            key = ""
        else:
            return "recipe-columns"
        fitting = [line for line in chosen if not key or line.fits(catalogue.get(key))]
        self.unfit = [line.column for line in chosen if line not in fitting]
        if not fitting:
            return "recipe-columns"
        judged = [line.verdict for line in fitting if line.verdict is not None]
        given = settings_for(self.dataset.table, key, judged, self._sensitive()) if kind == "new" else {}
        positions = [line.position for line in fitting]
        instead = bool(posted.get("several-instead"))
        return drafts.columns_give(self.draft, choice, positions, given, self.places, instead=instead)

    def _add(self, key: str, columns: list[int]) -> str:
        if key not in {spec.key for spec in catalogue.techniques()}:
            return "steps"
        chosen = [self.lines[p].verdict for p in columns]
        judged = [verdict for verdict in chosen if verdict is not None]
        parameters = settings_for(self.dataset.table, key, judged, self._sensitive())
        return drafts.step_add(self.draft, key, columns, parameters, self.places)

    def _sensitive(self) -> list[str]:
        """The sensitive attributes that no step of the draft removes."""
        removed = {p for step in self.draft.steps if step.technique == REMOVAL for p in step.columns}
        return [
            line.column
            for line in self.lines
            if line.verdict is not None
            and line.verdict.role == ColumnRole.SENSITIVE
            and line.position not in removed
        ]

    def bounds(self, technique: str) -> TargetBounds | None:
        """What the targets ask of a step of ``technique``; None of one that is no model."""
        return target_bounds(self.dataset.table, self._sensitive()) if technique in MODELS else None

    # -- showing --

    def show(self, *, check: bool, note_required: bool) -> None:
        """Make the forms; with ``check`` they are validated as they are shown."""
        self.general = GeneralForm(self.draft.general, self.header, check=check, note_required=note_required)
        self.steps = [
            StepForm(step, number, self.header, self._eligible(step), check=check)
            for number, step in enumerate(self.draft.steps)
        ]
        if self.national:
            for form in self.steps:
                _narrow(form)
        for line in self.lines:
            line.treatments = [
                (number, wording.technique_name(step.technique))
                for number, step in enumerate(self.draft.steps)
                if line.position in step.columns
            ]
            line.keeps = kept_text([self.draft.steps[number].technique for number, _name in line.treatments])
            line.options = self._options(line)

    def _eligible(self, step: StepDraft) -> list[int]:
        spec = catalogue.get(step.technique)
        return [line.position for line in self.lines if line.fits(spec)]

    def _options(self, line: Line) -> list[tuple[str, list[tuple[str, str]]]]:
        joinable = [
            (
                f"join:{number}",
                _("Step %(number)s: %(technique)s")
                % {"number": number + 1, "technique": wording.technique_name(step.technique)},
            )
            for number, step in enumerate(self.draft.steps)
            if line.position not in step.columns and line.fits(catalogue.get(step.technique))
        ]
        groups = [(_("Add to a step"), joinable)] if joinable else []
        if line.verdict is not None and (known := presets.choices(line.verdict.kind)):
            groups.append((_("Usual for %(kind)s (C.2)") % {"kind": line.kind}, known))
        for family in Family:
            fitting = [
                (f"new:{spec.key}", _(spec.name))
                for spec in catalogue.techniques()
                if spec.family is family and line.fits(spec) and (spec.national or not self.national)
            ]
            if fitting:
                groups.append((_(FAMILIES[family].name), fitting))
        return groups

    # -- saving --

    def is_sound(self) -> bool:
        """Whether every entry can be read; fills :attr:`errors` otherwise."""
        sound = True
        for form in (self.general, *self.steps):
            # Every one is asked, so that all errors are shown.
            sound = form.is_valid() and sound
        for number, new in enumerate(self.completed):
            if new and sound:
                self.steps[number].add_error(
                    None, _("New settings have appeared in this step; check them and save again.")
                )
                sound = False
        if not self.steps:
            self.errors.append((_("The recipe has no steps yet."), "steps"))
            sound = False
        self.gather()
        return sound  # fmt: skip

    def gather(self) -> None:
        """Collect what the forms say into :attr:`errors`."""
        forms: list[Any] = [self.general, *self.steps]
        for form in forms:
            where = (
                "" if isinstance(form, GeneralForm) else _("Step %(number)s") % {"number": form.number + 1}
            )
            anchor = "general" if isinstance(form, GeneralForm) else f"step-{form.number + 1}"
            self.errors += [
                (_(": ").join(filter(None, [where, str(e)])), anchor) for e in form.non_field_errors()
            ]
            for bound in form:
                text = _(", ").join(filter(None, [where, str(bound.label)]))
                self.errors += [
                    (text + _(": ") + str(error), _target(bound) or anchor) for error in bound.errors
                ]

    def content(self) -> dict[str, Any]:
        """The recipe that the sound entries describe."""
        return {
            "recipe": 1,
            "title": self.general.cleaned_data["title"],
            "unlisted": self.general.cleaned_data["unlisted"],
            "order": self.general.cleaned_data["order"],
            **self.general.records_content(),
            **({"unprepared": reason} if (reason := self.general.cleaned_data["unprepared"]) else {}),
            "output": self.general.output(),
            "steps": [
                {"technique": form.step.technique, "columns": form.chosen, "parameters": form.parameters()}
                for form in self.steps
            ],
        }

    def refuse(self, error: EngineError) -> None:
        """Put what the engine says next to the place that it is about."""
        path = str(error.params.get("path", ""))
        if found := _STEP.fullmatch(path):
            form = self.steps[int(found[1])]
            name = form.place(found[2])
            label = form.fields[name].label if name else form.spec.name
            form.add_error(name, wording.engine_text(error, path=label if name else _(str(label))))
        elif "earlier" in error.params and int(str(error.params["number"])) < len(self.steps):
            form = self.steps[int(str(error.params["number"]))]
            text = _CONFLICTS[str(error.params["fault"])]
            form.add_error("columns", _(text) % {"column": error.params["column"], "earlier": int(str(error.params["earlier"])) + 1})  # fmt: skip
        elif error.code == "preparation_not_stated":
            self.general.add_error("unprepared", wording.engine_text(error))
        elif (
            str(error.params.get("path", "")).startswith("records") or error.params.get("fault") == "records"
        ):
            self.general.add_error("records", wording.engine_text(error))
        else:
            self._refuse_columns(error)
        self.gather()

    def _refuse_columns(self, error: EngineError) -> None:
        """Errors about columns stand in their lines, the rest at the top."""
        text = wording.engine_text(error)
        named = str(error.params.get("column", ""))
        lines = [line for line in self.lines if line.column == named]
        if error.code == "columns_untreated":
            lines = [line for line in self.lines if not line.treatments]
        for line in lines:
            line.errors.append(
                _("Nothing has been set for this column yet.") if error.code == "columns_untreated" else text
            )
        self.errors.append((text, f"column-{lines[0].position}" if lines else "steps"))  # fmt: skip


def several_options(editor: Editor) -> list[tuple[str, list[tuple[str, str]]]]:
    """What may be said of several columns at once: a step that is there, a new one, or none."""
    steps = [
        (
            f"join:{number}",
            _("Step %(number)s: %(technique)s")
            % {"number": number + 1, "technique": wording.technique_name(step.technique)},
        )
        for number, step in enumerate(editor.draft.steps)
    ]
    new = [
        (name, [(f"new:{spec.key}", _(spec.name)) for spec in specs if spec.national or not editor.national])
        for name, specs in families()
    ]
    groups = [(_("Add to a step"), steps)] if steps else []
    return [*groups, *new, (_("No treatment"), [("none", _("Remove every treatment"))])]


def families() -> list[tuple[str, list[Technique]]]:
    """Every technique by family, for the list from which a step without a column is added."""
    return [
        (_(FAMILIES[family].name), [spec for spec in catalogue.techniques() if spec.family is family])
        for family in Family
    ]


def is_table(spec: Technique) -> bool:
    return spec.scope is Scope.TABLE


def _narrow(form: StepForm) -> None:
    """Offer national algorithms alone; one that a draft has already stays, and is refused with its reason."""
    field: Any = form.fields.get("p-algorithm")
    if field is not None:
        chosen = form.values.get("p-algorithm", [])
        field.choices = [choice for choice in field.choices if choice[0] in NATIONAL or choice[0] in chosen]
        field.help_text = _(
            "According to the organisation's policy, a step may use only SM3 and SM4; other algorithms are refused when you save."
        )


def _target(bound: Any) -> str:
    """The id that a link to a field leads to."""
    if bound.field.widget.__class__.__name__ == "CheckboxSelectMultiple" and bound.subwidgets:
        return str(bound.subwidgets[0].data["attrs"].get("id", ""))
    return str(bound.id_for_label or bound.auto_id)
