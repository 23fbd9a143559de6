"""What each scene of use does with each role and kind of column: the rules behind the presets, as one table."""

from __future__ import annotations

from techniques.core.attributes import AttributeRole, Scene
from techniques.core.kinds import KINDS
from techniques.recipe.scenes import treatment

from .keeping import compare


def test_treatments_are_the_same() -> None:
    found = {}
    for scene in Scene:
        for role in AttributeRole:
            for kind in ["", *sorted(KINDS)]:
                one = treatment(scene, role, kind)
                words = [one.technique, dict(one.settings), one.keeps, one.group]
                found[f"{scene.value} {role.value} {kind or '-'}"] = words
    compare("scenes.json", found)
