"""Whether other targets ask for more or for less."""

from __future__ import annotations

import pytest

from projects.core.enums import SharingType
from projects.objective.enums import Circulation
from projects.objective.targets.risk import RiskTargets, risk_defaults
from projects.objective.targets.strictness import changes

MEAN = risk_defaults(SharingType.CONTROLLED)
FEW = risk_defaults(SharingType.ENCLAVE)
MOST = risk_defaults(SharingType.PUBLIC)


@pytest.mark.parametrize(
    ("before", "changed", "said"),
    [
        (MEAN, {}, {}),
        (MEAN, {"k": 6}, {"k": "stricter"}),
        (MEAN, {"k": 4, "max_risk": 0.25}, {"k": "looser", "max_risk": "looser"}),
        (MEAN, {"average_risk": 0.04}, {"average_risk": "stricter"}),
        (MEAN, {"suppression_limit": 0.1}, {"suppression_limit": "looser"}),
        (MEAN, {"reassess_months": 24}, {"reassess_months": "looser"}),
        # An attempt that is taken for less likely lets more through.
        (MEAN, {"context_risk": 0.5, "context_reason": "so"}, {"context_risk": "looser"}),
        # Within the organisation the smallest class may be smaller.
        (MEAN, {"circulation": Circulation.INTERNAL}, {"circulation": "looser"}),
        (
            MEAN.model_copy(update={"circulation": Circulation.INTERNAL}),
            {"circulation": None},
            {"circulation": "stricter"},
        ),
        (FEW, {"circulation": Circulation.EXTERNAL}, {"circulation": "stricter"}),
        (
            FEW.model_copy(update={"circulation": Circulation.EXTERNAL}),
            {"circulation": None},
            {"circulation": "looser"},
        ),
        (MEAN, {"t": 0.2}, {"t": "stricter"}),
        (MEAN.model_copy(update={"t": 0.2}), {"t": 0.3}, {"t": "looser"}),
        (MEAN.model_copy(update={"l": 3}), {"l": 2}, {"l": "looser"}),
        (MEAN.model_copy(update={"l": 3}), {"l": None}, {"l": "looser"}),
        (MEAN.model_copy(update={"l": 3}), {"l_kind": "entropy"}, {"l": "other"}),
        (
            MEAN,
            {"measure": "max", "average_risk": None},
            {"measure": "stricter", "average_risk": "looser"},
        ),
        # By the maximum no cap is asked for.
        (MOST, {"strict_cap": 0.2}, {}),
        (MOST, {"why": "otherwise"}, {}),
    ],
)
def test_what_each_target_asks_then(before, changed, said):
    after = RiskTargets(**before.model_dump() | changed)
    assert changes(before, after) == said
