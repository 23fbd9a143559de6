"""Runs on a real cluster: the same rows and figures as on one machine, whatever dies on the way, and no key to be found anywhere."""

from __future__ import annotations

import base64
import importlib.util
import json
import os
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from techniques import catalogue
from techniques.catalogue.technique import Scope
from techniques.cli.main import main
from techniques.core.messages import EngineError
from tests.spark import Spark, files_holding, pages_of
from tests.techniques.catalogue.test_claims import CASES
from tests.techniques.engines.conftest import RECIPE, table
from tests.techniques.engines.spark.conftest import (
    KEY,
    MEASURED,
    SECRETS,
    cluster_run,
    local_result,
    small,
    write_parts,
)
from tests.techniques.engines.test_types import CELLS

pytestmark = pytest.mark.slow
ROWS = 700
SLOW = {"encryption.homomorphic"}


def _cases() -> Iterator[tuple[str, Any, int, dict[str, Any]]]:
    """One case of every technique that does not need the whole table with its settings."""
    for spec in catalogue.techniques():
        if spec.scope is Scope.STRUCTURE or spec.key in SLOW or spec.whole_table:
            continue
        # Of the models one as a whole, one class by class.
        make, width, parameters = CASES[spec.key][-1 if spec.key == "model.t_closeness" else 0]
        yield spec.key, make, width, parameters


def _renamed(given: Any, names: dict[str, str]) -> Any:
    if isinstance(given, dict):
        return {names.get(key, key): _renamed(value, names) for key, value in given.items()}
    return names.get(given, given) if isinstance(given, str) else given


def everything(subject: Sequence[str] = ()) -> tuple[pa.Table, str]:
    """A table with columns for every technique, and the recipe that uses all of them, one step each. The columns of ``subject`` say
    whose the rows are, of some rows in part and of some not at all."""
    draw, columns, steps = random.Random(16), {}, []
    for number, (key, make, width, parameters) in enumerate(_cases()):
        names = {f"c{i}": f"{number}_{i}" for i in range(width)}
        for name in names.values():
            columns[name] = pa.array([None if draw.random() < 0.05 else make(draw) for _ in range(ROWS)])
        given = _renamed(parameters, names)
        treated = list(given.get("hierarchies", names.values()))
        if "unfit" in {field.name for field in catalogue.parameter_fields(key)}:
            given["unfit"] = "suppress"
        steps.append({"technique": key, "columns": treated, "parameters": given})
    columns |= {
        f"kept_{i}": pa.array([cells[row % 2] for row in range(ROWS)], kind)
        for i, (kind, cells) in enumerate(CELLS)
    }
    columns |= {name: [draw.choice([None, *("*abcdefghijkl")]) for _ in range(ROWS)] for name in subject}
    # Those that remove rows last, so that all others are seen at work on many.
    steps.sort(key=lambda step: catalogue.get(step["technique"]).scope is Scope.TABLE)
    said = {"subject": list(subject)} if subject else {}
    return pa.table(columns), json.dumps({"unlisted": "keep", "steps": steps} | said)


@pytest.mark.parametrize("subject", [(), ("person", "ward")])
def test_every_technique_gives_the_same_rows_and_figures(
    subject: Sequence[str], spark: Spark, tmp_path: Path
) -> None:
    """In the same order, too: shuffled by the same seed."""
    source, recipe = everything(subject)
    expected, expected_report = local_result(tmp_path / "local", recipe, source, "shuffled")
    run = cluster_run(spark, tmp_path, recipe, write_parts(tmp_path / "in", source, 300, 70), "shuffled")
    try:
        report = run.execute_all()
        run.commit()
    finally:
        run.close()
    files = sorted((tmp_path / "result").iterdir())
    assert [path.name for path in files] == [f"part-{number:06}.parquet" for number in range(3)]
    found = pa.concat_tables(pq.read_table(path) for path in files)
    assert found.num_rows > 100
    assert found.schema == expected.schema
    for name in expected.column_names:
        assert _cells(found[name]) == _cells(expected[name]), name
    assert {name: report.get(name) for name in MEASURED} == {
        name: expected_report.get(name) for name in MEASURED
    }


def _cells(column: pa.ChunkedArray) -> list[str]:
    return list(map(repr, column.to_pylist()))


SMALL = """
unlisted: keep
steps:
  - {technique: pseudonymization.keyed_hash, column: id, parameters: {length: 24}}
  - {technique: randomization.noise, column: fee, parameters: {spread: 5.0}}
"""


def test_a_folder_of_csv_files_by_the_command(
    spark: Spark, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What folders say is a column; the same command on this machine gives the same rows under the same hash of the source."""
    for year in (2024, 2025):
        (tmp_path / f"in/year={year}").mkdir(parents=True)
        (tmp_path / f"in/year={year}/a.csv").write_text(table(400, seed=year))
    (tmp_path / "recipe.yaml").write_text("unlisted: keep\n" + RECIPE)
    (tmp_path / "key").write_bytes(KEY)
    (tmp_path / "seed").write_bytes(b"a seed for both runs, of enough bytes")
    given = ["--key-file", str(tmp_path / "key"), "--seed-file", str(tmp_path / "seed")]
    reports = []
    for engine, output in (("spark", "there"), ("local", "here.parquet")):
        report = tmp_path / f"{engine}.json"
        options = [str(tmp_path / "recipe.yaml"), str(tmp_path / "in"), str(tmp_path / output), *given]
        assert main(["run", "--engine", engine, "--report", str(report), *options]) == 0
        reports.append(json.loads(report.read_text()))
    assert capsys.readouterr().out.count("rows in") == 2
    found, expected = ds.dataset(tmp_path / "there").to_table(), pq.read_table(tmp_path / "here.parquet")
    assert found.num_rows > 100
    assert set(found["year"].to_pylist()) == {"2024", "2025"}
    assert found.equals(expected)
    same = (*MEASURED, "source_sha256", "order")
    assert [reports[0].get(name) for name in same] == [reports[1].get(name) for name in same]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "here.parquet", "in", "key", "local.json", "recipe.yaml", "seed", "spark.json", "there"
    ]  # fmt: skip


def test_an_executor_may_die_and_attempts_may_be_made_twice(spark: Spark, tmp_path: Path) -> None:
    """Pieces that lay on the one that dies are made again; of two attempts at a file one is in the result, and nothing of another."""
    source = small(3000)
    expected, expected_report = local_result(tmp_path / "local", SMALL, source, "shuffled")
    run = cluster_run(spark, tmp_path, SMALL, write_parts(tmp_path / "in", source, 1000, 200), "shuffled")
    seen = {one.pid for one in spark.executors()}
    assert len(seen) == 2
    over = threading.Event()
    killing = threading.Thread(target=_kill_one, args=(spark, over))
    try:
        for item in run.items():
            if item.key.startswith("transform"):
                killing.start()
            if item.key == "assemble":
                over.set()
                killing.join()
                run._files = _twice(run)
            run.execute(item.key)
        report = run.report()
        run.commit()
    finally:
        over.set()
        run.close()
    assert len(seen - {one.pid for one in spark.executors()}) == 1
    assert ds.dataset(tmp_path / "result").to_table().equals(expected)
    assert len(list((tmp_path / "result").iterdir())) == run.source.parts == 12
    assert {name: report.get(name) for name in MEASURED} == {
        name: expected_report.get(name) for name in MEASURED
    }


def _kill_one(spark: Spark, over: threading.Event) -> None:
    """Once a task of a job is done and others are not; where nobody saw that, between this job and the next."""
    tracker = spark.session.sparkContext.statusTracker()
    at_work = False
    while not at_work and not over.wait(0.005):
        stages = [tracker.getStageInfo(one) for one in tracker.getActiveStageIds()]
        at_work = any(one and 0 < one.numCompletedTasks < one.numTasks for one in stages)
    spark.executors()[-1].kill()


def _twice(run: Any) -> Any:
    files = run._files

    def again(written: Any) -> Any:
        files(written)
        found = files(written)
        assert len(list(Path(written.folder).iterdir())) >= 2 * len(found)
        return found

    return again


def test_what_stops_a_run_is_said_in_its_words_and_leaves_nothing(spark: Spark, tmp_path: Path) -> None:
    source = small(900).append_column("age", pa.array(["12"] * 600 + ["a secret"] + ["13"] * 299))
    recipe = SMALL + "  - {technique: generalization.intervals, column: age, parameters: {width: 10}}\n"
    with pytest.raises(EngineError) as here:
        local_result(tmp_path / "local", recipe, source, "kept")
    run = cluster_run(spark, tmp_path, recipe, write_parts(tmp_path / "in", source, 400, 100), "kept")
    try:
        with pytest.raises(EngineError) as there:
            run.execute_all()
    finally:
        run.close()
    assert str(there.value) == str(here.value)
    assert there.value.params["rows"] == "601"
    (tmp_path / "in" / "00000000.parquet").unlink()
    run = cluster_run(spark, tmp_path, SMALL, sorted((tmp_path / "in").iterdir()), "kept", "other")
    (tmp_path / "in" / "00000800.parquet").unlink()
    try:
        with pytest.raises(EngineError, match="FileNotFoundError") as fault:
            run.execute_all()
    finally:
        run.close()
    assert fault.value.code == "spark_fault"
    assert not [path for path in tmp_path.iterdir() if path.name.startswith((".deid", "result", "other/"))]
    assert not (tmp_path / "result").exists()
    assert not (tmp_path / "other").exists()


def test_keys_and_cells_are_nowhere_but_in_memory(spark: Spark, tmp_path: Path) -> None:
    """Not in logs, events, plans or pages, nor on the disks of driver and executors while the run is still at work."""
    word = "Zhuangzi-dreamt-of-a-butterfly"
    source = small(900).append_column("note", pa.array([word, "b", "c"] * 300))
    recipe = (
        SMALL + "  - {technique: suppression.rare_values, column: note, parameters: {maximum_share: 1.0}}\n"
    )
    run = cluster_run(spark, tmp_path, recipe, write_parts(tmp_path / "in", source, 400, 100), "shuffled")
    secret = [KEY, SECRETS.salt, SECRETS.seed_bytes]
    sought = [form for one in secret for form in (one, one.hex().encode(), base64.b64encode(one)[:-4])]
    sought += [word.encode(), b"person 1"]
    try:
        for item in run.items():
            run.execute(item.key)
            assert files_holding(spark.folder, sought) == []
        treated = run.cluster.rows(run_work, (("part", "long"),))
        plan = (
            treated._jdf.queryExecution().toString() + treated._jdf.queryExecution().executedPlan().toString()
        )
        pages = plan.encode() + pages_of(spark.session.sparkContext.uiWebUrl)
        assert b"mapInArrow" in pages or b"MapInArrow" in pages
        assert [one for one in sought if one in pages] == []
    finally:
        run.close()
    assert files_holding(spark.folder, sought) == []
    names = {path.name for path in spark.folder.rglob("*") if path.is_file()}
    assert {"driver.log", "stderr"} <= names
    assert len(spark.events()) > 50
    # The look finds what is there.
    (spark.folder / "events" / "told").write_bytes(b"." * 10 + KEY)
    assert files_holding(spark.folder, sought) == ["told"]
    (spark.folder / "events" / "told").unlink()


def run_work(replay: Any, part: int) -> Iterator[pa.RecordBatch]:
    """What a plan shows of work: its name."""
    yield pa.record_batch([pa.array([part])], names=["part"])


def test_risks_are_those_of_one_machine(
    spark: Spark, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Combinations are counted over several files and row groups; k, l, t, subsets come from the same code."""
    draw = random.Random(3)
    rows = 3000
    source = pa.table(
        {
            "age": pa.array([draw.choice([None, *range(20, 60)]) for _ in range(rows)], pa.int32()),
            "sex": [draw.choice(["m", "f", "*"]) for _ in range(rows)],
            "count_all": [draw.choice(["flu", "cold", "", None]) for _ in range(rows)],
            "note": ["x"] * rows,
        }
    )
    write_parts(tmp_path / "parts", source, 1100, 400)
    asked = [str(tmp_path / "parts"), "--qi", "age,sex", "--sensitive", "count_all", "--subject", "rows"]
    asked += ["--accept-findings", "note", "--subsets", "--sampling-fraction", "0.1", "--json"]
    assert main(["risk", *asked]) == 0
    here = json.loads(capsys.readouterr().out)
    assert main(["risk", *asked, "--engine", "spark"]) == 0
    there = json.loads(capsys.readouterr().out)
    assert here["rows"] == rows
    assert there.pop("contribution") == pytest.approx(here.pop("contribution"))
    for one in (here, there):
        one["sensitive"]["count_all"].pop("recursive")
    assert there == here


@pytest.mark.parametrize(
    ("key", "suppressed"),
    [("person", "left-out"), ("person,ward", "own-class"), ("ward,sex", "left-out"), ("rows", "own-class")],
)
def test_persons_are_those_of_one_machine(
    key: str, suppressed: str, spark: Spark, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A class holds k when k persons are in it; some have rows in several classes and several values in one, of some nobody knows
    who they are. A column may be called rows."""
    draw = random.Random(key)
    rows = 1500
    source = pa.table(
        {
            "age": pa.array([draw.choice([None, "*", *map(str, range(20, 26))]) for _ in range(rows)]),
            "sex": [draw.choice(["m", "f", "*"]) for _ in range(rows)],
            "illness": [draw.choice(["flu", "cold", "*", None]) for _ in range(rows)],
            "fee": pa.array([draw.choice([None, 10, 20, 30]) for _ in range(rows)], pa.int32()),
            "person": [draw.choice([None, "", "*", *(f"p{i}" for i in range(400))]) for _ in range(rows)],
            "ward": pa.array([draw.choice([None, 1, 2, 3]) for _ in range(rows)], pa.int8()),
            "rows": [draw.choice("abcdefgh") * 2 for _ in range(rows)],
        }
    )
    write_parts(tmp_path / "parts", source, 600, 250)
    asked = [str(tmp_path / "parts"), "--qi", "age,sex", "--sensitive", "illness,fee", "--subject", key]
    asked += ["--suppressed", suppressed, "--accept-findings", "person,ward,rows,illness,fee", "--json"]
    asked += ["--sampling-fraction", "0.1", "--cap", "0.4", "--c", "3", "--thresholds", "0.1,0.02"]
    classes = tmp_path / "here.csv", tmp_path / "there.csv"
    assert main(["risk", *asked, "--classes", str(classes[0])]) == 0
    here = json.loads(capsys.readouterr().out)
    assert main(["risk", *asked, "--classes", str(classes[1]), "--engine", "spark"]) == 0
    there = json.loads(capsys.readouterr().out)
    assert classes[1].read_text() == classes[0].read_text()
    assert here["persons"] < here["rows"] <= rows
    assert sum(one.get("several_values", 0) for one in here["sensitive"].values()) > 0
    for name in ("illness", "fee"):
        figures = here["sensitive"].pop(name), there["sensitive"].pop(name)
        assert figures[0].pop("formulas") == figures[1].pop("formulas")
        assert figures[0].pop("recursive") == figures[1].pop("recursive")
        assert figures[1] == pytest.approx(figures[0])
    assert there == here


def test_more_combinations_than_the_driver_takes_are_refused_in_words(tmp_path: Path) -> None:
    """By a Spark of its own: how much a driver takes is said when it starts."""
    if importlib.util.find_spec("pyspark") is None or shutil.which("java") is None:
        pytest.skip("there is no Spark: make install-test")
    draw = random.Random(1)
    pq.write_table(
        pa.table({"key": [draw.randbytes(16).hex() for _ in range(40_000)]}), tmp_path / "table.parquet"
    )
    asked = [
        "risk",
        str(tmp_path / "table.parquet"),
        "--qi",
        "key",
        "--subject",
        "rows",
        "--engine",
        "spark",
        "--master",
        "local[1]",
    ]
    program = "from techniques.cli.main import as_program; as_program()"
    # Texts of chance, which are not packed much smaller. Spark needs the pandas that other processes of tests are not to find.
    without_it = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    submitted = "--conf spark.driver.maxResultSize=200k --conf spark.ui.enabled=false pyspark-shell"
    done = subprocess.run(
        [sys.executable, "-c", program, *asked], env=without_it | {"PYSPARK_SUBMIT_ARGS": submitted}, cwd=tmp_path,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(
        "deid: What is to be counted has too many different combinations for the driver"
    )
    assert done.stdout == ""


def test_identifiers_are_found_as_on_one_machine(
    spark: Spark, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Over files and row groups: values and their shapes, row numbers, keys, names in columns, what tells rows apart; and nothing where
    nothing is."""
    draw = random.Random(7)
    rows = 1300
    phones = [f"13{draw.randrange(10**8, 10**9)}" for _ in range(rows)]
    source = pa.table(
        {
            "sex": [draw.choice("mf") for _ in range(rows)],
            "number": pa.array(range(100, 100 + rows), pa.int32()),
            "sorted otherwise": pa.array(draw.sample(range(rows), rows)),
            "not quite a number": pa.array([one + (one > 900) for one in range(rows)]),
            "phone": [draw.choice([None, phones[one]]) for one in range(rows)],
            "late": [None] * (rows - 2) + phones[:2],
            "note": [draw.choice(["", "quiet", None, f"call {phones[one]}"]) for one in range(rows)],
            "visit": [f"V{draw.randrange(400):07}" for _ in range(rows)],
            "fee": pa.array([draw.randrange(10**6) / 100 for _ in range(rows)]),
            "rarely": [draw.choice([None] * 30 + [f"x {one}"]) for one in range(rows)],
            "ward": [draw.choice(["", "a", "b", None]) for _ in range(rows)],
            "nothing": pa.nulls(rows, pa.string()),
        }
    )
    pq.write_table(source, tmp_path / "whole.parquet")
    write_parts(tmp_path / "parts", source, 600, 250)
    asked = ["--qi", "sex", "--subject", "rows", "--json", "--accept-findings"]
    seen = []
    for where in ([str(tmp_path / "whole.parquet")], [str(tmp_path / "parts"), "--engine", "spark"]):
        assert main(["risk", *where, *asked, ",".join(source.column_names)]) == 0
        seen.append(json.loads(capsys.readouterr().out)["findings"])
        assert main(["risk", *where, *asked, "note,phone"]) == 2
        # Before it, one machine says which column looks like a key of persons.
        seen.append(capsys.readouterr().err.splitlines()[-1])
    assert seen[2:] == seen[:2]
    assert len({one["column"] for one in seen[0]}) >= 7
    assert not {"ward", "nothing"} & {one["column"] for one in seen[0]}
    assert "number" in seen[1]
    assert "phone" not in seen[1]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--per-record", "risks.csv"], "--per-record needs every row in one place"),
        (["--with", "parts", "--on", "sex"], "--with needs every row in one place"),
        (["--subject", "sex,note", "--subsets"], "--subsets distinguishes rows, not persons"),
        ([], "whose the rows are with --subject"),
    ],
)
def test_what_is_not_measured_there_is_said_before(
    more: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write_parts(tmp_path / "parts", pa.table({"sex": ["m", "f"], "note": ["x", "y"]}), 2, 2)
    assert main(["risk", "parts", "--qi", "sex", "--engine", "spark", *more]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "risks.csv").exists()
