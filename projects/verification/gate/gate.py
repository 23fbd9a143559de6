"""The gate: every target of step 1 against what was measured on the written result file.

Works in the worker, on plain data; knows no database. A check that could not run has ``passed`` None,
which is not a pass. Texts are untranslated messages with parameters, because the table is kept and read
in two languages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from projects.objective.targets.risk import RiskTargets
from projects.objective.targets.utility import plain_message
from techniques.core.attributes import AttributeRole
from techniques.core.messages import EngineError, gettext_noop
from techniques.identification.residual import ResidualReport
from techniques.risk.explain import Target, explain
from techniques.risk.measure import measure
from techniques.risk.report import RiskReport
from techniques.utility.covering import labels_above
from techniques.utility.measure import TargetResult, assess

from ..enums import CheckKind
from ..remedies.mending import mending
from .case import Case, Check, Text, Tick, text
from .context import risk_before, scales_of
from .residue import residue_scan
from .sampling import sample_figures, sample_statements
from .sensitive import sensitive_checks


def measure_all(case: Case, sha256: str, tick: Tick) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Every check and the full report of the measurements, JSON-ready.

    ``sha256`` is that of the file as it was just read. Whatever fails to run becomes a check that did
    not pass; nothing is left out because it failed.
    """
    report: dict[str, Any] = {}
    measured: list[RiskReport] = []
    checks = [_integrity(case, sha256)]
    checks += guarded(
        CheckKind.RESIDUAL, CheckKind.RESIDUAL.label, lambda: _residual(case, report, _part(tick, 0.0, 0.45))
    )
    checks += guarded(
        CheckKind.K, CheckKind.K.label, lambda: _risk(case, report, measured, _part(tick, 0.45, 0.65))
    )
    checks += guarded(
        CheckKind.DIVERSITY,
        CheckKind.DIVERSITY.label,
        lambda: sensitive_checks(case, _quasi(case), report, _part(tick, 0.65, 0.7)),
    )
    checks += [_suppression(case)]
    checks += guarded(
        CheckKind.UTILITY, CheckKind.UTILITY.label, lambda: _utility(case, report, _part(tick, 0.7, 1.0))
    )
    report["targets"] = case.risk.model_dump(mode="json")
    bare = "risk" in report and report["risk"] is None
    report |= scales_of(case, checks, measured[0] if measured else None, bare=bare)
    return [check.as_dict() for check in checks], report


def guarded(kind: CheckKind, label: Any, run: Callable[[], list[Check]]) -> list[Check]:
    """What ``run`` finds; where it cannot run, one check that is no pass and says why."""
    try:
        return run()
    except EngineError as error:
        return [
            Check(
                kind,
                text(source_text(label)),
                unit="none",
                sense="none",
                plain=text(error.message, **{k: str(v) for k, v in error.params.items()}),
            )
        ]


def source_text(label: Any) -> str:
    """The untranslated message behind a lazy label."""
    from django.utils import translation

    with translation.override(None):
        return str(label)


def _part(tick: Tick, start: float, end: float) -> Tick:
    return lambda share: tick(start + (end - start) * min(1.0, share))


def _rows_tick(tick: Tick, rows: int) -> Callable[[int], None]:
    return lambda done: tick(done / rows if rows else 1.0)


def _integrity(case: Case, sha256: str) -> Check:
    same = sha256 == case.result_sha256
    return Check(
        CheckKind.INTEGRITY,
        text(source_text(CheckKind.INTEGRITY.label)),
        passed=same,
        unit="none",
        sense="none",
        plain=text(gettext_noop("The SHA-256 of the stored file is the one that the run recorded."))
        if same
        else text(gettext_noop("The stored file is not the one that the run wrote. Run the recipe again.")),
    )


def _residual(case: Case, report: dict[str, Any], tick: Tick) -> list[Check]:
    found = residue_scan(
        case.source, case.result, case.recipe, case.roles, file_name=case.file_name, tick=tick
    )
    report["residual"] = found.model_dump(mode="json", exclude={"scan"})
    return [_residual_check(found)]


def _residual_check(found: ResidualReport) -> Check:
    blocking = found.blocking
    check = Check(
        CheckKind.RESIDUAL,
        text(source_text(CheckKind.RESIDUAL.label)),
        target=0,
        measured=len(blocking),
        passed=found.passed,
        unit="count",
        plain=text(
            gettext_noop("Every one of the %(rows)d rows was read, column names and file name too."),
            rows=found.rows,
        ),
        details=[text(item.message, **item.params) for item in found.findings],
    )
    for item in blocking:
        where = item.column or item.name
        if item.where == "free_text":
            message = gettext_noop(
                "%(column)s: redact the identifiers in the free text, or remove the column"
            )
        else:
            message = gettext_noop("%(column)s: remove the column, mask it or replace it by a pseudonym")
        check.fixes.append(text(message, column=where))
    return check


def _quasi(case: Case) -> list[str]:
    return [c for c in case.result.columns() if case.roles.get(c) == AttributeRole.QUASI_IDENTIFIER]


def _risk(case: Case, report: dict[str, Any], measured: list[RiskReport], tick: Tick) -> list[Check]:
    """The checks of k and of the risks; the report of the measurement is added to ``measured``."""
    quasi, targets = _quasi(case), case.risk
    if not quasi:
        report["risk"] = None
        message = gettext_noop("No quasi-identifier is left in the result, so nobody can be found by one.")
        return [
            Check(
                CheckKind.K, text(source_text(CheckKind.K.label)), passed=True, unit="none", sense="none",
                plain=text(message),
            )
        ]  # fmt: skip
    found = measure(
        case.result.batches(), quasi, target_k=targets.k,
        tick=_rows_tick(_part(tick, 0.0, 0.5), case.result.rows),
    )  # fmt: skip
    measured.append(found)
    words, sample = explain(found), sample_figures(found, case.sampling_fraction)
    report["risk"] = {
        **found.summary(),
        "columns": quasi,
        "suppressed_rows": found.suppressed_rows,
        "k_own_class": found.own_class.k,
        "k_left_out": found.left_out.k,
        "histogram": [bar.model_dump(mode="json") for bar in found.figures.histogram()],
        "statements": [*(_statement(item) for item in words), *sample_statements(sample, found.rows)],
        "sample": sample,
        "before": risk_before(case.source, quasi, _rows_tick(_part(tick, 0.5, 1.0), case.source.rows)),
        "drop_one": {column: item.model_dump(mode="json") for column, item in found.drop_one.items()},
    }
    checks = [
        _risk_check(case, found, CheckKind.K, Target(kind="k", bound=targets.k), found.k, "count"),
        _risk_check(
            case,
            found,
            CheckKind.MAX_RISK,
            Target(kind="max_risk", bound=_max_bound(targets)),
            found.max_risk,
        ),
    ]
    if targets.measure == "strict_average" and targets.average_risk is not None:
        bound = Target(kind="average_risk", bound=targets.average_risk)
        checks.append(_risk_check(case, found, CheckKind.AVERAGE_RISK, bound, found.average_risk))
    checks.append(_overall(case, found))
    return checks


def _max_bound(targets: RiskTargets) -> float:
    """Under the strict average no row may be above the cap either (B.1.4.1 b)."""
    if targets.measure == "strict_average":
        return min(targets.max_risk, targets.strict_cap)
    return targets.max_risk


def _statement(item: Any) -> Text:
    return {"message": item.message, "params": item.params, "formula": item.formula, "code": item.code}


def _mending(found: RiskReport, target: Target, case: Case) -> list[Text]:
    rows = case.rows_in - case.rows_not_drawn
    removed = rows - case.result.rows
    return mending(found, target, removed=removed, rows_in=rows, limit=case.risk.suppression_limit)


def _risk_check(
    case: Case, found: RiskReport, kind: CheckKind, target: Target, measured: float, unit: str = "share"
) -> Check:
    words = explain(found)
    word = next((w for w in words if (w.code == "average") == (kind == CheckKind.AVERAGE_RISK)), words[0])
    plain, formula, passed = text(word.message, **word.params), word.formula, target.met_by(found.figures)
    if kind == CheckKind.K:
        # The words about the smallest class go with the formula of its risk.
        formula = f"min f = {found.k} {'≥' if passed else '<'} {target.bound:g}"
    if kind == CheckKind.MAX_RISK and found.k:
        plain = text(
            gettext_noop(
                "The easiest person to find is found one time in %(k)d; one in %(least)d is allowed."
            ),
            k=found.k,
            least=target.least_size(),
        )
    return Check(
        kind,
        text(source_text(kind.label)),
        target=target.bound,
        measured=measured,
        passed=passed,
        unit=unit,
        sense="at_least" if kind == CheckKind.K else "at_most",
        plain=plain,
        formula=formula,
        fixes=_mending(found, target, case),
    )


def _overall(case: Case, found: RiskReport) -> Check:
    """Data risk × the probability of an attempt, against the project's threshold (B.1.4.3)."""
    targets = case.risk
    average = targets.measure == "strict_average"
    data = found.average_risk if average else found.max_risk
    value = data * targets.context_risk
    name = "R_avg" if average else "R_max"
    fixes = []
    if value > targets.overall_threshold:
        bound = min(1.0, targets.overall_threshold / targets.context_risk)
        target = Target(kind="average_risk" if average else "max_risk", bound=bound)
        fixes = _mending(found, target, case)
    return Check(
        CheckKind.OVERALL,
        text(source_text(CheckKind.OVERALL.label)),
        target=targets.overall_threshold,
        measured=value,
        passed=value <= targets.overall_threshold + 1e-12,
        plain=text(
            gettext_noop(
                "Data risk %(data).4f times the probability %(context).2f that somebody tries gives %(value).4f."
            ),
            data=data,
            context=targets.context_risk,
            value=value,
        ),
        formula=f"{name} × P = {data:.4g} × {targets.context_risk:.4g} = {value:.4g}",
        fixes=fixes,
    )


def _suppression(case: Case) -> Check:
    # What a sample leaves out by its plan is not suppressed: the share is that of the rows that were drawn.
    rows = case.rows_in - case.rows_not_drawn
    removed = rows - case.result.rows
    share = removed / rows if rows else 0.0
    limit = case.risk.suppression_limit
    return Check(
        CheckKind.SUPPRESSION,
        text(source_text(CheckKind.SUPPRESSION.label)),
        target=limit,
        measured=share,
        passed=share <= limit + 1e-12,
        plain=text(
            gettext_noop("%(removed)d of %(rows)d records are not in the result."),
            removed=removed,
            rows=rows,
        )
        if not case.rows_not_drawn
        else text(
            gettext_noop(
                "%(removed)d of the %(rows)d records that the sample drew are not in the result; %(left)d were not drawn."
            ),
            removed=removed,
            rows=rows,
            left=case.rows_not_drawn,
        ),
        formula=f"{removed} / {rows} = {share:.4g}",
        fixes=[]
        if share <= limit + 1e-12
        else [
            text(
                gettext_noop(
                    "Generalise the quasi-identifiers further, so that fewer records must be suppressed"
                )
            )
        ],
    )


def _utility(case: Case, report: dict[str, Any], tick: Tick) -> list[Check]:
    rows = case.source.rows + case.result.rows
    results, compared = assess(
        case.utility, case.source.batches(), case.result.batches(),
        hierarchies=labels_above(case.recipe.hierarchies), tick=_rows_tick(tick, rows),
    )  # fmt: skip
    report["columns"] = [item.model_dump(mode="json") for item in compared]
    return [_utility_check(item) for item in results]


def _utility_check(item: TargetResult) -> Check:
    target = item.target
    columns = ", ".join(target.needed_columns())
    could_not_run = item.measured is None
    return Check(
        CheckKind.UTILITY,
        text(target.title) if not columns else {**text(target.title), "columns": columns},
        target=target.bound,
        measured=item.measured,
        passed=None if could_not_run else item.passed,
        sense=target.sense,
        plain=text(item.reason, **item.params)
        if could_not_run
        else text(plain_message(target.kind), bound=f"{target.bound * 100:.4g} %", columns=columns),
        fixes=[]
        if item.passed or could_not_run
        else [
            text(
                gettext_noop(
                    "Treat this less strictly where the risk allows it, or lower the minimum in the target, with a reason"
                )
            )
        ],
    )
