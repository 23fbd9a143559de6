"""What the gallery shows: one invented hospital project, in the words that real pages use."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from django.utils.translation import gettext as _

HASH = "9f2c1be07d5a4e83b6c1f0a97e24d86f53b8a1c2e0d9475f6a8b3c2d1e0f9a87"


def form_initial() -> dict[str, Any]:
    """First values of the example form."""
    return {"name": _("Outpatient visits 2024"), "sharing": "controlled", "threshold": "0.05", "k": 5}


def kept_form() -> SimpleNamespace:
    """A form of which a draft waits, as far as what is said about the draft goes."""
    draft = {"saved_by": "林规划", "saved_at": datetime(2025, 3, 4, 9, 30, tzinfo=UTC)}
    return SimpleNamespace(is_bound=False, place="example", draft=draft)


def stages() -> list[dict[str, Any]]:
    """The four steps with monitoring below, the third one under way."""
    return [
        {"key": "objective", "label": _("Determine the target"), "state": "done", "url": "#", "clause": "5.2"},
        {"key": "identification", "label": _("Find identifiers"), "state": "done", "url": "#", "clause": "5.3"},
        {
            "key": "processing", "label": _("Process identifiers"), "state": "current", "url": "#",
            "note": _("2 of 3 done"), "clause": "5.4",
        },
        {"key": "verification", "label": _("Verify and approve"), "state": "next", "url": "", "clause": "5.5"},
        {"key": "release", "label": _("Release and monitor"), "state": "next", "url": "", "clause": "5.6"},
    ]  # fmt: skip


def blocked_stages() -> list[dict[str, Any]]:
    """A gate that has failed."""
    rows = stages()
    rows[2] |= {"state": "done", "note": ""}
    rows[3] |= {"state": "blocked", "url": "#", "note": _("1 check failed")}
    return rows


def running_job() -> dict[str, Any]:
    """A search half-way through."""
    return {
        "label": _("Search for k-anonymity, k = 5"), "state": "running", "percent": 46,
        "estimate": _("about 40 seconds left"), "detail": _("312 of 680 candidates tried"),
    }  # fmt: skip


def jobs() -> list[dict[str, Any]]:
    return [
        {"label": _("Reading the source file"), "state": "queued", "percent": None, "estimate": _("2 jobs ahead")},
        {"label": _("Residual scan"), "state": "running", "percent": None, "detail": _("free text, every row")},
        {
            "label": _("Run of recipe version 4"), "state": "done", "percent": 100,
            "message": _("The result file is whole and sealed."),
        },
        {
            "label": _("Run of recipe version 3"), "state": "failed",
            "message": _("Row 4,117, column 出生日期: the value is not a date. Correct the file or choose how to treat it."),
        },
    ]  # fmt: skip


def checks() -> list[dict[str, Any]]:
    """What is missing before the plan can be approved."""
    return [
        {"label": _("Sharing type is chosen"), "state": "done", "who": "周文静", "role": _("Planning manager"), "clause": "4.5"},
        {"label": _("Six scope factors are answered"), "state": "done", "who": "陈思远", "role": _("Executor"), "clause": "5.2.2"},
        {
            "label": _("Risk threshold and utility minimum are set"), "state": "todo", "who": "陈思远",
            "role": _("Executor"), "clause": "5.2.3", "url": "#", "action": _("Set the targets"),
            "hint": _("Defaults for controlled public sharing are prefilled."),
        },
        {
            "label": _("Implementation plan is approved"), "state": "waiting", "who": "顾怀瑾",
            "role": _("Senior management"), "clause": "5.2.4",
            "hint": _("Opens when the targets are set."),
        },
        {"label": _("Data can be processed"), "state": "blocked", "role": _("Portal"), "clause": "5.4"},
    ]  # fmt: skip


def tasks() -> list[dict[str, Any]]:
    return [
        {
            "label": _("Decide on the approval of the result"), "url": "#", "project": _("Outpatient visits 2024"),
            "due": _("today"), "tone": "warn", "word": _("Due"), "icon": "seal",
        },
        {
            "label": _("Re-assessment is overdue"), "url": "#", "project": _("Blood donors 2023"),
            "hint": _("public release"), "due": _("12 days over"), "tone": "fail", "word": _("Overdue"), "icon": "history",
        },
        {
            "label": _("Stage review of identification"), "url": "#", "project": _("Vaccinations 2024"),
            "due": _("in 5 days"), "tone": "info", "word": _("Open"), "icon": "list",
        },
    ]  # fmt: skip


def gate() -> list[dict[str, Any]]:
    """A gate with each outcome."""
    return [
        {
            "label": _("Highest prosecutor risk"), "clause": "5.5.2", "target": "≤ 0.05", "measured": "0.20",
            "passed": False,
            "plain": _("A stranger who knows birth year, sex and district could be right about 1 person in 5."),
            "remedies": [
                {"text": _("Suppress 12 rows in classes below 20"), "cost": _("costs 0.1 percent of the rows")},
                {"text": _("Generalise age from 5 to 10 years"), "cost": _("costs 6 percent of the detail"), "url": "#"},
                {"text": _("Generalise district to city"), "cost": _("costs 11 percent of the detail"), "url": "#"},
            ],
        },
        {
            "label": _("Smallest equivalence class"), "clause": "B.2", "target": "≥ 5", "measured": "5", "passed": True,
            "plain": _("Nobody is in a group of fewer than 5 people."),
        },
        {
            "label": _("Residual direct identifiers"), "clause": "5.5.2", "target": "0", "measured": None, "passed": None,
            "plain": _("The scan of the remark column did not finish. Without it nothing can be released."),
        },
        {
            "label": _("Mean fee within ±2 %"), "clause": "5.5.3", "target": "± 2 %", "measured": "− 0.4 %", "passed": True,
            "plain": _("The average fee is 1.37 yuan lower than in the source."),
        },
    ]  # fmt: skip


def events() -> list[dict[str, Any]]:
    """The last lines of an audit trail."""
    return [
        {
            "sentence": _("Gu Huaijin returned the result to processing."), "who": "顾怀瑾", "role": _("Senior management"),
            "when": "2025-03-14 16:20", "tone": "warn", "icon": "undo",
            "detail": _("Reason: the district column still singles out small towns."), "hash": HASH,
        },
        {
            "sentence": _("The portal measured the result: 1 of 4 checks failed."), "who": _("Portal"),
            "when": "2025-03-14 15:58", "tone": "fail", "icon": "scale", "hash": HASH[8:],
        },
        {
            "sentence": _("Chen Siyuan ran recipe version 4."), "who": "陈思远", "role": _("Executor"),
            "when": "2025-03-14 15:41", "icon": "play", "hash": HASH[16:], "url": "#",
        },
        {
            "sentence": _("Senior management approved the implementation plan."), "who": "顾怀瑾",
            "role": _("Senior management"), "when": "2025-03-12 09:05", "tone": "ok", "icon": "seal", "hash": HASH[24:],
        },
    ]  # fmt: skip


def figures() -> dict[str, Any]:
    """Numbers for the charts."""
    return {
        "classes": [("1", 3), ("2", 8), ("3–4", 41), ("5–9", 312), ("10–19", 640), ("20–49", 388), ("≥50", 97)],
        "small_classes": ["1", "2", "3–4"],
        "risks": [
            (_("Prosecutor, highest"), 0.2), (_("Prosecutor, average"), 0.031), (_("Journalist, highest"), 0.012),
            (_("Marketer"), 0.024),
        ],
        "curve": [
            (0.005, 0.11), (0.01, 0.26), (0.02, 0.55), (0.033, 0.71), (0.05, 0.88), (0.1, 0.962), (0.2, 0.991),
            (0.25, 1.0),
        ],
        "ages": [
            ("0–9", 820, 815), ("10–19", 640, 655), ("20–29", 1310, 1290), ("30–39", 1725, 1740), ("40–49", 1490, 1500),
            ("50–59", 1605, 1580), ("60–69", 1370, 1380), ("≥70", 1040, 1040),
        ],
        "long_tail": [(str(size), round(900 / size)) for size in range(1, 61)],
    }  # fmt: skip


def preview() -> dict[str, Any]:
    """A masked preview of a data set."""
    return {
        "columns": [
            _("Name"), _("ID number"), _("Birth date"), _("Sex"), _("District"), _("Department"), _("Diagnosis"),
            {"label": _("Fee (yuan)"), "num": True},
        ],
        "rows": [
            ["张＊", "1101**********37", "1984", "女", "北京市西城区", "心内科", "高血压", "312.50"],
            ["欧阳＊＊", "3101**********52", "1991", "男", "上海市徐汇区", "呼吸科", "支气管炎", "186.00"],
            ["王＊", "4401**********18", "1957", "男", "广州市越秀区", "内分泌科", "2 型糖尿病", "420.80"],
            ["李＊＊", "5101**********64", "2003", "女", "成都市武侯区", "皮肤科", "湿疹", "95.20"],
        ],
    }  # fmt: skip


def columns_found() -> dict[str, Any]:
    """Verdicts per column, for the table with filter, cards on a phone and a total."""
    return {
        "columns": [_("Column"), _("Verdict"), _("Found by"), {"label": _("Distinct values"), "num": True}],
        "rows": [
            ["姓名", _("Direct identifier"), _("metadata table"), "9,412"],
            ["身份证号", _("Direct identifier"), _("rule, every row"), "9,655"],
            ["出生日期", _("Quasi-identifier"), _("rule, every row"), "8,204"],
            ["区县", _("Quasi-identifier"), _("executor"), "1,180"],
            ["诊断", _("Sensitive attribute"), _("executor"), "214"],
            ["费用", _("Other"), _("executor"), "6,033"],
        ],
        "total": [_("6 columns"), "", "", "34,698"],
    }  # fmt: skip


def all_samples() -> dict[str, Any]:
    """Everything the gallery template needs besides forms."""
    return {
        "kept": kept_form(), "stages": stages(), "blocked_stages": blocked_stages(), "job": running_job(), "jobs": jobs(),
        "checks": checks(), "tasks": tasks(), "gate": gate(), "events": events(), "preview": preview(),
        "found": columns_found(), "hash": HASH,
        "crumbs": [(_("Projects"), "#"), (_("Outpatient visits 2024"), "#"), (_("Process identifiers"), "")],
        "tabs": [
            {"label": _("Recipe"), "url": "#", "current": True},
            {"label": _("Runs"), "url": "#", "count": 4},
            {"label": _("Versions"), "url": "#", "count": 7},
        ],
        "facts": [
            (_("Rows"), "10,000"),
            (_("Encoding"), "GB18030"),
            {"key": _("Sharing type"), "value": _("Controlled public sharing"), "url": "#", "action": _("Change")},
            {"key": _("Recipient"), "value": "市卫生统计中心", "hint": _("Agreement valid until 2026-03-01")},
        ],
        "diff": [
            (_("Smallest equivalence class"), "3", "5"), (_("Suppression limit"), "5 %", "5 %"),
            (_("Remark column"), _("kept"), ""), (_("Age"), "", _("10-year intervals")),
        ],
        "old_text": _("The district is kept so that regional planning stays possible."),
        "new_text": _("The city is kept so that planning stays possible; the district is removed."),
        "terms": [("k", _("size of the smallest equivalence class"), "5"), ("R", _("highest prosecutor risk"), "1 ÷ 5")],
        "call": '{% link_button _("Example form") "ui:gallery_form" icon="edit" %}',
        "denied": _("Anyone who works on a project may not approve it. Senior management decides: Gu Huaijin."),
        "paraphrase": _(
            "Find out which promises were made to people when the data was collected, and keep to them."
        ),
        "definition": _("A column that does not name a person by itself but can do so together with others."),
        **figures(),
    }  # fmt: skip
