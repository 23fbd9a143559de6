"""The local run: what it writes, that it may be killed anywhere, and what it says when it cannot go on."""

from __future__ import annotations

import csv
import hashlib
import io
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from pathlib import Path

import pytest

from techniques.core.messages import EngineError
from techniques.engines import local, parts
from techniques.engines.local import DirectoryWorkspace, LocalRun, Secrets
from techniques.recipe.recipe import Recipe
from tests.techniques.engines.conftest import RECIPE, ROWS, SECRETS, MakeRun, result_of, source_of, table


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode())))


def test_the_whole_way(make_run: MakeRun, content: bytes) -> None:
    run = make_run()
    report = run.execute_all()
    result = result_of(run)
    rows = rows_of(result)
    assert list(rows[0]) == ["name", "id", "sex", "age", "born", "fee", "visit", "diagnosis"]
    assert report["rows_in"] == ROWS
    assert report["rows_out"] == len(rows) < ROWS
    assert report["rows_removed"] == sum(step["counts"].get("rows_removed", 0) for step in report["steps"])
    assert report["source_sha256"] == hashlib.sha256(content).hexdigest()
    assert report["result_sha256"] == hashlib.sha256(result).hexdigest()
    assert report["recipe_sha256"] == run.recipe.content_hash()
    assert min(Counter((r["sex"], r["age"], r["born"]) for r in rows).values()) >= 2
    assert min(Counter((r["sex"], r["age"], r["born"], r["visit"]) for r in rows).values()) >= 1
    anonymity = report["steps"][7]["result"]
    assert anonymity["k"] == 4
    assert anonymity["proved_optimal"]
    assert report["steps"][7]["counts"]["rows_removed"] == anonymity["suppressed"]
    assert sum(r["fee"].startswith(">=") for r in rows) > 0
    assert all(r["fee"].startswith(">=") or float(r["fee"]) % 10 == 0 for r in rows)
    assert all(r["name"][1:] == "*" and len(r["id"]) == 24 for r in rows)
    assert "" in {r["diagnosis"] for r in rows}


def test_k_holds_in_the_written_file(make_run: MakeRun) -> None:
    recipe = RECIPE[: RECIPE.index("  - technique: suppression.rare_records")] + (
        "  - {technique: as_is, column: diagnosis, parameters: {reason: needed}}\n"
    )
    run = make_run(recipe=recipe)
    report = run.execute_all()
    sizes = Counter((r["sex"], r["age"], r["born"]) for r in rows_of(result_of(run)))
    assert min(sizes.values()) == report["steps"][7]["result"]["min_class"] >= 4
    assert len(sizes) == report["steps"][7]["result"]["classes"]


def test_a_removed_column_never_lies_in_the_workspace(
    make_run: MakeRun, content: bytes, tmp_path: Path
) -> None:
    """Nothing needs its cells, not even for a moment; a column that a step treats before it is removed is needed."""
    treated = RECIPE.replace("  - {technique: suppression.remove_column, column: remark}\n", "").replace(
        "steps:\n",
        """steps:
  - {technique: suppression.mask, column: remark, parameters: {keep_left: 1}}
  - {technique: suppression.remove_column, column: remark}
""",
    )
    cells = {}
    for folder, recipe in (("removed", RECIPE), ("treated", treated)):
        run = make_run(folder, recipe)
        run.execute("ingest")
        assert run.parts.columns == content.decode().splitlines()[0].split(",")
        cells[folder] = run.parts.kept
        assert ("remark" in run.parts.kept) == (folder == "treated")
        held = [
            name
            for name in run.parts.kept
            if (values := run.parts.dictionary(name)) and "说明, 3" in str(values)
        ]
        assert held == (["remark"] if folder == "treated" else [])
    assert [*cells["removed"], "remark"] == cells["treated"]
    run = make_run("removed")
    run.execute_all(resume=True)
    before, after, kept, _whose = run.first_rows(20)
    assert before["remark"] == [row["remark"] or None for row in rows_of(content)[:20]]
    assert "remark" not in after
    assert len(kept) == len(before["name"]) == len(after["name"]) == 20


def test_items_are_known_beforehand_and_in_order(make_run: MakeRun) -> None:
    run = make_run()
    keys = [item.key for item in run.items()]
    assert keys[0] == "ingest"
    assert keys[-1] == "assemble"
    assert [key for key in keys if key.startswith("transform")] == [f"transform:{i:05}" for i in range(6)]
    assert {"tally:0004", "tally:0005", "tally:0007", "tally:0008"} == {
        key for key in keys if key.startswith("tally")
    }
    assert all(item.title % item.params for item in run.items())
    assert all(item.weight > 0 for item in run.items())
    with pytest.raises(EngineError) as unknown:
        run.execute("transform:99999")
    assert unknown.value.code == "item_unknown"
    with pytest.raises(EngineError) as early:
        run.execute("transform:00000")
    assert early.value.code == "item_too_early"
    run.execute("ingest")
    with pytest.raises(EngineError) as still:
        run.execute("transform:00000")
    assert still.value.code == "item_too_early"


def test_repeating_items_changes_nothing(make_run: MakeRun) -> None:
    plain = make_run("plain")
    report = plain.execute_all()
    again = make_run("again")
    for item in again.items():
        again.execute(item.key)
        again.execute(item.key)
        make_run("again").execute(item.key)
    assert result_of(again) == result_of(plain)
    assert again.report() == report


class Killed(Exception):
    pass


@pytest.mark.parametrize("seed", range(3))
def test_stopped_anywhere_and_taken_up_again(make_run: MakeRun, seed: int) -> None:
    """A tick raises at a random moment, in a new process each time; the bytes are those of a calm run."""
    calm = make_run("calm")
    report = calm.execute_all()
    draw = random.Random(seed)
    for _ in range(200):
        left = draw.randrange(1, 30)

        def tick(share: float) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                raise Killed

        run = make_run("torn")
        try:
            run.execute_all(tick, resume=True)
        except Killed:
            assert not run.workspace.exists("report")
            continue
        break
    assert result_of(run) == result_of(calm)
    assert run.report() == report


@pytest.mark.slow
def test_killed_for_good(content: bytes, tmp_path: Path) -> None:
    """SIGKILL at random moments of a real process."""
    (tmp_path / "input.csv").write_bytes(table(6_000).encode())
    script = textwrap.dedent(
        f"""
        from pathlib import Path
        from tests.techniques.engines.conftest import RECIPE, SECRETS
        from techniques.engines.local import DirectoryWorkspace, LocalRun, Source
        from techniques.recipe.recipe import Recipe
        from techniques.tables.formats import FileFormat
        here = Path({str(tmp_path)!r})
        source = Source(lambda: (here / "input.csv").open("rb"), FileFormat(kind="csv"), 6_000, size=1 << 32)
        run = LocalRun(Recipe.parse(RECIPE), source, DirectoryWorkspace(here / FOLDER), SECRETS)
        print("begun", flush=True)
        run.execute_all(resume=True)
        """
    )

    def start(folder: str) -> subprocess.Popen[bytes]:
        code = f"FOLDER = {folder!r}\n{script}"
        return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True)

    started = time.monotonic()
    calm = start("calm")
    assert calm.wait() == 0
    undisturbed = time.monotonic() - started
    draw = random.Random(5)
    for _ in range(2):
        process = start("torn")
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(draw.random() * min(undisturbed, 1.5))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert start("torn").wait() == 0
    assert (tmp_path / "torn/result.csv").read_bytes() == (tmp_path / "calm/result.csv").read_bytes()
    assert (tmp_path / "torn/report").read_bytes() == (tmp_path / "calm/report").read_bytes()


def test_columns_too_varied_for_one_dictionary_give_the_same_bytes(
    make_run: MakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether a column is held as one dictionary or part by part is nobody's business but the engine's."""
    plain = make_run("plain")
    report = plain.execute_all()
    for limit in (0, 60, 400):
        monkeypatch.setattr(parts, "MAX_DICTIONARY", limit)
        parted = make_run(f"limit{limit}")
        assert parted.execute_all() == report
        assert result_of(parted) == result_of(plain)


def test_another_seed_another_result_another_recipe_another_run(
    make_run: MakeRun, content: bytes, tmp_path: Path
) -> None:
    run = make_run()
    run.execute_all()
    other = LocalRun(
        run.recipe, source_of(content), DirectoryWorkspace(tmp_path / "o"), Secrets(SECRETS.key, 43)
    )
    other.execute_all()
    assert result_of(other) != result_of(run)
    mixed = LocalRun(run.recipe, source_of(content), run.workspace, Secrets(SECRETS.key, 43))
    with pytest.raises(EngineError) as error:
        mixed.execute("transform:00000")
    assert error.value.code == "workspace_of_another_run"


@pytest.mark.parametrize("of", ["recipe", "source", "seed", "order", "layout"])
def test_a_finished_run_is_taken_for_no_other(
    make_run: MakeRun, content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, of: str
) -> None:
    run = make_run()
    report = run.execute_all(resume=True)
    assert make_run().execute_all(resume=True) == report
    recipe, source, secrets, order = run.recipe, source_of(content), SECRETS, "kept"
    match of:
        case "recipe":
            recipe = Recipe.parse(RECIPE.replace("length: 24", "length: 25"))
        case "source":
            # As long as the other one, in bytes and in rows.
            other = content.replace("男".encode(), "女".encode(), 1)
            assert len(other) == len(content)
            assert other != content
            source = source_of(other)
        case "seed":
            secrets = Secrets(SECRETS.key, 43)
        case "order":
            order = "shuffled"
        case "layout":
            monkeypatch.setattr(local, "LAYOUT", local.LAYOUT + 1)
    mixed = LocalRun(recipe, source, DirectoryWorkspace(tmp_path / "run"), secrets, order=order)  # type: ignore[arg-type]
    with pytest.raises(EngineError) as error:
        mixed.execute_all(resume=True)
    assert error.value.code == "workspace_of_another_run"
    assert result_of(run) == result_of(make_run())


def test_what_a_discarded_run_has_left_is_made_anew(make_run: MakeRun) -> None:
    run = make_run()
    run.execute_all()
    run.discard()
    other = make_run(recipe=RECIPE.replace("length: 24", "length: 25"))
    assert other.execute_all(resume=True)["recipe_sha256"] == other.recipe.content_hash()


def test_discard_leaves_result_and_report_only(make_run: MakeRun, tmp_path: Path) -> None:
    run = make_run()
    run.execute_all()
    run.discard()
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == ["report", "result.csv"]


STEP = "steps: [{technique: generalization.rounding, column: n, parameters: {base: 10%s}}]"


@pytest.mark.parametrize("limit", [parts.MAX_DICTIONARY, 0])
def test_values_that_do_not_fit_are_named_by_row(
    make_run: MakeRun, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(parts, "MAX_DICTIONARY", limit)
    cells = [str(i) for i in range(1000)]
    for row in (3, 300, 301, 302, 303, 304, 900):
        cells[row - 1] = f"secret{row}"
    data = ("n\n" + "\n".join(cells) + "\n").encode()
    with pytest.raises(EngineError) as error:
        make_run("stop", STEP % "", data, 1000).execute_all()
    assert error.value.code == "values_not_numbers"
    assert error.value.params == {"column": "n", "count": 7, "rows": "3, 300, 301, 302, 303 …"}
    assert "secret" not in str(error.value)
    run = make_run("suppress", STEP % ", unfit: suppress", data, 1000)
    report = run.execute_all()
    assert report["steps"][0]["counts"] == {"cells_changed": 894, "cells_suppressed": 7}
    assert b"secret" not in result_of(run)


def test_rows_removed_before_no_longer_stop_anything(make_run: MakeRun) -> None:
    data = b"n,g\n1,a\n2,a\n3,a\nword,b\n"
    recipe = """
    steps:
      - {technique: suppression.rare_records, column: g, parameters: {maximum_share: 0.3}}
      - {technique: generalization.rounding, column: n, parameters: {base: 2}}
    """
    run = make_run(recipe=recipe, data=data, rows=4)
    assert run.execute_all()["rows_removed"] == 1
    assert result_of(run).replace(b'"', b"") == b"n,g\n2,a\n2,a\n4,a\n"


def test_unfit_values_of_a_model_are_named_by_row(make_run: MakeRun) -> None:
    recipe = """
    steps:
      - technique: model.k_anonymity
        columns: [n]
        parameters: {k: 2, hierarchies: {n: {kind: intervals, widths: [10]}}}
    """
    with pytest.raises(EngineError) as error:
        make_run(recipe=recipe, data=b"n\n1\nword\n3\nword\n", rows=4).execute_all()
    assert error.value.params == {"column": "n", "count": 2, "rows": "2, 4"}


def test_starred_rows_stay(make_run: MakeRun) -> None:
    recipe = """
    unlisted: keep
    steps:
      - technique: model.k_anonymity
        columns: [n]
        parameters:
          {k: 2, suppression_limit: 0.5, suppressed_rows: star, hierarchies: {n: {kind: star}}}
    """
    run = make_run(recipe=recipe, data=b"n,x\n1,a\n1,b\n2,c\n", rows=3)
    report = run.execute_all()
    assert result_of(run).replace(b'"', b"") == b"n,x\n1,a\n1,b\n*,c\n"
    assert report["steps"][0]["counts"] == {"rows_removed": 0, "rows_suppressed": 1}


@pytest.mark.parametrize(
    ("rows", "code"), [(2, "source_changed"), (4, "source_changed"), (0, "source_changed")]
)
def test_a_source_that_is_not_what_was_checked(make_run: MakeRun, rows: int, code: str) -> None:
    with pytest.raises(EngineError) as error:
        make_run(recipe=STEP % "", data=b"n\n1\n2\n3\n", rows=rows).execute_all()
    assert error.value.code == code


def test_an_empty_table_has_an_empty_result(make_run: MakeRun) -> None:
    run = make_run(recipe=STEP % "", data=b"n\n", rows=0)
    assert run.execute_all()["rows_out"] == 0
    assert result_of(run).replace(b'"', b"") == b"n\n"


def test_the_recipe_is_compared_with_the_header_first(make_run: MakeRun) -> None:
    with pytest.raises(EngineError) as error:
        make_run(recipe=STEP % "", data=b"m\n1\n", rows=1).execute("ingest")
    assert error.value.code == "columns_missing"


def test_a_key_is_asked_for_before_anything_else(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(EngineError) as error:
        LocalRun(Recipe.parse(RECIPE), source_of(content), DirectoryWorkspace(tmp_path), Secrets(b"", 1))
    assert error.value.code == "key_missing"
