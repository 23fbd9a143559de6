"""The whole result of a draft: worked out on every row, measured as the gate measures it, shown masked, kept by nobody."""

from __future__ import annotations

import csv
import io
import re
from itertools import combinations

import pytest
from django.test import TestCase
from django.urls import reverse
from django.utils.translation import override

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.core.services import project_move_directly
from projects.datasets.models import StoredFile
from projects.datasets.tables.selectors import first_table
from projects.jobs.services import job_cancel
from projects.processing.editor.whole.pages import overview, rows_of, shown
from projects.processing.editor.whole.rows import treatment
from projects.processing.editor.whole.services import may_preview, preview_start
from projects.processing.models import PreviewedRows, WholePreview
from projects.processing.recipes.services import recipe_save
from projects.processing.runs.services import run_start
from projects.verification.trials.services import trial_start
from projects.workflow import Move
from techniques.core.messages import EngineError
from techniques.recipe.recipe import Recipe
from tests.projects.processing.conftest import at_processing, make_csv
from tests.projects.processing.editor.editing import entries, press, step_of

START = at_processing
pytestmark = pytest.mark.django_db
OTHERS = "may belong to other entries"
SOURCE = list(csv.DictReader(io.StringIO(make_csv().decode())))


@pytest.fixture
def table(processing):
    return first_table(processing)


@pytest.fixture
def preview(table, content, people, story):
    return worked_out(table, content, people, story)


def worked_out(table, content, people, story):
    found, _job = preview_start(table, content=content, by=people.executor)
    story.run_jobs()
    found.refresh_from_db()
    assert found.measured_at
    return found


def with_step(content, technique, columns, **parameters):
    """``content`` with one step more, which alone treats ``columns``."""
    steps = [
        one | {"columns": [name for name in one["columns"] if name not in columns]}
        for one in content["steps"]
    ]
    made = {"technique": technique, "columns": columns, "parameters": parameters}
    return content | {"steps": [made, *(one for one in steps if one["columns"])]}


def test_it_measures_what_the_gate_measures(preview, table, content, people, story):
    recipe_save(table, content=content, by=people.executor)
    run, _job = run_start(table.project, by=people.executor)
    story.run_jobs()
    trial, _job = trial_start(table.project, by=people.executor)
    story.run_jobs()
    trial.refresh_from_db()
    report = trial.measurement.of("")[1]
    assert preview.result["smallest"] == report.risk.k
    assert preview.result["smallest_before"] == report.risk.before.k == 1
    assert preview.result["starred"] == report.risk.suppressed_rows
    part = run.tables.get()
    assert (preview.result["rows_in"], preview.result["rows_out"]) == (300, part.result_rows)
    stars = {one.column: one.suppressed[1] for one in report.columns}
    assert {name: preview.result["stars"][name] for name in stars} == pytest.approx(stars)


def test_every_row_is_worked_out_and_not_a_sample(table, content, people, story):
    rounded = with_step(content, "generalization.rounding", ["费用"], base=1000.0)
    found = worked_out(table, rounded, people, story).result
    assert found["rows_in"] == len(SOURCE)
    # What is kept of a column is counted by hand: the fees become 0 or 1000.
    from math import log2

    def bits(values):
        counts = [values.count(one) for one in set(values)]
        return -sum(one / len(values) * log2(one / len(values)) for one in counts)

    fees = [row["费用"] for row in SOURCE]
    after = ["0" if float(fee) < 500 else "1000" for fee in fees]
    assert found["detail"]["费用"] == pytest.approx(bits(after) / bits(fees))


def test_the_rows_stand_opposite_each_other_and_are_masked(preview, secrets):
    found = rows_of(preview)
    assert len(found["rows"]) == 5
    assert found["columns"] == list(SOURCE[0])
    text = str(found)
    assert not any(value in text for value in secrets)
    assert not any(row["出生日期"] in text for row in SOURCE)
    place = found["columns"].index("出生日期")
    for one in found["rows"]:
        for before, _after in one["cells"]:
            assert re.fullmatch(r".?\*\*\*", before)
        before, after = one["cells"][place]
        if one["kept"] and after.strip("*"):
            assert after[0] == before[0], "a coarser date begins with the same digit"


def test_no_value_of_one_s_own_is_shown_under_two_treatments(table, content, people, story):
    said = {}
    for left in range(4):
        masked = with_step(content, "suppression.mask", ["病历号"], keep_left=left, keep_right=0)
        preview = worked_out(table, masked, people, story)
        found = rows_of(preview)
        again = rows_of(worked_out(table, masked, people, story))
        assert again == found, "asked again it is the same"
        place = found["columns"].index("病历号")
        after = [one["cells"][place][1] for one in found["rows"] if one["kept"]]
        assert after
        digest = treatment(preview.dataset, Recipe.from_data(preview.recipe), "病历号")
        noted = PreviewedRows.objects.get(column="病历号", settings=digest).rows
        assert len(noted) >= len(after)
        assert all(row >= 50 for row in noted), "the first rows are those of single steps"
        if left:
            assert all(text.strip("*") for text in after)
            said[left] = {SOURCE[row]["病历号"] for row in noted}
        else:
            # A mask that leaves nothing says nothing: its rows may be shown again.
            assert not any(text.strip("*") for text in after)
    assert set(said) == {1, 2, 3}
    for one, other in combinations(said, 2):
        assert said[one]
        assert not said[one] & said[other], (one, other)


def test_noise_is_drawn_once(table, content, people, story):
    """Otherwise the mean of many previews would be the value, whatever else was changed meanwhile."""
    noisy = with_step(content, "randomization.noise", ["费用"], spread=100.0)
    first = rows_of(worked_out(table, noisy, people, story))
    other = noisy | {"steps": noisy["steps"][:1] + noisy["steps"][1:], "title": "Another"}
    second = rows_of(worked_out(table, other, people, story))
    assert first == second


def test_what_changes_places_is_masked(table, content, people, story):
    moved = with_step(content, "randomization.permutation", ["病历号"])
    found = rows_of(worked_out(table, moved, people, story))
    place = found["columns"].index("病历号")
    assert found["rows"]
    assert all(re.fullmatch(r".?\*\*\*", one["cells"][place][1]) for one in found["rows"] if one["kept"])


def test_only_masked_rows_of_the_newest_stay(preview, table, content, people, story):
    second = worked_out(table, content | {"title": "Another"}, people, story)
    preview.refresh_from_db()
    assert preview.rows is None
    assert second.rows is not None
    assert not StoredFile.objects.filter(scope__startswith="preview:").exists()
    actions = [
        one.action
        for one in AuditEvent.objects.filter(
            action__startswith="preview.", subject_id=str(second.pk)
        ).order_by("seq")
    ]
    assert actions == ["preview.started", "preview.measured"]


@pytest.mark.parametrize(
    ("move", "who"),
    [(Move.BACK_TO_IDENTIFICATION, "executor"), (Move.WITHDRAW, "planner"), (Move.SUSPEND, "planner")],
)
def test_what_is_shown_of_rows_goes_when_processing_is_left(preview, table, people, move, who):
    """Data are replaced in identification alone, so that what stood in those before goes first."""
    stored = preview.rows
    assert stored.path.exists()
    with TestCase.captureOnCommitCallbacks(execute=True):
        project_move_directly(
            table.project, move=move, reason="other data are needed", by=getattr(people, who)
        )
    preview.refresh_from_db()
    assert (preview.rows, preview.result["rows_in"]) == (None, 300)
    assert rows_of(preview) == {}
    assert not StoredFile.objects.filter(pk=stored.pk).exists()
    assert not stored.path.exists()


def test_a_job_that_ends_after_processing_was_left_keeps_no_row(table, content, people, story):
    found, _job = preview_start(table, content=content, by=people.executor)
    project_move_directly(
        table.project, move=Move.BACK_TO_IDENTIFICATION, reason="other data are needed", by=people.executor
    )
    story.run_jobs()
    found.refresh_from_db()
    assert found.ended_at
    assert found.rows is None
    assert not StoredFile.objects.filter(purpose="preview").exists()


def test_who_may_and_one_at_a_time(table, content, people):
    for person in (people.planner, people.supervisor, people.management, people.auditor):
        with pytest.raises(Refused):
            preview_start(table, content=content, by=person)
    preview_start(table, content=content, by=people.executor)
    assert may_preview(people.executor, table).code == "preview_under_way"


def test_a_recipe_that_could_not_be_saved_is_not_worked_out(table, content, people):
    with pytest.raises(EngineError) as error:
        preview_start(table, content=content | {"steps": content["steps"][:1]}, by=people.executor)
    assert error.value.code == "columns_untreated"
    assert not WholePreview.objects.exists()


def test_a_cancelled_one_leaves_nothing(table, content, people, story):
    found, job = preview_start(table, content=content, by=people.executor)
    job_cancel(job, by=people.executor)
    story.run_jobs()
    found.refresh_from_db()
    assert (found.measured_at, found.rows) == (None, None)
    assert not StoredFile.objects.filter(scope__startswith="preview:").exists()
    assert may_preview(people.executor, table).allowed


def test_from_the_editor_in_one_click(executor, address, saved, processing, story, secrets):
    form = entries(executor.get(address))
    answer = press(executor, address, form, "whole")
    assert answer.status_code == 302
    assert answer["Location"].endswith("#whole")
    page = executor.get(address).content.decode()
    assert 'hx-trigger="every 1s"' in page
    story.run_jobs()
    part = executor.get(reverse("processing:recipe_whole", args=[processing.pk])).content.decode()
    assert "hx-get" not in part
    for said in ("Smallest class", "Information lost", "What became *", "target"):
        assert said in part
    assert OTHERS not in part
    assert not any(value in part for value in secrets)
    whole = executor.get(address)
    of_page = {"csrfmiddlewaretoken": [], "seen": []}
    assert entries(whole) | of_page == form | of_page
    changed = form | {f"{step_of(form, 'model.k_anonymity')}-p-k": ["7"]}
    press(executor, address, changed, "refresh")
    assert OTHERS in executor.get(address).content.decode()


def test_figures_of_another_draft_are_not_those_of_the_entries(
    executor, address, saved, table, content, people, story
):
    """Somebody has the entries worked out; a program then has something else worked out, which is what the page shows."""
    press(executor, address, entries(executor.get(address)), "whole")
    story.run_jobs()
    part = reverse("processing:recipe_whole", args=[table.project_id])
    assert OTHERS not in executor.get(part).content.decode()
    newest = worked_out(
        table, with_step(content, "generalization.rounding", ["费用"], base=1000.0), people, story
    )
    assert overview(table, people.executor, own="")["whole"]["preview"] == newest
    assert OTHERS in executor.get(part).content.decode()
    assert OTHERS in executor.get(address).content.decode()


def test_entries_that_say_nothing_yet_are_mended_first(executor, address, saved):
    form = entries(executor.get(address))
    answer = press(executor, address, form | {f"{step_of(form, 'model.k_anonymity')}-p-k": ["x"]}, "whole")
    assert answer.status_code == 422
    assert not WholePreview.objects.exists()


def test_the_page_sends_few_statements(executor, address, preview, saved, django_assert_max_num_queries):
    executor.get(address)
    with django_assert_max_num_queries(21):
        executor.get(address)


def test_the_interface_gives_figures_and_no_row(client, table, content, people, story):
    client.force_login(people.executor)
    address = reverse("api:processing-previews", args=[table.project_id])
    started = client.post(address, {"recipe": content}, content_type="application/json")
    assert started.status_code == 202
    story.run_jobs()
    (found,) = client.get(address).json()["results"]
    assert found["result"]["smallest"] >= 1
    assert "rows" not in found
    second = worked_out(table, content | {"title": "Another"}, people, story)
    newest = client.get(address, {"limit": 1}).json()
    assert (newest["count"], [one["id"] for one in newest["results"]]) == (2, [str(second.pk)])


def test_words_of_persons(preview, table, people):
    preview.result |= {
        "persons_in": 120,
        "persons_out": 118,
        "starred": 6,
        "starred_persons": 2,
        "smallest": 3,
    }
    with override("en"):
        text = " ".join(said for _name, said, _tone in shown(preview, table.project)["figures"])
    assert "3 persons" in text
    assert "2 of 120 persons" in text
    assert "of 2 persons" in text
    assert overview(table, people.executor, own=str(preview.pk))["whole"]["is_current"] is True
    assert overview(table, people.executor, own="")["whole"]["is_current"] is False
