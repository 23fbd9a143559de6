"""Runs whose workspace a real cluster reads: every file of the result as on one machine, and what is there is not done again."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from techniques.core.messages import EngineError
from techniques.engines.local import RESULT_SUBJECTS, DirectoryWorkspace, LocalRun
from techniques.engines.parts import Source
from techniques.engines.spark import stored
from techniques.engines.spark.stored import StoredRun
from techniques.recipe.recipe import Recipe
from techniques.tables import FileFormat
from tests.spark import Spark
from tests.techniques.engines.conftest import RECIPE, table
from tests.techniques.engines.spark.conftest import PARQUET, SECRETS, WIDE, small
from tests.techniques.engines.spark.test_cluster import SMALL, everything

pytestmark = pytest.mark.slow


@pytest.fixture
def small_items(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part is a task, two are an item."""
    monkeypatch.setattr(stored, "TASK_PARTS", 1)
    monkeypatch.setattr(stored, "ITEM_TASKS", 2)


def _runs(spark: Spark, folder: Path, recipe: str, source: Source, order: Any) -> tuple[LocalRun, StoredRun]:
    """The same run on this machine and on the cluster."""
    here = LocalRun(Recipe.parse(recipe), source, DirectoryWorkspace(folder / "here"), SECRETS, None, order)
    there = StoredRun(
        Recipe.parse(recipe), source, DirectoryWorkspace(folder / "there"), SECRETS, None, order,
        connected=lambda: spark.session, view=lambda workspace: workspace,
    )  # fmt: skip
    return here, there


def _parquet(folder: Path, content: pa.Table) -> Source:
    path = folder / "source.parquet"
    pq.write_table(content, path, row_group_size=200)
    return Source(lambda: path.open("rb"), PARQUET, content.num_rows, WIDE)


def _same(here: LocalRun, there: StoredRun) -> None:
    report, expected = there.report(), here.report()
    assert report["versions"].pop("pyspark").startswith("3.5")
    assert report == expected
    names = [here.result_name, *([RESULT_SUBJECTS] if here.recipe.subject else [])]
    for name in names:
        with here.workspace.open_read(name) as one, there.workspace.open_read(name) as other:
            assert one.read() == other.read(), name


@pytest.mark.parametrize("subject", [(), ("person", "ward")])
def test_every_technique_gives_the_same_bytes(
    subject: tuple[str, ...], spark: Spark, tmp_path: Path, small_items: None
) -> None:
    content, recipe = everything(subject)
    here, there = _runs(spark, tmp_path, recipe, _parquet(tmp_path, content), "shuffled")
    here.execute_all()
    there.execute_all()
    there.close()
    assert there.source.parts == 3
    assert [item.key for item in there.items()][-3:] == ["transform:00000", "transform:00002", "assemble"]
    _same(here, there)


def test_a_csv_file_gives_the_same_bytes(spark: Spark, tmp_path: Path, small_items: None) -> None:
    """Which a cluster could not read in parts: its parts lie in the workspace."""
    path = tmp_path / "source.csv"
    path.write_text(table(900, seed=5))
    source = Source(lambda: path.open("rb"), FileFormat(kind="csv"), 900, WIDE)
    here, there = _runs(spark, tmp_path, "unlisted: keep\n" + RECIPE, source, "kept")
    here.execute_all()
    there.execute_all()
    there.close()
    _same(here, there)


class Stopped(BaseException):
    pass


def test_a_run_that_was_broken_off_goes_on(spark: Spark, tmp_path: Path, small_items: None) -> None:
    """Stopped in the midst of a job, taken up by another process: the items that are done are not done again."""
    here, there = _runs(spark, tmp_path, SMALL, _parquet(tmp_path, small(1300)), "kept")
    here.execute_all()
    keys = [item.key for item in there.items()]
    for key in keys[: keys.index("transform:00002")]:
        there.execute(key)

    def stop(share: float) -> None:
        if share > 0:
            raise Stopped

    with pytest.raises(Stopped):
        there.execute("transform:00002", stop)
    there.close()
    assert not there.is_done("transform:00002")
    assert not there.workspace.exists("report")
    there = _runs(spark, tmp_path, SMALL, replace(there.source), "kept")[1]
    done: list[str] = []
    execute = there.execute

    def counted(key: str, *more: Any) -> None:
        done.append(key)
        execute(key, *more)

    there.execute = counted  # type: ignore[method-assign]
    there.execute_all(resume=True)
    there.close()
    assert done == ["transform:00002", "transform:00004", "assemble"]
    _same(here, there)


def test_what_stops_a_run_is_said_in_its_words(spark: Spark, tmp_path: Path, small_items: None) -> None:
    ages = pa.array(["12"] * 600 + ["a secret"] + ["13"] * 299)
    recipe = SMALL + "  - {technique: generalization.intervals, column: age, parameters: {width: 10}}\n"
    source = _parquet(tmp_path, small(900).append_column("age", ages))
    here, there = _runs(spark, tmp_path, recipe, source, "kept")
    with pytest.raises(EngineError) as one:
        here.execute_all()
    with pytest.raises(EngineError) as other:
        there.execute_all()
    there.close()
    assert str(other.value) == str(one.value)
    assert "601" in str(other.value)


def test_a_cluster_that_loses_its_machines_is_said_to_have_given_up(spark: Spark, tmp_path: Path) -> None:
    """Whatever Java says of it stays where it is."""
    _here, there = _runs(spark, tmp_path, SMALL, _parquet(tmp_path, small(300)), "kept")
    with pytest.raises(EngineError) as given_up:
        there.cluster.done(lambda: spark.session.range(1).mapInArrow(_lost, "id long").collect())
    there.close()
    assert given_up.value.code == "spark_given_up"
    with pytest.raises(EngineError) as lacking:
        there.cluster.done(lambda: spark.session.range(1).mapInArrow(_lacking, "id long").collect())
    there.close()
    assert lacking.value.code == "spark_environment"


def _lost(batches: Any) -> Any:
    """A worker that is killed each time, as by a machine without memory."""
    import os

    os._exit(9)
    yield from batches


def _lacking(batches: Any) -> Any:
    import a_package_that_is_not_there  # type: ignore[import-not-found] # noqa: F401

    yield from batches


def test_what_needs_all_rows_in_one_place_is_refused_first(tmp_path: Path) -> None:
    recipe = "unlisted: keep\nsteps: [{technique: randomization.permutation, column: id}]"
    with pytest.raises(EngineError, match=r"randomization\.permutation"):
        StoredRun(
            Recipe.parse(recipe), _parquet(tmp_path, small(9)), DirectoryWorkspace(tmp_path / "w"), SECRETS,
            connected=lambda: pytest.fail("a cluster is asked"), view=lambda workspace: workspace,
        )  # fmt: skip


def test_a_master_that_does_not_answer_is_named(tmp_path: Path) -> None:
    """By a process of its own, in which no Spark is there yet; Spark gives such a master up after a minute."""
    if importlib.util.find_spec("pyspark") is None or shutil.which("java") is None:
        pytest.skip("there is no Spark: make install-test")
    program = (
        "from techniques.core.messages import EngineError\n"
        "from techniques.engines.spark.session import session\n"
        "try:\n"
        "    with session('spark://127.0.0.1:9', {'spark.ui.enabled': 'false'}): print('there')\n"
        "except EngineError as error: print(error.code, error)\n"
    )
    without_it = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=without_it | {"SPARK_LOCAL_IP": "127.0.0.1"}, cwd=tmp_path,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.strip() == "spark_unreachable No Spark cluster answers at spark://127.0.0.1:9."
