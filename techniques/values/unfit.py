"""What is said of values that a technique cannot read: place and number, never the value."""

from __future__ import annotations

from techniques.core.messages import _
from techniques.core.operations import UnfitText

NOT_A_NUMBER = UnfitText(
    "values_not_numbers",
    _("Column %(column)s: %(count)d rows hold no number that can be used here (rows %(rows)s)."),
)
NOT_A_DATE = UnfitText(
    "values_not_dates", _("Column %(column)s: %(count)d rows hold no date (rows %(rows)s).")
)
NOT_A_DAY = UnfitText(
    "values_not_days", _("Column %(column)s: %(count)d rows hold no date to the day (rows %(rows)s).")
)
NOT_A_POSITION = UnfitText(
    "values_not_positions",
    _("Column %(column)s: %(count)d rows hold no degrees that can be (rows %(rows)s)."),
)
NOT_A_DIVISION = UnfitText(
    "values_not_divisions", _("Column %(column)s: %(count)d rows name no division that far (rows %(rows)s).")
)
NOT_IN_LIST = UnfitText(
    "values_not_listed",
    _("Column %(column)s: %(count)d rows hold a value that is not in the list (rows %(rows)s)."),
)
NOT_A_LEVEL = UnfitText(
    "values_not_levels",
    _(
        "Column %(column)s: %(count)d rows hold no protection level, a whole number from 1 on (rows %(rows)s)."
    ),
)
NOT_IN_HIERARCHY = UnfitText(
    "values_not_in_hierarchy",
    _("Column %(column)s: %(count)d rows hold a value that the hierarchy misses (rows %(rows)s)."),
)
NOT_DECRYPTABLE = UnfitText(
    "values_not_decryptable",
    _("Column %(column)s: %(count)d rows hold a value that this key did not encrypt (rows %(rows)s)."),
)
NOT_IN_ALPHABET = UnfitText(
    "values_not_in_alphabet",
    _(
        "Column %(column)s: %(count)d rows hold characters outside the alphabet, or too few of them for "
        "format-preserving encryption (rows %(rows)s)."
    ),
)
NOT_AN_IDENTIFIER = UnfitText(
    "values_not_identifiers",
    _(
        "Column %(column)s: %(count)d rows hold no number of this kind with a valid check digit (rows %(rows)s)."
    ),
)
OUT_OF_RANGE = UnfitText(
    "values_out_of_range",
    _(
        "Column %(column)s: %(count)d rows hold no number, or one outside the range or finer than the "
        "decimal places (rows %(rows)s)."
    ),
)
