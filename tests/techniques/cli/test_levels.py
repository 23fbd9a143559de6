"""``deid levels``: answers of a form are joined to a table, and levels counted."""

from __future__ import annotations

import csv
import json

from techniques.cli.main import main


def test_join_then_count(tmp_path, capsys) -> None:
    data, answers, out = (tmp_path / name for name in ("data.csv", "answers.csv", "joined.csv"))
    rows = [f"p{n // 2},{'flu' if n % 4 < 2 else 'HIV'}" for n in range(40)]
    data.write_text("\n".join(["id,ill", *rows]) + "\n")
    answers.write_text("id,protection_level\n" + "".join(f"p{n},{1 + n % 3}\n" for n in range(15)) + "zz,2\n")
    asked = ["levels", "join", str(data), str(answers), str(out), "--key", "id", "--default", "2"]
    assert main([*asked, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["persons"], found["answered"], found["missing"], found["strangers"]) == (20, 15, 5, 1)
    with out.open(newline="", encoding="utf-8-sig") as stream:
        made = list(csv.DictReader(stream))
    assert [f"{row['id']},{row['ill']}" for row in made] == rows
    assert [row["protection_level"] for row in made[:6]] == ["1", "1", "2", "2", "3", "3"]
    assert {row["protection_level"] for row in made[30:]} == {"2"}
    count = [
        "levels",
        "count",
        str(out),
        "--column",
        "ill",
        "--levels",
        "protection_level",
        "--subject",
        "id",
    ]
    assert main([*count, "--json"]) == 0
    counted = json.loads(capsys.readouterr().out)
    assert counted["levels"] == {"1": 5, "2": 10, "3": 5}
    assert counted["of_persons"]
    assert counted["basis"].endswith("personalized (α,l)-diversity k-anonymity, Cao et al. 2018")
    assert main(count) == 0
    said = capsys.readouterr().out
    assert "persons 20" in said
    assert "level 2: 10" in said
    assert said.splitlines()[-2] == counted["basis"]
    assert said.splitlines()[-1] == counted["limits"]
    assert counted["limits"].startswith("A count of what is asked for protects nobody")
    assert main([*asked[:-4], "--key", "nothing"]) == 2
    assert main(["levels", "count", str(data), "--column", "ill", "--levels", "no"]) == 2
