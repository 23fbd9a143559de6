"""The front door in Python: what it takes, what it gives, and what it says of dirt."""

from __future__ import annotations

import datetime
import gzip
import importlib
import pkgutil
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import orc

import techniques
from techniques import EngineError

QUASI = ["sex", "age"]
KEY = b"0123456789abcdef"


@pytest.fixture
def frame() -> pd.DataFrame:
    """Sixty persons, one row each, under an index of their own."""
    draw = np.random.default_rng(7)
    return pd.DataFrame(
        {
            "name": [f"person {number}" for number in range(60)],
            "sex": draw.choice(["f", "m"], 60),
            "age": draw.integers(20, 60, 60),
            "disease": draw.choice(["flu", "asthma", "gout"], 60),
        },
        index=pd.Index(range(100, 160), name="number"),
    )


def recipe(*steps: dict[str, Any], **more: Any) -> techniques.Recipe:
    return techniques.Recipe.from_data({"recipe": 1, "unlisted": "keep", "steps": list(steps), **more})


def code_of(call: Any) -> str:
    with pytest.raises(EngineError) as caught:
        call()
    assert "%(" not in str(caught.value)
    return caught.value.code


def test_the_import_loads_no_library() -> None:
    program = (
        "import sys, techniques; heavy = {'numpy', 'pandas', 'pyarrow', 'numba', 'pydantic', 'django'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_no_package_takes_the_place_of_a_function() -> None:
    for module in pkgutil.walk_packages(techniques.__path__, "techniques."):
        importlib.import_module(module.name)
    for name in techniques.__all__:
        assert callable(getattr(techniques, name)), name


def test_the_same_table_in_every_form_gives_the_same(frame: pd.DataFrame, tmp_path: Path) -> None:
    table = pa.Table.from_pandas(frame, preserve_index=False)
    frame.to_csv(tmp_path / "t.csv", index=False)
    pq.write_table(table, tmp_path / "t.parquet")
    book = openpyxl.Workbook()
    book.active.append(list(frame.columns))
    for row in frame.itertuples(index=False):
        book.active.append(list(row))
    book.save(tmp_path / "t.xlsx")
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress((tmp_path / "t.csv").read_bytes()))
    frame.to_json(tmp_path / "t.jsonl", orient="records", lines=True)
    orc.write_table(table, tmp_path / "t.orc")
    with pa.ipc.new_stream(tmp_path / "t.arrows", table.schema) as stream:
        stream.write_table(table)
    given = [tmp_path / name for name in ("t.csv.gz", "t.jsonl", "t.orc", "t.arrows")]
    given += [frame, table, tmp_path / "t.csv", str(tmp_path / "t.parquet"), tmp_path / "t.xlsx"]
    given += [table.combine_chunks().to_batches()[0], frame.convert_dtypes(), frame.astype("category")]
    results = [techniques.anonymize(one, QUASI, k=4, keep=["disease"]) for one in given]
    wanted = pa.table(results[5].table).to_pydict()
    for one, made in zip(given, results, strict=True):
        assert isinstance(made.table, pd.DataFrame) == isinstance(one, pd.DataFrame)
        assert {
            name: list(made.table[name])
            if isinstance(made.table, pd.DataFrame)
            else made.table[name].to_pylist()
            for name in wanted
        } == wanted
        assert techniques.risk(made.table, QUASI).k >= 4
    assert len({techniques.risk(one, QUASI).model_dump_json() for one in given}) == 1


def test_a_frame_comes_back_as_a_frame_with_its_index(frame: pd.DataFrame) -> None:
    before = frame.copy(deep=True)
    made = techniques.anonymize(frame, QUASI, k=3, sensitive={"disease": {"distinct": 2}})
    pd.testing.assert_frame_equal(frame, before)
    assert list(made.table.columns) == ["sex", "age", "disease"]
    pd.testing.assert_index_equal(made.table.index, frame.index)
    assert list(made.table["disease"]) == list(frame["disease"])
    assert made.suppressed.shape == (60,)
    assert made.report["min_class"] == techniques.risk(made.table, QUASI).k >= 3


def test_a_column_without_a_hierarchy_takes_one_of_its_own(frame: pd.DataFrame) -> None:
    rows = [["f", "*"], ["m", "*"]]
    for hierarchies in ({"age": {"kind": "intervals", "widths": [10, 20]}}, {"sex": rows}):
        made = techniques.anonymize(frame, QUASI, k=5, hierarchies=hierarchies)
        assert techniques.risk(made.table, QUASI).k >= 5


def test_local_recoding_keeps_at_least_as_much(frame: pd.DataFrame) -> None:
    whole, local = (
        techniques.anonymize(frame, QUASI, k=5, recoding=recoding).table
        for recoding in ("full_domain", "local")
    )
    lost = [techniques.utility(frame, one, QUASI).loss for one in (whole, local)]
    assert lost[0] is not None
    assert lost[1] is not None
    assert lost[1].ncp <= lost[0].ncp


def test_utility_without_quasi_identifiers_compares_columns_alone(frame: pd.DataFrame) -> None:
    found = techniques.utility(frame, frame.head(30))
    assert found.whole is None
    assert found.loss is None
    assert {column.column for column in found.columns} == set(frame.columns)


def test_identifiers_are_found_by_value(frame: pd.DataFrame) -> None:
    frame["x"] = [f"138{number:08d}" for number in range(60)]
    found = techniques.identify(frame)
    assert found["x"].kind == "phone"
    assert found["x"].role == "direct_identifier"


def test_a_run_is_repeated_by_key_and_seed(frame: pd.DataFrame) -> None:
    plan = recipe(
        {"technique": "pseudonymization.keyed_hash", "column": "name", "parameters": {"length": 12}},
        {"technique": "randomization.noise", "column": "age", "parameters": {"spread": 3}},
    )
    first, again, other = (techniques.run(plan, frame, key=KEY, seed=seed).table for seed in (1, 1, 2))
    pd.testing.assert_frame_equal(first, again)
    assert not first.equals(other)
    pd.testing.assert_index_equal(first.index, frame.index)


def test_a_run_gives_the_mapping_tables(frame: pd.DataFrame) -> None:
    plan = recipe({"technique": "pseudonymization.random", "column": "name"})
    made = techniques.run(plan, frame, seed=1)
    pairs = made.mapping_tables["name"].to_pydict()
    known = dict(zip(pairs["value"], pairs["pseudonym"], strict=True))
    assert [known[name] for name in frame["name"]] == list(made.table["name"])


def test_rows_that_a_recipe_removes_are_gone_and_the_index_with_them(frame: pd.DataFrame) -> None:
    plan = recipe(
        {
            "technique": "suppression.rare_records",
            "columns": ["age"],
            "parameters": {"minimum_count": 2, "maximum_share": 1},
        },
        output={"format": "csv"},
    )
    made = techniques.run(plan, frame)
    assert 0 < len(made.table) < 60
    assert made.table.index.tolist() == list(range(len(made.table)))


# -- dirt ------------------------------------------------------------------------------------------


def test_cells_of_every_kind_have_one_spelling() -> None:
    day = datetime.date(2024, 2, 29)
    frame = pd.DataFrame(
        {
            "whole": [1.0, np.nan, 3.0],
            "mixed": [1, "one", None],
            "gone": [pd.NA, None, float("nan")],
            "decimal": [Decimal("1.50"), Decimal("1E+3"), Decimal("NaN")],
            "numpy": np.array([np.int64(4), np.bool_(True), np.float32(0.5)], dtype=object),
            "day": [day, pd.NaT, datetime.datetime(2024, 2, 29, 12, 30)],
            "stamp": pd.to_datetime(["2024-02-29", None, "2024-03-01"]),
            "truth": pd.array([True, None, False], dtype="boolean"),
            "number": pd.array([1, None, 3], dtype="Int64"),
            "category": pd.Categorical(["a", None, "b"], categories=["b", "a", "unused"]),
            "mixed_category": pd.Categorical([1, "x", None]),
            "period": pd.period_range("2024-01", periods=3, freq="M"),
            "blank": ["", " ", "x"],
            "sparse": pd.arrays.SparseArray([0, 0, 1]),
            "arrow": pd.array(["x", None, "y"], dtype=pd.ArrowDtype(pa.string())),
        }
    )
    made = techniques.run(
        recipe({"technique": "as_is", "column": "whole", "parameters": {"reason": "said"}}), frame
    )
    cells = {name: [None if pd.isna(cell) else cell for cell in made.table[name]] for name in frame.columns}
    assert cells == {
        "whole": ["1", None, "3"],
        "mixed": ["1", "one", None],
        "gone": [None, None, None],
        "decimal": ["1.50", "1000", None],
        "numpy": ["4", "true", "0.5"],
        "day": ["2024-02-29", None, "2024-02-29T12:30:00"],
        "stamp": ["2024-02-29", None, "2024-03-01"],
        "truth": ["true", None, "false"],
        "number": ["1", None, "3"],
        "category": ["a", None, "b"],
        "mixed_category": ["1", "x", None],
        "period": ["2024-01", "2024-02", "2024-03"],
        "blank": [None, " ", "x"],
        "sparse": ["0", "0", "1"],
        "arrow": ["x", None, "y"],
    }


def test_a_column_of_nothing_is_anonymized_and_measured() -> None:
    frame = pd.DataFrame({"a": [None] * 6, "b": ["x", "y"] * 3})
    made = techniques.anonymize(frame, ["a", "b"], k=3)
    assert techniques.risk(made.table, ["a", "b"]).k >= 3


class Polars:
    """What looks like a frame, but is none of pandas."""

    columns = ("a",)

    def to_numpy(self) -> None: ...


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (Polars(), "data_unknown"),
        (None, "data_unknown"),
        ([{"a": 1}], "data_unknown"),
        (pd.Series([1, 2]), "data_unknown"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "column_name_twice"),
        (pa.table([pa.array(["x"])] * 2, names=["a", "a"]), "column_name_twice"),
        (pd.DataFrame([[1, 2]]), "column_name_invalid"),
        (pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])), "column_name_invalid"),
        (pd.DataFrame([[1]], columns=[""]), "column_name_invalid"),
        (pd.DataFrame(), "table.columns.none"),
        (pa.table({}), "table.columns.none"),
        (pd.DataFrame({"a": [[1], [2]]}), "column_not_plain"),
        (pd.DataFrame({"a": [{"b": 1}, None]}), "column_not_plain"),
        (pa.table({"a": [[1], [2]]}), "column_not_plain"),
        (pd.DataFrame({"a": ["\ud800", "x"]}, dtype=object), "column_not_plain"),
        ("nowhere.csv", "file_missing"),
        (Path("."), "file_missing"),
        (pd.DataFrame({"b": ["x"]}), "unknown_column"),
        (pd.DataFrame({"a": []}), "no_rows"),
        (pa.table({"a": pa.array([], pa.string())}), "no_rows"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_read_is_refused_with_what_to_correct(data: Any, code: str) -> None:
    assert code_of(lambda: techniques.risk(data, ["a"])) == code
    assert code_of(lambda: techniques.anonymize(data, ["a"], k=2)) == code


def test_an_empty_frame_is_told_and_identified() -> None:
    empty = pd.DataFrame({"phone": pd.Series([], dtype=object)})
    assert techniques.identify(empty)["phone"].kind == "phone"
    keep = recipe({"technique": "as_is", "column": "phone", "parameters": {"reason": "said"}})
    assert code_of(lambda: techniques.run(keep, empty)) == "no_rows"
    assert code_of(lambda: techniques.utility(empty, empty, ["phone"])) == "source_empty"


def test_what_is_asked_wrongly_is_refused(frame: pd.DataFrame) -> None:
    ask = techniques.anonymize
    assert code_of(lambda: ask(frame, [])) == "no_quasi_identifier"
    assert code_of(lambda: ask(frame, QUASI, k=1)) == "recipe_invalid"
    assert code_of(lambda: ask(frame, QUASI, k=61)) == "k_too_large"
    assert code_of(lambda: ask(frame, QUASI, keep=["nothing"])) == "unknown_column"
    assert code_of(lambda: ask(frame, QUASI, sensitive={"nothing": {"t": 0.1}})) == "unknown_column"
    assert code_of(lambda: ask(frame, QUASI, sensitive={"age": {"t": 0.1}})) == "quasi_and_sensitive"
    assert code_of(lambda: ask(frame, QUASI, hierarchies={"disease": {"kind": "star"}})) == "hierarchy_unused"
    assert code_of(lambda: ask(frame, QUASI, no_such_setting=1)) == "recipe_invalid"
    assert code_of(lambda: techniques.utility(frame, frame.head(3), QUASI)) == "rows_differ"
    assert techniques.risk(frame, "sex").columns == ("sex",)


def test_a_recipe_that_cannot_run_is_refused(frame: pd.DataFrame) -> None:
    hashed = {"technique": "pseudonymization.keyed_hash", "column": "name"}
    assert code_of(lambda: techniques.run(recipe(hashed), frame)) == "key_missing"
    assert code_of(lambda: techniques.run(recipe(hashed), frame, key=b"short")) == "key_too_short"
    assert (
        code_of(lambda: techniques.run(recipe(hashed | {"column": "x"}), frame, key=KEY)) == "columns_missing"
    )
    assert (
        code_of(lambda: techniques.run(recipe(hashed, unlisted="refuse"), frame, key=KEY))
        == "columns_untreated"
    )


def test_reading_takes_what_is_known_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("姓名;年龄\n王五;30\n".encode("gb18030"))
    assert techniques.read(path, encoding="GB18030", delimiter=";").to_pydict() == {
        "姓名": ["王五"],
        "年龄": ["30"],
    }
    assert code_of(lambda: techniques.read(path, encoding="latin-1")) == "file_format_invalid"


def test_no_other_name_is_offered() -> None:
    with pytest.raises(AttributeError):
        techniques.nothing  # noqa: B018
    assert all(hasattr(techniques, name) for name in techniques.__all__)
