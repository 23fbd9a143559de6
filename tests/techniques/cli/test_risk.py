"""``deid risk`` on files as people have them."""

from __future__ import annotations

import argparse
import hashlib
import json

import numpy as np
import pandas as pd
import pytest

from techniques.catalogue import bases
from techniques.cli.main import main
from techniques.cli.places.staging import Staging
from techniques.cli.risk import add_parser
from techniques.cli.tables import quasi_identifiers
from techniques.core.messages import EngineError
from tests.techniques.disclosure_risk.test_measure import flat, naive


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers().add_parser)
    options = parser.parse_args(["risk", *arguments])
    with Staging(options):
        return options.run(options)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_json(tmp_path, capsys, encoding: str, delimiter: str) -> None:
    frame = pd.DataFrame({"性别": ["男", "女", "男", "男"] * 6, "城市": ["北京", "上海", "", "北京"] * 6})
    path = tmp_path / "表.csv"
    frame.to_csv(path, index=False, sep=delimiter, encoding=encoding)
    assert run([str(path), "--qi", "性别, 城市", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    loose = printed.pop("missing_as_anything")
    assert (loose["rows_with_missing"], loose["k"]) == (6, 6)
    assert list(printed) == ["rows", "classes", "k", "max_risk", "average_risk", "at_risk"]
    assert flat(printed) == pytest.approx(flat(naive(frame, ["性别", "城市"])))


def test_adult(real_data_dir, capsys) -> None:
    path = real_data_dir / "adult_arx.csv"
    assert run([str(path), "--qi", "sex,age,race,marital-status", "--json"]) == 0
    frame = pd.read_csv(path, sep=";", dtype=str, keep_default_na=False)
    printed = json.loads(capsys.readouterr().out)
    assert flat(printed) == pytest.approx(flat(naive(frame, ["sex", "age", "race", "marital-status"])))


def test_text_and_faults(tmp_path, capsys) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,x\n1,x\n", encoding="utf-8")
    assert run([str(path), "--qi", "a"]) == 0
    assert "one time in 2" in capsys.readouterr().out
    with pytest.raises(EngineError, match="no column"):
        run([str(path), "--qi", "a,c"])
    assert run([str(path), "--qi", "a", "--encoding", "utf-8", "--delimiter", ","]) == 0


def test_names_with_commas() -> None:
    assert quasi_identifiers("a,b,c", ["a", "b,c"]) == ["a", "b,c"]
    assert quasi_identifiers(" a , b", ["a", "b"]) == ["a", "b"]


def test_other_attackers_and_single_records(tmp_path, capsys) -> None:
    people = pd.DataFrame({"a": [*"xxxxyyyyyz"], "b": [*"1112222223"], "s": [*"ppqpqqqppq"]})
    sample = people.iloc[[0, 1, 3, 4, 5, 9]]
    people.drop(columns="s").to_csv(tmp_path / "population.csv", index=False)
    path = tmp_path / "sample.csv"
    sample.to_csv(path, index=False)
    options = ["--thresholds", "0.3,0.5", "--cap", "0.33", "--json", "--sensitive", "s"]
    population = ["--population", str(tmp_path / "population.csv"), "--per-record", str(tmp_path / "r.csv")]
    assert run([str(path), "--qi", "a,b", *options, *population]) == 0
    found = json.loads(capsys.readouterr().out)
    f = sample.groupby(["a", "b"]).size()
    F = people.groupby(["a", "b"]).size()[f.index]
    assert found["journalist"]["max_risk"] == pytest.approx((1 / F).max())
    assert found["journalist"]["average_risk"] == pytest.approx(max(len(f) / F.sum(), (f / F).sum() / 6))
    assert found["marketer"] == pytest.approx((f / F).sum() / 6)
    assert found["presence"] == found["delta_max"] == pytest.approx((f / F).max())
    assert found["delta_min"] == pytest.approx((f / F).min())
    assert "by_option" not in found
    assert found["records_at_risk"] == {"0.3": 6, "0.5": 2}
    assert found["strict_average"] == {"cap": 0.33, "holds": False, "risk": 1.0}
    classes = [inside["s"] for _, inside in sample.groupby(["a", "b"])]
    whole = sample["s"].value_counts(normalize=True)
    assert found["sensitive"]["s"]["distinct"] == min(inside.nunique() for inside in classes)
    assert found["sensitive"]["s"]["t"] == pytest.approx(
        max(
            sum(abs(inside.eq(value).mean() - share) for value, share in whole.items()) / 2
            for inside in classes
        )
    )
    records = pd.read_csv(tmp_path / "r.csv")
    own = sample.groupby(["a", "b"])["s"].transform("size").tolist()
    assert records["row"].tolist() == [1, 2, 3, 4, 5, 6]
    assert records["class_size"].tolist() == own
    assert records["risk"].tolist() == pytest.approx([1 / size for size in own])
    assert run([str(path), "--qi", "a,b", "--sampling-fraction", "0.5", "--cap", "0.33"]) == 0
    shown = capsys.readouterr().out
    assert "population uniqueness: chosen zayatz" in shown
    assert "strict average: holds False" in shown
    with pytest.raises(EngineError):
        run([str(path), "--qi", "a", "--thresholds", "2"])
    with pytest.raises(EngineError):
        run([str(path), "--qi", "a", "--population", str(tmp_path / "r.csv")])


def test_the_share_of_a_sample_comes_from_the_report_of_its_run(tmp_path, capsys) -> None:
    path, report = tmp_path / "sample.csv", tmp_path / "report.json"
    path.write_text("a\n" + "x\n" * 30 + "y\n" * 20, encoding="utf-8")
    sampled = {"technique": "statistical.sampling", "result": {"sampling_fraction": 0.25}}
    written = {"result_sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    stated = {**written, "steps": [{"technique": "as_is"}, sampled, sampled]}
    report.write_text(json.dumps(stated), encoding="utf-8")
    found = []
    for options in (["--run-report", str(report)], ["--sampling-fraction", "0.0625"]):
        assert run([str(path), "--qi", "a", "--json", *options]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1]
    assert found[0]["journalist"]
    report.write_text(json.dumps({**stated, "result_sha256": "0" * 64}), encoding="utf-8")
    with pytest.raises(EngineError, match="wrote another file"):
        run([str(path), "--qi", "a", "--run-report", str(report)])
    report.write_text(json.dumps({**written, "steps": [{"technique": "as_is"}]}), encoding="utf-8")
    with pytest.raises(EngineError, match="not mention a step that drew"):
        run([str(path), "--qi", "a", "--run-report", str(report)])
    for wrong in (
        b"a,b\n1,2\n",
        b"[1]",
        b'{"steps": 3}',
        b"\xff\xfe\x00",
        b'{"steps": [{"technique": "statistical.sampling"}]}',
    ):
        report.write_bytes(wrong)
        with pytest.raises(EngineError, match=r"report\.json is not the report of a run"):
            run([str(path), "--qi", "a", "--run-report", str(report)])


def test_suppressed_rows_are_counted_both_ways(tmp_path, capsys) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,x\n1,x\n1,x\n*,*\n2,*\n2,*\n", encoding="utf-8")
    for option, k in (("own-class", 1), ("left-out", 2)):
        assert run([str(path), "--qi", "a,b", "--suppressed", option, "--json"]) == 0
        printed = json.loads(capsys.readouterr().out)
        assert printed["k"] == k
        assert printed["suppressed_rows"] == 1
        assert (printed["own_class"]["k"], printed["own_class"]["rows"]) == (1, 6)
        assert (printed["left_out"]["k"], printed["left_out"]["rows"]) == (2, 5)
        assert run([str(path), "--qi", "a,b", "--suppressed", option]) == 0
        printed = capsys.readouterr().out
        assert "K = 1" in printed or "K would be 1" in printed
        assert "K = 2" in printed or "K would be 2" in printed


def test_suppressed_rows_may_be_anybody_of_the_population(tmp_path, capsys) -> None:
    """A class of two in three, one of two in four, and one row of which nothing is stated among seven people."""
    path, population = tmp_path / "sample.csv", tmp_path / "population.csv"
    path.write_text("a,b,s\n1,x,f\n1,x,g\n2,y,f\n2,y,g\n*,*,f\n", encoding="utf-8")
    population.write_text("a,b\n" + "1,x\n" * 3 + "2,y\n" * 4, encoding="utf-8")
    found = {}
    for option in ("own-class", "left-out"):
        options = ["--population", str(population), "--suppressed", option, "--json"]
        assert run([str(path), "--qi", "a,b", *options]) == 0
        found[option] = json.loads(capsys.readouterr().out)
    average = {"own-class": (2 / 3 + 2 / 4 + 1 / 7) / 5, "left-out": (2 / 3 + 2 / 4) / 4}
    for option, one in found.items():
        assert one["marketer"] == pytest.approx(average[option])
        assert one["journalist"]["max_risk"] == pytest.approx(1 / 3)
        # Of three in the class of two rows the third may be the one of whom nothing is stated, as may two of the others.
        most = 2 / 3 + (1 / 3 * 1 / 3 if option == "own-class" else 0)
        assert (one["delta_min"], one["delta_max"]) == pytest.approx((1 / 2, most))
        assert one["presence"] == pytest.approx(2 / 3)
        for name, both in one["by_option"].items():
            assert both["marketer"] == pytest.approx(average[name.replace("_", "-")])
    with population.open("a", encoding="utf-8") as stream:
        stream.write("3,z\n")
    for option, least in (("own-class", 1 / 8), ("left-out", 0.0)):
        options = ["--population", str(population), "--suppressed", option, "--json"]
        assert run([str(path), "--qi", "a,b", *options]) == 0
        assert json.loads(capsys.readouterr().out)["delta_min"] == pytest.approx(least)
    population.write_text("a,b\n1,x\n1,x\n1,x\n2,raw\n2,raw\n", encoding="utf-8")
    with pytest.raises(
        EngineError, match=r"1 class of the table with 2 records .* generalised in the same way"
    ):
        run([str(path), "--qi", "a,b", "--population", str(population)])
    with pytest.raises(EngineError, match="not both"):
        run([str(path), "--qi", "a,b", "--population", str(population), "--sampling-fraction", "0.5"])


def test_suppressed_rows_left_out_of_subsets_and_single_records(tmp_path, capsys) -> None:
    path, records = tmp_path / "a.csv", tmp_path / "r.csv"
    path.write_text("a,b\n1,x\n1,x\n*,*\n2,y\n2,y\n", encoding="utf-8")
    for option, k, unique, line in (("own-class", 1, 0.2, "3,1,1.0"), ("left-out", 2, 0.0, "3,,")):
        options = ["--subsets", "--per-record", str(records), "--suppressed", option, "--json"]
        assert run([str(path), "--qi", "a,b", *options]) == 0
        every = json.loads(capsys.readouterr().out)["subsets"]
        assert {(one["k"], one["unique"]) for one in every} == {(k, unique)}
        assert records.read_text().splitlines()[3] == line


def test_nobody_left_is_a_defined_answer(tmp_path, capsys) -> None:
    path, population = tmp_path / "a.csv", tmp_path / "p.csv"
    path.write_text("a,b,s\n*,*,f\n*,*,f\n", encoding="utf-8")
    population.write_text("a,b\n1,x\n2,y\n", encoding="utf-8")
    options = ["--qi", "a,b", "--suppressed", "left-out", "--json", "--subsets", "--sensitive", "s"]
    for more in (["--sampling-fraction", "0.1"], ["--population", str(population)]):
        assert run([str(path), *options, *more]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["journalist"] == {
            "at_risk": {"0.05": 0.0, "0.075": 0.0, "0.1": 0.0}, "max_risk": 0.0, "average_risk": 0.0,
        }  # fmt: skip
        assert (found["marketer"], found["rows"], found["contribution"]) == (0.0, 0, {"a": 0.0, "b": 0.0})
        assert found["sensitive"]["s"]["distinct"] == 0
    assert found["delta_max"] == 0.0


def test_no_output_overwrites_an_input(tmp_path) -> None:
    path, other, report = tmp_path / "a.csv", tmp_path / "p.csv", tmp_path / "r.json"
    path.write_text("a\n1\n1\n", encoding="utf-8")
    other.write_text("a\n1\n1\n", encoding="utf-8")
    sampled = {"technique": "statistical.sampling", "result": {"sampling_fraction": 0.25}}
    report.write_text(json.dumps({"steps": [sampled]}), encoding="utf-8")
    (tmp_path / "soft.csv").symlink_to(path)
    (tmp_path / "hard.csv").hardlink_to(path)
    before = path.read_bytes(), other.read_bytes(), report.read_bytes()
    command = [str(path), "--qi", "a", "--per-record"]
    for output in (path, tmp_path / "soft.csv", tmp_path / "hard.csv"):
        with pytest.raises(EngineError, match="overwrite"):
            run([*command, str(output)])
    for output, option in ((other, "--population"), (report, "--run-report")):
        with pytest.raises(EngineError, match="overwrite"):
            run([*command, str(output), option, str(output)])
    assert (path.read_bytes(), other.read_bytes(), report.read_bytes()) == before
    with pytest.raises(EngineError, match="nowhere"):
        run([*command, str(tmp_path / "nowhere/r.csv")])
    # What fails leaves what was there, and nothing beside it.
    there = sorted(tmp_path.iterdir())
    (tmp_path / "records.csv").write_text("old")
    with pytest.raises(EngineError):
        run([*command, str(tmp_path / "records.csv"), "--sensitive", "none"])
    assert (tmp_path / "records.csv").read_text() == "old"
    assert run([*command, str(tmp_path / "records.csv")]) == 0
    assert (tmp_path / "records.csv").read_text().split() == ["row,class_size,risk", "1,2,0.5", "2,2,0.5"]
    assert sorted(tmp_path.iterdir()) == sorted([*there, tmp_path / "records.csv"])


def test_an_encoding_or_delimiter_that_is_none(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a\n1\n", encoding="utf-8")
    for options in (["--encoding", "klingon"], ["--delimiter", "%%"]):
        with pytest.raises(EngineError, match="no encoding, delimiter or quote"):
            run([str(path), "--qi", "a", *options])


def test_an_average_does_not_hide_those_who_are_unique(tmp_path, capsys) -> None:
    path = tmp_path / "a.csv"
    values = [
        *range(60),
        *(v for v in range(60, 90) for _ in range(2)),
        *(v for v in range(90, 99) for _ in range(9)),
    ]
    path.write_text("a\n" + "".join(f"{v}\n" for v in values), encoding="utf-8")
    assert run([str(path), "--qi", "a", "--sampling-fraction", "0.05"]) == 0
    printed = capsys.readouterr().out
    assert "highest journalist risk of 5.00 % is an average" in printed
    assert "stand for 20 people" in printed
    assert "with a risk of 1" in printed
    path.write_text("a\n" + "1\n" * 9, encoding="utf-8")
    assert run([str(path), "--qi", "a", "--sampling-fraction", "0.05"]) == 0
    assert "average:" not in capsys.readouterr().out


def test_entropy_with_what_survives(tmp_path, capsys) -> None:
    """A text that a spreadsheet would run counts as kept though the file marks it; the order of rows does not matter."""
    original, released = tmp_path / "o.csv", tmp_path / "r.csv"
    original.write_text("a,b,s\n=1,1,x\n=1,2,y\nk,3,y\nm,5,x\n", encoding="utf-8")
    released.write_text("a,b,s\nm,4,x\n'=1,2,y\n*,*,y\n'=1,2,x\n", encoding="utf-8")
    arguments = [str(released), "--qi", "a,b", "--sensitive", "s", "--subject", "rows", "--entropy"]
    assert run([*arguments, "known=0.5,most_known=2", "--original", str(original), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["entropy"]
    # Three of four each: which of the numbers became the star is not known, and one of the others lies near enough.
    assert found["survival"] == {"a": 0.75, "b": 0.75, "s": 1.0}
    assert found["attack"] == {"known": 0.5, "most_known": 2, "sensitive": 0.5, "quasi": 0.05}
    assert found["risk"] == pytest.approx(found["likelihood"] * found["impact"])
    assert found["basis"].startswith("GB/T 37964-2019 4.3; likelihood times impact")
    assert "it can be low while someone stands alone" in found["limits"]
    assert [round(one["frequency"], 2) for one in found["path"]] == [0.75, 0.25]
    assert run([*arguments, "--sensitive", "s"]) == 0
    printed = capsys.readouterr().out
    assert "entropy: path a +0.75" in printed
    assert "entropy: basis GB/T 37964-2019 4.3" in printed
    assert "entropy: limits Risk by information entropy has no threshold" in printed
    with pytest.raises(EngineError, match="not a valid assumption"):
        run([*arguments, "known=2"])
    original.write_text("a,b,s\n", encoding="utf-8")
    with pytest.raises(EngineError, match="no rows"):
        run([*arguments, "--original", str(original)])
    with pytest.raises(EngineError, match="use --entropy"):
        run([*arguments[:-1], "--original", str(original)])


def test_evaluate_prints_the_risk_by_entropy_of_both_files(tmp_path, capsys) -> None:
    original, released = tmp_path / "original.csv", tmp_path / "released.csv"
    original.write_text("a,b,s\n1,x,p\n2,x,q\n3,y,p\n4,y,r\n")
    released.write_text("a,b,s\n*,x,p\n*,x,q\n*,y,p\n*,y,r\n")
    arguments = ["evaluate", str(released), "--qi", "a,b", "--sensitive", "s", "--subject", "rows"]
    main([*arguments, "--original", str(original)])
    # In the source a tells all at the first step; in the result b tells half, and nothing of a is left to lay open.
    frequency = 1 - 0.7**16
    assert capsys.readouterr().out.endswith(
        f"entropy risk {frequency * 0.55:.6g} of the source = likelihood {frequency:.6g} x impact 0.55\n"
        f"entropy risk {frequency / 2 * 0.25:.6g} of the result = likelihood {frequency / 2:.6g} x impact 0.25\n"
        f"{bases.ENTROPY}\n{bases.ENTROPY_LIMITS}\n"
    )
    main([*arguments, "--original", str(original), "--json"])
    assert json.loads(capsys.readouterr().out)["entropy"]["basis"] == bases.ENTROPY
    main(arguments)
    assert "entropy" not in capsys.readouterr().out


def test_the_risk_after_each_step_of_a_planned_recipe(tmp_path, capsys) -> None:
    """The same as of the files that the beginnings of the recipe write; nothing is written."""
    table = tmp_path / "t.csv"
    rows = [f"{20 + n % 40},{'mf'[n % 2]},{'pqr'[n % 3]},n{n}" for n in range(200)]
    table.write_text("\n".join(["age,sex,s,name", *rows]) + "\n")
    steps = [
        {"technique": "suppression.remove_column", "columns": ["name"]},
        {"technique": "generalization.intervals", "columns": ["age"], "parameters": {"width": 10.0}},
        {"technique": "suppression.remove_column", "columns": ["age"]},
        {"technique": "as_is", "columns": ["s"], "parameters": {"reason": "studied"}},
        {"technique": "suppression.remove_column", "columns": ["sex"]},
    ]
    recipe = tmp_path / "recipe.json"
    recipe.write_text(json.dumps({"recipe": 1, "steps": steps}))
    arguments = [
        str(table),
        "--qi",
        "age,sex",
        "--sensitive",
        "s",
        "--subject",
        "rows",
        "--accept-findings",
        "name",
    ]
    assert run([*arguments, "--entropy", "--planned", str(recipe), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["entropy"]
    risks = [one["risk"] and one["risk"]["risk"] for one in found["planned"]]
    assert risks[0] == found["risk"] > risks[1] > risks[2] == risks[3]
    assert risks[4] is None
    assert [one["technique"] for one in found["planned"]] == [step["technique"] for step in steps]
    # After the second step, as of a file that was made by hand.
    made = tmp_path / "made.csv"
    cut = [
        f"[{age // 10 * 10};{age // 10 * 10 + 10}),{rest}"
        for age, rest in ((int(row.split(",")[0]), row.partition(",")[2].rpartition(",")[0]) for row in rows)
    ]
    made.write_text("\n".join(["age,sex,s", *(one.replace(";", "-") for one in cut)]) + "\n")
    assert (
        run([*arguments[1:0], str(made), *arguments[1:-2], "--entropy", "--original", str(table), "--json"])
        == 0
    )
    by_hand = json.loads(capsys.readouterr().out)["entropy"]
    second = found["planned"][1]["risk"]
    assert [one["severity"] for one in second["path"]] == [one["severity"] for one in by_hand["path"]]
    assert run([*arguments, "--entropy", "--planned", str(recipe)]) == 0
    assert f"after step 2 generalization.intervals {risks[1]:.6g}" in capsys.readouterr().out
    with pytest.raises(EngineError, match="use --entropy"):
        run([*arguments, "--planned", str(recipe)])
    with pytest.raises(EngineError, match="give one of them"):
        run([*arguments, "--entropy", "--planned", str(recipe), "--original", str(table)])


def test_a_planned_step_whose_rows_are_no_records_has_no_risk(tmp_path, capsys) -> None:
    table = tmp_path / "t.csv"
    table.write_text("age,sex\n" + "".join(f"{20 + n % 9},{'mf'[n % 2]}\n" for n in range(90)))
    steps = [
        {"technique": "synthesis.sequential", "columns": ["age", "sex"], "parameters": {"minimum_count": 1}}
    ]
    (tmp_path / "recipe.json").write_text(json.dumps({"recipe": 1, "steps": steps}))
    assert (
        run(
            [
                str(table),
                "--qi",
                "age,sex",
                "--subject",
                "rows",
                "--entropy",
                "--planned",
                str(tmp_path / "recipe.json"),
            ]
        )
        == 0
    )
    assert "after step 1 synthesis.sequential nothing to measure" in capsys.readouterr().out


def _release(path, rows) -> str:
    path.write_text(
        "\n".join([",".join(rows[0]), *(",".join(row.values()) for row in rows)]) + "\n", encoding="utf-8"
    )
    return str(path)


@pytest.mark.parametrize(
    ("pseudonym", "town", "k", "in_both"),
    [
        # Two recipients who join by one pseudonym see age and town of everybody: classes of one.
        (lambda n: f"P{n}", lambda n: n // 4, 1, 16),
        # The other release tells the same classes again: nothing is gained.
        (lambda n: f"P{n}", lambda n: n % 4, 4, 16),
        # Pseudonyms of its own: nobody is joined.
        (lambda n: f"Q{n}", lambda n: n // 4, 4, 0),
    ],
)
def test_what_two_recipients_hold_together(tmp_path, capsys, pseudonym, town, k, in_both) -> None:
    own = _release(tmp_path / "a.csv", [{"p": f"P{n}", "age": f"{n % 4}0-{n % 4}9"} for n in range(16)])
    other = _release(tmp_path / "b.csv", [{"p": pseudonym(n), "town": f"t{town(n)}"} for n in range(16)])
    arguments = [own, "--qi", "age", "--subject", "p", "--with", other, "--on", "p", "--with-qi", "town"]
    assert run([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["k"] == 4
    assert found["together"]["k"] == k
    assert found["together"]["persons_in_both"] == in_both
    assert run(arguments) == 0
    assert f"together: k {k}" in capsys.readouterr().out


def test_two_releases_are_joined_by_a_column_that_is_named(tmp_path) -> None:
    own = _release(tmp_path / "a.csv", [{"p": f"P{n}", "age": "1"} for n in range(8)])
    with pytest.raises(EngineError, match="give both"):
        run([own, "--qi", "age", "--subject", "p", "--with", own])
    with pytest.raises(EngineError, match="not a quasi-identifier"):
        run([own, "--qi", "age,p", "--subject", "rows", "--with", own, "--on", "p"])


class TestEveryClass:
    """T/ISC 0078 C.3 c: all classes with their sizes; the least is K."""

    def test_the_sixteen_records_of_annex_d_are_five_classes(self, tmp_path, capsys) -> None:
        bands = {"男": ["36-40"] * 3 + ["41-45"] * 3 + ["46-50"] * 4, "女": ["36-40"] * 3 + ["46-50"] * 3}
        path, classes = tmp_path / "d.csv", tmp_path / "classes.csv"
        path.write_text(
            "性别,年龄\n" + "".join(f"{sex},{band}\n" for sex in bands for band in bands[sex]), "utf-8"
        )
        assert run([str(path), "--qi", "性别,年龄", "--classes", str(classes), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["k"] == 3
        assert classes.read_text("utf-8").splitlines() == [
            "class_size,性别,年龄", "3,女,36-40", "3,女,46-50", "3,男,36-40", "3,男,41-45", "4,男,46-50",
        ]  # fmt: skip

    def test_persons_are_counted_and_a_missing_value_is_one(self, tmp_path, capsys) -> None:
        path, classes = tmp_path / "a.csv", tmp_path / "classes.csv"
        path.write_text("who,a\n1,x\n1,x\n2,x\n3,\n3,\n", "utf-8")
        asked = [str(path), "--qi", "a", "--subject", "who", "--classes", str(classes), "--json"]
        assert run(asked) == 0
        assert json.loads(capsys.readouterr().out)["k"] == 1
        assert classes.read_text("utf-8").split() == ["class_size,class_rows,a", "1,2,", "2,3,x"]

    def test_suppressed_rows_are_a_class_or_left_out(self, tmp_path) -> None:
        path, classes = tmp_path / "a.csv", tmp_path / "classes.csv"
        path.write_text("a,b\n1,x\n1,x\n*,*\n", "utf-8")
        asked = [str(path), "--qi", "a,b", "--classes", str(classes), "--suppressed"]
        assert run([*asked, "own-class"]) == 0
        assert classes.read_text().split() == ["class_size,a,b", "1,*,*", "2,1,x"]
        assert run([*asked, "left-out"]) == 0
        assert classes.read_text().split() == ["class_size,a,b", "2,1,x"]

    def test_no_value_runs_in_a_spreadsheet(self, tmp_path) -> None:
        path, classes = tmp_path / "a.csv", tmp_path / "classes.csv"
        path.write_text("a\n=1+1\n-3\n", "utf-8")
        assert run([str(path), "--qi", "a", "--classes", str(classes)]) == 0
        assert classes.read_text().split() == ["class_size,a", "1,-3", "1,'=1+1"]

    @pytest.mark.parametrize("seed", range(5))
    def test_they_are_the_groups_of_pandas(self, tmp_path, capsys, seed) -> None:
        draw = np.random.default_rng(seed)
        table = pd.DataFrame({name: draw.choice([*"pqrs", ""], 300) for name in "abc"})
        path, classes = tmp_path / "a.csv", tmp_path / "classes.csv"
        table.to_csv(path, index=False)
        assert run([str(path), "--qi", "a,b,c", "--classes", str(classes), "--json"]) == 0
        found = pd.read_csv(classes, keep_default_na=False)
        expected = table.groupby(["a", "b", "c"]).size()
        assert (
            dict(
                zip(
                    found[["a", "b", "c"]].itertuples(index=False, name=None),
                    found["class_size"],
                    strict=True,
                )
            )
            == expected.to_dict()
        )
        assert found["class_size"].is_monotonic_increasing
        assert found["class_size"].min() == json.loads(capsys.readouterr().out)["k"]

    def test_it_is_never_a_file_that_is_read_or_written_for_something_else(self, tmp_path) -> None:
        path = tmp_path / "a.csv"
        path.write_text("a\n1\n", "utf-8")
        with pytest.raises(EngineError, match="overwrite"):
            run([str(path), "--qi", "a", "--classes", str(path)])
        both = str(tmp_path / "out.csv")
        with pytest.raises(EngineError):
            run([str(path), "--qi", "a", "--classes", both, "--per-record", both])
