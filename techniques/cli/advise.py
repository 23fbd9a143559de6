"""``deid advise``: the questions of 5.4.3, and the techniques that answers to them lead to."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from techniques.advice.questions import QUESTIONS, SCENES, Answers
from techniques.advice.ranking import Advice, advise
from techniques.core.messages import EngineError, _
from techniques.recipe.text import load

SHOWN = 5


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the ``advise`` command."""
    parser = new_command(
        "advise",
        help="rank the techniques for each column by answers to the questions of the standard",
        description="Without a file the questions are printed (GB/T 37964 5.4.3). The file of answers is YAML or "
        "JSON: dataset with answers about the whole, columns with role, data_type and answers for each.",
    )
    parser.add_argument("answers", type=Path, nargs="?", help="answers in YAML or JSON")
    parser.add_argument(
        "--json", action="store_true", help="everything, as JSON: answers, ranking and reasons"
    )
    parser.add_argument("--all", action="store_true", help="also why the others are not advised")
    parser.set_defaults(handler=run)


def run(options: argparse.Namespace) -> int:
    """Print; 0, or EngineError with the place of a wrong answer."""
    if options.answers is None:
        sys.stdout.write(_questions(as_json=options.json))
        return 0
    try:
        text = options.answers.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise EngineError("answers_encoding", _("The answers must be UTF-8 text.")) from None
    found = advise(Answers.from_data(load(text)))
    if options.json:
        sys.stdout.write(json.dumps(found.as_dict(), ensure_ascii=False, indent=2) + "\n")
    else:
        sys.stdout.write(_words(found, everything=options.all))
    return 0


def _questions(*, as_json: bool) -> str:
    if as_json:
        return json.dumps([question.as_dict() for question in QUESTIONS], ensure_ascii=False, indent=2) + "\n"
    lines = []
    for question in QUESTIONS:
        answers = "|".join(option.value for option in question.options) or "true|false"
        lines += [f"{question.letter}) {question.text}", f"    {question.scope}: {question.name}: {answers}"]
    lines.append("    dataset: scene: " + "|".join(option.value for option in SCENES))
    return "\n".join(lines) + "\n"


def _words(advice: Advice, *, everything: bool) -> str:
    lines = []
    for name, ranked in advice.columns.items():
        lines.append(name)
        for one in [one for one in ranked if one.advised][:SHOWN]:
            because = " ".join(reason.text for reason in one.reasons_for)
            lines.append(f"    {one.score:.2f}  {one.technique}  {because}".rstrip())
        for one in ranked if everything else ():
            if not one.advised:
                because = " ".join(f"({reason.factor}) {reason.text}" for reason in one.reasons_against)
                lines.append(f"    not   {one.technique}  {because}")
    return "\n".join(lines) + "\n"
