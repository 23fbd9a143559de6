"""The demo's masking policy."""

from __future__ import annotations

from typing import Any

from deid_portal.masking.enums import Scene
from deid_portal.masking.services import policy_decide, policy_propose
from projects.workflow.posts import Post


def agree(people: dict[str, Any]) -> None:
    """A policy for the counter in force, and its next version waiting for a second person."""
    shown = {"phone": "partial", "id_number": "partial", "name": "generalise", "address": "generalise"}
    what = {"name": "front-desk", "title": "门诊前台", "scene": Scene.LIVE_DISPLAY}
    first = policy_propose(
        **what, treatments={Post.STAFF: shown}, reason="前台核对就诊人所需的最少内容。", by=people["planner"]
    )
    policy_decide(first, accept=True, reason="与岗位职责相称。", by=people["admin"])
    policy_propose(
        **what,
        treatments={Post.STAFF: shown, Post.AUDITOR: shown | {"address": "partial"}},
        reason="审计抽查时需要核对到区县。",
        by=people["planner"],
    )
