"""Every check of the gate, in the order of measurement; verification and re-assessment run this one list."""

from __future__ import annotations

from ..check import Check
from .at_risk import RecordsAtRisk
from .attacks import Attacks
from .average_risk import AverageRisk
from .closeness import Closeness
from .diversity import Diversity
from .integrity import Integrity
from .join import Join
from .joined import Joined
from .k import SmallestClass
from .leaks.dominance import Dominance
from .leaks.made_up_rows import MadeUpRows
from .leaks.residual import ResidualIdentifiers
from .leaks.row_order import RowOrder
from .leaks.telling import TellingColumns
from .losses.starred_rows import StarredRows
from .losses.suppression import Suppression
from .losses.utility import Utility
from .max_risk import MaximumRisk
from .overall import OverallRisk
from .parameters import Parameters
from .personal_levels import PersonalLevels
from .presence import Presence
from .privacy_budget import PrivacyBudget, PrivacyBudgetOfTables

CHECKS: list[Check] = [
    Integrity(),
    ResidualIdentifiers(),
    TellingColumns(),
    RowOrder(),
    SmallestClass(),
    MaximumRisk(),
    AverageRisk(),
    RecordsAtRisk(),
    Presence(),
    Attacks(),
    OverallRisk(),
    Diversity(),
    Closeness(),
    PersonalLevels(),
    Dominance(),
    MadeUpRows(),
    PrivacyBudget(),
    Suppression(),
    StarredRows(),
    Utility(),
    Parameters(),
    Join(),
    Joined(),
    PrivacyBudgetOfTables(),
]


class UnknownCheck(Check):
    """A check that an earlier or later version knew: its rows are still shown."""

    kind = ""
    label = ""
    clause = ""
    meaning = ""


def check_of(kind: str) -> Check:
    return next((check for check in CHECKS if check.kind == kind), UnknownCheck())
