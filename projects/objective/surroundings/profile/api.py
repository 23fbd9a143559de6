"""The profile of the surroundings for programs."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from projects.core.models import Project

from ...enums import Act, Keeper, Protection
from ...selectors import factors_of
from .acts import acts_allowed, acts_of
from .protections import kept_by
from .rules import profile_of


class AllowedActSerializer(serializers.Serializer[Any]):
    """An act that the sharing type permits, and whether the target allows it."""

    act = serializers.ChoiceField(choices=Act.choices)
    name = serializers.CharField()
    allowed = serializers.BooleanField()


class KeptProtectionSerializer(serializers.Serializer[Any]):
    """A protection that is ticked: who keeps it, and by what."""

    protection = serializers.ChoiceField(choices=Protection.choices)
    name = serializers.CharField()
    keeper = serializers.ChoiceField(choices=Keeper.choices)
    how = serializers.CharField()


class SurroundingsSerializer(serializers.Serializer[Any]):
    """What recipients may do, and what keeps the protections (T/ISC 0078 11.2 b)."""

    acts = AllowedActSerializer(many=True)
    queries_a_day = serializers.IntegerField(allow_null=True)
    protections = KeptProtectionSerializer(many=True)


def acts_answer(project: Project) -> list[dict[str, Any]]:
    """Each act that the sharing type permits; none before it is chosen."""
    allowed = acts_allowed(profile_of(project), project.sharing_type)
    return [
        {"act": act.value, "name": str(act.label), "allowed": act in allowed}
        for act in acts_of(project.sharing_type)
    ]


def surroundings_answer(project: Project) -> dict[str, Any]:
    profile, ticked = profile_of(project), factors_of(project).get("protections", [])
    kept = [(Protection(one), kept_by(one, project.sharing_type, profile)) for one in ticked]
    return {
        "acts": acts_answer(project),
        "queries_a_day": profile.queries_a_day if profile else None,
        "protections": [
            {"protection": one.value, "name": str(one.label), "keeper": how.by.value, "how": str(how.how)}
            for one, how in kept
        ],
    }
