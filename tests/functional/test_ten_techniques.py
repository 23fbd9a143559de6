"""More than ten techniques in one recipe, put together by hand in the editor; the result is checked cell by cell.

What each cell must be is worked out here from the published algorithms and by plain arithmetic, never by the engine.
"""

from __future__ import annotations

import csv
import hmac
import io
import random
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SM3
from cryptography.hazmat.primitives.hmac import HMAC
from pytest_django.live_server_helper import LiveServer

from deid_portal.demo import story as demo
from projects.identification.enums import ColumnRole
from projects.identification.persons.services import person_key_decide
from projects.identification.selectors import current_round
from projects.identification.services import Given, verdicts_give
from projects.processing.models import Run
from projects.processing.recipes.selectors import current_recipe
from projects.processing.runs.selectors import result_open
from projects.vault.services import secret_bytes
from projects.workflow import State
from tests.fixtures import make_people

from .ff1 import ff1_encrypt
from .person import Findings, Person

pytestmark = [
    pytest.mark.usefixtures("one_thread"),
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.django_db,
]

ROWS = 60
D, Q, S, O = ColumnRole.DIRECT, ColumnRole.QUASI, ColumnRole.SENSITIVE, ColumnRole.OTHER  # noqa: E741
# Column → verdict, kind, technique, and the settings that are filled in by hand.
PLAN: dict[str, tuple[ColumnRole, str, str, dict[str, Any]]] = {
    "姓名": (D, "person_name", "suppression.mask_identifier", {}),
    "身份证号": (D, "id_number", "encryption.deterministic", {"algorithm": "aes-siv"}),
    "手机号": (D, "phone", "encryption.format_preserving", {"algorithm": "ff1-aes", "keep_left": 3}),
    "病历号": (D, "medical_record", "pseudonymization.keyed_hash", {"length": 24, "prefix": "P-"}),
    "工号": (D, "staff_number", "pseudonymization.random", {"length": 8}),
    "备注": (D, "free_text", "suppression.remove_column", {}),
    "住址": (Q, "address", "generalization.region", {"unit": "city"}),
    "出生日期": (Q, "birth_date", "generalization.date", {"unit": "month"}),
    "就诊日期": (Q, "event_date", "randomization.date_noise", {"maximum": 5}),
    "年龄": (Q, "age", "generalization.intervals", {"width": 10}),
    "性别": (Q, "gender", "generalization.mapping", {"mapping": "男;1\n女;2\n"}),
    "民族": (Q, "ethnic_group", "randomization.permutation", {}),
    "费用": (S, "fee", "generalization.rounding", {"base": 50}),
    "收入": (S, "income", "generalization.top_bottom_coding", {"top": 20000, "bottom": 3000}),
    "血糖": (S, "lab_result", "randomization.microaggregation", {"k": 4, "decimals": 2}),
    "诊断": (S, "diagnosis", "suppression.rare_values", {"minimum_count": 3, "maximum_share": 0.1, "replacement": "其他"}),
    "科室": (O, "department", "as_is", {"reason": "科室不属于标识符，统计需要保留。"}),
}  # fmt: skip
CITIES = {
    "广东省深圳市": "南山区科技路", "浙江省杭州市": "西湖区文三路", "北京市": "海淀区中关村大街",
    "新疆维吾尔自治区乌鲁木齐市": "天山区解放路", "四川省成都市": "武侯区人民南路",
}  # fmt: skip
DOUBLE = ("欧阳", "司马", "诸葛")


def make_rows() -> list[dict[str, str]]:
    """60 visits; one name, phone and remark are missing, and some persons come twice."""
    rng = random.Random(3)
    rows = []
    for number in range(ROWS):
        person = number % 50
        own = random.Random(person)
        born = date(1940, 1, 1) + timedelta(days=own.randrange(25_000))
        city = own.choice(list(CITIES))
        rows.append(
            {
                "姓名": own.choice([*DOUBLE, "王", "李", "赵", "钱"])
                + own.choice(["伟", "秀英", "建国", "敏"]),
                "身份证号": f"44052419{born:%y%m%d}{person:03}X",
                "手机号": f"13{own.randrange(10)}{own.randrange(10**8):08}",
                "病历号": f"BL{person:06}",
                "工号": f"D{own.randrange(20):03}",
                "备注": "复诊，电话已核对",
                "住址": f"{city}{CITIES[city]}{own.randrange(1, 300)}号",
                "出生日期": born.isoformat(),
                "就诊日期": (date(2026, 1, 5) + timedelta(days=rng.randrange(80))).isoformat(),
                "年龄": str(2026 - born.year),
                "性别": own.choice("男女"),
                "民族": own.choice(["汉族", "汉族", "汉族", "回族", "壮族"]),
                "费用": f"{rng.randrange(2000, 200_000) / 100:.2f}",
                "收入": str(rng.randrange(1500, 30_000)),
                "血糖": f"{rng.randrange(380, 1200) / 100:.2f}",
                "诊断": rng.choice(["高血压", "糖尿病", "肺炎", "胃炎"])
                if number not in (7, 21)
                else "罕见病",
                "科室": rng.choice(["内科", "外科", "儿科"]),
            }
        )
    rows[4] |= {"姓名": "", "手机号": "", "备注": ""}
    return rows


def as_file(rows: list[dict[str, str]]) -> bytes:
    target = io.StringIO()
    writer = csv.DictWriter(target, list(PLAN), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return target.getvalue().encode("gb18030")


class JudgedStory(demo.Story):
    """The demo's story over this file."""

    def judge(self) -> None:
        round_ = current_round(self.project)
        assert round_ is not None
        given = [
            Given(column, role, kind, "人工分析：结合业务含义与取值分布判定，详见数据字典和本轮扫描结果。")
            for column, (role, kind, *_) in PLAN.items()
        ]
        verdicts_give(round_, given, by=self.people["executor"])
        reason = "一名患者一个病历号，一次就诊一行，按患者计数才能反映一个人的风险。"
        person_key_decide(round_, ("病历号",), reason=reason, by=self.people["executor"])


@pytest.fixture
def server(db: None, settings: Any, tmp_path: Path) -> Iterator[LiveServer]:
    """The portal over this test's own database; its jobs are run by the test."""
    settings.DEID_STORE_DIR = tmp_path / "store"
    made = LiveServer("127.0.0.1")
    yield made
    made.stop()


def test_a_recipe_of_many_techniques_gives_the_cells_that_it_must(server: LiveServer, browser: Any) -> None:
    rows, people, findings = make_rows(), make_people(), Findings()
    story = JudgedStory(vars(people), "门诊就诊记录", as_file(rows), documents=False)
    project = story.reach(State.PROCESSING)
    base = f"/projects/{project.pk}/"
    executor = Person(browser, server.url, findings)
    executor.sign_in("executor", "correct-horse-battery")
    write_recipe(executor, base)
    saved = current_recipe(project)
    assert saved is not None
    assert [step["technique"] for step in saved.tables[""]["steps"]] == [plan[2] for plan in PLAN.values()]
    executor.goto(f"{base}processing/")
    executor.post("/processing/run/")
    # The page that follows the job would ask the one connection of this database while the job runs.
    executor.page.goto("about:blank")
    story.run_jobs()
    executor.goto(f"{base}processing/")
    assert executor.page.locator('form[action$="/move/submit_processing/"]').count() == 1
    # The browser lets its connections go before the server does.
    executor.context.close()
    assert findings.lines() == []
    run = Run.objects.get()
    with result_open(run.tables.get()) as stream:
        result = list(csv.DictReader(io.StringIO(stream.read().decode("gb18030"))))
    assert list(result[0]) == [column for column in PLAN if column != "备注"]
    assert len(result) == ROWS
    check_cells(rows, result, secret_bytes(run.key), secret_bytes(run.seed))


def write_recipe(executor: Person, base: str) -> None:
    """The suggestion goes step by step, then each column gets the technique of the plan and its settings."""
    page = executor.page
    executor.goto(f"{base}processing/recipe/")

    def press(value: str) -> None:
        # The page that answers has a main part of its own; it leads to a place in itself, and its scripts have run by then.
        page.evaluate("document.querySelector('main').dataset.before = ''")
        page.click(f'button[name=do][value="{value}"]', no_wait_after=True)
        page.wait_for_selector("main:not([data-before])", state="attached")
        page.wait_for_load_state("domcontentloaded")

    while page.locator('button[name=do][value="remove:0"]').count():
        press("remove:0")
    for position, (column, (_role, _kind, technique, settings)) in enumerate(PLAN.items()):
        page.select_option(f"[name=t{position}]", f"new:{technique}")
        press(f"treat:{position}")
        if settings:
            page.click(f"#column-{position} a[href='#step-{position + 1}']")
            assert page.locator(f"#step-{position + 1}").is_visible(), "the link opens the panel"
        for name, value in settings.items():
            executor.put(f"s{position}-p-{name}", value if isinstance(value, bool) else str(value))
        page.keyboard.press("Escape")
        assert page.locator(f"#column-{position} td a[href='#step-{position + 1}']").count() == 1, column
    # Each cell is set beside that of its row in the source.
    page.select_option("select[name$=order]", "kept", force=True)
    page.click("#general summary")
    executor.put("g-unprepared", "各列写法统一，无需规范化")
    executor.examine()
    high = page.evaluate("document.documentElement.scrollHeight") / page.viewport_size["height"]
    assert high <= 3, "a recipe of 17 columns in as many steps"
    press("save")
    problems = page.locator(".error-summary, .field__error").all_inner_texts()
    assert executor.path == f"{base}processing/", problems


def check_cells(rows: list[dict[str, str]], result: list[dict[str, str]], key: bytes, seed: bytes) -> None:
    """Every cell of every column against what it must be."""
    salt = hmac.digest(seed, b"deid: salt of pseudonyms", "sha256")

    def derived(purpose: str, blocks: int) -> bytes:
        context = b"deid: key: " + purpose.encode() + b"\0" + salt
        return b"".join(
            hmac.digest(key, i.to_bytes(4, "big") + context, "sha256") for i in range(1, blocks + 1)
        )

    siv = AESSIV(derived("deterministic encryption: aes-siv: 身份证号", 2))
    phones = derived("format-preserving encryption: ff1-aes: 手机号", 1)
    diagnoses = Counter(row["诊断"] for row in rows)
    assert min(diagnoses.values()) == 2

    def name(text: str) -> str:
        kept = 2 if text[:2] in DOUBLE and len(text) > 2 else 1
        return text[:kept] + "*" * (len(text) - kept)

    def sealed(text: str) -> str:
        padded = text.encode() + b"\x80"
        padded += bytes(-len(padded) % 16)
        return siv.encrypt(padded, ["身份证号".encode()]).hex()

    def phone(text: str) -> str:
        tweak = b"".join(ord(letter).to_bytes(4, "big") for letter in text[:3])
        return text[:3] + ff1_encrypt(phones, tweak, text[3:])

    def record(text: str) -> str:
        state = HMAC(key, SM3())
        for part in (salt, "病历号".encode()):
            state.update(len(part).to_bytes(4, "big") + part)
        state.update(text.encode())
        return "P-" + state.finalize().hex()[:24]

    def income(text: str) -> str:
        amount = int(text)
        return ">=20000" if amount >= 20_000 else "<=3000" if amount <= 3000 else text

    expected = {
        "姓名": name,
        "身份证号": sealed,
        "手机号": phone,
        "病历号": record,
        "住址": lambda text: next(city for city in CITIES if text.startswith(city)),
        "出生日期": lambda text: text[:7],
        "年龄": lambda text: f"[{int(text) // 10 * 10},{int(text) // 10 * 10 + 10})",
        "性别": {"男": "1", "女": "2"}.__getitem__,
        "费用": lambda text: str((Decimal(text) / 50).quantize(Decimal(1)) * 50),
        "收入": income,
        "诊断": lambda text: text if diagnoses[text] >= 3 else "其他",
        "科室": str,
    }
    for before, after in zip(rows, result, strict=True):
        for column, make in expected.items():
            assert after[column] == (make(before[column]) if before[column] else ""), column
        moved = date.fromisoformat(after["就诊日期"]) - date.fromisoformat(before["就诊日期"])
        assert abs(moved.days) <= 5
    check_columns(rows, result)


def check_columns(rows: list[dict[str, str]], result: list[dict[str, str]]) -> None:
    """What chance or a whole column decides: one-to-one pseudonyms, kept counts, groups and their means."""
    pairs = {(before["工号"], after["工号"]) for before, after in zip(rows, result, strict=True)}
    assert len(pairs) == len({old for old, _new in pairs}) == len({new for _old, new in pairs})
    assert all(len(new) == 8 and new.isdecimal() for _old, new in pairs)
    assert any(before["就诊日期"] != after["就诊日期"] for before, after in zip(rows, result, strict=True))
    assert Counter(row["民族"] for row in result) == Counter(row["民族"] for row in rows)
    assert [row["民族"] for row in result] != [row["民族"] for row in rows]
    groups: dict[str, list[Decimal]] = {}
    for before, after in zip(rows, result, strict=True):
        groups.setdefault(after["血糖"], []).append(Decimal(before["血糖"]))
    for shown, members in groups.items():
        mean = sum(members) / len(members)
        assert abs(Decimal(shown) - mean) <= Decimal("0.005"), members
        assert len(members) >= 4
