"""``deid completion SHELL``: a script for bash, zsh or fish that completes commands, options, choices and files.

It is made from the parser, so that it never names what is not there. zsh takes bash's, by its own ``bashcompinit``.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class _Command:
    """A command by its words, what may follow, and its options: (name, help, whether a value follows, choices)."""

    words: tuple[str, ...]
    parts: dict[str, str]
    options: list[tuple[str, str, bool, list[str]]]


def add_parser(
    new_command: Callable[..., argparse.ArgumentParser], whole: Callable[[], argparse.ArgumentParser]
) -> None:
    """Add the command ``completion``; ``whole`` makes the parser of all commands."""
    parser = new_command(
        "completion",
        help="print a script that completes commands and options in a shell",
        description='bash: eval "$(deid completion bash)" in ~/.bashrc; zsh: the same in ~/.zshrc; fish: deid completion fish > '
        "~/.config/fish/completions/deid.fish.",
    )
    parser.add_argument("shell", choices=["bash", "zsh", "fish"], help="bash, zsh or fish")
    parser.set_defaults(handler=lambda options: _print(options.shell, whole()))


def _print(shell: str, parser: argparse.ArgumentParser) -> int:
    script = {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]
    sys.stdout.write(script(list(_commands(parser, ()))))
    return 0


def _commands(parser: argparse.ArgumentParser, words: tuple[str, ...]) -> Iterator[_Command]:
    parts: dict[str, str] = {}
    options = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            said = {one.dest: one.help or "" for one in action._choices_actions}
            parts = {name: said.get(name, "") for name in action.choices}
            for name, one in action.choices.items():
                yield from _commands(one, (*words, name))
            continue
        takes = action.nargs != 0
        choices = [str(one) for one in action.choices or ()]
        options += [
            (name, (action.help or "").replace("%%", "%"), takes, choices)
            for name in action.option_strings
            if name.startswith("--")
        ]
    yield _Command(words, parts, options)


def _bash(commands: list[_Command]) -> str:
    cases, values = [], []
    for one in commands:
        key = " ".join(one.words)
        words = " ".join([*one.parts, *(option[0] for option in one.options)])
        cases.append(f'    "{key}") words="{words}" ;;')
        for name, _said, takes, choices in one.options:
            if takes:
                listed = f'words="{" ".join(choices)}"; only=1' if choices else "files=1; only=1"
                values.append(f'    "{key} {name}") {listed} ;;')
    parts = sorted({" ".join((*one.words, part)) for one in commands for part in one.parts})
    return "\n".join(
        [
            "_deid() {",
            '  local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
            '  local key="" words="" files="" only="" word',
            '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
            '    case "${key:+$key }$word" in',
            f'      {"|".join(shlex.quote(part) for part in parts)}) key="${{key:+$key }}$word" ;;',
            "    esac",
            "  done",
            '  case "$key $before" in',
            *values,
            "  esac",
            '  if [ -z "$only" ]; then case "$key" in',
            *cases,
            "  esac; fi",
            '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
            '  if [ -n "$files" ] || { [ -z "$only" ] && [ "${current#-}" = "$current" ] && [ -n "$key" ]; }; then',
            '    COMPREPLY+=($(compgen -f -- "$current"))',
            "  fi",
            "}",
            "complete -o filenames -F _deid deid",
            "",
        ]
    )


def _zsh(commands: list[_Command]) -> str:
    return "autoload -U +X compinit && compinit -u\nautoload -U +X bashcompinit && bashcompinit\n" + _bash(
        commands
    )


def _fish(commands: list[_Command]) -> str:
    lines = []
    for one in commands:
        seen = [f"__fish_seen_subcommand_from {word}" for word in one.words]
        rest = [f"not __fish_seen_subcommand_from {' '.join(one.parts)}"] if one.parts else []
        when = shlex.quote("; and ".join([*seen, *rest]) or "true")
        for name, said in one.parts.items():
            lines.append(f"complete -c deid -f -n {when} -a {name} -d {_quoted(said)}")
        for name, said, takes, choices in one.options:
            value = f" -x -a {_quoted(' '.join(choices))}" if choices else " -r -F" if takes else ""
            lines.append(f"complete -c deid -n {when} -l {name[2:]} -d {_quoted(said)}{value}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """In single quotes, in which fish knows a backslash before a quote and before itself alone."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
