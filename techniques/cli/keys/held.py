"""Keys and seed from files or the environment, and whether they are those of an earlier run."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

from techniques.core.messages import EngineError, _
from techniques.recipe.recipe_set import RecipeSet


def given_secrets(options: argparse.Namespace, recipes: RecipeSet) -> Any:
    """Key and seed from file or environment; a key is never made up without being kept."""
    from techniques.core.secrets import Secrets

    seed = _secret(options.seed_file, "DEID_SEED")
    if not seed and recipes.needs_seed():
        text = _(
            "What this recipe encrypts can be recovered only with the run's seed: give one with "
            "--seed-file or DEID_SEED and keep it, or let results be joinable in the whole project."
        )
        raise EngineError("seed_missing", text)
    key = _secret(options.key_file, "DEID_KEY")
    if options.generate_key:
        key = secrets.token_hex(32).encode()
        descriptor = os.open(options.generate_key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(key + b"\n")
    if recipes.needs_key() and not key:
        text = _(
            "This recipe makes pseudonyms and needs a secret key: give one with --key-file or DEID_KEY, or "
            "let --generate-key make one."
        )
        raise EngineError("key_missing", text)
    purposes = {purpose: path.read_bytes().strip() for purpose, path in purpose_files(options).items()}
    once = secrets.token_bytes(32) if recipes.needs_key_once() else b""
    if not seed:
        seed = secrets.token_bytes(32)
        steps = [step for recipe in recipes.tables.values() for step in recipe.steps]
        if recipes.needs_key() or any(step.spec.random for step in steps):
            print("deid: no seed given; this run cannot be repeated exactly", file=sys.stderr)
    return Secrets(key=key, seed=seed, purposes=purposes, once=once, national=options.national)


def purpose_files(options: argparse.Namespace) -> dict[str, Path]:
    """Purpose → the file of its key."""
    files = {}
    for one in options.purpose_key:
        purpose, sign, path = one.rpartition("=")
        if not sign or not purpose:
            raise EngineError("purpose_key_unclear", _("%(given)s is not PURPOSE=FILE."), given=one)
        files[purpose] = Path(path)
    return files


def _secret(path: Path | None, variable: str) -> bytes:
    if path is not None:
        return path.read_bytes().strip()
    return os.environ.get(variable, "").strip().encode()


def require_same_secrets(path: Path, table: str, held: Any, needed: Collection[str]) -> None:
    """EngineError ``secrets_differ`` where the report of a run names other secrets than those that are held."""
    wanted = _reported(path, table).get("secrets", {})
    found = held.report_fingerprints()
    for name, text in (
        (
            "key",
            _("This is not the key of the run: its fingerprint is %(found)s, that of the run is %(wanted)s."),
        ),
        (
            "salt",
            _(
                "This is not the seed of the run: its fingerprint is %(found)s, that of the run is %(wanted)s."
            ),
        ),
    ):
        if name in needed and wanted.get(name, found[name]) != found[name]:
            raise EngineError("secrets_differ", text, found=found[name], wanted=wanted[name])


def require_same_keys(path: Path, recipes: RecipeSet, secret: Any) -> None:
    """Every key that the recipes rest on is that of the run of which this is the report.

    EngineError ``secrets_differ``, ``report_without_key`` where it names none.
    """
    for name, recipe in recipes.tables.items():
        stated = _reported(path, name).get("secrets", {})
        held = secret.purpose_fingerprints()
        if recipe.needs_key():
            if "key" not in stated:
                text = _("The report %(path)s names no key: it is of a run that used none.")
                raise EngineError("report_without_key", text, path=path.name)
            require_same_secrets(path, name, secret, ("key",))
        for purpose in recipe.purposes():
            wanted = stated.get("purposes", {}).get(purpose, "")
            if wanted != held.get(purpose, ""):
                text = _(
                    "This is not the key of the purpose “%(purpose)s” of that run: its fingerprint is %(found)s, that of the "
                    "run is %(wanted)s."
                )
                raise EngineError(
                    "secrets_differ",
                    text,
                    purpose=purpose,
                    found=held.get(purpose, "-"),
                    wanted=wanted or "-",
                )


def _reported(path: Path, table: str) -> dict[str, Any]:
    """What the report of a run says of a table. EngineError ``run_report_invalid``."""
    try:
        report = json.loads(path.read_text(encoding="utf-8-sig"))
        found: dict[str, Any] = report.get("tables", {}).get(table, report)
        return found
    except (ValueError, AttributeError, RecursionError):
        pass
    raise EngineError("run_report_invalid", _("%(path)s is not the report of a run."), path=path.name)
