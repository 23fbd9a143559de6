"""The local run with techniques that draw for every row, and with techniques that see all rows."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from datetime import date

import pyarrow as pa
import pytest

from techniques.core.messages import EngineError
from techniques.engines.reversal import reverse
from techniques.families.encryption.secret_sharing import combine_shares
from techniques.identification.checks import id_check_character, is_id_number
from techniques.recipe.recipe import Recipe
from tests.techniques.engines.conftest import SECRETS, MakeRun, result_of

ROWS = 1000
TEN = """
steps:
  - {technique: encryption.identifier, column: id, parameters: {kind: id_number, joinable: project}}
  - {technique: encryption.deterministic, column: name}
  - {technique: encryption.format_preserving, column: phone, parameters: {keep_left: 3}}
  - {technique: suppression.rare_records, columns: [city], parameters: {minimum_count: 20, maximum_share: 1.0}}
  - {technique: randomization.permutation, columns: [city, diagnosis], parameters: {within: [city]}}
  - {technique: randomization.noise, column: pay, parameters: {spread: 100.0, keep_variance: true}}
  - {technique: randomization.microaggregation, columns: [height, weight], parameters: {k: 5, decimals: 1}}
  - technique: generalization.controlled_rounding
    columns: [city, fee]
    parameters: {base: 100, within: [city]}
  - {technique: statistical.sampling, columns: [city], parameters: {fraction: 0.5, method: stratified}}
  - {technique: generalization.date, column: visit, parameters: {unit: month}}
  - {technique: encryption.secret_sharing, column: share, parameters: {holder: 2}}
"""
HEADER = ["id", "name", "phone", "city", "diagnosis", "pay", "height", "weight", "fee", "visit", "share"]


def source() -> list[list[str]]:
    rows = []
    for i in range(ROWS):
        body = f"110101{1950 + i % 50}{1 + i % 12:02}{1 + i % 28:02}{i:03}"
        rows.append(
            [
                body + id_check_character(body), f"病人{i % 300}", f"138{i:08}",
                f"C{i % 7}" if i % 250 else f"rare{i}", f"D{i * i % 11}" if i % 17 else "",
                str(3000 + 7 * i), str(150 + i % 40), str(50 + i % 33), str(i * 13 % 999),
                f"2024-{1 + i % 12:02}-{1 + i % 28:02}", str(i % 100),
            ]
        )  # fmt: skip
    return rows


def as_bytes(rows: list[list[str]]) -> bytes:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows([HEADER, *rows])
    return stream.getvalue().encode()


def run(make_run: MakeRun, recipe: str, folder: str = "run"):
    made = make_run(folder, recipe=recipe, data=as_bytes(source()), rows=ROWS)
    report = made.execute_all()
    return list(csv.DictReader(io.StringIO(result_of(made).decode()))), report, made


def test_ten_techniques_in_one_recipe(make_run: MakeRun) -> None:
    rows, report, _made = run(make_run, TEN)
    before = {row[0]: dict(zip(HEADER, row, strict=True)) for row in source()}
    recipe = Recipe.parse(TEN)
    ids = reverse(recipe, "id", pa.array([r["id"] for r in rows]), SECRETS, ROWS).values.to_pylist()
    names = reverse(recipe, "name", pa.array([r["name"] for r in rows]), SECRETS, ROWS).values.to_pylist()
    phones = reverse(recipe, "phone", pa.array([r["phone"] for r in rows]), SECRETS, ROWS).values.to_pylist()
    originals = [before[i] for i in ids]
    assert all(is_id_number(r["id"]) for r in rows)
    assert names == [o["name"] for o in originals]
    assert phones == [o["phone"] for o in originals]
    assert all(r["phone"][:3] == "138" and len(r["phone"]) == 11 for r in rows)
    # Rows and sample: rare cities are gone, half of each of the others is left, in the order of the source.
    cities = Counter(row[3] for row in source() if not row[3].startswith("rare"))
    left = Counter(r["city"] for r in rows)
    assert set(left) == set(cities)
    assert all(abs(left[c] - cities[c] / 2) < 1 for c in cities)
    assert [o["city"] for o in originals] == [r["city"] for r in rows]
    assert [list(before).index(i) for i in ids] == sorted(list(before).index(i) for i in ids)
    steps = report["steps"]
    assert steps[8]["result"]["sampling_fraction"] == len(rows) / (ROWS - 4)
    assert steps[8]["counts"] == {"rows_removed": ROWS - 4 - len(rows), "rows_suppressed": 0}
    assert steps[3]["counts"]["rows_removed"] == 4
    # Values: noise differs, microaggregates are shared, roundings are neighbours, dates are months.
    assert sum(r["pay"] != o["pay"] for r, o in zip(rows, originals, strict=True)) > 0.99 * len(rows)
    assert all(abs(float(r["pay"]) - float(o["pay"])) < 600 for r, o in zip(rows, originals, strict=True))
    assert steps[6]["result"]["smallest_group"] >= 5
    assert all(abs(float(r["fee"]) - float(o["fee"])) < 100 for r, o in zip(rows, originals, strict=True))
    assert all(float(r["fee"]) % 100 == 0 for r in rows)
    assert [r["visit"] for r in rows] == [o["visit"][:7] for o in originals]
    assert report["rows_out"] == len(rows)
    assert json.dumps(report)


def test_permutation_within_cities_keeps_their_diagnoses(make_run: MakeRun) -> None:
    recipe = "unlisted: keep\nsteps:\n  - {technique: randomization.permutation, columns: [city, diagnosis], parameters: {within: [city]}}\n"
    rows, report, _ = run(make_run, recipe)
    assert Counter((r["city"], r["diagnosis"]) for r in rows) == Counter((r[3], r[4]) for r in source())
    assert [r["diagnosis"] for r in rows] != [r[4] for r in source()]
    assert report["steps"][0]["result"] == {"groups": 11}


def test_a_table_of_groups_is_a_result(make_run: MakeRun) -> None:
    recipe = """
unlisted: remove
steps:
  - technique: statistical.aggregation
    columns: [city, pay, fee]
    parameters: {statistics: {pay: mean, fee: count}}
"""
    rows, report, _ = run(make_run, recipe)
    groups: dict[str, list[float]] = {}
    for row in source():
        groups.setdefault(row[3], []).append(float(row[5]))
    expected = {c: (f"{sum(p) / len(p):.2f}", str(len(p))) for c, p in groups.items() if len(p) >= 10}
    assert {r["city"]: (f"{float(r['pay']):.2f}", r["fee"]) for r in rows} == expected
    assert report["steps"][0]["counts"] == {"rows_removed": ROWS - 7, "rows_suppressed": 4}


def test_shares_of_several_runs_fit_together(make_run: MakeRun) -> None:
    files = {}
    for holder in (1, 2, 3):
        text = f"unlisted: remove\nsteps: [{{technique: encryption.secret_sharing, column: share, parameters: {{holder: {holder}}}}}]"
        rows, report, _ = run(make_run, text, f"holder{holder}")
        files[holder] = [r["share"] for r in rows]
        assert report["steps"][0]["result"]["share"]["holder"] == holder
    assert combine_shares({1: files[1], 3: files[3]}, 2) == [row[10] for row in source()]
    assert len(set(files[1])) == ROWS


def test_the_same_secrets_give_the_same_bytes_and_an_interrupted_run_goes_on(make_run: MakeRun) -> None:
    _, first, one = run(make_run, TEN)
    data = as_bytes(source())
    for item in one.items():
        fresh = make_run("other", recipe=TEN, data=data, rows=ROWS)
        assert not fresh.is_done(item.key)
        fresh.execute(item.key)
        assert make_run("other", recipe=TEN, data=data, rows=ROWS).is_done(item.key)
    assert make_run("other", recipe=TEN, data=data, rows=ROWS).report() == first
    one.discard()
    assert {p.name for p in one.workspace.folder.iterdir()} == {"result.csv", "report"}


def test_rows_that_do_not_fit_are_named(make_run: MakeRun) -> None:
    for technique, parameters in [
        ("randomization.noise", "{spread: 1.0}"),
        ("randomization.microaggregation", "{k: 3}"),
        ("encryption.order_preserving", "{minimum: 0.0, maximum: 9.0}"),
    ]:
        recipe = (
            f"unlisted: keep\nsteps: [{{technique: {technique}, column: city, parameters: {parameters}}}]"
        )
        with pytest.raises(EngineError) as error:
            run(make_run, recipe, technique)
        assert error.value.params["count"] == ROWS
        assert error.value.params["rows"] == "1, 2, 3, 4, 5 …"


def test_missing_values_stay_missing(make_run: MakeRun) -> None:
    rows = [[*row[:5], "" if i % 5 == 0 else row[5], *row[6:]] for i, row in enumerate(source())]
    recipe = (
        "unlisted: keep\nsteps: [{technique: randomization.noise, column: pay, parameters: {spread: 1.0}}]"
    )
    made = make_run(recipe=recipe, data=as_bytes(rows), rows=ROWS)
    made.execute_all()
    result = list(csv.DictReader(io.StringIO(result_of(made).decode())))
    assert [r["pay"] == "" for r in result] == [row[5] == "" for row in rows]


MADE_UP = """
steps:
  - {technique: synthesis.identifier, column: id, parameters: {kind: id_number}}
  - {technique: randomization.date_shift, columns: [name, visit], parameters: {subject: name, maximum: 10}}
  - {technique: synthesis.sequential, columns: [city, diagnosis]}
  - {technique: synthesis.private, columns: [height, weight], parameters: {domains: {height: 140..200, weight: 40..90}}}
  - {technique: randomization.noise, column: pay, parameters: {spread: 100.0}}
  - {technique: randomization.microaggregation, columns: [fee, share], parameters: {categories: [share], k: 4}}
  - {technique: pseudonymization.keyed_hash, columns: [name, phone]}
"""


def test_made_up_rows_from_file_to_file(make_run: MakeRun) -> None:
    rows, report, _ = run(make_run, MADE_UP)
    again, same, _ = run(make_run, MADE_UP, "again")
    assert (rows, report) == (again, same)
    assert json.dumps(report)
    before = source()
    assert all(is_id_number(row["id"]) for row in rows)
    assert not {row["id"] for row in rows} & {row[0] for row in before}
    moves: dict[str, set[int]] = {}
    for row, old in zip(rows, before, strict=True):
        days = date.fromisoformat(row["visit"]) - date.fromisoformat(old[9])
        moves.setdefault(old[1], set()).add(days.days)
    assert all(len(days) == 1 and 1 <= abs(min(days)) <= 10 for days in moves.values())
    assert "rare250" not in {row["city"] for row in rows}
    steps = report["steps"]
    assert steps[2]["result"]["closeness"]["too_close"] is False
    assert steps[3]["result"]["epsilon"] == pytest.approx(1.0)
    assert min(Counter((row["fee"], row["share"]) for row in rows).values()) >= 4
