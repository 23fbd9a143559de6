"""A recipient adds up homomorphic ciphertexts with what their page says, and the organisation opens the sum."""

from __future__ import annotations

import csv
import html
import re
import shlex

from django.urls import reverse

from deid_portal.demo import story as demo
from projects.processing.models import Run
from projects.processing.runs.keys import secrets_of
from projects.releases.deliveries.computing import Summable, summable_columns
from projects.releases.deliveries.services import delivery_open, delivery_request
from projects.releases.selectors import current_release
from projects.workflow import State
from techniques.cli.main import main
from techniques.engines.reversal import reverse_some
from tests.projects.verification.stories import SmallStory


def sealed(content):
    for step in content["steps"]:
        step["columns"] = [column for column in step["columns"] if column != "费用"]
    fee = {"technique": "encryption.homomorphic", "columns": ["费用"], "parameters": {"decimals": 0}}
    content["steps"].append(fee)


def test_the_page_and_the_api_say_how_and_it_works(people, client, monkeypatch, tmp_path):
    monkeypatch.setattr(demo, "UTILITY", [{"kind": "rows_retained", "bound": 0.9}])
    story = SmallStory(people, change=sealed)
    story.reach(State.MONITORING)
    release = current_release(story.project)
    client.force_login(people.recipient)
    page = client.get(reverse("recipient:detail", args=[release.pk])).content.decode()
    assert "使用加密列进行计算" in page
    command = next(text for text in re.findall(r"<code[^>]*>([^<]+)</code>", page) if "deid add" in text)
    (answered,) = client.get(reverse("api:receive-detail", args=[release.pk])).json()["summable"]
    assert (answered["column"], answered["decimals"]) == ("费用", 0)

    made, _job = delivery_request(release, notice_read=True, by=people.recipient)
    story.run_jobs()
    made.refresh_from_db()
    pieces, _made = delivery_open(made, by=people.recipient)
    _deid, *arguments = shlex.split(html.unescape(command))
    monkeypatch.chdir(tmp_path)
    (tmp_path / answered["file_name"]).write_bytes(b"".join(pieces))
    assert main([*arguments, "--by", "性别"]) == 0
    with (tmp_path / "sums.csv").open(encoding="utf-8-sig", newline="") as stream:
        sums = {row["性别"]: (int(row["rows"]), row["费用"]) for row in csv.DictReader(stream)}

    run = Run.objects.get(project=story.project)
    recipe = run.recipe_version.as_set().tables[""]
    texts = [text for _rows, text in sums.values()]
    opened = reverse_some(recipe, "费用", texts, secrets_of(run, ()), 600)
    expected = {}
    for row in csv.DictReader(story.data.decode().splitlines()):
        expected[row["性别"]] = expected.get(row["性别"], 0) + int(row["费用"])
    assert sum(rows for rows, _text in sums.values()) == 600
    assert dict(zip(sums, map(int, opened), strict=True)) == expected


def test_a_release_without_such_columns_says_nothing_of_it():
    from projects.releases.models import Release

    step = {"technique": "suppression.mask", "columns": ["a"]}
    assert summable_columns(Release(files=[{"table": "", "notice": {"steps": [step]}}])) == []


def test_a_name_cannot_break_out_of_the_command():
    hostile = "a'; touch broken; '$(id)"
    command = Summable("", "of us.csv", hostile, "ab", 0).command
    assert shlex.split(command) == ["deid", "add", "of us.csv", hostile, "sums.csv", "--public-key", "ab"]
