"""Answers of a target that do not go together are named, each for what it is, and only then."""

from __future__ import annotations

import pytest

from projects.objective.targets.conflicts import conflicts
from tests.projects.objective.steps import FACTORS, SCOPE


def said(sharing_type, **answers):
    scope = SCOPE | {k: v for k, v in answers.items() if k in SCOPE}
    return conflicts(scope, FACTORS | {k: v for k, v in answers.items() if k in FACTORS}, sharing_type)


def test_answers_that_go_together_are_not_spoken_of():
    assert conflicts({}, {}, "") == []
    assert said("controlled") == []
    assert said("public", classification="general", protections=["no_control"]) == []
    assert said("enclave", protections=["view_only", "access_log", "watermark"]) == []


@pytest.mark.parametrize(
    ("sharing_type", "answers", "words"),
    [
        ("public", {"classification": "sensitive", "protections": ["no_control"]}, "sensitive data"),
        ("public", {"classification": "important", "protections": ["no_control"]}, "important data"),
        ("public", {"classification": "general", "protections": ["agreement"]}, "everybody"),
        ("controlled", {"promise": "unknown"}, "not known"),
        ("controlled", {"protections": ["view_only"]}, "fetch the file"),
        ("controlled", {"protections": ["watermark"]}, "has none"),
        ("enclave", {"protections": ["no_control"]}, "rests on protections"),
        ("public", {"classification": "general", "protections": ["no_control", "encrypted"]}, "others beside it"),
    ],
)  # fmt: skip
def test_each_conflict_is_named_once(sharing_type, answers, words):
    (sentence,) = said(sharing_type, **answers)
    assert words in sentence
