"""A data directory that an earlier portal made opens, migrates, and everything signed or sealed in it still holds."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.golden.keeping import compare, differences, without

from . import answers, make_data

pytestmark = pytest.mark.slow
HERE = Path(__file__).resolve().parent
FACTS = json.loads((HERE / "facts.json").read_text(encoding="utf-8"))
# Of the demo: no secrets.
KEYS = {
    "DEID_SECRET_KEY": "demo-key-that-is-no-secret-xxxxxxxxxxxxxxxxxxxxxxxxxx",
    "DEID_MASTER_KEY": "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVowMTIzNDU=",
}
RELEASED = ("2026-0007", "2026-0008", "2026-0009", "2026-0015")


@pytest.fixture(scope="module")
def today(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the portal of today says of the directory."""
    folder = tmp_path_factory.mktemp("before")
    with tarfile.open(HERE / "before.tar.xz") as packed:
        # The archive is the project's own; Python before 3.11.4 has no filters.
        packed.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("DEID_", "DATABASE_", "PYTEST"))}
    environment = kept | KEYS | {
        "DJANGO_SETTINGS_MODULE": "deid_portal.settings_test",
        "DEID_VAR_DIR": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'portal.sqlite3'}",
        "DEID_BROKER_URL": "filesystem://",
        "DEID_LOG_LEVEL": "ERROR",
        "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    command = [sys.executable, "-m", "tests.upgrade.answers", str(HERE / "addresses.json")]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return said


@pytest.mark.parametrize("fact", FACTS)
def test_it_holds_as_before(today: dict[str, Any], fact: str) -> None:
    found = list(differences(FACTS[fact], today["facts"][fact]))
    assert not found, "\n".join([f"{fact}:", *found[:30]])


def test_nothing_more_is_told_than_was_kept(today: dict[str, Any]) -> None:
    assert list(today["facts"]) == list(FACTS)


@pytest.mark.parametrize("number", RELEASED)
def test_what_was_released_verifies(today: dict[str, Any], number: str) -> None:
    """Said in so many words, not only as it was kept."""
    facts = today["facts"]
    project = facts["projects"][number]
    assert project["state"] == "monitoring"
    (release,) = project["releases"]
    assert release["seal matches"] is True
    assert release["row is sound"] is True
    assert release["bytes"] == release["result"]
    assert {row["kind"]: (row["holds"], row["lapsed"]) for row in project["sign-offs"]} == {
        "plan": (True, False),
        "release": (True, False),
    }
    reviewed = ("objective", "identification", "processing", "verification")
    assert all(project["stages"][stage]["passed"] is True for stage in reviewed)
    assert project["verification"]["kept"] == project["verification"]["worked out"]
    assert project["sign-offs"][1]["hash"] == project["verification"]["worked out"]
    assert project["sign-offs"][0]["hash"] == project["plan"]
    assert all(version["kept"] == version["worked out"] for version in project["recipes"])
    assert project["run"]["sound"] is True
    fetched = {place: got for place, got in facts["deliveries"].items() if place.startswith(number)}
    assert fetched
    assert all(status == 200 for status, _sha256 in fetched.values())
    if number != "2026-0015":  # there each recipient fetches a share of their own
        sealed = [release["result"], *(sha256 for _table, sha256 in release["files"])]
        assert [sha256 for _status, sha256 in fetched.values()] == sealed


def test_the_log_is_whole_and_every_file_opens(today: dict[str, Any]) -> None:
    facts = today["facts"]
    assert facts["audit"]["faults"] == facts["faults at the end"] == []
    assert facts["audit"]["rows"] > 1000
    assert all(is_whole for _purpose, is_whole in facts["stored files"].values())
    assert all(None not in found.values() for found in facts["mapping tables"].values())
    numbers = {place[:9] for place in facts["mapping tables"]}
    assert {"2026-0008", "2026-0009"} <= numbers  # one table, and several


def test_the_pages_of_released_projects_open(today: dict[str, Any]) -> None:
    assert sum(status == 200 for status in today["facts"]["pages"].values()) > 500
    assert not [place for place, status in today["facts"]["pages"].items() if status >= 500]


def test_the_api_answers_as_before(today: dict[str, Any]) -> None:
    """Left out: clauses of techniques, which have become the standard's own, and the ids that a migration draws for the
    tables of projects that had none of their own."""
    drawn = [
        answer["tables"][0]["id"]
        for place, (_status, answer) in today["answers"].items()
        if place.endswith("/data/tables/") and len(answer["tables"]) == 1
    ]
    every = json.loads(re.sub("|".join(drawn), "drawn", json.dumps(today["answers"])))
    for account in sorted({place.split()[0] for place in every}):
        answers = {place: one for place, one in every.items() if place.split()[0] == account}
        compare(str(HERE / "api" / f"{account}.json"), without(answers, "clause", "clauses"))


def test_what_asks_and_what_makes_are_there() -> None:
    """Imported here, so that a renamed function is missed when the tests are collected."""
    assert callable(answers.main)
    assert callable(make_data.main)
