"""From a threshold and a context back to the class size that is needed (GB/T 37964 C.3), and what controls buy."""

from __future__ import annotations

from collections.abc import Sequence

from techniques.core.messages import EngineError, _
from techniques.core.settings import Frozen
from techniques.disclosure_risk.scales.environment import TABLE_B_1, SharingType
from techniques.disclosure_risk.scales.environment import Level as Grade
from techniques.disclosure_risk.sizes import smallest_class_for, smallest_safe_size


class Needed(Frozen):
    """``k`` reaches the threshold for the maximum risk; ``average`` is the class size that the average risk needs on
    average, ``smallest`` the class that the strict average allows at the least."""

    context: float
    threshold: float
    k: int
    average: float
    smallest: int


class Purchase(Frozen):
    """What a better grade of controls would buy: the context risk and the k that is needed then."""

    controls: Grade
    context: float
    k: int
    saved: int


def needed(threshold: float, sharing_type: SharingType, context: float = 1.0, cap: float = 0.33) -> Needed:
    """The class sizes with which data risk × ``context`` is at most ``threshold``: k = ⌈context / threshold⌉.

    Check: 0.05 in a context of 0.3 needs k = 6; public sharing at 0.05 needs 20. A context of 0 needs the
    smallest k there is, 2. Raises EngineError ``threshold_out_of_range``.
    """
    context = 1.0 if sharing_type == "public" else context
    if not 0 < threshold <= 1 or not 0 <= context <= 1:
        raise EngineError("threshold_out_of_range", _("A threshold must be above 0 and at most 1."))
    bound = 1.0 if context <= threshold else threshold / context
    k = max(smallest_safe_size(bound), 2)
    smallest = k if sharing_type == "public" else smallest_class_for(cap)
    return Needed(context=context, threshold=threshold, k=k, average=max(1 / bound, 1.0), smallest=smallest)


def purchases(
    threshold: float,
    controls: Grade,
    motive: Grade,
    *,
    acquaintance: float,
    breach: float,
    sharing_type: SharingType = "controlled",
) -> list[Purchase]:
    """For the present grade of controls and each better one the context risk and the k that is needed.

    Better controls lower the deliberate attempt (Table B.1) only; where recognition by an acquaintance or a breach is
    more probable, they buy nothing, and the list shows it. Public sharing has no recipient to control.
    """
    grades: Sequence[Grade] = (Grade.LOW, Grade.MEDIUM, Grade.HIGH)
    found: list[Purchase] = []
    for grade in grades[grades.index(controls) :]:
        context = max(TABLE_B_1[grade, motive], acquaintance, breach)
        k = needed(threshold, sharing_type, context).k
        found.append(
            Purchase(
                controls=grade,
                context=1.0 if sharing_type == "public" else context,
                k=k,
                saved=(found[0].k if found else k) - k,
            )
        )
    return found
