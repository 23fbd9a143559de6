"""The formula of the risk by information entropy with its values: of a planned step, and of a result in the verification."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from projects.core.numbers import count, number


class EntropyFormula(NamedTuple):
    """What the component of formulas shows."""

    expression: str
    substituted: str
    terms: list[tuple[str, str, str]]
    source: str


def entropy_formula(
    found: Mapping[str, Any], attack: Mapping[str, Any] | None, *, persons: bool
) -> EntropyFormula:
    """``found``: path, likelihood, impact and risk, as :class:`techniques.disclosure_risk.entropy.EntropyRisk` has them."""
    likelihood, impact = (
        " + ".join(f"{figure(one['gain'])} × {figure(one[weight])}" for one in found["path"])
        for weight in ("frequency", "leakage")
    )
    product = f"{figure(found['likelihood'])} × {figure(found['impact'])} = {figure(found['risk'])}"
    assumed = [] if attack is None else [
        ("p", _("probability that a column is known"), figure(attack["known"])),
        ("N", _("maximum number of columns that may be known"), count(attack["most_known"])),
        ("λ_SA", _("weight of a sensitive attribute"), figure(attack["sensitive"])),
        ("λ_QI", _("weight of a quasi-identifier"), figure(attack["quasi"])),
    ]  # fmt: skip
    return EntropyFormula(
        expression="R = Σ ΔE_i·F(i) × Σ ΔE_i·L(i)",
        substituted=f"({likelihood}) × ({impact}) = {product}",
        terms=[
            ("ΔE_i", _("what column i adds to the entropy of those before it, divided by log2 of the number of persons")
             if persons
             else _("what column i adds to the entropy of those before it, divided by log2 of the number of records"), ""),
            ("F(i)", _("chance that an attacker knows at least i columns"), ""),
            ("L(i)", _("what an attack using the first i columns reveals"), ""),
            *assumed,
        ],
        source=_("Chinese paper on re-identification risk by information entropy"),
    )  # fmt: skip


def figure(value: float) -> str:
    """A number as it is printed; sums that miss a number by rounding only are that number."""
    return number(round(value, 12))
