"""What recipes make of small tables, with one key and one seed: the bytes of the results and the report of the run."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from techniques.cli.main import main
from tests.conftest import ROOT

from . import tables
from .keeping import HERE, compare, without

EXAMPLES = ROOT / "docs" / "examples"
# Each stands in recipes/ with the columns that it treats; without columns, all of them.
COLUMNS: dict[str, tuple[str, ...]] = {
    "full_domain": ("性别", "出生日期", "住址", "民族", "诊断"),
    "local": ("性别", "年龄", "学历", "住址", "费用"),
    "l_diversity": ("性别", "年龄", "学历", "诊断", "收入"),
    "t_closeness": ("性别", "年龄", "住址", "诊断", "收入"),
    "t_closeness_local": ("性别", "年龄", "学历", "诊断", "收入"),
    "pseudonyms": ("病历号", "姓名", "身份证号", "手机号", "银行卡号"),
    "encryption": ("病历号", "姓名", "身份证号", "手机号", "银行卡号", "收入"),
    "dates": ("病历号", "出生日期", "就诊日期", "诊断"),
    "noise": ("费用", "收入", "年龄", "学历", "纬度", "经度"),
    "generalization": ("出生日期", "住址", "年龄", "学历", "费用", "收入", "纬度", "经度", "科室"),
    "suppression": ("姓名", "手机号", "身份证号", "诊断", "民族", "学历", "科室", "备注"),
    "synthesis": ("姓名", "身份证号", "手机号", "性别", "年龄", "学历", "收入"),
    "private_synthesis": ("性别", "年龄", "学历", "收入"),
    "aggregation": ("科室", "诊断", "费用", "收入"),
    "sampling": ("科室", "性别", "费用"),
    "shares": ("病历号", "费用"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the runs happen: one key and one seed, which are no secrets."""
    for name in ("DEID_KEY", "DEID_SEED", "DEID_NATIONAL_CRYPTOGRAPHY"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "key").write_text("0123456789abcdef" * 4)
    (tmp_path / "seed").write_text("the same draws each time")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(name: str, recipe: Path, *files: str, results: list[str]) -> None:
    """Carry out the recipe and compare what it wrote."""
    shutil.copy(recipe, "recipe.yaml")
    secrets = ["--key-file", "key", "--seed-file", "seed", "--report", "report.json"]
    assert main(["run", "recipe.yaml", *files, "--order", "kept", *secrets]) == 0
    report = json.loads(Path("report.json").read_text(encoding="utf-8"))
    # Left out: durations; versions of libraries; clauses, which are the standard's own only since the house was put in order.
    kept = {"report": without(report, "seconds", "versions", "clauses", "clause")}
    kept |= {"files": {result: written(Path(result)) for result in results}}
    compare(f"results/{name}.json", kept)


def written(path: Path) -> dict[str, object]:
    """Hash and first lines, which show what kind of change a new hash is."""
    content = path.read_bytes()
    lines = content.decode("utf-8-sig").splitlines() if path.suffix == ".csv" else []
    return {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content), "head": lines[:6]}


@pytest.mark.parametrize("name", COLUMNS)
def test_results_are_the_same(folder: Path, name: str) -> None:
    Path("in.csv").write_text(tables.csv(tables.patients(), *COLUMNS[name]), encoding="utf-8")
    run(name, HERE / "recipes" / f"{name}.yaml", "in.csv", "out.csv", results=["out.csv"])


def test_the_example_of_salaries(folder: Path) -> None:
    shutil.copy(EXAMPLES / "salaries.csv", "in.csv")
    run("salaries", EXAMPLES / "salaries.yaml", "in.csv", "out.csv", results=["out.csv"])


def test_the_example_of_visits(folder: Path) -> None:
    columns = ("姓名", "身份证号", "手机号", "病历号", "备注", "费用", "就诊日期", "诊断", "科室", "性别", "出生日期", "住址", "民族")  # fmt: skip
    Path("in.csv").write_text(tables.csv(tables.patients(), *columns), encoding="gb18030")
    run("visits", EXAMPLES / "visits.yaml", "in.csv", "out.csv", results=["out.csv"])


def test_parquet(folder: Path) -> None:
    rows = tables.patients()
    columns = {c: pa.array([one[c] or None for one in rows], pa.string()) for c in COLUMNS["dates"]}
    pq.write_table(pa.table(columns), "in.parquet")
    recipe = HERE / "recipes" / "dates.yaml"
    run("parquet", recipe, "in.parquet", "out.parquet", results=["out.parquet"])


def test_several_tables(folder: Path) -> None:
    columns = ("病历号", "姓名", "出生日期", "性别")
    Path("patients.csv").write_text(tables.csv(tables.patients(), *columns), encoding="utf-8")
    Path("visits.csv").write_text(tables.csv(tables.visits()), encoding="utf-8")
    recipe = HERE / "recipes" / "several_tables.yaml"
    results = ["out/患者.csv", "out/就诊.csv"]
    run("several_tables", recipe, "患者=patients.csv", "就诊=visits.csv", "out", results=results)
