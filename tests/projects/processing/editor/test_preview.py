"""The preview of a step: what is shown opposite what, and what is never shown."""

from __future__ import annotations

import re
import sys
from html import unescape

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils.translation import override

from approvals.audit.models import AuditEvent
from projects.datasets.samples import Sample, sample_of
from projects.datasets.tables.selectors import dataset_now, first_table
from projects.processing.editor import preview
from projects.processing.editor.preview import _rows_shown, _whose, sample_preview
from projects.processing.models import PreviewedRows
from techniques.catalogue import techniques
from techniques.core.messages import EngineError
from techniques.engines.preview import can_be_shown, step_preview
from tests.projects.processing.conftest import at_processing

START = at_processing
PAIRS = re.compile(r"<td>\s*([^<]*?)\s*</td>\s*<td>\s*([^<]*?)\s*</td>")  # before and after, cell by cell

COLUMNS = ["name", "phone", "age"]
ROWS = [["张三", "13800138000", "34"], ["李四", "13900139000", None], ["王五", "13700137000", "36"]]


def shown(technique, columns, **parameters):
    return step_preview({"technique": technique, "columns": columns, "parameters": parameters}, COLUMNS, ROWS)


def test_the_engine_treats_the_rows_in_their_order():
    assert shown("suppression.mask_identifier", ["phone"], kind="phone") == {
        "phone": ["138****8000", "139****9000", "137****7000"]
    }
    assert shown("generalization.rounding", ["age"], base=10.0) == {"age": ["30", None, "40"]}
    assert shown("suppression.remove_column", ["name"]) == {}
    assert sorted(shown("randomization.permutation", ["name"])["name"]) == ["张三", "李四", "王五"]


def test_a_key_of_its_own_each_time():
    first, second = (shown("pseudonymization.keyed_hash", ["name"])["name"] for _ in range(2))
    assert not set(first) & set(second)


def test_what_cannot_be_tried_says_so():
    with pytest.raises(EngineError, match="whole table"):
        shown("model.k_anonymity", ["age"], k=2, hierarchies={"age": {"kind": "star"}})
    with pytest.raises(EngineError) as error:
        shown("suppression.mask_identifier", ["phone"], kind="hat")
    assert error.value.params["path"] == "steps[0].parameters.kind"


def test_every_technique_is_asked_for_once():
    assert {spec.key for spec in techniques() if not can_be_shown(spec.key)} >= {"model.k_anonymity"}
    assert can_be_shown("generalization.rounding")


MASK = {
    "technique": "suppression.mask",
    "columns": ["病历号"],
    "parameters": {"keep_left": 1, "keep_right": 0},
}


@pytest.mark.django_db
def test_what_took_too_long_and_what_broke_off_are_told_apart(processing, people, monkeypatch):
    dataset = dataset_now(first_table(processing))
    with override("en"):
        assert not sample_preview(dataset, MASK, by=people.executor).problem
        with monkeypatch.context() as ending:
            ending.setattr(sys, "executable", "/bin/false")
            assert "broke off" in sample_preview(dataset, MASK, by=people.executor).problem
        with monkeypatch.context() as impatient:
            impatient.setattr(preview, "SECONDS", 0.01)
            assert "took too long" in sample_preview(dataset, MASK, by=people.executor).problem
        assert not sample_preview(dataset, MASK, by=people.executor).problem, (
            "one that ended keeps nobody waiting"
        )


@pytest.mark.django_db
@pytest.mark.parametrize(("ends", "is_whole"), [('"$@"; kill -ABRT $$', True), ('"$@" | head -c 20', False)])
def test_an_answer_counts_where_it_is_whole_however_the_process_ended(
    processing, people, monkeypatch, tmp_path, ends, is_whole
):
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\n"{sys.executable}" {ends}\n')
    python.chmod(0o755)
    dataset = dataset_now(first_table(processing))
    monkeypatch.setattr(sys, "executable", str(python))
    with override("en"):
        shown = sample_preview(dataset, MASK, by=people.executor)
    assert bool(shown.columns) is is_whole
    assert ("broke off" in shown.problem) is not is_whole


@pytest.mark.django_db
class TestInThePortal:
    @pytest.fixture
    def executor(self, client, people):
        client.force_login(people.executor)
        client.post(reverse("set_language"), {"language": "en", "next": "/"})
        return client

    def test_unchanged_values_stay_masked(self, processing, people):
        dataset = dataset_now(first_table(processing))
        raw = sample_of(dataset)
        place = raw.columns.index("姓名")
        look = sample_preview(
            dataset,
            {"technique": "as_is", "columns": ["姓名"], "parameters": {"reason": "a try"}},
            by=people.executor,
        )
        ((name, pairs),) = look.columns
        assert name == "姓名"
        assert look.rows == 50
        assert pairs == [(f"{row[place][0]}***", f"{row[place][0]}***") for row in raw.rows[:10]]

    def test_what_is_only_written_otherwise_stays_masked(self, processing, people):
        dataset = dataset_now(first_table(processing))
        step = {"technique": "preparation.normalise", "columns": ["出生日期"], "parameters": {"dates": True}}
        look = sample_preview(dataset, step, by=people.executor)
        ((_name, pairs),) = look.columns
        assert pairs
        assert all(re.fullmatch(r".\*{3}", cell) for pair in pairs for cell in pair)

    def test_fine_rounding_and_slight_noise_stay_masked(self, processing, people):
        dataset = dataset_now(first_table(processing))
        raw = sample_of(dataset)
        fees = [float(row[raw.columns.index("费用")]) for row in raw.rows]
        assert max(fees) - min(fees) > 300
        for step in (
            {"technique": "randomization.noise", "parameters": {"spread": 0.01}},
            {"technique": "generalization.rounding", "parameters": {"base": 1.0, "unfit": "error"}},
        ):
            look = sample_preview(dataset, step | {"columns": ["费用"]}, by=people.executor)
            ((_name, pairs),) = look.columns
            assert pairs
            assert all(new.endswith("***") for _old, new in pairs), step

    def test_from_the_form(self, processing, executor):
        dataset = dataset_now(first_table(processing))
        header = list(dataset.columns)
        form = {
            "dataset": str(dataset.pk),
            "s0-technique": "generalization.rounding",
            "s0-columns": str(header.index("费用")),
            "s0-p-base": "100",
            "s0-p-method": "nearest",
            "s0-p-unfit": "error",
        }
        address = reverse("processing:recipe_look", args=[processing.pk, 1])
        answer = executor.post(address, form)
        page = unescape(answer.content.decode())
        cells = PAIRS.findall(page)
        assert len(cells) == 5
        for before, after in cells:
            assert re.fullmatch(r"\d\*\*\*", before)
            assert float(after) % 100 == 0
        assert "Complete the settings" in executor.post(address, form | {"s0-p-base": "x"}).content.decode()
        other = reverse("processing:recipe_look", args=[processing.pk, 9])
        assert executor.post(other, form).status_code == 404
        # Without a script the whole page comes back with it, and the entries wait.
        whole = executor.post(
            reverse("processing:recipe", args=[processing.pk]), form | {"do": "look:1"}, follow=True
        )
        assert len(PAIRS.findall(unescape(whole.content.decode()))) == 5

    def test_no_two_settings_show_one_value(self, processing, people):
        """Keep left 17 and keep right 16 of one number would give it away."""
        dataset = dataset_now(first_table(processing))
        raw = sample_of(dataset)
        values = [row[raw.columns.index("病历号")] for row in raw.rows]
        previews = []
        for left in range(12):
            step = {
                "technique": "suppression.mask",
                "columns": ["病历号"],
                "parameters": {"keep_left": left, "keep_right": 0},
            }
            look = sample_preview(dataset, step, by=people.executor)
            if look.problem:
                break
            previews.append((step, look))
            ((_name, pairs),) = look.columns
            assert 0 < len(pairs) <= 5
        assert "data page" in str(look.problem) or "数据页" in str(look.problem)
        # Whatever was asked meanwhile, the same settings show the same again.
        for step, before in (previews[0], previews[-1]):
            assert sample_preview(dataset, step, by=people.executor) == before
        rows = [{values[row] for row in one.rows} for one in PreviewedRows.objects.all()]
        assert len(rows) >= 4
        assert sum(map(len, rows)) == len(set.union(*rows)), "no value under two settings"

    @pytest.mark.parametrize(
        "parameters", [{"keep_left": 7, "keep_right": 1}, {"keep_left": 0, "keep_right": 8}], ids=str
    )
    def test_one_mask_that_hides_a_sign_shows_none(self, processing, people, parameters):
        """The last digit of an ID number follows from the others: a mask over it alone would be the number."""
        dataset = dataset_now(first_table(processing))
        step = {"technique": "suppression.mask", "columns": ["病历号"], "parameters": parameters}
        look = sample_preview(dataset, step, by=people.executor)
        ((_name, pairs),) = look.columns
        assert pairs
        assert all(re.fullmatch(r".\*{3}", new) for _old, new in pairs)

    def test_asking_again_draws_nothing_else(self, processing, people):
        """Otherwise the mean of many previews would be the value."""
        dataset = dataset_now(first_table(processing))
        step = {"technique": "randomization.noise", "columns": ["费用"], "parameters": {"spread": 100.0}}
        first = sample_preview(dataset, step, by=people.executor)
        assert first.columns, first.problem
        assert sample_preview(dataset, step, by=people.executor) == first

    def test_one_at_a_time(self, processing, people):
        step = {"technique": "as_is", "columns": ["姓名"], "parameters": {}}
        cache.add(f"processing-look-{people.executor.pk}", True, 30)
        look = sample_preview(dataset_now(first_table(processing)), step, by=people.executor)
        assert (look.columns, bool(look.problem)) == ([], True)
        cache.clear()

    def test_it_leaves_no_value_behind(self, processing, executor, caplog):
        events = AuditEvent.objects.count()
        raw = sample_of(dataset_now(first_table(processing)))
        place = raw.columns.index("病历号")
        form = {
            "dataset": str(dataset_now(first_table(processing)).pk),
            "s0-technique": "generalization.rounding",
            "s0-columns": str(place),
            "s0-p-base": "10",
            "s0-p-method": "nearest",
            "s0-p-unfit": "error",
        }
        answer = executor.post(reverse("processing:recipe_look", args=[processing.pk, 1]), form)
        page = answer.content.decode()
        assert "rows" in page, "it says what is wrong, with row numbers"
        assert not any(row[place] in page + caplog.text for row in raw.rows)
        assert AuditEvent.objects.count() == events


def test_a_value_of_one_person_s_many_rows_is_that_person_s(processing, people):
    """Five rows of one person make no category; five persons do."""
    dataset = dataset_now(first_table(processing))
    key = ("who", "place")
    rows = [["p1", "x", "rare"]] * 5 + [[f"q{n}", "x", "common"] for n in range(5)] + [[None, "x", "own"]] * 5
    whose = _whose(Sample(["who", "place", "a"], rows), key)
    assert len(set(whose)) == 1 + 5 + 5, "who is not named is somebody else each time"
    values = [row[2] for row in rows]
    first = _rows_shown(dataset, "a", "one", values, whose)
    assert first == [0, 1, 2, 3, 4]
    second = _rows_shown(dataset, "a", "other", values, whose)
    assert [values[row] for row in second] == ["common"] * 5
    assert [values[row] for row in _rows_shown(dataset, "a", "third", values, whose)] == ["common"] * 5


def test_where_nobody_said_whose_they_are_rows_are_counted(processing):
    dataset = dataset_now(first_table(processing))
    whose = _whose(Sample(["a"], [["x"]] * 7), None)
    assert whose == _whose(Sample(["a"], [["x"]] * 7), ()) == list(range(7))
    assert _rows_shown(dataset, "a", "one", ["x"] * 7, whose) == _rows_shown(
        dataset, "a", "two", ["x"] * 7, whose
    )
