"""Scenes of use (T/ISC 0078 Annex B): an answer for every role and kind, and none that gives a person away."""

from __future__ import annotations

from itertools import product

import pytest

from techniques import catalogue
from techniques.advice.questions import SCENES as QUESTION_SCENES
from techniques.catalogue.family import Family
from techniques.catalogue.table_c1 import Effect
from techniques.core.attributes import AttributeRole, Scene
from techniques.core.kinds import KINDS
from techniques.recipe.scenes import SCENES, reason, treatment

EVERY = list(product(Scene, AttributeRole, [*KINDS, ""]))
LATER = {"model.k_anonymity", "randomization.microaggregation"}
"""Their settings come from the project's targets."""


def test_the_scenes_are_those_of_the_advice():
    assert [option.value for option in QUESTION_SCENES] == [scene.value for scene in SCENES]
    assert [option.label for option in QUESTION_SCENES] == [text.name for text in SCENES.values()]


@pytest.mark.parametrize("scene", Scene)
def test_every_role_and_kind_has_a_treatment_that_is_meant_for_it(scene):
    for role, kind in product(AttributeRole, [*KINDS, ""]):
        found = treatment(scene, role, kind)
        spec = catalogue.get(found.technique)
        assert role in spec.roles, (role, kind, spec.key)
        assert found.keeps
        if spec.key not in LATER:
            found.parameters()


def test_no_direct_identifier_stays_and_nothing_can_be_recovered():
    for scene, role, kind in EVERY:
        spec = catalogue.get(treatment(scene, role, kind).technique)
        assert not spec.reversible
        assert spec.claims is None or spec.claims.reversible is not Effect.YES
        if role in (AttributeRole.DIRECT_IDENTIFIER, AttributeRole.QUASI_IDENTIFIER):
            assert spec.family is not Family.NONE


@pytest.mark.parametrize(
    ("scene", "role", "kind", "technique", "settings"),
    [
        (Scene.STATISTICS, AttributeRole.QUASI_IDENTIFIER, "age", "model.k_anonymity", {}),
        (Scene.STATISTICS, AttributeRole.SENSITIVE_ATTRIBUTE, "fee", "randomization.microaggregation", {}),
        (Scene.STATISTICS, AttributeRole.DIRECT_IDENTIFIER, "person_name", "suppression.remove_column", {}),
        (Scene.DEVELOPMENT, AttributeRole.DIRECT_IDENTIFIER, "id_number", "synthesis.identifier", {"kind": "id_number"}),
        (Scene.DEVELOPMENT, AttributeRole.QUASI_IDENTIFIER, "birth_date", "randomization.date_noise", {"maximum": 30}),
        (Scene.DEVELOPMENT, AttributeRole.QUASI_IDENTIFIER, "gender", "randomization.permutation", {}),
        (Scene.DISPLAY, AttributeRole.DIRECT_IDENTIFIER, "phone", "suppression.mask_identifier", {"kind": "phone"}),
        (Scene.DISPLAY, AttributeRole.QUASI_IDENTIFIER, "address", "generalization.region", {"unit": "city"}),
        (Scene.OPERATIONS, AttributeRole.DIRECT_IDENTIFIER, "phone", "suppression.mask", {}),
        (Scene.OPERATIONS, AttributeRole.SENSITIVE_ATTRIBUTE, "diagnosis", "suppression.remove_column", {}),
        (Scene.OPERATIONS, AttributeRole.OTHER, "department", "as_is", {"reason": reason(Scene.OPERATIONS)}),
    ],
)  # fmt: skip
def test_what_the_annex_names(scene, role, kind, technique, settings):
    found = treatment(scene, role, kind)
    assert (found.technique, dict(found.settings)) == (technique, settings)


def test_biometrics_and_passwords_are_left_out_everywhere():
    for scene, role in product(Scene, AttributeRole):
        for kind in ("biometric", "password", "photo", "genetic"):
            assert treatment(scene, role, kind).technique == "suppression.remove_column"


def test_what_the_aims_say_of_values_and_formats_is_what_the_treatments_claim():
    """Statistics: no treatment of a quasi-identifier or an amount keeps the format. Development: no identifier and no sensitive
    attribute stays as it is."""
    of_values = (AttributeRole.QUASI_IDENTIFIER, AttributeRole.SENSITIVE_ATTRIBUTE)
    lost = 0
    for scene, role, kind in EVERY:
        spec = catalogue.get(treatment(scene, role, kind).technique)
        if scene is Scene.STATISTICS and role in of_values and spec.key in LATER:
            assert spec.claims is None or spec.claims.format is Effect.NO, (role, kind, spec.key)
            lost += 1
        if scene is Scene.DEVELOPMENT and role is not AttributeRole.OTHER:
            assert spec.key != "as_is", (role, kind)
    assert lost > 20
