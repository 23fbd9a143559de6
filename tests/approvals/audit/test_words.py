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
from approvals.governance.verdict import Reason
from projects.jobs.error_names import ERROR_NAMES
from projects.releases.deliveries.publications.services import NOT_SEALED, OVERTAKEN
from projects.releases.deliveries.services import NO_SHARE
from projects.workflow.moves import MOVES
from techniques.tables.problems import _TEXTS
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
}
"""Facts that are names of something, given by people or by a standard."""
CODE = re.compile(r"(?<![\w<.-])[a-z]{3,}(?:_[a-z]+)*(?![\w>.-])")


def recorded() -> Iterator[str]:
    """The names of all facts that the code records."""
    for top in ("approvals", "projects", "deid_portal"):
        for path in (ROOT / top).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                match node:
                    case ast.Call(func=ast.Name("recording" | "leave_note"), keywords=given):
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


def test_numbers_read_as_on_every_page():
    assert fact_text("rows", 10000) == "10,000"
    assert fact_text("persons", -6250) == "−6,250"
    for sign in ("seed", "seq", "version"):
        assert fact_text(sign, 20261128) == "20261128", "it is copied, not counted"
    said = sentence_for("dataset.uploaded", actor="A", subject="S", facts={"size": 1761077})
    assert "1,761,077" in said


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


ERRORS = {"EngineError", "UnfitText"}


def error_codes() -> set[str]:
    """Every code with which a job of the portal can end: the engine's, the portal's, those of rules that refuse.

    The command line's own cannot: no job comes through it.
    """
    found = {"internal", "cancelled", "refused"}
    for top in ("techniques", "projects"):
        for path in (ROOT / top).rglob("*.py"):
            if "techniques/cli/" in path.as_posix():
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                match node:
                    case ast.Call(func=ast.Name(name), args=[ast.Constant(str(code)), *_]) if name in ERRORS:
                        found.add(code)
    return (
        found
        | set(_TEXTS)
        | {NO_SHARE, NOT_SEALED, OVERTAKEN}
        # Other tests have reasons of their own.
        | {
            str(one.value)
            for kind in Reason.__subclasses__()
            if not kind.__module__.startswith("tests.")
            for one in kind
        }
    )


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_error_code_has_words(language):
    codes = error_codes()
    assert len(codes) > 200
    with translation.override(language):
        for code in sorted(codes):
            for fact in ("code", "why"):
                text = fact_text(fact, code)
                assert text != code or code == "cancelled", code
                assert "%(" not in text, code
                # The word beside a code in Chinese is Chinese.
                assert language == "en" or re.search(r"[\u4e00-\u9fff]", text), (code, text)


def test_no_name_of_an_error_outlives_its_code():
    assert set(ERROR_NAMES) - error_codes() == set()


def test_a_job_that_failed_says_why_in_words():
    with translation.override("zh-hans"):
        sentence = sentence_for(
            "job.failed", actor="甲", subject="乙", facts={"kind": "run", "code": "values_out_of_range"}
        )
    assert "取值超出范围" in sentence
    assert "values" not in sentence


@pytest.mark.parametrize(
    "why",
    ["content changed", "superseded", *filter(None, (rule.ends_plan_request for rule in MOVES.values()))],
)
def test_a_sign_off_that_lapsed_says_the_reason_of_its_own(why):
    texts = {}
    for language in ("en", "zh-hans"):
        with translation.override(language):
            texts[language] = sentence_for("signoff.lapsed", actor="", subject="乙", reason=why)
    assert why not in texts["zh-hans"]
    assert ("content changed" in texts["en"]) == (why == "content changed")


def test_news_older_than_a_fact_say_that_it_was_not_recorded():
    with translation.override("zh-hans"):
        old = sentence_for("reassessment.planned", actor="甲", subject="乙", facts={})
    assert "…" not in old
    assert "当时未记录" in old
