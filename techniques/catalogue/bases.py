"""What measures rest on that are no techniques: the clause, and the paper where the clause does not say how. Untranslated."""

from __future__ import annotations

from techniques.core.messages import _

PERSONALIZED_PAPER = "Cao et al. 2018"
LIKENESS_PAPER = "Cao & Karras 2012"
HISTOGRAM = "GB/T 37964-2019 B.2.5.2"
TABLES = "T/ISC 0078-2025 10.5; GB/T 37964-2019 A.1.3"
ENTROPY = _(
    "GB/T 37964-2019 4.3; likelihood times impact by Shannon's entropy, in the frame of information security risk assessment"
)
ENTROPY_LIMITS = _(
    "Risk by information entropy has no threshold, and it is a mean: it can be low while someone stands alone. Not counted are what is "
    "known beyond these columns, and sensitive values that all who look alike share."
)
"""What the figure does not say, under whatever shows it."""
RELEASES = "GB/T 37964-2019 %(clauses)s"
"""``clauses`` of annex D, which says what may come together."""
PERSONAL_LEVELS = _(
    "GB/T 37964-2019 A.5.1, B.1.1, B.1.2; personalized (α,l)-diversity k-anonymity, Cao et al. 2018"
)
LEVELS_LIMITS = _(
    "A count of what is asked for protects nobody: the values become coarser in the step of the recipe, and a model has to hide whose "
    "records they are."
)
"""What stands below a count of protection levels."""
