"""How many leaky results were stopped and safe ones passed, and of how many sentences, said at the end of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

SUITES = {
    "test_false_passes": "leaky results, stopped",
    "test_false_alarms": "safe results, passed",
}


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """A line for each suite that ran: how many of its cases held, of how many."""
    for suite, said in SUITES.items():
        ended = Counter(
            outcome
            for outcome in ("passed", "failed", "error")
            for _report in _of(terminalreporter, outcome, f"tests/truth/{suite}.py::test_case[")
        )
        if ended:
            terminalreporter.write_line(f"{said}: {ended['passed']} of {ended.total()}")
    if any(_of(terminalreporter, "passed", "tests/truth/test_sentences.py::test_every")):
        from tests.truth.test_sentences import counted

        with_tables, _other, without = counted()
        terminalreporter.write_line(
            f"sentences with tables on which they are true and false: {len(with_tables)} of {len(with_tables | without)}"
        )


def _of(terminalreporter: pytest.TerminalReporter, outcome: str, begins: str) -> Iterator[pytest.TestReport]:
    for report in terminalreporter.stats.get(outcome, ()):
        if report.nodeid.startswith(begins):
            yield report
