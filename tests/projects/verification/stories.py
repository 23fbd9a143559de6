"""A small clinic table, carried by services alone to the state that a test is about."""

from __future__ import annotations

import random
from typing import Any

from deid_portal.demo.story import Story
from projects.core.models import Project
from projects.datasets.tables.selectors import first_table
from projects.identification.enums import ColumnRole
from projects.identification.selectors import current_round
from projects.identification.services import Given, verdicts_give
from projects.processing.recipes.services import recipe_save
from projects.processing.recipes.suggestion import recipe_suggest
from projects.processing.runs.selectors import latest_run
from projects.verification.models import Verification
from projects.verification.selectors import latest_verification
from projects.verification.services import verification_start
from projects.workflow import State
from techniques.identification.checks import id_check_character

ROWS = 600
HIDDEN = (412, 555)
ROLES = {
    "序号": (ColumnRole.DIRECT, "row_number"),
    "姓名": (ColumnRole.DIRECT, "person_name"),
    "病历号": (ColumnRole.DIRECT, "medical_record"),
    "性别": (ColumnRole.QUASI, "gender"),
    "年龄": (ColumnRole.QUASI, "age"),
    "诊断": (ColumnRole.SENSITIVE, "diagnosis"),
    "费用": (ColumnRole.OTHER, "fee"),
    "备注": (ColumnRole.OTHER, ""),
}
WHY = (
    "Assessed for this test by hand, column by column, against the data dictionary of the clinic and the "
    "findings of the scan; whatever the rules found here was looked at and is accepted for this test."
)


def id_number(chance: random.Random) -> str:
    """A number that is right by GB 11643 and belongs to nobody known."""
    first = f"310104{chance.randint(1940, 2010)}{chance.randint(1, 12):02}{chance.randint(1, 28):02}{chance.randint(1, 999):03}"
    return first + id_check_character(first)


def make_csv(*, hide: bool = False, seed: int = 5) -> tuple[bytes, list[str]]:
    """The file, and the values of it that nothing but the encrypted store may hold."""
    chance = random.Random(seed)
    lines, secret = [",".join(ROLES)], []
    for row in range(1, ROWS + 1):
        name = chance.choice("赵钱孙李周吴郑王陈杨") + "".join(chance.choices("伟芳娜敏静强磊洋艳勇", k=2))
        record = f"BL{chance.randint(10**7, 10**8 - 1)}"
        remark = "复诊" if row % 3 == 0 else ""
        if hide and row in HIDDEN:
            number = id_number(chance)
            secret.append(number)
            remark = f"家属身份证{number}已登记"
        secret += [name, record]
        lines.append(
            f"{row},{name},{record},{chance.choice('男女')},{chance.randint(20, 69)},"
            f"{chance.choice(['高血压', '糖尿病', '肺炎'])},{chance.randint(100, 110)},{remark}"
        )
    return ("\n".join(lines) + "\n").encode(), secret


class SmallStory(Story):
    """The demo's story over the small table; ``roles`` and ``change`` make it go wrong where a test wants."""

    def __init__(self, people: Any, *, hide: bool = False, roles: Any = None, change: Any = None) -> None:
        data, self.secret = make_csv(hide=hide)
        super().__init__(vars(people), "Visits for a study", data, file_name="visits.csv", documents=False)
        self.roles = {**ROLES, **(roles or {})}
        self.change = change

    def judge(self) -> None:
        given = [Given(column, role, kind, WHY) for column, (role, kind) in self.roles.items()]
        verdicts_give(current_round(self.project), given, by=self.people["executor"])

    def write_recipe(self) -> None:
        content = recipe_suggest(first_table(self.project))
        if self.change:
            self.change(content)
        recipe_save(
            first_table(self.project), content=content, note="for this test", by=self.people["executor"]
        )

    def measure(self) -> Verification:
        verification_start(self.project, by=self.people["executor"])
        self.run_jobs()
        found = latest_verification(self.fresh())
        assert found is not None
        return found

    def fresh(self) -> Project:
        self.project = Project.objects.get(pk=self.project.pk)
        return self.project


def measurable(people: Any) -> SmallStory:
    """In the state VERIFICATION, not measured yet."""
    story = SmallStory(people)
    story.reach(State.VERIFICATION)
    return story


def waiting(people: Any) -> SmallStory:
    """In the state RELEASE_APPROVAL: everything passed, senior management decides."""
    story = SmallStory(people)
    story.reach(State.RELEASE_APPROVAL)
    return story


def remove(content: dict[str, Any], column: str) -> None:
    """Take ``column`` out of the result."""
    for step in content["steps"]:
        step["columns"] = [c for c in step["columns"] if c != column]
    next(s for s in content["steps"] if s["technique"] == "suppression.remove_column")["columns"].append(
        column
    )
    content["steps"] = [step for step in content["steps"] if step["columns"]]


def flip_a_byte(project: Project) -> None:
    """Damage the stored result file as a failing disk or a stranger would."""
    run = latest_run(project)
    assert run is not None
    (table,) = run.tables.all()
    assert table.result is not None
    path = table.result.path
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))
