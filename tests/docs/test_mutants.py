"""The list of mutants that no test can kill speaks of the code as it is."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

from scripts.mutants.trigger_mutants import all_of_them, conditions, registered

ROOT = Path(__file__).resolve().parents[2]


def test_every_listed_mutant_is_of_a_line_that_is_there_and_has_its_reason() -> None:
    listed = tomllib.loads((ROOT / "scripts/mutants/equivalent_mutants.toml").read_text(encoding="utf-8"))[
        "mutant"
    ]
    gone = [
        one["before"]
        for one in listed
        if one["before"] not in map(str.strip, (ROOT / one["path"]).read_text(encoding="utf-8").splitlines())
    ]
    assert gone == []
    assert all(one["code"] != one["before"] and len(one["reason"]) > 20 for one in listed)


def test_every_listed_kind_is_of_lines_that_are_there_and_has_its_reason() -> None:
    kinds = tomllib.loads((ROOT / "scripts/mutants/equivalent_mutants.toml").read_text(encoding="utf-8"))[
        "kind"
    ]
    product = [path for top in ("approvals", "projects", "techniques") for path in (ROOT / top).rglob("*.py")]
    for one in kinds:
        paths = [
            path
            for path in product
            if any(fnmatch(path.relative_to(ROOT).as_posix(), pattern) for pattern in one["paths"])
        ]
        lines = [line.strip() for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
        assert any(re.search(one["before"], line) for line in lines), one["before"]
        assert len(one["reason"]) > 20


def test_every_trigger_is_altered_at_the_place_where_it_is_registered() -> None:
    found = list(all_of_them())
    assert {code.split(" ")[0] for _path, _line, _kind, code, _which in found} == {
        one.name for one in registered()
    }
    assert all((ROOT / path).is_file() for path, *_more in found)


def test_a_comparison_with_a_list_is_taken_out_whole() -> None:
    said = dict(conditions("a = 1 OR b NOT IN ('x', 'y')"))
    assert "a = 1 OR FALSE" in said.values()
    assert not any("NOT FALSE" in one or "NOT TRUE" in one for one in said.values())
