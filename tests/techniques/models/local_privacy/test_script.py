"""The script for browsers does what the module for programs does, draw for draw, in Node.js and in Chromium."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from techniques.models.local_privacy import client
from tests.conftest import ROOT
from tests.techniques.models.differential_privacy.bounds import fits

SCRIPT = ROOT / "static/kits/local_privacy.js"
ASK = """
let next = 0;
const draw = () => draws[next++];
const found = asked.map(([what, ...how]) => LocalPrivacy[what](...how, draw));
const own = [0, 0, 0];
for (let trial = 0; trial < 60000; trial += 1) own[LocalPrivacy.response(1, 3, 1)] += 1;
const refused = [[0, 2, 0], [2, 2, 1], [0.5, 2, 1], [0, 2, NaN]].filter((how) => {
  try { LocalPrivacy.response(...how); return false; } catch { return true; }
}).length;
const answer = JSON.stringify([found, own, refused, next]);
"""


def program(names: tuple[str, ...]) -> str:
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"no {names[0]} on this machine")
    return found


def in_node(script: str, folder: Path) -> str:
    (folder / "ask.js").write_text(script + "console.log(answer);", encoding="utf-8")
    done = subprocess.run([program(("node",)), folder / "ask.js"], capture_output=True, text=True, check=True)
    return done.stdout


def in_chromium(script: str, folder: Path) -> str:
    page = folder / "ask.html"
    page.write_text(
        f"<meta charset=utf-8><body><script>{script}document.body.textContent = answer;</script>",
        encoding="utf-8",
    )
    chromium = program(("chromium", "chromium-browser", "google-chrome"))
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={folder / 'profile'}",
        "--dump-dom",
    ]
    done = subprocess.run([chromium, *options, page.as_uri()], capture_output=True, text=True, check=True)
    return done.stdout.partition("<body>")[2].partition("</body>")[0]


@pytest.mark.parametrize("run", [in_node, in_chromium], ids=["node", "chromium"])
def test_the_same_draws_give_the_same_answers(run: Any, tmp_path: Path) -> None:
    source = random.Random(17)
    draws = [source.getrandbits(53) for _ in range(60_000)]
    calls: list[tuple[Any, ...]] = []
    for _round in range(700):
        epsilon = source.choice([0.05, 0.7, 1, 3.5, 19])
        choices = source.choice([2, 3, 40])
        calls.append(("response", source.randrange(choices), choices, epsilon))
        calls.append(("unary", source.randrange(choices), choices, epsilon))
        calls.append(("noisy", source.uniform(-3, 3), -2, 2.5, source.choice([1, 7, 10_000]), epsilon))
    given = count()
    expected = [getattr(client, what)(*how, lambda: draws[next(given)]) for what, *how in calls]
    script = f"{SCRIPT.read_text(encoding='utf-8')}\nconst draws = {json.dumps(draws)};\nconst asked = {json.dumps(calls)};\n"
    found, own, refused, used = json.loads(run(script + ASK, tmp_path))
    assert found == expected
    assert used == next(given)
    assert refused == 4
    share = client.truth(1, 3) / client.WHOLE
    assert fits(np.array(own), np.array([(1 - share) / 2, share, (1 - share) / 2]))
