"""The measured file is byte for byte the one that the run wrote (5.5.2)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from techniques.core.messages import gettext_noop

from ...reports.gate import CheckResult
from ...reports.stored import text
from ..check import TableCheck, TableSubject, Tick


class Integrity(TableCheck):
    """The SHA-256 of the file as it was read against the one that the run recorded."""

    kind = "integrity"
    label = _("The measured file is the file that the run wrote")
    clause = "5.5.2"
    meaning = _("What was measured is what will be handed over: one changed byte would give another SHA-256.")
    unit = sense = "none"

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        same = of.case.read_sha256 == of.case.result_sha256
        said = (
            gettext_noop("The SHA-256 of the stored file is the one that the run recorded.")
            if same
            else gettext_noop("The stored file is not the one that the run wrote. Run the recipe again.")
        )
        return [self.row(passed=same, plain=text(said))]
