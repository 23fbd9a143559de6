"""``deid run --engine spark``: the same recipe, carried out on a cluster."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from techniques.core.messages import EngineError, _
from techniques.recipe.recipe import Recipe
from techniques.recipe.recipe_set import RecipeSet
from techniques.tables.sources.catalogs import Catalogued, is_catalogued, read_only
from techniques.tables.sources.databases import without_secrets
from techniques.tables.sources.forms import NAMES, by_name
from techniques.tables.sources.objects import has_scheme
from techniques.tables.sources.parts import Part, Rows, is_pattern, parts_of, together

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from techniques.core.secrets import Secrets
    from techniques.engines.spark.layout import File, Located

T = TypeVar("T")

MASTER = "local[*]"


def add_engine(parser: argparse.ArgumentParser, does: str) -> None:
    """The options that say where something is done, and in words what ``does`` it there."""
    parser.add_argument(
        "--engine",
        choices=["local", "spark"],
        default="local",
        help="local: on this machine; spark: on a Spark cluster, which reads Parquet and CSV from places that all its "
        f"machines see, and tables of Hive and Iceberg that lie there, and {does}",
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
    require_place(inputs[0])
    if is_catalogued(output):
        raise read_only(Catalogued.parse(output))
    if output == "-" or has_scheme(output):
        raise _no_place(output)
    if by_name(output).form not in (None, "parquet"):
        text = _("On Spark a result is Parquet, but the recipe writes %(format)s.")
        raise EngineError("spark_output", text, format=by_name(output).form)
    if Path(output).exists():
        from techniques.engines.spark.run import output_exists

        raise output_exists(Path(output))
    require_suitable(recipes.tables[""])
    return recipes.tables[""]


def require_place(given: str) -> None:
    """EngineError ``spark_place``, ``catalog_address``, where a cluster reads no table that is named so."""
    if is_catalogued(given):
        Catalogued.parse(given)
    elif given == "-" or has_scheme(given):
        raise _no_place(given)


def _no_place(given: str) -> EngineError:
    text = _("%(path)s: Spark reads files, folders and tables of Hive and Iceberg, and writes folders.")
    return EngineError("spark_place", text, path=without_secrets(given))


@contextmanager
def source(
    options: argparse.Namespace, given: str, check: Callable[[list[str]], T]
) -> Iterator[tuple[SparkSession, Located, T]]:
    """(the session, a table's files, what ``check`` gives of its columns); whatever can be said without Spark is said before it starts.
    EngineError."""
    from techniques.engines.spark.session import session

    master = options.master or MASTER
    if is_catalogued(given) and (address := Catalogued.parse(given)).kind == "hive":
        from techniques.engines.spark import hive

        with session(master, hive.SETTINGS) as spark:
            table = hive.hive_table(spark, address)
            yield spark, table, check(table.columns)
        return
    table = of_snapshot(Catalogued.parse(given)) if is_catalogued(given) else files_of(given, options)
    checked = check(table.columns)
    with session(master) as spark:
        yield spark, table, checked


def of_snapshot(address: Catalogued) -> Located:
    """A table of Iceberg by its files. EngineError ``catalog_…``, ``iceberg_…``."""
    from techniques.engines.spark.catalogued import Held, located
    from techniques.tables.sources.iceberg import Iceberg

    table = Iceberg(address)
    held = (Held(one.path, one.name, one.names, one.said) for one in table.files())
    return located(address, table.schema, held, is_exact=True)


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
    from techniques.tables.sources.files import digest_of_parts

    given, output = options.files
    with (
        source(options, given, recipe.check_columns) as (spark, table, _checked),
        tempfile.TemporaryDirectory(prefix="deid-") as scratch,
    ):
        layout, digests = counted_layout(spark, table)
        digest = digests[0]
        if table.several:
            digest = digest_of_parts(zip(digests, (file.name for file in table.files), strict=True))
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


def files_of(given: str, options: argparse.Namespace) -> Located:
    """A table of files. EngineError as of parts on one machine."""
    import pyarrow as pa

    from techniques.cli.tables import form_of
    from techniques.engines.spark.layout import File, Located
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
                files[part] = replace(files[part], groups=groups)
                single[:] = list(columnar.types.values())
                yield columnar.typed_schema, iter(())

    with together(found, forms.__getitem__, header) as (schema, rows):
        for _row in rows:
            raise AssertionError("headers have no rows")
    said = schema.names[len(schema.names) - len(found[0].keys) :] if found[0].keys else []
    whole = {name for name in said if pa.types.is_integer(schema.field(name).type)}
    made = [replace(file, said=_folder_cells(part, said, whole)) for part, file in files.items()]
    types = [] if forms[found[0]] == "csv" else list(schema.types) if several else single
    return Located(made, list(schema.names), types, several)


def _folder_cells(part: Part, names: Sequence[str], whole: set[str]) -> dict[str, str | int | None]:
    texts = ((name, part.keys[name]) for name in names)
    return {name: int(text) if text is not None and name in whole else text for name, text in texts}
