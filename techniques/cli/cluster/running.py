"""``deid run --engine spark``: the same recipe, carried out on a cluster."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from techniques.core.messages import EngineError, _
from techniques.recipe.recipe import Recipe
from techniques.recipe.recipe_set import RecipeSet
from techniques.tables.sources.databases import without_secrets
from techniques.tables.sources.forms import NAMES, by_name
from techniques.tables.sources.objects import has_scheme
from techniques.tables.sources.parts import Part, Rows, is_pattern, parts_of, together

if TYPE_CHECKING:
    from techniques.core.secrets import Secrets
    from techniques.engines.spark.layout import File

MASTER = "local[*]"


def add_engine(parser: argparse.ArgumentParser, does: str) -> None:
    """The options that say where something is done, and in words what ``does`` it there."""
    parser.add_argument(
        "--engine",
        choices=["local", "spark"],
        default="local",
        help="local: on this machine; spark: on a Spark cluster, which reads Parquet and CSV from places that all its "
        f"machines see and {does}",
    )
    parser.add_argument("--master", metavar="URL", help=f"the cluster of --engine spark (default {MASTER})")


def is_on_cluster(options: argparse.Namespace) -> bool:
    """Whether the options ask for a cluster. EngineError ``spark_master``."""
    if options.master and options.engine != "spark":
        raise EngineError("spark_master", _("--master has no meaning without --engine spark."))
    return bool(options.engine == "spark")


def require_engine(options: argparse.Namespace, recipes: RecipeSet) -> Recipe:
    """The recipe, where it runs on a cluster as the options ask. EngineError."""
    from techniques.engines.spark.suitability import require_suitable

    *inputs, output = options.files
    if "" not in recipes.tables or len(inputs) != 1:
        raise EngineError("spark_one_table", _("On Spark a recipe takes one input and one output."))
    for name, given in (("workspace", options.workspace), ("output-format", options.output_format)):
        if given and given != "parquet":
            raise EngineError(
                "spark_option", _("--%(option)s has no meaning with --engine spark."), option=name
            )
    for place in (inputs[0], output):
        if place == "-" or has_scheme(place):
            text = _("%(path)s: Spark reads and writes files and folders only.")
            raise EngineError("spark_place", text, path=without_secrets(place))
    if by_name(output).form not in (None, "parquet"):
        text = _("On Spark a result is Parquet, but the recipe writes %(format)s.")
        raise EngineError("spark_output", text, format=by_name(output).form)
    if Path(output).exists():
        from techniques.engines.spark.run import output_exists

        raise output_exists(Path(output))
    require_suitable(recipes.tables[""])
    return recipes.tables[""]


def run_on_cluster(
    options: argparse.Namespace,
    recipe: Recipe,
    secrets: Secrets,
    tick: Callable[[float], None],
    finish: Callable[[Any, dict[str, Any]], None],
) -> dict[str, Any]:
    """The report of a run whose result stands in its place once ``finish(run, report)`` has gone well."""
    from techniques.engines.local import DirectoryWorkspace
    from techniques.engines.spark.run import SparkRun, counted_layout
    from techniques.engines.spark.session import session
    from techniques.tables.sources.files import digest_of_parts

    given, output = options.files
    files, columns, types = files_of(given, options)
    recipe.check_columns(columns)
    size = sum(os.path.getsize(file.path) for file in files)
    with session(options.master or MASTER) as spark, tempfile.TemporaryDirectory(prefix="deid-") as scratch:
        layout, digests = counted_layout(spark, files, columns, types, size)
        digest = digests[0]
        if is_pattern(given):
            digest = digest_of_parts(zip(digests, (file.name for file in files), strict=True))
        workspace = DirectoryWorkspace(Path(scratch) / "run")
        run = SparkRun(spark, recipe, layout, digest, Path(output), workspace, secrets, options.order)
        try:
            report = run.execute_all(tick)
            report["seconds"] = {key: round(seconds, 3) for key, seconds in run.durations.items()}
            finish(run, report)
            run.commit()
        finally:
            run.close()
    return report


def files_of(given: str, options: argparse.Namespace) -> tuple[list[File], list[str], list[Any]]:
    """(the files of a table, its columns, their types where the files have some). EngineError as of parts on one machine."""
    import pyarrow as pa

    from techniques.cli.tables import form_of
    from techniques.engines.spark.layout import File
    from techniques.tables import open_table
    from techniques.tables.readers.parquet import ParquetReader
    from techniques.tables.sources.files import form_of as content_form

    path = Path(given).absolute()
    several = is_pattern(given)
    found = parts_of(str(path)) if several else [Part(path, path.name)]
    forms: dict[Part, Any] = {}
    files: dict[Part, File] = {}
    single: list[Any] = []
    for part in found:
        form = forms[part] = content_form(part.path, part.name, options.format)
        if form not in ("csv", "parquet"):
            text = _("%(path)s: Spark reads Parquet and CSV, and this is %(found)s.")
            raise EngineError("spark_form", text, path=part.name, found=NAMES[form])
        files[part] = File(str(part.path), part.name, form_of(part.path, options, True))

    @contextmanager
    def header(part: Part) -> Iterator[Rows]:
        with part.path.open("rb") as stream:
            if forms[part] == "csv":
                with open_table(stream, files[part].format) as reader:
                    yield pa.schema([(name, pa.string()) for name in reader.columns]), iter(())
                return
            with ParquetReader(stream) as columnar:
                groups = columnar.group_rows
                files[part] = File(str(part.path), part.name, files[part].format, (), groups)
                single[:] = list(columnar.types.values())
                yield columnar.typed_schema, iter(())

    with together(found, forms.__getitem__, header) as (schema, rows):
        for _row in rows:
            raise AssertionError("headers have no rows")
    said = schema.names[len(schema.names) - len(found[0].keys) :] if found[0].keys else []
    whole = {name for name in said if pa.types.is_integer(schema.field(name).type)}
    made = [
        File(file.path, file.name, file.format, _said(part, said, whole), file.groups)
        for part, file in files.items()
    ]
    types = [] if forms[found[0]] == "csv" else list(schema.types) if several else single
    return made, list(schema.names), types


def _said(part: Part, names: Sequence[str], whole: set[str]) -> tuple[str | int | None, ...]:
    texts = ((name, part.keys[name]) for name in names)
    return tuple(int(text) if text is not None and name in whole else text for name, text in texts)
