"""The experiment of Cao et al. 2018: three models on UCI Adult, by k and by rows."""

from __future__ import annotations

from argparse import Namespace

from techniques.cli.reproduction.outcome import Outcome
from techniques.core.messages import EngineError, _

LIMITS = _(
    "The diseases and the levels asked for are drawn, so these figures compare the models and are none of a real table. Classes keep what their "
    "model asks for; that hides whose record it is among those alike, and is no proof against other knowledge."
)


def adult(options: Namespace) -> Outcome:
    """The paper's trends over the table ``options.data``, and our search beside its algorithm; all runs and six figures go to the
    folder ``options.out``. Raises EngineError ``out_missing``."""
    from techniques.models.personalized.experiment import Plan, run, trends, write

    if options.out is None:
        raise EngineError(
            "out_missing", _("The experiment writes a table and figures: name their folder with --out.")
        )
    found = run(options.data, Plan())
    write(found, options.out)
    shown = trends(found)
    theirs, formed, ours = found.compared
    figures = {
        "rows": found.rows,
        "runs": len(found.lines),
        "trends": shown,
        "algorithm_1": theirs.as_dict(),
        "local_recoding_formed": formed.as_dict(),
        "local_recoding": ours.as_dict(),
    }
    lines = [f"{'yes' if holds else 'NO '}  {trend}" for trend, holds in shown.items()]
    lines += [
        f"{one.rows} rows, k = {one.k}, {name}: NCP {one.ncp:.0f}, recognition {one.recognition_rate:.4f}, {one.seconds:.2f} s of the processor"
        for name, one in (
            ("Algorithm 1", theirs),
            ("local recoding before rows move", formed),
            ("local recoding", ours),
        )
    ]
    return Outcome(figures, lines, all(shown.values()))
