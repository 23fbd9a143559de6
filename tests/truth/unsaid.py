"""What the collected modules print that is no statement about a table, by kind; and statements that other suites hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

NO_STATEMENTS: Mapping[str, Sequence[str]] = {
    "kept by earlier versions": ("%(hits)d whole values and %(inside)d texts have the form,",),
    # Names of parts of a formula and of verdicts, put into sentences that are tested or into a row beside its number.
    "part of a row": (", ",
        "%(what)s: %(columns)s", "single columns", "choices of pairs", "pairs of columns", "reached", "not reached", "accepted",
        "not accepted", "not determined", "level %(level)s of 4", "Every equivalence class of the joined tables has at least k records", "scenario", "environment", "safeguards of the recipient",
        "records of the smallest class", "persons of the smallest class", "highest risk of a class", "share of the classes above τ",
        "greatest risk of a class", "mean risk of the classes", "probability that someone makes an attempt", "maximum risk of a record",
        "average risk of the records", "maximum risk of a person", "average risk of the persons",
        "Source", "Result",
        "An insider finds somebody's record", "A predicate singles somebody out", "What is known of somebody in two places is", "A secret of somebody is inferred",
        "Guessing %(column)s", "up to %(share)s", "all persons", "all records", "the class of person i", "the class of record i", "share of the value v",
        "The column that adds the most comes next", "Likelihood: %(likelihood)s", "On each dotted line the risk",
    ),
    # What to do about a failure; that it failed is said by a tested sentence.
    "advice": (
        "Let the model keep this distance", "Let the model keep this condition", "Suppress fewer records, or leave", "Cap the values that stand alone",
        "Let fewer records of the table referred to", "Form larger groups, cap", "Draw each value from more rows",
        "%(column)s: redact the identifiers", "%(column)s: remove the column", "Let the recipe shuffle the records",
        "%(column)s: generalise it, remove it", "%(columns)s: generalise or remove one", "Generalise the quasi-identifiers further, so", "Treat this less strictly",
        "Generalise or remove one of the columns that the attack", "Take the condition about", "Approving it requires a separate reason",
    ),
    # Refusals of settings and states that no table shows.
    "refusal": ("A threshold must be above 0", "Table “%(table)s” of this run is no longer"),
    # Names of runs, ways and bars, and parts of a row of figures.
    "part of a row of a page": (
        "smaller than %(k)s", "Run %(number)s", "Remove the column “%(column)s”", "Lift the bounds on", "k = %(k)s, at most",
        "%(points)s points ", "Remove the column “%(column)s” ", "%(table)s: %(check)s", "(1) %(first)s; (2)",
        "%(change)s; search", "Verification %(verification)s, way", "Verification %(verification)s did not", "%(low)s and more", "The key %(columns)", "%(figures)s All ro",
        "First rows: %(rows)s", "%(kind)s (%(rows)s row)", "%(kind)s (%(rows)s rows)", "Drop %(column)s", "Keep %(column)s on",
        "%(column)s: %(level)s", "%(points)s points", "Solution %(n)s", "standard deviation %(figures)s",
        "%(columns)s, in every project of the purpose", "%(title)s, version %(number)s (SHA-256",
    ),
    # What a figure means or where it comes from, whatever it is; and what only a measurement of an earlier version leaves open.
    "meaning": (
        "What helps with “%", "The risk could not be measured;", "The share of the c", "Cells are not unde",
        "How far the number", "Cells that are not", "There are several", "The overall risk is t", "The overall risk is based",
        "The look-up of the", "After the release", "At most this share of the records, and",
        "Rows of the result compared", "Cells replaced by *", "How much the share of empty", "How much the mean of a numeric column",
        "How far the distribution of", "How much the correlation or", "How many of the different values",
    ),
    # Words of the person who decided, and that nobody was asked then.
    "forecast": ("deid: %(a)s solutions, at most",),
    # What a plan proposes to a person who edits it: said of no table, and done by nobody yet.
    "proposal": (
        "1. Identify the identifiers: look-up", "4. Every step is reviewed by the supervisor",
        "Senior management decides on notification", "The people in the data, the department", "The supervisor suspends the project; the",
        "Anyone who suspects a re-identification or", "Each stage is completed by its due date.",
    ),
    # Questions to a person, what they are about, and the answers that may be given.
    "question": (
        "Deep: it can do lasting harm", "Little: most would not mind", "Noticeably: it is unpleasant", "For example because everyone in a hospital",
        "For example to add to a list", "Health, faith, finances and", "If all who look alike have the same value", "Then a class with several values can",
        "Then a person who looks unique here", "Then values that are close together",
    ),
    # A name, and what another tested line stands behind.
    "part of a line": ("%(step)s %(day)s", "Step %(number)s", "Table %(table)s, step %(number)s", "%(a)s.csv", "deid: %(a)s", "    not   %(a)s"),
    "decision": ("Senior management accepts that", "It was approved before a separate"),
}  # fmt: skip
"""Kind → how each begins."""

WITHOUT_TABLES: Sequence[str] = ()
"""Statements that no pair of tables holds yet: a new one needs its tables, and one that has them leaves this list."""

HELD: Mapping[str, Sequence[str]] = {
    "tests/projects/monitoring/amendments/test_amendments.py": (
        "By the surroundings amended on", "By the targets amended on", "In the amended surroundings the degree of anonymisation",
    ),
    "tests/projects/monitoring/test_outside.py": (
        "A guess about one of these is right in", "by which somebody could be looked for in the result.", "Matched by one person alone",
        "Nobody of it could be looked for in the release.", "Persons of it who were looked for in the release",
    ),
    "tests/projects/monitoring/test_relations.py": (
        "%(failed)s of them could not be measured.", "Live ones among them held by recipients", "Measured together as %(measurement)s",
        "None of those that are live is held", "Other releases that may concern the same persons: ", "What they reveal together with this release",
        "When this was measured, no other release", "Measured again: every target is still met",
        "Measured again: not every target is still met", "Measured again: together with other releases not every",
        "Of these, combinations that one recipient can hold",
    ),
    "tests/projects/releases/relatives/outside/test_related.py": (
        "made outside the portal may concern the same persons; what",
    ),
    "tests/deid_portal/organisation/parties/test_executing.py": ("The processing is carried out by: ",),
    "tests/projects/identification/test_wording.py": (
        "Nearly every row has a unique value", "have one that few others share: ",
    ),
    "tests/techniques/advice/test_model_advice.py": (
        "Everybody can try with public data", "In no column classes need to vary", "It was not ruled out that somebody knows",
        "If all who look alike had the same value, everybody would know it. So", "If all who look alike had the same value, everybody would know it. The column",
        "Learning the value does no harm, so", "No single class may be smaller than the cap", "Nobody has ruled out that some values",
        "and it is a sample: the classes", "nobody said whether it is a sample", "what pays is matching many people",
        "but it is no sample of a larger group", "measured by the order of the values.", "Rare or bad values stand out even in varied classes. So the shares in each class may differ from those of the whole table by at most %(t)g. The",
        "So deep a cut asks for", "Somebody may know that a person is in", "The column has no two different values",
        "The maximum risk 1/k times the probability", "The overall threshold by which the gate judges: that", "The threshold for this depth is",
        "Under controls the mean over all persons", "showing through; l-diversity", "showing through; t-closeness",
    ),
    "tests/techniques/engines/test_records.py": (
        "an unchanged record reads alike in", "anew for each release, so an unchanged record", "treats a record by what other records there are",
    ),
    "tests/deid_portal/organisation/policies/test_grounds.py": ("The policy library has changed since the object was",),
    "tests/techniques/catalogue/test_claims.py": ("Statistical characteristics stay, as its",),
    "tests/techniques/cli/test_risk.py": ("entropy risk %(a)s of the", "after step %(a)s"),
    "tests/projects/verification/gate/test_beside_plan.py": (
        "by the verdicts the result has sensitive attributes", "by the recipe a key or a mapping table leads back",
    ),
    "tests/truth/test_parameters.py": ("with the seed of run",
        "Step %(number)d: equal values of %(columns)s have equal ciphertexts", "have equal pseudonyms in every run of the project, so",
        "Step %(number)d: equal values of %(columns)s have equal pseudonyms in every project",
    ),
    "tests/truth/test_population.py": (
        "No population table was named", "By the population table with the SHA-256", "The population table with the SHA-256",
        "The population table does not have", "depends on the whole table and was not", "The run drew or made the values", "It could be compared by",
        "The probability that a person of the population is", "That somebody of the population table is",
        "It has none of the quasi-identifiers", "The rows of the result are groups, and nobody",
    ),
    "tests/projects/processing/solutions/test_emptied.py": (
        "In the best solution no column is", "The best solution makes these columns", "with fewer such columns",
    ),
    "tests/projects/verification/gate/checks/test_attacks.py": (
        "Each record stands for a group, so there is no record", "The records were made up. Without", "No quasi-identifier is left that says anything to",
    ),
    "tests/techniques/disclosure_risk/attacks/test_explain.py": (
        "The records of the result were made up and are nobody", "An insider who knows %(columns)s finds", "For half of the persons %(alike)d", "Nobody wrote down whose",
        "No predicate about one of", "No predicate about several of", "predicates about one column that fit", "predicates about several columns that fit",
        "Who holds %(first)s of a person", "Who knows %(columns)s guesses", "Against persons who are not in the result", "With each person's own records taken out",
        "What the attack does better cannot be said", "Where chance fails it succeeds", "Where the attack on the control group fails", "Where it fails without a person's own",
    ),
    "tests/truth/test_severity.py": ("Harm when it becomes known: ",),
    # Of an answer about the signature: each in the state in which it is given, where those suites find another one elsewhere.
    "tests/projects/verification/gate/test_gate.py": ("Not yet: the result is being", "The answer appears when every row",
        "No: the measurement could not run", "It ended without an answer", "No: the measurement is out of date",
    ),
    "tests/projects/verification/test_policy.py": ("No: the policy on cryptography", "Signed: exactly this result",
        "drew at random or derived its key with AES-256", "but only national commercial cryptography (SM3, SM4) is allowed. In processing",
    ),
    "tests/projects/objective/test_objective.py": ("No sharing type has been chosen.", "The object of de-identification is not",
        "The factors of the target are not", "The risk targets are not fully set", "No readable utility target",
        "The implementation plan is not complete", "The target changed after the plan was", "is not finished: its entries count",
    ),
    "tests/projects/objective/surroundings/profile/test_profile.py": ("The protections, or the acts that are allowed",),
    "tests/projects/objective/plan/need/test_needs.py": ("The need that the executor raised has not been", "The need was sent back and has not",
        "The accepted need says that the result is shared under control only",
    ),
    "tests/projects/objective/plan/test_prefill.py": ("De-identification is required by: ", "Candidates: %(candidates)s",
        "Risk model: %(model)s", "What was published cannot be recalled", "Recipients stop using the data, confirm",
        "Re-assessment: every %(n)s months after",
    ),
    "tests/projects/verification/gate/test_noisy.py": ("Not compared two by two, for",),
    "tests/projects/verification/test_degree.py": ("Only with a reason: the degree",),
    "tests/projects/releases/relatives/test_accepting.py": (
        "Only with a reason: related releases may",
        "Not yet: related releases are being",
    ),
    "tests/projects/verification/test_returns.py": ("No: what was returned has", "Nothing has changed since, and nobody",
        "Returned before and unchanged:", "It was resubmitted unchanged. ",
    ),
    "tests/projects/verification/test_sign_off.py": (
        "%(persons)s persons in %(rows)s rows", "%(rows)s rows; persons were not distinguished", "%(scale)s says no: ", "%(scale)s says nothing",
        "%(column)s tells records apart and was", "%(column)s: %(kind)s", "%(share)s of the persons can be told apart by someone",
        "Not measured: the risk for someone", "%(n)s verdict against what", "%(n)s verdicts against what",
    ),
    "tests/deid_portal/organisation/grading/test_signatures.py": (
        "%(needed)s signatures are needed, because", "the data are graded as “%(value)s” by version",
    ),
    "tests/projects/releases/agreements/changes/test_changes.py": ("the result is shared by “%(value)s” (version",),
    "tests/projects/verification/test_signers.py": (
        "%(given)s of %(needed)s have signed.", "Missing: %(names)s.", "The project lacks %(n)s member of senior", "The project lacks %(n)s members of senior",
    ),
    "tests/projects/identification/test_scan.py": ("Only %(rows)s of %(total)s rows",),
    "tests/truth/test_answers.py": (
        "There is a result, but", "There is no result of the current recipe", "No: not measured yet", "Recipe, data or result changed",
        "The targets changed", "Another population table was named", "%(n)s check did not pass", "%(n)s checks did not pass",
        "No: the result does not meet", "No: a check could not run", "Every one of the %(n)s checks", "The stage review by the supervisor",
        "Yes: this result may be signed", "%(by)s returned it", "%(n)s check could not", "%(n)s checks could not",
    ),
    "tests/techniques/cli/test_anonymize_command.py": ("deid: left out, the row index",),
    "tests/truth/test_early_searches.py": (" (not proved; none below",),
    "tests/truth/test_outliers.py": ("real rows stand alone",),
    "tests/truth/test_sampling.py": (
        "Somebody who does not know who is in the sample finds", "%(certain)d of them were certain to be drawn",
    ),
}  # fmt: skip
