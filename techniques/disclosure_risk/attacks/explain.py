"""What attacks found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from techniques.core.messages import _
from techniques.core.settings import Frozen, Statement
from techniques.disclosure_risk.attacks.attempt import Attacks
from techniques.disclosure_risk.attacks.inference import Inference
from techniques.disclosure_risk.attacks.linkage import InsiderLinkage, Linkability
from techniques.disclosure_risk.attacks.rates import Excess, Rate
from techniques.disclosure_risk.attacks.singling_out import SinglingOut


class Said(Frozen):
    """One attack in figures and sentences, the first of which says how often it succeeds: its ``rate``, the ``other`` that it is
    held against, and the derived ``risk``, None where nothing was tried or is left to do better."""

    attack: Literal["linkage", "singling_out", "linkability", "inference"]
    secret: str = ""
    rate: Rate
    other: Rate
    risk: Excess | None
    statements: list[Statement]


def said_of_each(found: Attacks) -> list[Said]:
    """Each attack that was carried out, in their order."""
    said = []
    if (linked := found.linkage) is not None:
        said.append(_each("linkage", linked, linked.naive, _linkage(linked)))
    for one in found.singling_out:
        said.append(_each("singling_out", one, one.control or one.naive, _singling_out(one)))
    if (joined := found.linkability) is not None:
        said.append(_each("linkability", joined, joined.control or joined.naive, _linkability(joined)))
    for inferred in found.inference:
        against = inferred.control or inferred.naive
        said.append(_each("inference", inferred, against, _inference(inferred), inferred.secret))
    return said


def _each(
    attack: Literal["linkage", "singling_out", "linkability", "inference"],
    found: InsiderLinkage | SinglingOut | Linkability | Inference,
    other: Rate,
    statements: Iterator[Statement],
    secret: str = "",
) -> Said:
    return Said(
        attack=attack,
        secret=secret,
        rate=found.attack,
        other=other,
        risk=found.risk,
        statements=list(statements),
    )


def attack_statements(found: Attacks) -> list[Statement]:
    """Each attack: how often it succeeds, beside what, and what that says."""
    said = [statement for one in said_of_each(found) for statement in one.statements]
    if found.linkage is None:
        text = _(
            "The records of the result were made up and are nobody's, so an insider has no record to look for."
        )
        said.insert(0, Statement.of("made_up", text))
    return said


def _linkage(found: InsiderLinkage) -> Iterator[Statement]:
    text = _(
        "An insider who knows %(columns)s finds the right record of %(rate).1f %% of %(attempts)d persons of the source "
        "(95 %% interval: %(low).1f %% to %(high).1f %%); by taking any record, of %(naive).1f %%."
    )
    yield _said("linkage", text, found.attack, found.naive, columns=", ".join(found.columns))
    text = _(
        "For half of the persons %(alike)d records or more look equally near. For %(single)d of the persons one record alone is "
        "nearest; for %(right)d of these it is the right one."
    )
    yield Statement.of(
        "linkage_single", text, alike=int(found.alike), single=found.single, right=round(found.single_right)
    )
    if found.by_likeness:
        text = _(
            "Nobody wrote down whose the records are: those that read most like a person's row in all columns count as that "
            "person's own, so the rates say rather too much than too little."
        )
        yield Statement.of("by_likeness", text)
    yield from _risk("linkage_risk", found.risk)


def _singling_out(found: SinglingOut) -> Iterator[Statement]:
    columns = ", ".join(found.columns)
    univariate = found.kind == "univariate"
    if not found.attack.attempts:
        text = _("No predicate about one of the columns %(columns)s fits one record of the result alone.")
        if not univariate:
            text = _(
                "No predicate about several of the columns %(columns)s was found that fits one record of the result alone."
            )
        yield Statement.of(f"{found.kind}_none", text, columns=columns)
        return
    text = _(
        "Of %(attempts)d predicates about one column that fit one record of the result alone, %(rate).1f %% single out a person of the "
        "source (95 %% interval: %(low).1f %% to %(high).1f %%); of predicates by chance, %(naive).1f %%."
    )
    if not univariate:
        text = _(
            "Of %(attempts)d predicates about several columns that fit one record of the result alone, %(rate).1f %% single out a "
            "person of the source (95 %% interval: %(low).1f %% to %(high).1f %%); of predicates by chance, %(naive).1f %%."
        )
    yield _said(found.kind, text, found.attack, found.naive)
    yield from _control(found.kind, found.control, False)
    yield from _risk(f"{found.kind}_risk", found.risk, found.control)


def _linkability(found: Linkability) -> Iterator[Statement]:
    text = _(
        "Who holds %(first)s of a person, and elsewhere %(second)s, is led to one and the same record for %(rate).1f %% of "
        "%(attempts)d persons (95 %% interval: %(low).1f %% to %(high).1f %%); by taking any two records, for %(naive).1f %%."
    )
    yield _said(
        "linkability",
        text,
        found.attack,
        found.naive,
        first=", ".join(found.first),
        second=", ".join(found.second),
    )
    yield from _control("linkability", found.control, False)
    yield from _risk("linkability_risk", found.risk, found.control)


def _inference(found: Inference) -> Iterator[Statement]:
    text = _(
        "Who knows %(columns)s guesses %(secret)s right of %(rate).1f %% of %(attempts)d persons (95 %% interval: %(low).1f %% to "
        "%(high).1f %%); by always guessing the most frequent value, of %(naive).1f %%."
    )
    yield _said(
        "inference", text, found.attack, found.naive, columns=", ".join(found.columns), secret=found.secret
    )
    yield from _control("inference", found.control, found.left_out)
    yield from _risk("inference_risk", found.risk, found.control, found.left_out)


def _said(code: str, text: str, attack: Rate, naive: Rate, **more: str) -> Statement:
    return Statement.of(
        code,
        text,
        attempts=attack.attempts,
        rate=100 * attack.value,
        low=100 * attack.low,
        high=100 * attack.high,
        naive=100 * naive.value,
        **more,
    )


def _control(code: str, control: Rate | None, left_out: bool) -> Iterator[Statement]:
    if control is None:
        return
    text = _(
        "Against persons who are not in the result it succeeds in %(rate).1f %% of the cases (95 %% interval: %(low).1f %% to "
        "%(high).1f %%)."
    )
    if left_out:
        text = _(
            "With each person's own records taken out of the result it succeeds in %(rate).1f %% of the cases (95 %% interval: "
            "%(low).1f %% to %(high).1f %%)."
        )
    yield Statement.of(
        f"{code}_control", text, rate=100 * control.value, low=100 * control.low, high=100 * control.high
    )


def _risk(
    code: str, risk: Excess | None, against: Rate | None = None, left_out: bool = False
) -> Iterator[Statement]:
    if risk is None:
        text = _(
            "What the attack does better cannot be said, since nothing is left that the other one fails at."
        )
        yield Statement.of(f"{code}_none", text)
        return
    text = _(
        "Where chance fails it succeeds in %(value).1f %% of the cases (95 %% interval: %(low).1f %% to %(high).1f %%); there was no "
        "control group."
    )
    formula = "(attack - naive) / (1 - naive)"
    if against is not None:
        formula = "(attack - control) / (1 - control)"
        text = _(
            "Where the attack on the control group fails it succeeds in %(value).1f %% of the cases (95 %% interval: %(low).1f %% to "
            "%(high).1f %%)."
        )
    if left_out:
        text = _(
            "Where it fails without a person's own records it succeeds with them in %(value).1f %% of the cases (95 %% interval: "
            "%(low).1f %% to %(high).1f %%)."
        )
    yield Statement.of(code, text, formula, value=100 * risk.value, low=100 * risk.low, high=100 * risk.high)
