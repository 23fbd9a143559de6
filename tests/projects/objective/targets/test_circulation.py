"""How far data travel (T/ISC 0078 7.1) is the sharing type's, unless the target says otherwise."""

from __future__ import annotations

import pytest
from pydantic_core import PydanticCustomError

from projects.core.enums import SharingType
from projects.objective.enums import Circulation
from projects.objective.forms import RiskForm
from projects.objective.presentation import risk_rows
from projects.objective.targets.risk import for_sharing, risk_defaults, scenario_of
from techniques.disclosure_risk.scales.degree import Scenario

INTERNAL, EXTERNAL = Circulation.INTERNAL, Circulation.EXTERNAL


@pytest.mark.parametrize(
    ("sharing", "circulation", "scenario"),
    [
        (SharingType.PUBLIC, None, Scenario.PUBLIC),
        (SharingType.CONTROLLED, None, Scenario.EXTERNAL),
        (SharingType.CONTROLLED, INTERNAL, Scenario.INTERNAL),
        (SharingType.ENCLAVE, None, Scenario.INTERNAL),
        (SharingType.ENCLAVE, EXTERNAL, Scenario.EXTERNAL),
    ],
)
def test_the_scenario_follows(sharing, circulation, scenario):
    targets = risk_defaults(sharing).model_copy(update={"circulation": circulation})
    assert scenario_of(for_sharing(targets, sharing), sharing) == scenario


@pytest.mark.parametrize("circulation", Circulation)
def test_public_data_have_no_smaller_circulation(circulation):
    targets = risk_defaults(SharingType.PUBLIC).model_copy(update={"circulation": circulation})
    with pytest.raises(PydanticCustomError, match="travel everywhere"):
        for_sharing(targets, SharingType.PUBLIC)


@pytest.mark.parametrize(
    ("sharing", "circulation"), [(SharingType.CONTROLLED, EXTERNAL), (SharingType.ENCLAVE, INTERNAL)]
)
def test_what_the_sharing_type_has_already_is_not_said(sharing, circulation):
    targets = risk_defaults(sharing).model_copy(update={"circulation": circulation})
    with pytest.raises(PydanticCustomError, match="leave it out"):
        for_sharing(targets, sharing)


def test_a_target_that_says_nothing_of_it_is_stored_as_before():
    assert "circulation" not in risk_defaults(SharingType.CONTROLLED).model_dump(mode="json")
    said = risk_defaults(SharingType.CONTROLLED).model_copy(update={"circulation": INTERNAL})
    assert said.model_dump(mode="json")["circulation"] == "internal"


@pytest.mark.parametrize(
    ("sharing", "offered"),
    [
        (SharingType.CONTROLLED, [("", RiskForm.AS_SHARED[EXTERNAL]), ("internal", INTERNAL.label)]),
        (SharingType.ENCLAVE, [("", RiskForm.AS_SHARED[INTERNAL]), ("external", EXTERNAL.label)]),
    ],
)
def test_the_form_has_what_the_sharing_type_says_first(sharing, offered):
    assert RiskForm(sharing_type=sharing).fields["circulation"].choices == offered


def test_nothing_is_asked_of_public_data():
    assert RiskForm(sharing_type=SharingType.PUBLIC).fields["circulation"].widget.is_hidden


def test_the_plan_names_it_where_the_target_does():
    targets = risk_defaults(SharingType.CONTROLLED)
    assert "circulation" not in {row["key"] for row in risk_rows(targets, "controlled")}
    rows = risk_rows(targets.model_copy(update={"circulation": INTERNAL}), "controlled")
    (row,) = (row for row in rows if row["key"] == "circulation")
    assert row["clause"] == "T/ISC 0078 7.1"
    assert row["plain"] == str(INTERNAL.label)
