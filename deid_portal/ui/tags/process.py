"""The process: stage bar, what is missing and who acts, tasks, the gate table, clause chips, terms."""

from collections.abc import Iterable
from typing import Any

from django.template import Library
from django.utils.translation import gettext_lazy as _

from deid_portal.ui.tags.common import fresh_id, pick, picked, tone_of

register = Library()

STAGE_WORDS: dict[str, Any] = {
    "done": _("Done"),
    "current": _("In progress"),
    "next": _("Not started"),
    "blocked": _("Blocked"),
}
STAGE_ICONS = {"done": "check", "current": "", "next": "", "blocked": "lock"}

CHECK_WORDS: dict[str, Any] = {
    "done": _("Done"),
    "todo": _("To do"),
    "waiting": _("Waiting"),
    "blocked": _("Blocked"),
}
CHECK_ICONS = {"done": "check-circle", "todo": "circle", "waiting": "clock", "blocked": "lock"}
CHECK_TONES = {"done": "ok", "todo": "warn", "waiting": "info", "blocked": "neutral"}


@register.inclusion_tag("components/stage_bar.html")
def stage_bar(stages: Iterable[Any], label: str = "", viewed: str = "") -> dict[str, Any]:
    """The steps of the standard and where the project stands, in one line.

    ``stages``: {key, label, state (done, current, next, blocked), url, note, clause}. ``viewed`` is the key or label of
    the stage of this page; in a narrow window it alone has its name written out, or else the stage under way.
    """
    track: list[dict[str, Any]] = []
    for number, item in enumerate(stages, start=1):
        state = str(pick(item, "state", "next"))
        state = state if state in STAGE_WORDS else "next"
        track.append({
            **picked(item, "label url note clause"), "number": number,
            "state": state, "word": pick(item, "word") or STAGE_WORDS[state], "icon": STAGE_ICONS[state],
            "viewed": bool(viewed) and str(viewed) in (str(pick(item, "key")), str(pick(item, "label"))),
        })  # fmt: skip
    focus = next((e for e in track if e["viewed"]), None) or next(
        (e for e in track if e["state"] in {"current", "blocked"}), track[-1] if track else None
    )
    return {"track": track, "label": label, "focus": focus}


@register.inclusion_tag("components/checklist.html")
def checklist(items: Iterable[Any], title: str = "", level: int = 3) -> dict[str, Any]:
    """What is still missing and who has to act.

    ``items``: {label, state (done, todo, waiting, blocked) or done (bool), who, role, hint, url, action, clause}.
    """
    rows = []
    for item in items:
        state = str(pick(item, "state") or ("done" if pick(item, "done", False) else "todo"))
        state = state if state in CHECK_WORDS else "todo"
        row = picked(item, "label who role hint url action clause")
        marks = {"word": CHECK_WORDS[state], "icon": CHECK_ICONS[state], "tone": CHECK_TONES[state]}
        rows.append(row | {"state": state} | marks)
    done = sum(row["state"] == "done" for row in rows)
    return {"items": rows, "done": done, "total": len(rows), "title": title, "heading": f"h{level}"}


@register.inclusion_tag("components/task_list.html")
def task_list(tasks: Iterable[Any]) -> dict[str, Any]:
    """My tasks: {label, url, project, due (text), tone, word, hint, deadline (tone, text)}."""
    rows = []
    for task in tasks:
        tone = pick(task, "tone", None)
        row = picked(task, "label url project due word hint icon deadline")
        rows.append(row | {"tone": "" if tone is None else tone_of(tone)})
    return {"tasks": rows}


@register.inclusion_tag("components/gate_table.html")
def gate_table(
    rows: Iterable[Any], caption: str = "", earlier: str = "", fold: bool = False
) -> dict[str, Any]:
    """Target, measured and outcome of every check; a failing one says what would make it pass.

    ``rows``: {label, target, measured, passed (True, False or None for "could not be checked"), plain, clause,
    remedies: [{text, cost, url}], meaning, formula: {expression, substituted, terms, source}}; meaning and formula are one
    click away. ``None`` counts as not passed: the gate fails closed. With ``earlier``, its heading, there is one more
    column: what was measured before, each row's ``earlier``. With ``fold``, what passed stands in a table of its own, a
    line each, which is folded where anything did not pass.
    """
    out = []
    for row in rows:
        passed = pick(row, "passed", None)
        passed = passed if passed in (True, False) else None
        entry = picked(row, "label target measured plain clause url meaning formula earlier")
        entry["remedies"] = [
            {"text": one} if isinstance(one, str) else picked(one, "text cost url")
            for one in pick(row, "remedies", ()) or ()
        ]
        out.append(entry | {"passed": passed, "tone": tone_of(passed)})
    counts = {tone: sum(r["tone"] == tone for r in out) for tone in ("ok", "fail", "unknown")}
    passed_rows = [row for row in out if row["tone"] == "ok"] if fold else []
    rest = [row for row in out if not fold or row["tone"] != "ok"]
    return {
        "rows": rest, "passed_rows": passed_rows, "caption": caption, "earlier": earlier, "counts": counts,
        "total": len(out),
    }  # fmt: skip


@register.inclusion_tag("components/clause_chip.html")
def clause_chip(clause: object, text: str = "", title: str = "", url: str = "") -> dict[str, Any]:
    """``{% clause_chip "5.2.2 c" text %}`` or an object with clause, text, title and url; opens the paraphrase."""
    if not isinstance(clause, str):
        text, title = pick(clause, "text", text), pick(clause, "title", title)
        url = pick(clause, "url", url)
        clause = pick(clause, "clause") or pick(clause, "id")
    return {"clause": clause, "text": text, "title": title, "url": url, "panel_id": fresh_id("clause")}


@register.inclusion_tag("components/term.html")
def term(word: object, definition: str = "", other: str = "") -> dict[str, Any]:
    """``{% term "Quasi-identifier" definition="…" other="准标识符" %}``: a word that explains itself in place."""
    if not isinstance(word, str) and not definition:
        definition, other = pick(word, "definition"), pick(word, "other", other)
        word = pick(word, "word")
    return {"word": word, "definition": definition, "other": other, "panel_id": fresh_id("term")}


@register.inclusion_tag("components/timeline.html")
def timeline(events: Iterable[Any], label: str = "") -> dict[str, Any]:
    """The audit trail as sentences: {sentence, who, when, icon, tone, detail, hash, url}, newest first."""
    rows = []
    for event in events:
        row = picked(event, "sentence who role when icon detail hash url")
        rows.append(row | {"tone": tone_of(pick(event, "tone")) if pick(event, "tone") else ""})
    return {"events": rows, "label": label}
