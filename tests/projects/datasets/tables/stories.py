"""Two tables, patients and their visits, carried through all stages by the services; the files are real CSV."""

from __future__ import annotations

import io
import random
from typing import Any

from deid_portal.demo.story import Story
from projects.core.services import project_move
from projects.datasets.services import dataset_confirm, dataset_upload
from projects.datasets.tables.selectors import dataset_now, first_table, tables_of
from projects.datasets.tables.services import Given as Link
from projects.datasets.tables.services import links_declare, tables_declare
from projects.identification.enums import ColumnRole
from projects.identification.persons.services import person_key_decide
from projects.identification.selectors import round_now
from projects.identification.services import Given, scan_start, verdicts_give
from projects.processing.recipes.services import recipe_save
from projects.workflow import Move

PATIENTS = 600
REASON = (
    "人工分析：结合业务含义与取值分布判定，详见数据字典与本轮扫描结果；研究需要此列，直接标识符均已处理。"
)
ROLES = {
    "病历号": (ColumnRole.DIRECT, "medical_record"),
    "患者": (ColumnRole.DIRECT, "medical_record"),
    "姓名": (ColumnRole.DIRECT, "person_name"),
    "性别": (ColumnRole.QUASI, "gender"),
    "出生日期": (ColumnRole.QUASI, "birth_date"),
    "就诊日期": (ColumnRole.QUASI, "event_date"),
    "诊断": (ColumnRole.SENSITIVE, "diagnosis"),
    "费用": (ColumnRole.OTHER, "fee"),
}
LINK = Link("就诊", "患者", "患者表", "病历号")
HASH: dict[str, Any] = {
    "technique": "pseudonymization.keyed_hash",
    "parameters": {"prefix": "P-", "length": 24},
}
KEPT = "研究所需的内容，既非直接标识符也非准标识符"


def patients_csv(seed: int = 1) -> bytes:
    chance = random.Random(seed)
    lines = ["病历号,姓名,性别,出生日期"]
    for row in range(PATIENTS):
        name = chance.choice("赵钱孙李周吴郑王陈杨") + chance.choice("伟芳娜敏静强磊洋艳勇")
        born = f"{chance.randint(1940, 1999)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
        lines.append(f"BL{row:08},{name},{chance.choice('男女')},{born}")
    return ("\n".join(lines) + "\n").encode()


def visits_csv(seed: int = 2, *, strangers: int = 3) -> bytes:
    """Two or so visits for each patient; ``strangers`` belong to nobody in the other table."""
    chance = random.Random(seed)
    lines = ["患者,就诊日期,诊断,费用"]
    for row in range(PATIENTS * 2):
        who = chance.randrange(PATIENTS) if row >= strangers else PATIENTS + row
        day = f"{chance.randint(2024, 2025)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
        ill = chance.choice(["高血压", "糖尿病", "肺炎"])
        lines.append(f"BL{who:08},{day},{ill},{chance.randint(100, 900)}")
    return ("\n".join(lines) + "\n").encode()


def step(technique: str, columns: list[str], **parameters: Any) -> dict[str, Any]:
    return {"technique": technique, "columns": columns, "parameters": parameters}


def patients_recipe(key: dict[str, Any] = HASH) -> dict[str, Any]:
    return {
        "recipe": 1,
        "order": "kept",
        "steps": [
            {**key, "columns": ["病历号"]},
            step("suppression.remove_column", ["姓名"]),
            step("generalization.date", ["出生日期"], unit="decade"),
            step("as_is", ["性别"], reason="性别是研究的分组变量，合并后的视图仍满足目标 k 值"),
        ],
    }


def visits_recipe(key: dict[str, Any] = HASH) -> dict[str, Any]:
    return {
        "recipe": 1,
        "order": "kept",
        "steps": [
            {**key, "columns": ["患者"]},
            step("generalization.date", ["就诊日期"], unit="year"),
            step("as_is", ["诊断", "费用"], reason=KEPT),
        ],
    }


def joint_recipe() -> dict[str, Any]:
    return {"recipe": 1, "tables": {"患者表": patients_recipe(), "就诊": visits_recipe()}}


class JointStory(Story):
    """The demo's story over two tables."""

    visits = b""
    recipe: dict[str, Any] | None = None

    def upload(self) -> None:
        executor = self.people["executor"]
        tables_declare(self.project, names=["患者表", "就诊"], by=executor)
        for table, content in zip(
            tables_of(self.project), (self.data, self.visits or visits_csv()), strict=True
        ):
            dataset_upload(table, content=io.BytesIO(content), name="t.csv", by=executor)
            self.run_jobs()
            dataset_confirm(dataset_now(table), by=executor)  # type: ignore[arg-type]
            self.run_jobs()
        links_declare(self.project, links=[LINK], by=executor)
        self.run_jobs()

    def scan(self) -> None:
        for table in tables_of(self.project):
            self.scan_table(table)

    def scan_table(self, table: Any) -> None:
        scan_start(table, by=self.people["executor"])
        self.run_jobs()

    def judge(self) -> None:
        for table in tables_of(self.project):
            self.judge_table(table)

    def judge_table(self, table: Any) -> None:
        round_ = round_now(table)
        assert round_ is not None
        given = [Given(column, *ROLES[column], REASON) for column in round_.dataset.columns]
        verdicts_give(round_, given, by=self.people["executor"])
        # Each patient has one row; a visit is a row of its patient's.
        key = [column for column in ("患者",) if column in round_.dataset.columns]
        person_key_decide(round_, key, reason=REASON, by=self.people["executor"])

    def identify(self) -> None:
        self.upload()
        self.scan()
        self.judge()
        project_move(self.project, move=Move.SUBMIT_IDENTIFICATION, by=self.people["executor"])
        self.run_jobs()

    def write_recipe(self) -> None:
        assert dataset_now(first_table(self.project)) is not None
        recipe_save(
            first_table(self.project), content=self.recipe or joint_recipe(), by=self.people["executor"]
        )


def make_story(people: Any) -> JointStory:
    return JointStory(vars(people), "Patients and visits", patients_csv(), documents=False)
