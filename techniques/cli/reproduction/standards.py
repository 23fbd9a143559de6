"""The standards' worked examples, from rows, treated and measured by the engine itself.

The rows are made up here so that they are what the examples describe; what is compared is what the standards conclude.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from techniques.cli.reproduction.outcome import Outcome
from techniques.core.messages import _

ANNEX_D = "T/ISC 0078-2025 C.2 to C.6, annex D"
ANNEX_D_LIMITS = _(
    "The degree goes by the smallest class of the columns that were measured. It says nothing of what a class tells of sensitive values, "
    "nor of what is known beyond these columns."
)
PAY = "GB/T 37964-2019 A.3.6"
PAY_LIMITS = _(
    "Nobody is alone in pay and years. That is K-anonymity over these two columns and no proof against other knowledge."
)
HISTOGRAM_LIMITS = _(
    "Laplace noise for every count, with the ε above for a person more or less, who counts in one group. It holds whatever anyone knows, once; each "
    "further answer adds to ε. It does not hide what is true of the group as a whole."
)

_AGES = {
    "男": (36, 37, 40, 41, 43, 45, 51, 52, 54, 55),
    "女": (36, 38, 39, 46, 48, 50),
}
"""Ages of the 16 records of T/ISC 0078-2025 annex D by gender: 36 to 40 thrice, and so on."""
_PAY = (
    ("赵一", "男", 6800, 1, "助理"), ("钱二", "女", 7200, 2, "助理"), ("孙三", "女", 8100, 3, "专员"), ("李四", "男", 9300, 2, "专员"),
    ("周五", "男", 15600, 6, "主管"), ("吴六", "女", 15900, 5, "主管"), ("郑七", "男", 16300, 5, "经理"), ("王八", "女", 31000, 9, "总监"),
)  # fmt: skip
"""Name, gender, pay, years of service and post: GB/T 37964-2019 A.3.6; one person alone in pay and years."""

_EPSILON = 1.0
"""The standard leaves it open."""


def degree_of_annex_d() -> Outcome:
    """Ages become bands of five years; K of gender and band gives the degree."""
    from techniques.disclosure_risk.scales.degree import Capability, Scenario, degree

    people = [(sex, age) for sex, ages in _AGES.items() for age in ages]
    table = {"性别": [sex for sex, _age in people], "年龄": [str(age) for _sex, age in people]}
    bands = {
        "technique": "generalization.intervals",
        "columns": ["年龄"],
        "parameters": {"cuts": [36, 41, 46, 51, 56], "notation": "inclusive"},
    }
    why = {
        "technique": "as_is",
        "columns": ["性别"],
        "parameters": {"reason": "a quasi-identifier, measured"},
    }
    report = _measured(_treated(table, [bands, why]))
    found = degree(report.k, Scenario.INTERNAL, Capability.MEDIUM)
    figures = {"rows": report.rows, "classes": report.classes, **found.model_dump(mode="json")}
    line = (
        f"{report.rows} records, {report.classes} classes, K = {found.k}: {found.k} x 1/3 x 1 = {found.degree:g}, "
        f"{'passed' if found.passed else 'not passed'}"
    )
    agrees = (report.rows, report.classes, found.k, found.degree, found.passed) == (16, 5, 3, 1.0, True)
    return Outcome(figures, [line], agrees)


def pay_by_years() -> Outcome:
    """Name and post go, pay and years become intervals, and who is alone in both is left out."""
    names = ("姓名", "性别", "薪水", "工作年限", "职务")
    table = {name: [str(row[place]) for row in _PAY] for place, name in enumerate(names)}
    steps: list[dict[str, Any]] = [
        {"technique": "suppression.remove_column", "columns": ["姓名", "职务"]},
        {"technique": "generalization.intervals", "columns": ["薪水"], "parameters": {"width": 5000}},
        {"technique": "generalization.intervals", "columns": ["工作年限"], "parameters": {"cuts": [0, 4, 8, 12]}},
        {"technique": "as_is", "columns": ["性别"], "parameters": {"reason": "pay is compared by it"}},
        {
            "technique": "suppression.rare_records",
            "columns": ["薪水", "工作年限"],
            "parameters": {"minimum_count": 2, "maximum_share": 0.2},
        },
    ]  # fmt: skip
    treated = _treated(table, steps)
    report = _measured(treated.select(["薪水", "工作年限"]))
    figures = {
        "rows": len(_PAY),
        "rows_left": report.rows,
        "columns_left": treated.column_names,
        "classes": report.classes,
        "k": report.k,
    }
    line = (
        f"{len(_PAY)} records, {report.rows} left without who is alone; {', '.join(treated.column_names)}; "
        f"{report.classes} classes of pay and years, K = {report.k}"
    )
    agrees = treated.column_names == ["性别", "薪水", "工作年限"] and (report.rows, report.k >= 2) == (
        7,
        True,
    )
    return Outcome(figures, [line], agrees)


def histogram_with_noise() -> Outcome:
    """Patients by age in five steps: the counts, ε, the sensitivity, Laplace noise, and what the noisy counts still say."""
    from techniques.core.secrets import Secrets
    from techniques.families.synthesis.noise import Noise
    from techniques.models.differential_privacy import histogram_example as example

    def draw(scale: float, number: int) -> Sequence[int]:
        drawn: list[int] = (
            Noise("laplace", scale).draw(Secrets(key=b"", seed=2019), "B.2.5.2", number).tolist()
        )
        return drawn

    found = example.steps(_EPSILON, draw)
    largest = max(map(abs, example.losses(example.PUBLISHED, found.scale)))
    belief, most = example.belief(example.PUBLISHED, found.scale), found.beliefs[1]
    figures = {
        "histogram": found.histogram,
        "epsilon": found.epsilon,
        "sensitivity": found.sensitivity,
        "noisy": found.noisy,
        "published": example.PUBLISHED,
        "largest_loss": largest,
        "belief": round(belief, 4),
    }
    bands = example.BANDS
    lines = [
        f"1. Patients with a heart disease by age, {bands[0]} to {bands[-1]} in bands of ten years: H = {list(found.histogram)}",
        f"2. Budget: epsilon = {_EPSILON:g}; the standard leaves it open",
        f"3. Sensitivity: without any one of the {found.patients} patients the counts change by at most S = {found.sensitivity}",
        f"4. Noise of scale S / epsilon = {found.scale:g} on every count: H' = {list(found.noisy)}",
        f"   As the standard prints it: H' = {list(example.PUBLISHED)}; with or without any one patient, it is at most "
        f"e^{largest:g} times as likely",
        f"5. Published: whoever knows all others and holds Dave's disease for as likely as not, believes in it with {belief:.0%} "
        f"after the H' of the standard, after any H' with {most:.0%} at most; H itself would have told",
    ]
    agrees = (
        found.histogram == example.COUNTS
        and found.sensitivity == 1
        and largest <= _EPSILON
        and 1 - most <= belief <= most
    )
    return Outcome(figures, lines, agrees)


def _treated(table: dict[str, list[str]], steps: list[dict[str, Any]]) -> Any:
    import pyarrow as pa

    import techniques
    from techniques.recipe.recipe import Recipe

    return techniques.run(Recipe.from_data({"recipe": 1, "steps": steps}), pa.table(table)).table


def _measured(table: Any) -> Any:
    from techniques.disclosure_risk.measure import measure

    return measure(table.to_batches(), table.column_names, contributions=False)
