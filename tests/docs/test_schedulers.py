"""The examples for schedulers: the step runs the real command, the dbt model in a real DuckDB; Airflow's file is read."""

from __future__ import annotations

import ast
import importlib
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest
import yaml

from tests.docs.test_pipeline import BLOCK
from tests.docs.test_pipeline import PAGE as PIPELINE

EXAMPLES = PIPELINE.parents[1] / "examples/pipeline"
PAGE = PIPELINE.parents[1] / "how-to/schedulers.md"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder with the table, recipe and policy of the tutorial, and the examples to import."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    files = iter(("recipe.yaml", "policy.yaml"))
    for block in BLOCK.finditer(PIPELINE.read_text(encoding="utf-8")):
        if block["kind"] == "yaml":
            Path(next(files)).write_text(block["text"], encoding="utf-8")
        elif block["kind"] == "python":
            exec(compile(block["text"], PIPELINE.name, "exec"), {})
    return tmp_path


def test_the_page_does_what_it_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = {block["kind"]: block["text"] for block in BLOCK.finditer(PAGE.read_text(encoding="utf-8"))}
    exec(compile(blocks["python"], PAGE.name, "exec"), {})
    assert capsys.readouterr().out == "True 8\n"
    assert Path("run.json").exists()
    [said] = yaml.safe_load(blocks["yaml"])["models"]
    config = _Config(said["config"])
    with duckdb.connect() as session:
        session.execute("CREATE TABLE visits AS SELECT * FROM 'visits.csv'")
        dbt = SimpleNamespace(config=config, ref=session.table)
        released = importlib.import_module("dbt_visits_released").model(dbt, session)
    assert config.said == {"materialized": "table"}
    assert released.column_names == ["sex", "age", "district", "disease", "days"]
    assert 1900 < released.num_rows <= 2000


class _Config:
    """What dbt gives a model to configure itself, and to read what its project says of it."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.get = given.get
        self.said: dict[str, Any] = {}

    def __call__(self, **said: Any) -> None:
        self.said |= said


def test_what_may_not_go_on_fails(folder: Path) -> None:
    step = importlib.import_module("deid_step")
    policy = Path("policy.yaml")
    policy.write_text(policy.read_text().replace("bound: 0.95", "bound: 1"))
    with pytest.raises(step.StepFailed, match=r"^released.csv may not go on: rows_retained$"):
        step.release("recipe.yaml", "visits.csv", "released.csv", policy="policy.yaml")
    with pytest.raises(
        step.StepFailed, match="deid run ended with 2: deid: There is no variable called base"
    ):
        step.release("recipe.yaml", "visits.csv", "o.csv", policy="policy.yaml", values={"base": "5"})


def test_the_operator_calls_the_step_by_its_own_names(folder: Path) -> None:
    """Airflow is too large to be installed for this; every argument of the call is one of the step's."""
    tree = ast.parse((EXAMPLES / "airflow_visits.py").read_text(encoding="utf-8"))
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("release", "DeidOperator")
    ]
    release = importlib.import_module("deid_step").release
    names = {"recipe", "source", "target", "policy", "report", "values"}
    assert names == set(release.__annotations__) - {"return"}
    (inner, outer) = sorted(calls, key=lambda node: ast.unparse(node.func) == "DeidOperator")
    assert {ast.unparse(one) for one in inner.args} | {f"self.{one.arg}" for one in inner.keywords} == {
        f"self.{name}" for name in names
    }
    assert {one.arg for one in outer.keywords} == names | {"task_id"}
