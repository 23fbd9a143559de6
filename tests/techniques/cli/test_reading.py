"""How the commands read a file that is not written as it seems, and what only a person can say."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import openpyxl
import pytest

from techniques.cli import main as cli

AS_IT_IS = """
recipe: 1
unlisted: keep
steps: [{technique: suppression.mask, columns: ["name"], parameters: {keep_left: 1}}]
"""
ROWS = [("name", "age"), ("王小明", "31"), ("李红", "NA"), ("张三", "n/a"), ("赵六", "31")]


def _file(tmp_path: Path, text: str, name: str = "in.csv", encoding: str = "utf-8") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


def _lines(rows: list[tuple[str, ...]], delimiter: str = ",") -> str:
    return "".join(delimiter.join(row) + "\n" for row in rows)


def _figures(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> dict[str, object]:
    assert cli.main(["risk", *map(str, arguments), "--json"]) == 0, capsys.readouterr().err
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def _refusal(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    assert cli.main([*map(str, arguments)]) == 2
    return capsys.readouterr().err


def _run(tmp_path: Path, source: Path, *options: str) -> list[list[str]]:
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(AS_IT_IS, encoding="utf-8")
    output = tmp_path / "out.csv"
    output.unlink(missing_ok=True)
    arguments = ["run", recipe, source, output, "--order", "kept", *options]
    assert cli.main(list(map(str, arguments))) == 0
    return list(csv.reader(io.StringIO(output.read_text(encoding="utf-8", errors="replace"))))


def test_a_first_row_of_years_is_asked_about(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = _file(tmp_path, "2019,2020\n" + "1,2\n3,2\n" * 3)
    said = _refusal(capsys, "risk", source, "--qi", "2020", "--subject", "rows")
    assert "in.csv" in said
    assert "--header" in said
    named = _figures(
        capsys, source, "--qi", "2020", "--subject", "rows", "--header", "yes", "--accept-findings", "2019"
    )
    assert (named["rows"], named["k"]) == (6, 6)
    numbered = _figures(capsys, source, "--qi", "column_2", "--subject", "rows", "--header", "no")
    assert (numbered["rows"], numbered["k"]) == (7, 1)


def test_texts_that_stand_for_a_missing_value(tmp_path: Path) -> None:
    source = _file(tmp_path, _lines(ROWS))
    assert [row[1] for row in _run(tmp_path, source)] == ["age", "31", "NA", "n/a", "31"]
    treated = _run(tmp_path, source, "--null-values", "NA", "--null-values", "n/a")
    assert [row[1] for row in treated] == ["age", "31", "", "", "31"]
    assert [row[0] for row in treated][1] == "王**"


@pytest.mark.parametrize("suffix", ["xlsx", "parquet"])
def test_missing_values_of_other_forms(tmp_path: Path, suffix: str) -> None:
    book = tmp_path / f"in.{suffix}"
    if suffix == "xlsx":
        sheet = openpyxl.Workbook()
        for row in ROWS:
            sheet.active.append(row)
        sheet.save(book)
    else:
        import pyarrow as pa
        import pyarrow.parquet as pq

        names, *body = ROWS
        pq.write_table(pa.table(dict(zip(names, map(list, zip(*body, strict=True)), strict=True))), book)
    treated = _run(tmp_path, book, "--null-values", "NA")
    assert [row[1] for row in treated] == ["age", "31", "", "n/a", "31"]


def test_a_workbook_names_its_sheets_and_one_is_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = openpyxl.Workbook()
    book.active.title = "首页"
    book.active.append(["读我"])
    other = book.create_sheet("数据")
    for row in ROWS:
        other.append(row)
    path = tmp_path / "in.xlsx"
    book.save(path)
    said = _refusal(capsys, "risk", path, "--qi", "age", "--subject", "rows")
    assert "首页, 数据" in said
    found = _figures(
        capsys, path, "--qi", "age", "--subject", "rows", "--sheet", "数据", "--accept-findings", "name"
    )
    assert found["rows"] == 4
    assert _refusal(capsys, "risk", path, "--qi", "age", "--sheet", "三月").startswith("deid: ")


def test_encoding_delimiter_and_quote(tmp_path: Path) -> None:
    text = "name|age\n'王|小'|31\n李红|\"x\"\n"
    source = _file(tmp_path, text, encoding="gb18030")
    _run(tmp_path, source, "--encoding", "gb18030", "--delimiter", "|", "--quote", "'")
    written = (tmp_path / "out.csv").read_text(encoding="gb18030")
    assert list(csv.reader(io.StringIO(written), delimiter="|"))[1:] == [["王**", "31"], ["李*", '"x"']]


@pytest.mark.parametrize(
    ("option", "value"), [("--encoding", "latin-1"), ("--delimiter", "#"), ("--quote", "~")]
)
def test_what_there_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, value: str
) -> None:
    source = _file(tmp_path, _lines(ROWS))
    assert value in _refusal(capsys, "risk", source, "--qi", "age", option, value)


def test_an_option_of_another_kind_of_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = _file(tmp_path, _lines(ROWS))
    assert "--sheet" in _refusal(capsys, "risk", source, "--qi", "age", "--sheet", "数据")


def test_for_machines_no_apostrophe(tmp_path: Path) -> None:
    source = _file(
        tmp_path, _lines([("name", "formula"), ("王小明", "=1+1"), ("李红", "'=1+1"), ("张三", "-3")])
    )
    assert [row[1] for row in _run(tmp_path, source)] == ["formula", "'=1+1", "'=1+1", "-3"]
    report = tmp_path / "report.json"
    treated = _run(tmp_path, source, "--plain", "--report", str(report))
    assert [row[1] for row in treated] == ["formula", "=1+1", "'=1+1", "-3"]
    assert json.loads(report.read_text(encoding="utf-8"))["plain"] is True


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        cli.main(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out.startswith("deid ")


COMMANDS = (
    "run", "reverse", "anonymize", "preflight", "risk", "evaluate", "utility", "add", "tabulate", "releases composition",
    "releases differences", "releases increment", "releases linked", "query", "local estimate", "local encode",
    "levels count", "levels join",
)  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_reads_a_table_can_be_told_how(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        cli.main([*command.split(), "--help"])
    said = capsys.readouterr().out
    assert all(
        f"--{option} " in said
        for option in ("encoding", "delimiter", "quote", "header", "sheet", "null-values")
    )
