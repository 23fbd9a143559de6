"""Tables of Iceberg as sources: every snapshot with the columns that it has, and nothing that was taken out of it."""

from __future__ import annotations

import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyiceberg.manifest import DataFileContent
from pyiceberg.table import Table

from techniques.cli import main as cli
from techniques.cli.cluster.running import of_snapshot
from techniques.core.messages import EngineError
from techniques.engines.spark.layout import Layout
from techniques.tables.canonical import column_text
from techniques.tables.sources.catalogs import Catalogued
from techniques.tables.sources.iceberg import Iceberg
from tests.techniques import lakes
from tests.techniques.engines.spark.written_out import texts_of

RECIPE = "recipe: 1\nunlisted: keep\nsteps: [{technique: suppression.remove_column, columns: [day]}]\n"


@pytest.fixture(autouse=True)
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "lake").mkdir()
    lakes.configure(tmp_path / "lake", monkeypatch)
    monkeypatch.chdir(tmp_path)
    Path("recipe.yaml").write_text(RECIPE)
    return tmp_path / "lake"


def _read(source: str, order: str = "kept") -> pa.Table:
    Path("out.parquet").unlink(missing_ok=True)
    assert cli.main(["run", "recipe.yaml", source, "out.parquet", "--order", order]) == 0
    return pq.read_table("out.parquet")


def _in_tasks(source: str) -> tuple[pa.Table, pa.Table]:
    """(texts, values) of a table as the tasks of a cluster read its files."""
    table = of_snapshot(Catalogued.parse(source))
    rows = sum(sum(file.groups) for file in table.files)
    layout = Layout(tuple(table.files), tuple(table.columns), tuple(table.types), rows, 0)
    return pa.Table.from_batches(texts_of(layout)), pa.Table.from_batches(layout.carried(0, table.columns))


def _here(source: str) -> tuple[pa.Table, pa.Table]:
    """The same as one machine reads them."""
    values = pa.Table.from_batches(Iceberg(Catalogued.parse(source)).batches())
    texts = {name: column_text(values[name].combine_chunks()) for name in values.column_names}
    return pa.table(texts), values


def _made(name: str, rows: pa.Table, parted: str = "") -> Table:
    catalog = lakes.grown()[0].catalog
    table = catalog.create_table(("raw", name), rows.schema)
    if parted:
        with table.update_spec() as change:
            change.add_identity(parted)
    return table


def _without_numbers(folder: Path) -> Table:
    """``raw.plain`` of one file whose columns have no numbers, as engines other than Iceberg's write them."""
    rows = pa.table({"id": [1, 2], "who": ["ann", "bob"]})
    table = _made("plain", rows)
    pq.write_table(rows, folder / "plain.parquet")
    table.add_files([str(folder / "plain.parquet")])
    return table


def test_the_newest_snapshot_and_a_named_one(lake: Path) -> None:
    """Columns are found by their numbers: one has a name that another had before."""
    table, snapshots = lakes.grown()
    newest = _read("iceberg://lake/raw.visits").sort_by("id")
    assert newest.schema.names == ["id", "person", "fee", "who"]
    assert newest.schema.types == [pa.int64(), pa.string(), pa.float64(), pa.int64()]
    assert newest.num_rows == 42
    assert newest["id"].to_pylist()[-1] == 1 << 40
    assert set(newest["person"].to_pylist()) == {*(f"p{number}" for number in range(7)), "p8", "p9"}
    assert newest["who"].drop_null().to_pylist() == [5]
    first = _read(f"iceberg://lake/raw.visits?snapshot={snapshots[0]}")
    assert first.schema.names == ["id", "who", "fee"]
    assert first.num_rows == 40
    table.manage_snapshots().create_tag(snapshots[1], "quarter").commit()
    assert _read("iceberg://lake/raw.visits?snapshot=quarter").num_rows == 41
    table.manage_snapshots().create_tag(snapshots[0], "2026").commit()
    assert _read("iceberg://lake/raw.visits?snapshot=2026").num_rows == 40
    assert _read(f"iceberg://{table.metadata_location.removeprefix('file://')}").num_rows == 42


def test_rows_that_were_taken_out_are_not_read(lake: Path) -> None:
    table, _snapshots = lakes.grown()
    before = _read("iceberg://lake/raw.visits")
    lakes.delete_first_row(table)
    after = _read("iceberg://lake/raw.visits")
    assert after.equals(before.slice(1))


def test_a_kind_of_delete_that_is_not_applied_ends_the_command(
    lake: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, _snapshots = lakes.grown()
    lakes.delete_first_row(table, DataFileContent.EQUALITY_DELETES)
    assert cli.main(["run", "recipe.yaml", "iceberg://lake/raw.visits", "o.csv"]) == 2
    assert "raw.visits has equality deletes, which are not applied here" in capsys.readouterr().err
    assert not Path("o.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["iceberg://lake/raw.nothing", "o.csv"], "There is no iceberg://lake/raw.nothing."),
        (["iceberg://lake/no.visits", "o.csv"], "There is no iceberg://lake/no.visits."),
        (["iceberg://lake/raw.visits?snapshot=5", "o.csv"], "There is no iceberg://lake/raw.visits?snapshot=5."),
        (["iceberg:///nowhere/v1.metadata.json", "o.csv"], "There is no iceberg:///nowhere/v1.metadata.json."),
        (["iceberg://other/raw.visits", "o.csv"], "the catalogue refused with "),
        (["iceberg://lake/visits", "o.csv"], "A table of a catalogue is hive://DATABASE.TABLE"),
        (["iceberg://lake/raw.visits?at=5", "o.csv"], "A table of a catalogue is"),
        (["iceberg://lake/raw.visits?snapshot=", "o.csv"], "A table of a catalogue is"),
        (["hive://raw.visits?snapshot=", "o.csv"], "A table of a catalogue is"),
        (["iceberg://me:word@lake/raw.visits", "o.csv"], "A table of a catalogue is"),
        (["iceberg://lake/raw.visits", "iceberg://lake/raw.other"], "are read, not written"),
        (["hive://raw.visits", "o.csv"], "are read by deid run and deid risk with --engine spark"),
        (["hive://raw.visits.more", "o.csv"], "A table of a catalogue is"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(
    lake: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    lakes.grown()
    assert cli.main(["run", "recipe.yaml", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "word" not in error
    assert not Path("o.csv").exists()


def test_nested_columns_are_refused_by_name(lake: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, _snapshots = lakes.grown()
    nested = pa.table({"id": [1], "tags": [["a"]]})
    made = table.catalog.create_table(("raw", "nested"), nested.schema)
    made.append(nested)
    assert cli.main(["run", "recipe.yaml", "iceberg://lake/raw.nested", "o.csv"]) == 2
    assert "Column tags has the type" in capsys.readouterr().err


def test_a_table_of_a_recipe_over_several_is_called_as_in_its_catalogue(lake: Path) -> None:
    lakes.grown()
    Path("set.yaml").write_text(
        "tables:\n  visits: {unlisted: keep, steps: [{technique: suppression.remove_column, columns: [day]}]}\n"
    )
    assert cli.main(["run", "set.yaml", "iceberg://lake/raw.visits", "out"]) == 0
    assert [path.stem for path in Path("out").iterdir()] == ["visits"]


def test_without_the_extra_it_is_named(
    lake: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyiceberg", None)
    assert cli.main(["run", "recipe.yaml", "iceberg://lake/raw.visits", "o.csv"]) == 2
    assert "pip install 'deid[iceberg]'" in capsys.readouterr().err


def test_files_lie_in_folders_that_are_called_as_the_catalogue_says(lake: Path) -> None:
    """Writers quote a partition's value in the name of its folder; nobody takes that back."""
    rows = pa.table({"id": [1, 2], "city": ["北京", "a/b: c"]})
    _made("towns", rows, "city").append(rows)
    texts, values = _in_tasks("iceberg://lake/raw.towns")
    assert values["id"].to_pylist() == texts["id"].cast(pa.int64()).to_pylist()
    assert sorted(values["city"].to_pylist()) == ["a/b: c", "北京"]


@pytest.mark.parametrize("mapping", ["", '[{"field-id": 1, "names": ["number"]}]'])
def test_a_file_without_numbers_needs_its_names(lake: Path, mapping: str) -> None:
    """Without either nobody knows which columns it holds; all of them would be missing."""
    table = _without_numbers(lake)
    texts, values = _in_tasks("iceberg://lake/raw.plain")
    assert texts.to_pydict() == {"id": ["1", "2"], "who": ["ann", "bob"]}
    assert values.to_pydict() == {"id": [1, 2], "who": ["ann", "bob"]}
    with table.transaction() as change:
        if mapping:
            change.set_properties({"schema.name-mapping.default": mapping})
        else:
            change.remove_properties("schema.name-mapping.default")
    with pytest.raises(EngineError, match="parquet has columns without") as refused:
        _in_tasks("iceberg://lake/raw.plain")
    assert refused.value.code == "iceberg_unnumbered"
