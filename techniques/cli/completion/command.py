"""``deid completion SHELL``: a script for bash, zsh or fish that completes commands, options, choices and files.

The shell asks ``deid`` itself at each press of the key, by argcomplete, so that nothing is offered that is not there.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable

SHELLS = ("bash", "zsh", "fish")


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the command ``completion``."""
    parser = new_command(
        "completion",
        quiet=False,
        help="print a script that completes commands and options in a shell",
        description='bash: eval "$(deid completion bash)" in ~/.bashrc; zsh: the same in ~/.zshrc; fish: deid completion fish > '
        "~/.config/fish/completions/deid.fish.",
    )
    parser.add_argument("shell", choices=SHELLS, help="bash, zsh or fish")
    parser.set_defaults(handler=_print)


def _print(options: argparse.Namespace) -> None:
    from argcomplete.shell_integration import shellcode

    print(shellcode(["deid"], shell=options.shell))


def complete(parser: argparse.ArgumentParser) -> None:
    """Where a shell asks what may follow, answer it and end."""
    if "_ARGCOMPLETE" in os.environ:
        import argcomplete

        argcomplete.autocomplete(parser)
