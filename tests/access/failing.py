"""How a result comes to fail the verification, and the project back to where its recipe can be changed."""

from __future__ import annotations

import copy
from collections.abc import Callable

from deid_portal.demo.story import Story
from projects.core.services import project_move
from projects.datasets.tables.selectors import first_table
from projects.processing.models import RecipeVersion
from projects.processing.recipes.services import recipe_save
from projects.processing.runs.services import run_start
from projects.verification.services import verification_start
from projects.workflow import Move


def steps_to_failure(story: Story) -> list[Callable[[], object]]:
    """What the executor and the supervisor do while a result is being verified, one act after the other."""
    executor = story.people["executor"]

    def back() -> None:
        project_move(story.project, move=Move.BACK_TO_PROCESSING, by=executor, reason="more detail is wanted")

    def weaken() -> None:
        version = RecipeVersion.objects.filter(project=story.project).first()
        assert version is not None
        content = copy.deepcopy(version.tables[""])
        model = next(step for step in content["steps"] if step["technique"] == "model.k_anonymity")
        bounds = {name: level - 1 for name, level in model["parameters"]["maximum_levels"].items()}
        model["parameters"] |= {
            "k": 2,
            "average_risk": None,
            "suppression_limit": 0.9,
            "maximum_levels": bounds,
        }
        recipe_save(first_table(story.project), content=content, note="more detail", by=executor)
        run_start(story.project, by=executor)
        story.run_jobs()

    def submit() -> None:
        project_move(story.project, move=Move.SUBMIT_PROCESSING, by=executor)

    def measure() -> None:
        verification_start(story.project, by=executor)
        story.run_jobs()

    return [back, weaken, submit, story.review, measure, back]
