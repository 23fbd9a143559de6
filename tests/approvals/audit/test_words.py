"""No code stands where a reader of the log looks: every fact has a name, and every value of a vocabulary its label."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

import pytest
from django.utils import translation

from approvals.audit import registry
from approvals.audit.readers.fact_names import FACT_NAMES, fact_name
from approvals.audit.registry import SENTENCES, fact_text, sentence_for
from tests.conftest import ROOT

STORIES = sorted((ROOT / "tests" / "golden" / "stories").glob("*/audit.json"))
NOT_FACTS = {"by", "about", "reason", "project_id", "subject", "data_leave"}
FREE = {
    "file",
    "member",
    "recipient",
    "encoding",
    "column",
    "columns",
    "name",
    "holder",
    "format",
    "code",
    "why",
}
"""Facts that are names of something, given by people or by a standard; an error code is called so beside it."""
CODE = re.compile(r"(?<![\w<.-])[a-z]{3,}(?:_[a-z]+)*(?![\w>.-])")


def recorded() -> Iterator[str]:
    """The names of all facts that the code records."""
    for top in ("approvals", "projects", "deid_portal"):
        for path in (ROOT / top).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                match node:
                    case ast.Call(func=ast.Name("recording"), keywords=given):
                        yield from (one.arg for one in given if one.arg)
                    case ast.Call(func=ast.Attribute(ast.Attribute(attr="facts"), "update"), keywords=given):
                        yield from (one.arg for one in given if one.arg)
                    case ast.Subscript(ast.Attribute(attr="facts"), ast.Constant(str(name)), ast.Store()):
                        yield name
                    case ast.AnnAssign(ast.Name("facts"), value=ast.Dict(keys)):
                        yield from (key.value for key in keys if isinstance(key, ast.Constant))


def test_every_fact_has_a_name():
    named = {*recorded()} - NOT_FACTS
    placeholders = {
        name
        for sentence in SENTENCES.values()
        for name in re.findall(r"%\((\w+)\)s", str(sentence))
    } - {"actor", "subject", "reason"}  # fmt: skip
    assert len(named) > 60
    assert (named | placeholders) - set(FACT_NAMES) == set()


def test_a_fact_of_one_table_keeps_the_tables_name():
    with translation.override("zh-hans"):
        assert fact_name("result visits") == f"{fact_name('result')} visits"


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.parent.name)
def test_the_events_of_a_story_read_without_codes(path):
    events = json.loads(path.read_text(encoding="utf-8"))
    found = set()
    with translation.override("zh-hans"):
        for event in events:
            facts = event["facts"]
            for fact, value in facts.items():
                text = fact_text(fact, value)
                if fact.partition(" ")[0] not in FREE and not re.fullmatch(r"[0-9a-f]{64}|<[^>]*>.*", text):
                    found |= {(fact, code) for code in CODE.findall(text)}
                found |= {(fact, code) for code in CODE.findall(fact_name(fact.partition(" ")[0]))}
            # Titles are people's; what a key of the vault is for is ours.
            subject = event["subject"] if event["action"].startswith("secret.") else "乙"
            free = {name: "某" for name in facts if name in FREE}
            sentence = sentence_for(event["action"], actor="甲", subject=subject, facts={**facts, **free})
            found |= {(event["action"], code) for code in CODE.findall(sentence)}
    assert found == set()


def test_an_action_has_one_sentence(monkeypatch):
    monkeypatch.setattr(registry, "SENTENCES", {})
    assert registry.audit_action("a.done", "%(actor)s did it") == "a.done"
    assert registry.audit_action("a.done", "%(actor)s did it") == "a.done", "its module may be imported twice"
    with pytest.raises(ValueError, match=r"a\.done"):
        registry.audit_action("a.done", "%(actor)s did something else")
    assert registry.SENTENCES == {"a.done": "%(actor)s did it"}
