"""Our figures for random tables against those that pycanon 1.3.6 gave for them; ``make crosscheck`` asks it anew."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.crosscheck import agree, drawn, ours, write

RECORDED = json.loads(Path(__file__).with_name("pycanon_figures.json").read_text(encoding="utf-8"))


def test_risk_figures_are_those_of_pycanon(tmp_path: Path) -> None:
    wrong = [
        seed
        for seed, theirs in enumerate(RECORDED)
        if not agree(ours(write(tmp_path / f"{seed}.csv", drawn(seed))), theirs)
    ]
    assert len(RECORDED) == 60
    assert wrong == []
