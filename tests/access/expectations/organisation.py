"""The metadata table and the rule library: outside people do not see them, few change them."""

from datetime import timedelta

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from deid_portal.organisation import exchange, selectors
from deid_portal.organisation.agreements.clauses import clauses_decide
from deid_portal.organisation.checklists.lists import checklist_decide
from deid_portal.organisation.environment.coefficients import coefficients_decide
from deid_portal.organisation.grading.policy import NONE_YET, grading_decide
from deid_portal.organisation.retention.terms import terms_decide
from deid_portal.organisation.signers.quorum import signers_decide

from ..language import Table, for_all
from ..roles import ADMINISTRATOR, PLANNERS, SIGNED_IN, STAFF

ENTRY = {
    "name": "Locker number", "meaning": "Number of a locker", "format": "L and four digits",
    "data_types": "text", "field_names": "locker_no", "role": "quasi", "reason": "we have lockers",
}  # fmt: skip
ENTRY_API = {**ENTRY, "data_types": ["text"], "field_names": ["locker_no"]}
EDITORS = PLANNERS | ADMINISTRATOR
KIND = {"kind": "person_name"}
COEFFICIENTS = {
    "low": "0.6",
    "high": "1",
    "reason": "our own measure",
    "internal": 3,
    "external": 5,
    "public": 20,
}


def inside(**more):
    return for_all(STAFF, refuses=SIGNED_IN, **more)


def edits(**more):
    return for_all(EDITORS, refuses=SIGNED_IN, **more)


def decides(**more):
    """The version that waits was proposed by the planning manager: the other one and the administrator decide."""
    arguments = {"version_id": lambda world, role, project: world.waiting_coefficients.pk}
    return for_all(EDITORS - {"planner"}, refuses=SIGNED_IN, arguments=arguments, **more)


def decides_rules(**more):
    """As of the coefficients: who proposed the version that waits does not decide on it."""
    arguments = {"version_id": lambda world, role, project: world.waiting_table_rules.pk}
    return for_all(EDITORS - {"planner"}, refuses=SIGNED_IN, arguments=arguments, **more)


def decides_grading(**more):
    """As of the coefficients: who proposed the version that waits does not decide on it."""
    arguments = {"version_id": lambda world, role, project: world.waiting_grading.pk}
    return for_all(EDITORS - {"planner"}, refuses=SIGNED_IN, arguments=arguments, **more)


GRADING = {grade: rule.as_json() for grade, rule in NONE_YET.rules.items()}


def _no_grading_waits(world):
    """The next version, after the one that waited was turned down."""
    second = world.people.administrator
    grading_decide(world.waiting_grading, accept=False, reason="not yet", by=second)
    return {"rules": GRADING, "reason": "our own"}


def _grading_form(world):
    sent = _no_grading_waits(world)
    fields = {f"{grade}_{name}": said for grade, rule in GRADING.items() for name, said in rule.items()}
    return {name: said for name, said in fields.items() if said is not False} | {"reason": sent["reason"]}


def decides_terms(**more):
    """As of the coefficients: who proposed the version that waits does not decide on it."""
    arguments = {"version_id": lambda world, role, project: world.waiting_terms.pk}
    return for_all(EDITORS - {"planner"}, refuses=SIGNED_IN, arguments=arguments, **more)


def _no_terms_wait(world):
    """The next version, after the one that waited was turned down."""
    terms_decide(world.waiting_terms, accept=False, reason="not yet", by=world.people.administrator)


def _terms(world):
    _no_terms_wait(world)
    return {"days": {"source": 30, "result": None}, "reason": "our own"}


def _terms_form(world):
    _no_terms_wait(world)
    return {"source": "30", "reason": "our own"}


def decides_signers(**more):
    """As of the coefficients: who proposed the version that waits does not decide on it."""
    arguments = {"version_id": lambda world, role, project: world.waiting_signers.pk}
    return for_all(EDITORS - {"planner"}, refuses=SIGNED_IN, arguments=arguments, **more)


def _signers(world):
    """The next version, after the one that waited was turned down."""
    signers_decide(world.waiting_signers, accept=False, reason="not yet", by=world.people.administrator)
    return {"public": 2, "controlled": 2, "enclave": 1, "reason": "our own"}


def decides_checklist(**more):
    """As of the coefficients: who proposed the version that waits does not decide on it."""
    arguments = {"version_id": lambda world, role, project: world.waiting_checklist.pk}
    return for_all(EDITORS - {"planner"}, refuses=SIGNED_IN, arguments=arguments, **more)


def _no_checklist_waits(world):
    """The next version, after the one that waited was turned down."""
    second = world.people.administrator
    checklist_decide(world.waiting_checklist, accept=False, reason="not yet", by=second)


def _checklist(world):
    _no_checklist_waits(world)
    item = {"zh": "已核对", "en": "It was compared", "clause": "5.2.4", "obligatory": True}
    return {"stage": "objective", "items": [item], "reason": "our own"}


def _checklist_form(world):
    _no_checklist_waits(world)
    return {"zh-0": "已核对", "en-0": "It was compared", "clause-0": "5.2.4", "reason": "our own"}


def decides_clauses(**more):
    """As of the coefficients: who proposed the version that waits does not decide on it."""
    arguments = {"version_id": lambda world, role, project: world.waiting_clauses.pk}
    return for_all(EDITORS - {"planner"}, refuses=SIGNED_IN, arguments=arguments, **more)


CLAUSE = {"matter_zh": "检查", "matter_en": "Inspection", "zh": "可以检查。", "en": "May inspect."}


def _no_clauses_wait(world):
    """The next version, after the one that waited was turned down."""
    clauses_decide(world.waiting_clauses, accept=False, reason="not yet", by=world.people.administrator)


def _clauses(world):
    _no_clauses_wait(world)
    return {"clauses": [CLAUSE], "reason": "our own"}


def _clauses_form(world):
    _no_clauses_wait(world)
    return {f"{part}-0": text for part, text in CLAUSE.items()} | {"reason": "our own"}


def _soon(days=400):
    return (timezone.localdate() + timedelta(days=days)).isoformat()


def _version(**more):
    today = timezone.localdate().isoformat()
    return {
        "text": "New.",
        "effective_on": today,
        "review_on": _soon(),
        "concerns": ["staff"],
        "reason": "ours",
        **more,
    }


def _entry(world):
    return _version(title="Another", kind="standard", owner=str(world.people.executor.pk))


def _entry_api(world):
    return _version(title="Another", kind="standard", owner="executor")


APPROVED = {
    "policy_id": lambda world, role, project: world.policy_version.policy_id,
    "version_id": lambda world, role, project: world.policy_version.pk,
}
WAITS = {
    "policy_id": lambda world, role, project: world.waiting_policy_version.policy_id,
    "version_id": lambda world, role, project: world.waiting_policy_version.pk,
}
ENTRY_OF = {"policy_id": APPROVED["policy_id"]}
MANAGEMENT = frozenset({"management", "outsider"})
# Whom the approved version concerns: staff and planning managers.
CONCERNED = STAFF - {"auditor", "assessor", "administrator"}
OWNER = frozenset({"executor"})


def approves(**more):
    """An internal policy waits: senior management decides, whoever edits the library."""
    return for_all(MANAGEMENT, refuses=SIGNED_IN, arguments=WAITS, **more)


RULES = {"name": "Fees", "kind": "amounts", "p_percent": "10", "zeros": "published", "reason": "our own"}


def _none_waits(world):
    """The next proposal, after what waited was turned down."""
    waiting, second = world.waiting_coefficients, world.people.administrator
    coefficients_decide(waiting, accept=False, reason="not yet", by=second)
    return COEFFICIENTS


def _table(world):
    text = exchange.table_write(selectors.metadata_entries()[:5])
    return {"file": SimpleUploadedFile("table.csv", text.encode()), "reason": "a shorter table"}


TABLE: Table = {
    "organisation:page": {"GET": inside()},
    "organisation:metadata": {"GET": inside()},
    "organisation:metadata_add": {"GET": edits(), "POST": edits(body=lambda world: ENTRY)},
    "organisation:metadata_export": {"GET": inside()},
    "organisation:metadata_import": {"GET": edits(), "POST": edits(body=_table, media="multipart")},
    "organisation:metadata_versions": {"GET": inside()},
    "organisation:metadata_version": {"GET": inside(arguments={"number": 1})},
    "organisation:metadata_edit": {
        "GET": edits(arguments=KIND),
        "POST": edits(arguments=KIND, body=lambda world: ENTRY),
    },
    "organisation:metadata_remove": {
        "POST": edits(arguments=KIND, body=lambda world: {"remove-reason": "not ours"})
    },
    "organisation:cryptography": {
        "GET": inside(),
        "POST": edits(body=lambda world: {"wanted": "national", "reason": "an order of the ministry"}),
    },
    "organisation:letterhead": {
        "GET": inside(),
        "POST": for_all(
            ADMINISTRATOR, refuses=SIGNED_IN, body=lambda world: {"name": "Our hospital"}, media="multipart"
        ),
    },
    "organisation:coefficients": {
        "GET": inside(),
        "POST": edits(body=_none_waits),
    },
    "organisation:coefficients_decide": {
        "POST": decides(body=lambda world: {"decision": "accept", "reason": "as agreed"})
    },
    "organisation:table_rules": {"GET": inside(), "POST": edits(body=lambda world: RULES)},
    "organisation:table_rules_decide": {
        "POST": decides_rules(body=lambda world: {"decision": "accept", "reason": "as agreed"})
    },
    "organisation:grading": {"GET": inside(), "POST": edits(body=_grading_form)},
    "organisation:grading_decide": {
        "POST": decides_grading(body=lambda world: {"decision": "accept", "reason": "as agreed"})
    },
    "organisation:retention": {"GET": inside(), "POST": edits(body=_terms_form)},
    "organisation:retention_decide": {
        "POST": decides_terms(body=lambda world: {"decision": "accept", "reason": "as agreed"})
    },
    "organisation:signers": {"GET": inside(), "POST": edits(body=_signers)},
    "organisation:signers_decide": {
        "POST": decides_signers(body=lambda world: {"decision": "accept", "reason": "as agreed"})
    },
    "organisation:clauses": {"GET": inside(), "POST": edits(body=_clauses_form)},
    "organisation:clauses_decide": {
        "POST": decides_clauses(body=lambda world: {"decision": "accept", "reason": "as agreed"})
    },
    "organisation:checklists": {"GET": inside()},
    "organisation:checklist": {
        "GET": inside(arguments={"stage": "objective"}),
        "POST": edits(arguments={"stage": "objective"}, body=_checklist_form),
    },
    "organisation:checklist_decide": {
        "POST": decides_checklist(body=lambda world: {"decision": "accept", "reason": "as agreed"})
    },
    "organisation:policies": {"GET": inside()},
    "organisation:policy_add": {"GET": edits(), "POST": edits(body=_entry, media="multipart")},
    "organisation:policy": {"GET": inside(arguments=ENTRY_OF)},
    "organisation:policy_propose": {
        "GET": edits(arguments=ENTRY_OF),
        "POST": edits(arguments=ENTRY_OF, body=lambda world: _version(), media="multipart"),
    },
    "organisation:policy_review": {
        "POST": for_all(
            OWNER,
            refuses=SIGNED_IN,
            arguments=ENTRY_OF,
            body=lambda world: {"result": "It still holds.", "next_on": _soon()},
        )
    },
    "organisation:policy_owner": {
        "POST": edits(arguments=ENTRY_OF, body=lambda world: {"owner": str(world.people.planner.pk)})
    },
    "organisation:policy_decide": {
        "POST": approves(body=lambda world: {"decision": "accept", "reason": "as agreed"})
    },
    "organisation:policy_acknowledge": {"POST": for_all(CONCERNED, refuses=SIGNED_IN, arguments=APPROVED)},
    "organisation:policy_document": {"GET": inside(arguments=APPROVED)},
    "organisation:rules": {"GET": inside()},
    "api:organisation-metadata": {"GET": inside(), "POST": edits(body=lambda world: ENTRY_API)},
    "api:organisation-metadata-file": {
        "GET": inside(),
        "POST": edits(body=_table, media="multipart"),
    },
    "api:organisation-metadata-versions": {"GET": inside()},
    "api:organisation-metadata-detail": {
        "GET": inside(arguments=KIND),
        "PUT": edits(arguments=KIND, body=lambda world: ENTRY_API),
        "DELETE": edits(arguments=KIND, body=lambda world: {"reason": "not ours"}),
    },
    "api:organisation-cryptography": {
        "GET": inside(),
        "POST": edits(body=lambda world: {"national_only": True, "reason": "an order of the ministry"}),
    },
    "api:organisation-letterhead": {"GET": inside()},
    "api:organisation-coefficients": {"GET": inside(), "POST": edits(body=_none_waits)},
    "api:organisation-coefficients-decide": {
        "POST": decides(body=lambda world: {"accept": True, "reason": "as agreed"})
    },
    "api:organisation-table-rules": {"GET": inside()},
    "api:organisation-grading": {"GET": inside(), "POST": edits(body=_no_grading_waits)},
    "api:organisation-grading-decide": {
        "POST": decides_grading(body=lambda world: {"accept": True, "reason": "as agreed"})
    },
    "api:organisation-retention": {"GET": inside(), "POST": edits(body=_terms)},
    "api:organisation-retention-decide": {
        "POST": decides_terms(body=lambda world: {"accept": True, "reason": "as agreed"})
    },
    "api:organisation-signers": {"GET": inside(), "POST": edits(body=_signers)},
    "api:organisation-signers-decide": {
        "POST": decides_signers(body=lambda world: {"accept": True, "reason": "as agreed"})
    },
    "api:organisation-clauses": {"GET": inside(), "POST": edits(body=_clauses)},
    "api:organisation-clauses-decide": {
        "POST": decides_clauses(body=lambda world: {"accept": True, "reason": "as agreed"})
    },
    "api:organisation-checklists": {"GET": inside(), "POST": edits(body=_checklist)},
    "api:organisation-checklists-decide": {
        "POST": decides_checklist(body=lambda world: {"accept": True, "reason": "as agreed"})
    },
    "api:policies": {"GET": inside(), "POST": edits(body=_entry_api)},
    "api:policy": {"GET": inside(arguments=ENTRY_OF)},
    "api:policy-versions": {"POST": edits(arguments=ENTRY_OF, body=lambda world: _version())},
    "api:policy-review": {
        "POST": for_all(
            OWNER,
            refuses=SIGNED_IN,
            arguments=ENTRY_OF,
            body=lambda world: {"result": "It still holds.", "next_on": _soon()},
        )
    },
    "api:policy-owner": {"PUT": edits(arguments=ENTRY_OF, body=lambda world: {"owner": "planner"})},
    "api:policy-decide": {"POST": approves(body=lambda world: {"accept": True, "reason": "as agreed"})},
    "api:policy-acknowledge": {"POST": for_all(CONCERNED, refuses=SIGNED_IN, arguments=APPROVED)},
    "api:policy-document": {"GET": inside(arguments=APPROVED)},
    "api:organisation-rules": {"GET": inside()},
}
