"""What the collected modules print that is no statement about a table, by kind; and statements that other suites hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

NO_STATEMENTS: Mapping[str, Sequence[str]] = {
    # Names of parts of a formula and of verdicts, put into sentences that are tested or into a row beside its number.
    "part of a row": (", ",
        "%(what)s: %(columns)s", "single columns", "choices of pairs", "pairs of columns", "reached", "not reached", "accepted",
        "not accepted", "not determined", "level %(level)s of 4", "Every equivalence class of the joined tables has at least k records", "scenario", "environment", "safeguards of the recipient",
        "records of the smallest class", "persons of the smallest class", "highest risk of a class", "share of the classes above τ",
        "greatest risk of a class", "mean risk of the classes", "probability that somebody tries", "maximum risk of a record",
        "average risk of the records", "maximum risk of a person", "average risk of the persons",
    ),
    # What to do about a failure; that it failed is said by a tested sentence.
    "advice": (
        "Let the model keep this distance", "Let the model keep this condition", "Suppress fewer records, or leave", "Cap the values that stand alone",
        "Let fewer records of the table referred to", "Form larger groups, cap", "Draw each value from more rows",
        "%(column)s: redact the identifiers", "%(column)s: remove the column", "Let the recipe shuffle the records",
        "%(column)s: generalise it, remove it", "Generalise the quasi-identifiers further, so", "Treat this less strictly",
        "Take the condition about", "Approving it takes a reason",
    ),
    # Refusals of settings and states that no table shows.
    "refusal": ("A threshold lies above 0", "Table “%(table)s” of this run is no longer"),
    # Words of the person who decided, and that nobody was asked then.
    "decision": ("Senior management accepts that", "It was approved before accepting"),
}  # fmt: skip
"""Kind → how each begins."""

WITHOUT_TABLES: Sequence[str] = (
    "All %(rows)d records are suppressed", "%(rows)d suppressed records are left out", "The highest journalist risk",
    "A person who is in all of these tables has spent",
)  # fmt: skip
"""Statements that no pair of tables holds yet: a new one needs its tables, and one that has them leaves this list."""

HELD: Mapping[str, Sequence[str]] = {
    "tests/projects/verification/gate/test_beside_plan.py": (
        "by the verdicts the result has sensitive attributes", "by the recipe a key or a mapping table leads back",
    ),
    "tests/truth/test_parameters.py": ("with the seed of run",
        "Step %(number)d: equal values of %(columns)s have equal ciphertexts", "have equal pseudonyms in every run of the project, so",
        "Step %(number)d: equal values of %(columns)s have equal pseudonyms in every project",
    ),
    "tests/truth/test_population.py": (
        "No population table was named", "By the population table with the SHA-256", "The population table with the SHA-256",
        "The population table does not have", "rests on the whole table and was not", "The run drew or made the values", "It could be compared by",
        "That a person of the population is", "That somebody of the population table is",
        "It has none of the quasi-identifiers", "The rows of the result are groups, and nobody",
    ),
    "tests/truth/test_severity.py": ("Harm when it becomes known: ",),
    "tests/truth/test_outliers.py": ("real rows stand alone",),
    "tests/truth/test_sampling.py": (
        "Somebody who does not know who is in the sample finds", "%(certain)d of them were certain to be drawn",
    ),
}  # fmt: skip
