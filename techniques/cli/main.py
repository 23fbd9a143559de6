"""The ``deid`` command: the engine without the portal."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack, redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from techniques import catalogue
from techniques.cli.cluster.running import add_engine, is_on_cluster, require_engine, run_on_cluster
from techniques.cli.completion.command import complete
from techniques.cli.keys.held import given_secrets, purpose_files, require_same_keys, require_same_secrets
from techniques.cli.places.staging import PIPE, Staging, TableIn, TableOut
from techniques.cli.recipes.reading import Given, add_variables, recipe_of
from techniques.cli.tables import add_json, add_output_format, add_plain, add_reading, file_format, say, shown
from techniques.core import faults
from techniques.core.messages import EngineError, _
from techniques.recipe import guarantees
from techniques.recipe.policy import require_national
from techniques.recipe.recipe import Recipe
from techniques.recipe.recipe_set import RecipeSet, in_table
from techniques.tables.sources.catalogs import Catalogued, is_catalogued
from techniques.tables.sources.databases import Address, is_address, without_secrets
from techniques.tables.sources.forms import by_name, kind_of
from techniques.tables.sources.objects import has_scheme, local
from techniques.tables.writers.outputs import Outputs

MOST_PROCESSES = 8
"""Processes of a run where nobody says how many: each holds what the steps have learned."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 if all went well, 2 with a plain sentence on stderr if not."""
    parser = command_parser()
    complete(parser)
    options = parser.parse_args(arguments)
    try:
        with Staging(options) as staging, ExitStack() as stack:
            # Where the table goes to the standard output, words go to the other.
            words = sys.stderr if staging.to_stdout or _pipes_out(options) else sys.stdout
            if getattr(options, "silent", False) and not getattr(options, "json", False):
                words = stack.enter_context(Path(os.devnull).open("w"))
            stack.enter_context(redirect_stdout(words))
            code: int | None = options.handler(options)
    except EngineError as error:
        print(f"deid: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"deid: {where}{error.strerror or error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("deid: stopped", file=sys.stderr)
        return 130
    return code or 0


def as_program() -> NoReturn:
    """The command as a program of its own: whoever ends it by SIGTERM leaves nothing behind either, exit code 143."""
    signal.signal(signal.SIGTERM, _terminated)
    sys.exit(main())


def _terminated(_number: int, _frame: object) -> NoReturn:
    raise SystemExit(143)


def command_parser() -> argparse.ArgumentParser:
    from techniques.cli import advise as advice
    from techniques.cli import anonymize as models
    from techniques.cli import evaluate, preflight, risk, sums, tabulate, utility
    from techniques.cli.attack import command as attacks
    from techniques.cli.check import command as check
    from techniques.cli.completion import command as completion
    from techniques.cli.difference import command as difference
    from techniques.cli.levels import command as levels
    from techniques.cli.local_privacy import command as local
    from techniques.cli.profile import command as profile
    from techniques.cli.queries import command as queries
    from techniques.cli.recipes import testing
    from techniques.cli.releases import command as releases
    from techniques.cli.reproduction import command as reproduce

    parser = _Parser(prog="deid", quiet=False, description="De-identify tables by GB/T 37964-2019.")
    parser.add_argument("--version", action=_Version, help="print the version and stop")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="carry out a recipe on a file")
    run.add_argument("recipe", type=Path, help="recipe in YAML or JSON")
    run.add_argument(
        "files",
        nargs="+",
        metavar="INPUT OUTPUT",
        help="the table and where the result goes, each a file, - for the standard input or output, or for INPUT a folder or "
        "a pattern of parts; for a recipe over several tables NAME=INPUT of each of them, and the folder of the results",
    )
    run.add_argument("--report", type=Path, help="write the report of the run here, as JSON")
    run.add_argument("--key-file", type=Path, help="secret key for pseudonyms (or DEID_KEY)")
    run.add_argument(
        "--purpose-key",
        action="append",
        default=[],
        metavar="PURPOSE=FILE",
        help="the secret key that the projects of a purpose share, for pseudonyms that are joinable in all of them",
    )
    run.add_argument("--generate-key", type=Path, metavar="FILE", help="make a new key and keep it in FILE")
    run.add_argument(
        "--same-key-as",
        type=Path,
        metavar="REPORT",
        help="the report of an earlier run whose pseudonyms these have to be joinable with: other keys than its own are refused",
    )
    run.add_argument("--seed-file", type=Path, help="seed of all draws and of the salt (or DEID_SEED)")
    run.add_argument("--mapping", type=Path, metavar="DIR", help="keep mapping tables of pseudonyms here")
    run.add_argument(
        "--national",
        action="store_true",
        default=os.environ.get("DEID_NATIONAL_CRYPTOGRAPHY", "") not in ("", "0"),
        help="allow national commercial cryptography only (or DEID_NATIONAL_CRYPTOGRAPHY=1)",
    )
    run.add_argument("--workspace", type=Path, help="keep intermediate files here and resume from them")
    run.add_argument(
        "--processes",
        type=_processes,
        default=min(_cores(), MOST_PROCESSES),
        metavar="N",
        help="processes that treat the rows at the same time, each at least sixteen parts: a million rows, fewer where rows are "
        f"long (default: one a core, at most {MOST_PROCESSES})",
    )
    run.add_argument(
        "--order",
        choices=["shuffled", "kept"],
        default="shuffled",
        help="of the rows where the recipe says none; kept: as in the input, so that whoever holds another table in that "
        "order joins both by place (default shuffled)",
    )
    add_variables(run)
    add_engine(run, "writes a folder of Parquet files")
    add_json(run)
    add_output_format(run)
    add_plain(run)
    add_reading(run, "inputs", "each INPUT")
    run.set_defaults(handler=_run)
    listing = commands.add_parser("techniques", quiet=False, help="list the techniques and their parameters")
    listing.add_argument("--json", action="store_true", help="everything, as JSON")
    listing.set_defaults(handler=_techniques)
    back = commands.add_parser("reverse", help="get the values of a column back with the secrets of its run")
    back.add_argument("recipe", type=Path, help="the recipe of the run")
    back.add_argument("--table", default="", help="which table, if the recipe was one over several")
    back.add_argument("result", type=TableIn, help="the result of the run")
    back.add_argument("column", help="a column that one reversible step has treated")
    back.add_argument("output", type=TableOut, help="where the table with the old values goes")
    back.add_argument(
        "--report", type=Path, help="the report of the run: other secrets than its own are refused"
    )
    back.add_argument("--key-file", type=Path, help="secret key of the run (or DEID_KEY)")
    back.add_argument("--seed-file", type=Path, help="seed of the run (or DEID_SEED)")
    back.add_argument("--national", action="store_true", help="if the run allowed national cryptography only")
    add_variables(back)
    add_json(back)
    add_output_format(back)
    add_reading(back, "result", "RESULT")
    back.set_defaults(handler=_reverse, generate_key=None, purpose_key=[])
    kinds = commands.add_parser("presets", quiet=False, help="list treatments by kind of identifier")
    kinds.add_argument("--json", action="store_true", help="everything, as JSON")
    kinds.set_defaults(handler=_presets)
    for verb in (
        models,
        preflight,
        risk,
        attacks,
        advice,
        evaluate,
        check,
        reproduce,
        utility,
        sums,
        tabulate,
        releases,
        queries,
        local,
        levels,
        profile,
        difference,
        testing,
    ):
        verb.add_parser(commands.add_parser)
    completion.add_parser(commands.add_parser)
    return parser


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the arguments without the passwords that stand in them. ``quiet``: whether the command can be told
    to print nothing; one that has ``--quiet`` of its own keeps that."""

    def __init__(self, *given: Any, quiet: bool = True, **settings: Any) -> None:
        super().__init__(*given, **settings | {"conflict_handler": "resolve"})
        if quiet:
            self.add_argument(
                "--quiet",
                action="store_true",
                dest="silent",
                default=argparse.SUPPRESS,
                help="print nothing but warnings and what --json asks for",
            )

    def error(self, message: str) -> NoReturn:
        super().error(without_secrets(message))


class _Version(argparse.Action):
    """Looks the version up only where it is wanted: that takes longer than the parser."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_given: Any) -> None:
        from importlib.metadata import PackageNotFoundError, version

        from techniques.engines.reporting import ENGINE_VERSION

        for distribution in ("deid", "deid-portal"):
            with suppress(PackageNotFoundError):
                print(f"deid {version(distribution)}, engine {ENGINE_VERSION}")
                parser.exit()
        print(f"deid, engine {ENGINE_VERSION}")
        parser.exit()


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
    given = recipe_of(options.recipe, options.set)
    recipes, files = given.recipes, given.files
    if options.table not in recipes.tables:
        raise faults.tables_differ(recipes.tables)
    read = [options.result, options.key_file, options.seed_file, options.report, *files]
    with Outputs([options.output], read) as outputs:
        from techniques.engines.reversal import reverse_table
        from techniques.recipe.recipe_set import table_secrets

        recipe, secret = recipes.tables[options.table], given_secrets(options, recipes)
        held = table_secrets(secret, options.table)
        if options.report is None:
            text = "deid: no --report given: whether these are the secrets of the run was not checked"
            print(text, file=sys.stderr)
        else:
            require_same_secrets(
                options.report, options.table, held, ("key", "salt") if recipes.needs_seed() else ("key",)
            )
        found = file_format(options.result, options)
        output = outputs.beside(options.output)
        rows = reverse_table(recipe, options.column, options.result, found, output, held)
    named = shown(options.output, options)
    say(options, f"{rows} rows: {named}", {"rows": rows, "output": named})


def _presets(options: argparse.Namespace) -> None:
    from techniques.recipe.presets import presets

    if options.json:
        print(json.dumps([preset.as_dict() for preset in presets()], ensure_ascii=False, indent=2))
        return
    for preset in presets():
        print(f"{preset.kind}: {preset.name} ({preset.technique})\n    Keeps: {preset.keeps}")


def _run(options: argparse.Namespace) -> None:
    given = recipe_of(options.recipe, options.set)
    recipes, files = given.recipes, given.files
    if options.national:
        for name, recipe in recipes.tables.items():
            with in_table(name):
                require_national(recipe)
    if is_on_cluster(options):
        _run_on_cluster(options, given)
        return
    staging: Staging = options.staging
    places = _places(options.files, recipes, staging)
    options.inputs = list(places.inputs.values())
    read = [
        *files,
        options.key_file,
        options.seed_file,
        options.same_key_as,
        *purpose_files(options).values(),
    ]
    direct = [path for path in places.results.values() if not staging.is_staged(path)]
    named = [*direct, options.report, options.generate_key]
    with (
        Outputs(
            named, [*places.inputs.values(), *read], places.folders | _mapping_folders(options, recipes)
        ) as outputs,
        tempfile.TemporaryDirectory(prefix=".deid-", dir=places.output.resolve().parent) as scratch,
    ):
        # Only now the numerical libraries: a wrong recipe is refused at once.
        from techniques.engines.joint import JointRun, Table
        from techniques.engines.local import DirectoryWorkspace
        from techniques.engines.output import output_format

        tables, results = {}, dict(places.results)
        for name, recipe in recipes.tables.items():
            source = _source(places.inputs[name], recipe, options)
            kept = options.workspace is not None
            workspace = DirectoryWorkspace((options.workspace or Path(scratch)) / name, durable=kept)
            tables[name] = Table(source, workspace, places.kinds.get(name), options.plain)
            if name not in results:
                suffix = output_format(recipe.output, source.format).suffix
                results[name] = places.output / f"{name}{suffix}"
                outputs.writes(results[name])
        secret = given_secrets(options, recipes)
        if options.same_key_as:
            require_same_keys(options.same_key_as, recipes, secret)
        run = JointRun(recipes, tables, secret, options.order)
        report = run.execute_all(
            _progress(), resume=options.workspace is not None, processes=options.processes
        )
        for name, one in run.runs.items():
            if options.mapping:
                _write_mappings(outputs, options.mapping / name, one)
            of_table = report["tables"][name]
            _deliver(one, outputs, results[name], staging, of_table)
            _add_purposes(of_table, recipes.tables[name], secret)
            of_table["source_sha256"] = staging.sha256(places.inputs[name], of_table["source_sha256"])
            timing = {key: round(seconds, 3) for key, seconds in one.durations.items()}
            of_table["seconds"] = timing
        whole = report["tables"].get("", report)
        whole["guarantee"] = guarantees.for_programs(report["tables"])
        if given.variables:
            whole["variables"] = given.variables
        if options.report:
            _write_report(outputs, options.report, whole)
    if options.json:
        say(options, "", whole)
        return
    for name, of_table in report["tables"].items():
        _say(of_table, staging.shown(results[name]))


def _run_on_cluster(options: argparse.Namespace, given: Given) -> None:
    recipes = given.recipes
    recipe = require_engine(options, recipes)
    read = [
        *given.files,
        options.key_file,
        options.seed_file,
        options.same_key_as,
        *purpose_files(options).values(),
    ]
    folders = _mapping_folders(options, recipes)
    with Outputs([options.report, options.generate_key], read, folders) as outputs:
        secret = given_secrets(options, recipes)
        if options.same_key_as:
            require_same_keys(options.same_key_as, recipes, secret)

        def finish(run: Any, report: dict[str, Any]) -> None:
            if options.mapping:
                _write_mappings(outputs, options.mapping, run)
            _add_purposes(report, recipe, secret)
            report["guarantee"] = guarantees.for_programs({"": report})
            if given.variables:
                report["variables"] = given.variables
            if options.report:
                _write_report(outputs, options.report, report)

        report = run_on_cluster(options, recipe, secret, _progress(), finish)
    if options.json:
        say(options, "", report)
    else:
        _say(report, options.files[-1])


def _add_purposes(report: dict[str, Any], recipe: Recipe, secret: Any) -> None:
    if purposes := recipe.purposes():
        prints = secret.purpose_fingerprints()
        report.setdefault("secrets", {})["purposes"] = {one: prints[one] for one in sorted(purposes)}


@dataclass(frozen=True)
class _Places:
    """Where ``deid run`` reads and writes, by tables: the results go to ``results``, else into the folder ``output``,
    each under the name of its table. ``kinds`` are the forms that names of results ask for, ``folders`` have their modes."""

    inputs: dict[str, Path]
    output: Path
    results: dict[str, Path]
    kinds: dict[str, Any]
    folders: dict[Path, int]


def _pipes_out(options: argparse.Namespace) -> bool:
    """Whether the files of ``deid run``, which only the recipe tells apart, end with the standard output."""
    return bool(getattr(options, "files", [""])[-1] == PIPE)


def _places(given: Sequence[str], recipes: RecipeSet, staging: Staging) -> _Places:
    """A table without a name goes from file to file, named ones go into a folder."""
    *inputs, last = given
    paths: dict[str, Path] = {}
    if "" in recipes.tables:
        if len(inputs) != 1:
            raise EngineError("one_input", _("This recipe takes one input and one output."))
        source = staging.source(inputs[0], described=True)
        output = staging.target(last)
        kinds = {"": _kind(output, recipes.tables[""], staging)}
        return _Places({"": source}, output, {"": output}, kinds, {})
    if has_scheme(local(last)):
        text = _("%(path)s: the results of several tables go into a folder of this machine.")
        raise EngineError("output_elsewhere", text, path=without_secrets(last))
    output = Path(local(last))
    for one in inputs:
        name, path = _of_table(one)
        table = name or Path(path).stem
        if table not in paths:
            paths[table] = staging.source(path, described=True)
    if set(paths) != set(recipes.tables) or len(paths) != len(inputs):
        raise faults.tables_differ(sorted(set(paths) ^ set(recipes.tables)) or paths)
    if output.exists() and not output.is_dir():
        text = _("%(path)s is a file: the results of several tables go into a folder.")
        raise EngineError("output_no_folder", text, path=str(output))
    return _Places(paths, output, {}, {}, {output: 0o777})


def _of_table(given: str) -> tuple[str, str]:
    """(name of a table, empty where none is given; what is read for it)."""
    name, sign, path = given.partition("=")
    if is_address(given):
        return Address.parse(given).table[-1], given
    if is_catalogued(given):
        return Catalogued.parse(given).name, given
    if has_scheme(given):
        return "", given
    return (name, path) if sign else ("", given)


def _mapping_folders(options: argparse.Namespace, recipes: RecipeSet) -> dict[Path, int]:
    """The folders of mapping tables, readable by the owner only; an older one is never overwritten."""
    if options.mapping is None:
        return {}
    folders = dict.fromkeys((options.mapping / table for table in recipes.tables), 0o700)
    for folder in folders:
        if folder.exists() and (not folder.is_dir() or any(folder.glob("mapping-*.csv"))):
            text = _("%(path)s is a file or already contains mapping tables: give another folder.")
            raise EngineError("mapping_exists", text, path=str(folder))
    return folders


def _deliver(run: Any, outputs: Outputs, output: Path, staging: Staging, report: dict[str, Any]) -> None:
    with run.workspace.open_read(run.result_name) as stream:
        if staging.is_staged(output):
            report["result_sha256"] = staging.deliver(output, stream)
            return
        with outputs.open(output) as target:
            shutil.copyfileobj(stream, target, 1 << 20)


def _write_report(outputs: Outputs, path: Path, report: dict[str, Any]) -> None:
    outputs.text(path, json.dumps(report, ensure_ascii=False, indent=2) + "\n")


def _say(report: dict[str, Any], output: str) -> None:
    for step in report["steps"]:
        warning = step.get("result", {}).get("closeness", {}).get("warning")
        if warning:
            print(f"deid: step {step['step']}: {warning}", file=sys.stderr)
    print(f"{report['rows_in']} rows in, {report['rows_out']} rows out: {output}")


def _write_mappings(outputs: Outputs, folder: Path, run: Any) -> None:
    """A CSV per column, readable by its owner only."""
    from pyarrow import csv

    for number, table in enumerate(run.mapping_tables().values(), start=1):
        with outputs.open(folder / f"mapping-{number}.csv", 0o600) as stream:
            csv.write_csv(table, stream)


def _source(path: Path, recipe: Recipe, options: argparse.Namespace) -> Any:
    """The input with its form; the header is compared with the recipe before any row is read."""
    from techniques.engines.local import Source
    from techniques.tables import open_table, row_count

    # By its name alone, so that processes of the run's own can open it.
    open_input: Callable[[], Any] = partial(path.open, "rb")
    found = file_format(path, options)
    with open_input() as stream, open_table(stream, found) as reader:
        recipe.check_columns(reader.columns)
        rows = row_count(reader)
    return Source(open=open_input, format=found, rows=rows, size=path.stat().st_size)


def _kind(output: Path, recipe: Recipe, staging: Staging) -> Any:
    form = by_name(output.name).form
    kind = kind_of(form) if form else None
    wanted = recipe.output.format
    if kind is not None and wanted not in ("same", kind):
        if staging.shown(output) == PIPE:
            return wanted
        text = _("The recipe writes %(format)s, but the result's name ends in %(suffix)s.")
        raise EngineError("output_kind", text, format=wanted, suffix=output.suffix)
    return kind


def _cores() -> int:
    """Those that this command may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _processes(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def _progress() -> Any:
    """Shows the share done on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        return lambda share: None

    def show(share: float) -> None:
        print(f"\r{share:4.0%}", end="\r", file=sys.stderr, flush=True)

    return show


if __name__ == "__main__":
    as_program()
