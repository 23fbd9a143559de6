"""What the techniques of suppression, hashing and generalisation keep and break."""

from __future__ import annotations

from techniques.catalogue.claims import Claims
from techniques.catalogue.table_c1 import Effect
from techniques.core.messages import gettext_noop

_YES, _PARTLY, _NO = Effect.YES, Effect.PARTLY, Effect.NO

_MODEL_KEEPS = gettext_noop(
    "As far as the hierarchies keep them; counts of combinations at the levels found are exact. In local recoding "
    "the classes are exact, but one value may stand in finer and coarser ones."
)

CLAIMS: dict[str, Claims] = {
    "suppression.mask": Claims(
        _NO, _PARTLY, _NO, _NO, _NO, _NO,
        gettext_noop("The length stays where that is chosen, and the characters at the ends that are kept."),
        gettext_noop("Not alone: the rest of the record may still tell who it is."),
    ),
    "suppression.mask_identifier": Claims(
        _NO, _PARTLY, _NO, _NO, _NO, _NO,
        gettext_noop("The leading part stays: region, network, issuer or family name."),
        gettext_noop("Not alone: the rest of the record may still tell who it is."),
    ),
    "suppression.redact_text": Claims(
        _NO, _NO, _YES, _NO, _NO, _NO,
        gettext_noop("The text around what was found stays word for word."),
        gettext_noop("Not where a single missed identifier would do harm: rules do not find everything."),
    ),
    "suppression.rare_values": Claims(
        _YES, _YES, _YES, _YES, _PARTLY, _NO,
        gettext_noop("Values that stay do not change, unless they are replaced; rare values are undercounted."),
        gettext_noop("Not for numbers with many different values: nearly all of them are rare."),
    ),
    "suppression.rare_records": Claims(
        _YES, _YES, _YES, _YES, _PARTLY, _NO,
        gettext_noop("Rows that stay do not change; counts and sums become smaller."),
        gettext_noop("Not where rare cases are what the purpose is about."),
    ),
    "pseudonymization.keyed_hash": Claims(
        _NO, _NO, _NO, _YES, _PARTLY, _NO,
        gettext_noop(
            "How often each value occurs stays; two values share a pseudonym with no more than the stated chance."
        ),
        gettext_noop("Not as the only measure: who knows when a person appears may still find the rows."),
    ),
    "generalization.rounding": Claims(
        _PARTLY, _NO, _YES, _NO, _PARTLY, _NO,
        gettext_noop(
            "Order stays unless rounding is stochastic; stochastic rounding is expected to keep the mean."
        ),
        gettext_noop("Not with a base that is small against the values: then they stay recognisable."),
    ),
    "generalization.top_bottom_coding": Claims(
        _PARTLY, _NO, _PARTLY, _NO, _PARTLY, _NO,
        gettext_noop(
            "Values between the thresholds do not change; order and numbers stay where the threshold itself is the code."
        ),
        gettext_noop("Not where totals matter: large values carry much of them."),
    ),
    "generalization.intervals": Claims(
        _PARTLY, _NO, _NO, _NO, _PARTLY, _NO,
        gettext_noop("Intervals lie in the order of their values; counts per interval are exact."),
        gettext_noop("Not with single intervals that hold few rows: code their ends together."),
    ),
    "generalization.date": Claims(
        _YES, _NO, _PARTLY, _NO, _PARTLY, _NO,
        gettext_noop("Periods sort like their dates; counts per period are exact, distances in days are lost."),
        gettext_noop("Not where the order of events within a period matters."),
    ),
    "generalization.region": Claims(
        _NO, _NO, _YES, _NO, _PARTLY, _NO,
        gettext_noop("Counts per division are exact; everything finer is lost."),
        gettext_noop("Not with divisions of few inhabitants: choose a coarser one there."),
    ),
    "generalization.hierarchy": Claims(
        _PARTLY, _NO, _PARTLY, _NO, _PARTLY, _NO,
        gettext_noop("As far as the hierarchy keeps them; counts per group are exact."),
        gettext_noop("Not at a level where groups hold few rows."),
    ),
    "generalization.mapping": Claims(
        _NO, _NO, _NO, _NO, _PARTLY, _NO,
        gettext_noop("Whatever the list keeps; counts per result are exact."),
        gettext_noop("Not with values passed through that nobody looked at."),
    ),
    "model.k_anonymity": Claims(
        _PARTLY, _NO, _PARTLY, _NO, _PARTLY, _NO,
        _MODEL_KEEPS,
        gettext_noop(
            "Not as protection of a sensitive attribute: all rows of a class may share its value."
        ),
    ),
    "model.l_diversity": Claims(
        _PARTLY, _NO, _PARTLY, _NO, _PARTLY, _NO,
        _MODEL_KEEPS,
        gettext_noop(
            "Not where values that differ mean the same: several cancers are different values, and one diagnosis."
        ),
    ),
    "model.t_closeness": Claims(
        _PARTLY, _NO, _PARTLY, _NO, _PARTLY, _NO,
        _MODEL_KEEPS,
        gettext_noop(
            "Not where the study asks how the sensitive attribute depends on the quasi-identifiers: that is what goes."
        ),
    ),
}  # fmt: skip
