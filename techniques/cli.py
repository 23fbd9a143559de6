"""The ``deid`` command: the engine without the portal."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

from techniques import catalogue
from techniques.messages import EngineError, gettext_noop
from techniques.recipe import Recipe

_KINDS = {".csv": "csv", ".txt": "csv", ".tsv": "csv", ".xlsx": "xlsx", ".parquet": "parquet"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 if all went well, 2 with a plain sentence on stderr if not."""
    options = _parser().parse_args(arguments)
    try:
        code: int | None = options.handler(options)
    except EngineError as error:
        print(f"deid: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"deid: {error.filename or ''}: {error.strerror or error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("deid: stopped", file=sys.stderr)
        return 130
    return code or 0


def _parser() -> argparse.ArgumentParser:
    from techniques.models import command as models
    from techniques.risk import command as risk
    from techniques.risk import evaluate_command as evaluate
    from techniques.utility import command as utility

    parser = argparse.ArgumentParser(prog="deid", description="De-identify tables by GB/T 37964-2019.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="carry out a recipe on a file")
    run.add_argument("recipe", type=Path, help="recipe in YAML or JSON")
    run.add_argument("input", type=Path, help="CSV, XLSX or Parquet file")
    run.add_argument("output", type=Path, help="where the result goes")
    run.add_argument("--report", type=Path, help="write the report of the run here, as JSON")
    run.add_argument("--key-file", type=Path, help="secret key for pseudonyms (or DEID_KEY)")
    run.add_argument("--generate-key", type=Path, metavar="FILE", help="make a new key and keep it in FILE")
    run.add_argument("--seed-file", type=Path, help="seed of all draws and of the salt (or DEID_SEED)")
    run.add_argument("--mapping", type=Path, metavar="DIR", help="keep mapping tables of pseudonyms here")
    run.add_argument("--workspace", type=Path, help="keep intermediate files here and resume from them")
    run.set_defaults(handler=_run)
    listing = commands.add_parser("techniques", help="list the techniques and their parameters")
    listing.add_argument("--json", action="store_true", help="everything, as JSON")
    listing.set_defaults(handler=_techniques)
    back = commands.add_parser("reverse", help="get the values of a column back with the secrets of its run")
    back.add_argument("recipe", type=Path, help="the recipe of the run")
    back.add_argument("result", type=Path, help="the result of the run")
    back.add_argument("column", help="a column that one reversible step has treated")
    back.add_argument("output", type=Path, help="where the table with the old values goes")
    back.add_argument("--key-file", type=Path, help="secret key of the run (or DEID_KEY)")
    back.add_argument("--seed-file", type=Path, help="seed of the run (or DEID_SEED)")
    back.set_defaults(handler=_reverse, generate_key=None)
    kinds = commands.add_parser("presets", help="list treatments by kind of identifier")
    kinds.add_argument("--json", action="store_true", help="everything, as JSON")
    kinds.set_defaults(handler=_presets)
    models.add_parser(commands)
    risk.add_parser(commands)
    evaluate.add_parser(commands)
    utility.add_parser(commands)
    return parser


def _techniques(options: argparse.Namespace) -> None:
    if options.json:
        listed = [spec.as_dict() for spec in catalogue.techniques()]
        print(json.dumps(listed, ensure_ascii=False, indent=2))
        return
    for spec in catalogue.techniques():
        print(f"{spec.key}\n    {spec.summary}")
        for field in catalogue.parameter_fields(spec.key):
            print(f"    {field.name}: {field.title}{' (required)' if field.required else ''}")


def _reverse(options: argparse.Namespace) -> None:
    recipe = _recipe(options.recipe)
    if options.output.exists() and options.output.samefile(options.result):
        raise EngineError("output_is_input", gettext_noop("The result may not overwrite the input."))
    from techniques.reversal import reverse_table

    secret = _secrets(options, recipe)
    rows = reverse_table(recipe, options.column, options.result, options.output, secret)
    print(f"{rows} rows: {options.output}")


def _recipe(path: Path) -> Recipe:
    return Recipe.parse(_text(path), lambda name: (path.parent / name).read_bytes())


def _presets(options: argparse.Namespace) -> None:
    from techniques.presets import presets

    if options.json:
        print(json.dumps([preset.as_dict() for preset in presets()], ensure_ascii=False, indent=2))
        return
    for preset in presets():
        print(f"{preset.kind}: {preset.name} ({preset.technique})\n    Keeps: {preset.keeps}")


def _run(options: argparse.Namespace) -> None:
    recipe = _recipe(options.recipe)
    if options.output.exists() and options.output.samefile(options.input):
        raise EngineError("output_is_input", gettext_noop("The result may not overwrite the input."))
    # Only now the numerical libraries: a wrong recipe is refused at once.
    from techniques.engines.local import DirectoryWorkspace, LocalRun

    with tempfile.TemporaryDirectory(prefix=".deid-", dir=options.output.resolve().parent) as scratch:
        workspace = DirectoryWorkspace(options.workspace or Path(scratch))
        run = LocalRun(
            recipe,
            _source(options.input, recipe),
            workspace,
            _secrets(options, recipe),
            _kind(options.output, recipe),
        )
        report = run.execute_all(_progress(), resume=options.workspace is not None)
        if options.mapping:
            _write_mappings(options.mapping, run)
        # Copied under another name first: the result appears under its own name when it is whole.
        partial = Path(scratch) / "whole"
        with workspace.open_read(run.result_name) as stream, partial.open("wb") as target:
            while block := stream.read(1 << 20):
                target.write(block)
        partial.replace(options.output)
    if options.report:
        timing = {key: round(seconds, 3) for key, seconds in run.durations.items()}
        text = json.dumps({**report, "seconds": timing}, ensure_ascii=False, indent=2)
        options.report.write_text(text + "\n", encoding="utf-8")
    print(f"{report['rows_in']} rows in, {report['rows_out']} rows out: {options.output}")


def _write_mappings(folder: Path, run: Any) -> None:
    """A CSV per column, readable by its owner only; an older one is never overwritten."""
    from pyarrow import csv

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for number, table in enumerate(run.mapping_tables().values(), start=1):
        descriptor = os.open(folder / f"mapping-{number}.csv", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            csv.write_csv(table, stream)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise EngineError("recipe_encoding", gettext_noop("The recipe must be UTF-8 text.")) from None


def _source(path: Path, recipe: Recipe) -> Any:
    """The input with its detected form; the header is compared with the recipe before any row is read."""
    from techniques.engines.local import Source
    from techniques.tables import check, detect, open_table

    def open_input() -> BinaryIO:
        return path.open("rb")

    with open_input() as stream:
        found = detect(stream, path.name)
    with open_input() as stream, open_table(stream, found) as reader:
        recipe.check_columns(reader.columns)
    with open_input() as stream:
        profile = check(stream, found, lambda *_: None)
    return Source(open=open_input, format=found, rows=profile.rows, size=path.stat().st_size)


def _kind(output: Path, recipe: Recipe) -> Any:
    kind = _KINDS.get(output.suffix.lower())
    wanted = recipe.output.format
    if kind is not None and wanted not in ("same", kind):
        raise EngineError(
            "output_kind",
            gettext_noop("The recipe writes %(format)s, but the result's name ends in %(suffix)s."),
            format=wanted,
            suffix=output.suffix,
        )
    return kind


def _secrets(options: argparse.Namespace, recipe: Recipe) -> Any:
    """Key and seed from file or environment; a key is never made up without being kept."""
    from techniques.secrets import Secrets

    seed = _secret(options.seed_file, "DEID_SEED")
    if not seed and recipe.needs_seed():
        raise EngineError(
            "seed_missing",
            gettext_noop(
                "What this recipe encrypts can be got back only with the run's seed: give one with --seed-file "
                "or DEID_SEED and keep it, or let results be joinable in the whole project."
            ),
        )
    key = _secret(options.key_file, "DEID_KEY")
    if options.generate_key:
        key = secrets.token_hex(32).encode()
        descriptor = os.open(options.generate_key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(key + b"\n")
    if recipe.needs_key() and not key:
        raise EngineError(
            "key_missing",
            gettext_noop(
                "This recipe makes pseudonyms and needs a secret key: give one with --key-file or DEID_KEY, or "
                "let --generate-key make one."
            ),
        )
    if not seed:
        seed = secrets.token_bytes(32)
        if recipe.needs_key() or any(step.spec.random for step in recipe.steps):
            print("deid: no seed given; this run cannot be repeated exactly", file=sys.stderr)
    return Secrets(key=key, seed=seed)


def _secret(path: Path | None, variable: str) -> bytes:
    if path is not None:
        return path.read_bytes().strip()
    return os.environ.get(variable, "").strip().encode()


def _progress() -> Any:
    """Shows the share done on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        return lambda share: None

    def show(share: float) -> None:
        print(f"\r{share:4.0%}", end="\r", file=sys.stderr, flush=True)

    return show


if __name__ == "__main__":
    sys.exit(main())
