"""What is said of values that a technique cannot read: place and number, never the value."""

from __future__ import annotations

from techniques.messages import gettext_noop
from techniques.operations import UnfitText

NOT_A_NUMBER = UnfitText(
    "values_not_numbers",
    gettext_noop("Column %(column)s: %(count)d rows hold no number that can be used here (rows %(rows)s)."),
)
NOT_A_DATE = UnfitText(
    "values_not_dates", gettext_noop("Column %(column)s: %(count)d rows hold no date (rows %(rows)s).")
)
NOT_A_DIVISION = UnfitText(
    "values_not_divisions",
    gettext_noop("Column %(column)s: %(count)d rows name no division that far (rows %(rows)s)."),
)
NOT_IN_LIST = UnfitText(
    "values_not_listed",
    gettext_noop("Column %(column)s: %(count)d rows hold a value that is not in the list (rows %(rows)s)."),
)
NOT_IN_HIERARCHY = UnfitText(
    "values_not_in_hierarchy",
    gettext_noop("Column %(column)s: %(count)d rows hold a value that the hierarchy misses (rows %(rows)s)."),
)
