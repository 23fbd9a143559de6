"""Every technique and model that a recipe may use, with clause, parameters and Table C.1 row.

Importing this module loads no numerical library: implementations are named by dotted path and loaded by
the engine when a run needs them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from techniques.catalogue import generalization as generalization_parameters
from techniques.catalogue import models as models_parameters
from techniques.catalogue import pseudonymization as pseudonymization_parameters
from techniques.catalogue import suppression as suppression_parameters
from techniques.catalogue.entries import encryption as encryption_entries
from techniques.catalogue.entries import places as places_entries
from techniques.catalogue.entries import pseudonymization as pseudonymization_entries
from techniques.catalogue.entries import randomization as randomization_entries
from techniques.catalogue.entries import statistical as statistical_entries
from techniques.catalogue.entries import synthesis as synthesis_entries
from techniques.catalogue.entries.claims import CLAIMS
from techniques.catalogue.table_c1 import TABLE_C1
from techniques.catalogue.technique import FAMILY_NAMES, DataType, Family, Missing, Scope, TechniqueSpec
from techniques.core.fields import ParameterField, describe
from techniques.core.kinds import Role
from techniques.core.messages import EngineError, gettext_noop
from techniques.hierarchies.definitions import KINDS, MODELS_ONLY

__all__ = [
    "FAMILY_NAMES",
    "DataType",
    "Family",
    "HierarchyKind",
    "Scope",
    "TechniqueSpec",
    "get",
    "hierarchy_kinds",
    "implementation",
    "parameter_fields",
    "techniques",
]


@dataclass(frozen=True)
class HierarchyKind:
    """One kind of hierarchy: its code, its (untranslated) name, and the fields of its form.

    ``models_only``: for a field of kind ``hierarchies``, not for one of kind ``hierarchy``.
    """

    kind: str
    name: str
    fields: tuple[ParameterField, ...]
    models_only: bool = False


_ROLES = frozenset(Role)
_IDENTIFYING = frozenset({Role.DIRECT_IDENTIFIER, Role.QUASI_IDENTIFIER})
_QUASI = frozenset({Role.QUASI_IDENTIFIER, Role.SENSITIVE_ATTRIBUTE})
_TYPES = frozenset(DataType)
_S, _G, _P, _M = (
    suppression_parameters,
    generalization_parameters,
    pseudonymization_parameters,
    models_parameters,
)

_LISTED = (
    *statistical_entries.STATISTICAL,
    *encryption_entries.ENTRIES,
    TechniqueSpec(
        "suppression.remove_column",
        Family.SUPPRESSION,
        gettext_noop("Remove the column"),
        gettext_noop("The attribute is left out of the result."),
        ("G-109", "G-162", "G-163", "G-164", "G-165", "G-166", "G-167", "G-168"),
        Scope.STRUCTURE,
        _S.RemoveColumn,
        "",
        _ROLES,
        _TYPES,
        TABLE_C1["masking"],
    ),
    TechniqueSpec(
        "suppression.mask",
        Family.SUPPRESSION,
        gettext_noop("Mask part of each value"),
        gettext_noop("Some characters stay, the others become a mask character."),
        ("G-109",),
        Scope.COLUMN,
        _S.Mask,
        "techniques.families.suppression.suppression:Mask",
        _IDENTIFYING,
        frozenset({DataType.TEXT, DataType.CATEGORY, DataType.REGION}),
        TABLE_C1["masking"],
        only_masks=True,
    ),
    TechniqueSpec(
        "suppression.mask_identifier",
        Family.SUPPRESSION,
        gettext_noop("Mask an identifier by its kind"),
        gettext_noop("ID number, phone, name, bank card or e-mail, each masked in the usual way."),
        ("G-109", "G-162", "G-163", "G-164", "G-166"),
        Scope.COLUMN,
        _S.MaskIdentifier,
        "techniques.families.suppression.suppression:MaskIdentifier",
        frozenset({Role.DIRECT_IDENTIFIER}),
        frozenset({DataType.TEXT}),
        TABLE_C1["masking"],
        only_masks=True,
    ),
    TechniqueSpec(
        "suppression.redact_text",
        Family.SUPPRESSION,
        gettext_noop("Redact identifiers in free text"),
        gettext_noop("Identifiers found inside the text are replaced; the rest of the text stays."),
        ("G-109", "T-071", "T-072"),
        Scope.COLUMN,
        _S.RedactText,
        "techniques.families.suppression.suppression:RedactText",
        _ROLES,
        frozenset({DataType.TEXT}),
        TABLE_C1["masking"],
        only_masks=True,
    ),
    TechniqueSpec(
        "suppression.rare_values",
        Family.SUPPRESSION,
        gettext_noop("Suppress rare values"),
        gettext_noop("A value that too few rows share is suppressed in its cells."),
        ("G-110", "G-112"),
        Scope.COLUMN,
        _S.RareValues,
        "techniques.families.suppression.suppression:RareValues",
        _QUASI,
        _TYPES,
        TABLE_C1["local_suppression"],
    ),
    statistical_entries.LOCAL_SUPPRESSION,
    TechniqueSpec(
        "suppression.rare_records",
        Family.SUPPRESSION,
        gettext_noop("Suppress rare records"),
        gettext_noop("Rows whose combination of values is rare are left out, up to a limit."),
        ("G-111", "G-112"),
        Scope.TABLE,
        _S.RareRecords,
        "techniques.families.suppression.suppression:RareRecords",
        _QUASI,
        _TYPES,
        TABLE_C1["record_suppression"],
        missing=Missing.VALUE,
    ),
    TechniqueSpec(
        "pseudonymization.keyed_hash",
        Family.PSEUDONYMISATION,
        gettext_noop("Pseudonym by keyed hash"),
        gettext_noop(
            "The same value always gets the same pseudonym under one key; without the key it can neither be "
            "reversed nor guessed by trying all values."
        ),
        ("G-103", "G-114", "G-116"),
        Scope.COLUMN,
        _P.KeyedHash,
        "techniques.families.pseudonymization.keyed_hash:KeyedHash",
        _IDENTIFYING,
        _TYPES,
        TABLE_C1["pseudonymisation"],
        needs_key=True,
    ),
    *pseudonymization_entries.ENTRIES,
    TechniqueSpec(
        "generalization.rounding",
        Family.GENERALISATION,
        gettext_noop("Rounding"),
        gettext_noop("Numbers become multiples of a base, nearest or at random without bias."),
        ("G-119",),
        Scope.COLUMN,
        _G.Rounding,
        "techniques.families.generalization.generalization:rounding",
        _QUASI,
        frozenset({DataType.NUMBER}),
        TABLE_C1["rounding"],
        random=True,
    ),
    statistical_entries.ROUNDING,
    TechniqueSpec(
        "generalization.top_bottom_coding",
        Family.GENERALISATION,
        gettext_noop("Top and bottom coding"),
        gettext_noop("Values beyond a threshold are coded together, so that outliers do not stand out."),
        ("G-120", "G-167"),
        Scope.COLUMN,
        _G.TopBottomCoding,
        "techniques.families.generalization.generalization:TopBottomCoding",
        _QUASI,
        frozenset({DataType.NUMBER}),
        TABLE_C1["top_bottom_coding"],
    ),
    TechniqueSpec(
        "generalization.intervals",
        Family.GENERALISATION,
        gettext_noop("Numbers to intervals"),
        gettext_noop("Each number becomes the interval that it lies in."),
        ("G-121", "G-167"),
        Scope.COLUMN,
        _G.IntervalGeneralization,
        "techniques.families.generalization.generalization:IntervalGeneralization",
        _QUASI,
        frozenset({DataType.NUMBER}),
    ),
    TechniqueSpec(
        "generalization.date",
        Family.GENERALISATION,
        gettext_noop("Dates to periods"),
        gettext_noop("Each date becomes its month, quarter, year or decade."),
        ("G-121", "G-168"),
        Scope.COLUMN,
        _G.DateGeneralization,
        "techniques.families.generalization.generalization:DateGeneralization",
        _QUASI,
        frozenset({DataType.DATE}),
    ),
    TechniqueSpec(
        "generalization.region",
        Family.GENERALISATION,
        gettext_noop("Addresses to divisions"),
        gettext_noop("Each address or division code becomes its county, city or province."),
        ("G-121", "G-165"),
        Scope.COLUMN,
        _G.RegionGeneralization,
        "techniques.families.generalization.generalization:RegionGeneralization",
        _IDENTIFYING,
        frozenset({DataType.REGION, DataType.TEXT}),
    ),
    places_entries.AREAS,
    TechniqueSpec(
        "generalization.hierarchy",
        Family.GENERALISATION,
        gettext_noop("One level of a hierarchy"),
        gettext_noop("Each value becomes its ancestor at a chosen level."),
        ("G-121",),
        Scope.COLUMN,
        _G.HierarchyGeneralization,
        "techniques.families.generalization.generalization:HierarchyGeneralization",
        _QUASI,
        _TYPES,
    ),
    TechniqueSpec(
        "generalization.mapping",
        Family.GENERALISATION,
        gettext_noop("Values by a list"),
        gettext_noop("Each value becomes what a list of your own says."),
        ("G-121",),
        Scope.COLUMN,
        _G.Mapping,
        "techniques.families.generalization.generalization:Mapping",
        _QUASI,
        frozenset({DataType.CATEGORY, DataType.TEXT}),
    ),
    *randomization_entries.ENTRIES,
    *places_entries.RANDOM,
    *synthesis_entries.ENTRIES,
    TechniqueSpec(
        "model.k_anonymity",
        Family.MODEL,
        gettext_noop("k-anonymity"),
        gettext_noop(
            "Finds how far each quasi-identifier must be generalised so that every row looks like k-1 "
            "others, with the least loss of information."
        ),
        ("G-112", "G-131"),
        Scope.TABLE,
        _M.KAnonymity,
        "techniques.models.operation:operation",
        frozenset({Role.QUASI_IDENTIFIER}),
        _TYPES,
        TABLE_C1["k_anonymity"],
        missing=Missing.VALUE,
    ),
    TechniqueSpec(
        "model.l_diversity",
        Family.MODEL,
        gettext_noop("l-diversity"),
        gettext_noop(
            "k-anonymity whose classes also hold enough different values of each sensitive attribute, so that "
            "knowing the class does not tell the value."
        ),
        ("G-112", "G-131", "G-132"),
        Scope.TABLE,
        _M.LDiversity,
        "techniques.models.operation:operation",
        frozenset({Role.QUASI_IDENTIFIER}),
        _TYPES,
        missing=Missing.VALUE,
    ),
    TechniqueSpec(
        "model.t_closeness",
        Family.MODEL,
        gettext_noop("t-closeness"),
        gettext_noop(
            "k-anonymity in whose classes the values of each sensitive attribute are spread almost as in the "
            "whole table, so that knowing the class tells little more than knowing the table."
        ),
        ("G-112", "G-131", "G-133"),
        Scope.TABLE,
        _M.TCloseness,
        "techniques.models.operation:operation",
        frozenset({Role.QUASI_IDENTIFIER}),
        _TYPES,
        missing=Missing.VALUE,
    ),
    TechniqueSpec(
        "as_is",
        Family.NONE,
        gettext_noop("Leave as it is"),
        gettext_noop("The column goes into the result unchanged, with a reason on record."),
        ("G-013",),
        Scope.STRUCTURE,
        _S.AsIs,
        "",
        _ROLES,
        _TYPES,
    ),
)

_TECHNIQUES = tuple(
    replace(spec, claims=CLAIMS[spec.key]) if spec.key in CLAIMS else spec for spec in _LISTED
)
_BY_KEY = {spec.key: spec for spec in _TECHNIQUES}


def techniques() -> tuple[TechniqueSpec, ...]:
    """All techniques, by family in the standard's order."""
    return _TECHNIQUES


def get(key: str) -> TechniqueSpec:
    """The technique called ``key``; EngineError ``technique_unknown`` if there is none."""
    try:
        return _BY_KEY[key]
    except KeyError:
        raise EngineError(
            "technique_unknown", gettext_noop("There is no technique called %(key)s."), key=key
        ) from None


def parameter_fields(key: str) -> list[ParameterField]:
    """The form fields of the technique called ``key``, in order."""
    return describe(get(key).parameters)


def hierarchy_kinds() -> list[HierarchyKind]:
    """The kinds of hierarchy that a field of kind ``hierarchy`` or ``hierarchies`` lets a person choose."""
    return [
        HierarchyKind(
            kind,
            name,
            tuple(field for field in describe(definition) if field.name != "kind"),
            kind in MODELS_ONLY,
        )
        for kind, (name, definition) in KINDS.items()
    ]


def condition_fields() -> list[ParameterField]:
    """The fields for one sensitive attribute in a field of kind ``conditions``."""
    return describe(models_parameters.Conditions)


def implementation(key: str) -> Any:
    """Load what carries out ``key``: a callable ``(parameters, context) -> Operation``.

    Only an engine calls this; it is the point where numerical libraries are loaded.
    """
    module, _, name = get(key).implementation.partition(":")
    return getattr(import_module(module), name)
