"""The target and the plan: written by the planning manager and the executor, signed by senior management."""

import uuid
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from deid_portal.demo.story import FACTORS, SCOPE, UTILITY
from projects.objective.completeness import PARTS_TOGETHER
from projects.objective.enums import Part
from projects.objective.forms import RiskForm
from projects.objective.pages import seen_of
from projects.objective.plan.prefill import plan_prefill
from projects.objective.selectors import objective_of
from projects.objective.targets.risk import risk_defaults
from projects.workflow import State
from techniques.disclosure_risk.scales.environment import CONTROLS, MOTIVES
from techniques.disclosure_risk.scales.recovery import RECOVERY
from techniques.disclosure_risk.scales.safeguards import MANAGEMENT, TECHNICAL
from tests.fixtures import PASSWORD

from ..checkpoints import ALL, at, since
from ..language import Table, acts, reads
from ..roles import INSIDE

DRAFT = at(State.OBJECTIVE_DRAFT)
# The sharing type comes first: without it there is nothing to write yet.
CHOSEN = at("objective_draft+complete")
SUBMITTED = since("objective_review")


def write(body: Any = None, where=CHOSEN, **more):
    return acts(("planner", where), ("executor", where), body=body, **more)


LOOKUP = ("planner", CHOSEN)


def step(body: Any, *parts: Part):
    """A page of the target; what is sent says what the page of these parts showed."""

    def sent(world):
        return body(world) | {"seen": "-".join(seen_of(world.project, part) for part in parts)}

    return {"GET": write(), "POST": write(sent if parts else body)}


def _scope(world):
    return SCOPE.model_dump(mode="json")


def _scope_form(world):
    return {**_scope(world), "related": []}


def _factors(world):
    return FACTORS.model_dump(mode="json")


def _risk(world):
    targets = RiskForm.initial_of(risk_defaults("controlled"))
    return {name: "" if value is None else value for name, value in targets.items()} | {"why": "table 1"}


def _together(world):
    return _scope_form(world) | _factors(world) | _risk(world)


def _risk_api(world):
    return risk_defaults("controlled").model_dump(mode="json")


def _context(world):
    return {
        "controls": {item.code: 1 for item in CONTROLS},
        "motives": {item.code: 0 for item in MOTIVES},
        "safeguards": {item.code: 1 for item in (*TECHNICAL, *MANAGEMENT)},
        "safeguards_source": "A certificate",
        "recovery": {item.code: 1 for item in RECOVERY},
        "recovery_source": "The legal department, 2026",
        "prevalence": 0.001,
        "prevalence_source": "Health survey",
        "breach": 0.1,
        "breach_source": "Yearly report of the sector",
    }


def _context_form(world):
    said = _context(world)
    more = {f"control-{code}": "1" for code in said.pop("controls")}
    more |= {f"motive-{code}": "0" for code in said.pop("motives")}
    more |= {f"safeguard-{code}": "1" for code in said.pop("safeguards")}
    more |= {f"recovery-{code}": "1" for code in said.pop("recovery")}
    return {**said, **more, "acquaintances": 150}


def _notice(world):
    return {"file": SimpleUploadedFile("consent.txt", b"What we do with your data.")}


def _plan(world):
    said = {"steps": [], "explanation": "Each column has one form."}
    return plan_prefill(world.project, objective_of(world.project)) | {"preparation": said}


def _plan_form(world):
    said = {"preparation_1": "none", "preparation_explanation": "Each column has one form."}
    return plan_prefill(world.project, objective_of(world.project)) | said


def _sharing(world):
    return {"sharing_type": "controlled"}


def _sharing_form(world):
    return _sharing(world) | {"seen": seen_of(world.project, Part.SHARING)}


NEED = {
    **dict.fromkeys(("who", "act", "what", "ground", "scene", "benefit"), "As said."),
    **dict.fromkeys(("instead_why", "points_why", "resources", "skill", "time"), "As said."),
    **dict.fromkeys(("structured", "bearable", "unrecoverable", "usable"), "yes"),
    "trigger": "use",
    "instead": ["none"],
}


def _lookup(world):
    return {"source": "HIS", "subject": "record", "columns": "sex, born"}


def _lookup_api(world):
    return {"source": "HIS", "subject": ["record"], "columns": ["sex", "born"]}


def _answer(world):
    return {"answer": "accept", "number": 1, "reason": "it is needed"}


def _answer_api(world):
    return {"accept": True, "number": 1, "reason": "it is needed"}


def _target(world):
    return {"kind": "rows_retained", "bound": "0.8"}


def _decision(world):
    return {"decision": "approved", "reason": "fits the purpose", "secret": PASSWORD}


RAISE = acts(("executor", DRAFT), body=lambda world: NEED)
# One was raised when the project was opened, and answered before the target was submitted.
ANSWER = ("planner", at("objective_draft"))
DECIDE = acts(("management", at(State.PLAN_APPROVAL)), body=_decision)
TABLE: Table = {
    "objective:page": {"GET": reads()},
    "objective:need": {"GET": reads(), "POST": RAISE},
    "objective:need_answer": {"POST": acts(ANSWER, body=_answer)},
    "api:objective-need": {"GET": reads(), "POST": RAISE},
    "api:objective-need-answer": {"POST": acts(ANSWER, body=_answer_api)},
    "objective:sharing": {"GET": write(where=DRAFT), "POST": write(_sharing_form, DRAFT)},
    "objective:together": step(_together, *PARTS_TOGETHER),
    "objective:scope": step(_scope_form, Part.SCOPE),
    "objective:register": {"GET": reads(), "POST": acts(LOOKUP, body=_lookup)},
    "objective:register_take": {"POST": acts(LOOKUP)},
    "api:objective-register": {"GET": reads(), "POST": acts(LOOKUP, body=_lookup_api)},
    "api:objective-register-take": {"POST": acts(LOOKUP)},
    "objective:notice": {"GET": reads(), "POST": write(_notice, media="multipart")},
    "objective:notice_remove": {"POST": write()},
    "objective:notice_file": {"GET": reads(exists=SUBMITTED)},
    "api:objective-notice": {
        "GET": reads(),
        "POST": write(_notice, media="multipart"),
        "DELETE": write(),
    },
    "api:objective-notice-file": {"GET": reads(exists=SUBMITTED)},
    "objective:factors": step(_factors, Part.FACTORS),
    "objective:risk": step(_risk, Part.TARGETS),
    "objective:context": {"GET": reads(), "POST": write(_context_form)},
    "objective:context_take": {"POST": write()},
    "api:objective-context": {"GET": reads(), "POST": write(_context)},
    "api:objective-context-take": {"POST": write()},
    "objective:utility": step(_target),
    "objective:utility_suggest": {"POST": write()},
    "objective:utility_remove": {"POST": write(arguments={"position": 0})},
    # Another name each time: one that was given already is refused.
    "objective:templates": {
        "GET": acts(("planner", ALL)),
        "POST": acts(
            ("planner", SUBMITTED), body=lambda world: {"do": "save", "name": f"Walk {uuid.uuid4()}"}
        ),
    },
    "api:objective-templates": {
        "GET": acts(("planner", ALL)),
        "POST": acts(("planner", SUBMITTED), body=lambda world: {"name": f"Walk {uuid.uuid4()}"}),
    },
    "objective:plan": {"GET": reads()},
    "objective:plan_edit": step(_plan_form, Part.PLAN),
    "objective:plan_pdf": {"GET": reads(redirects=True, exists=SUBMITTED)},
    "objective:plan_pdf_make": {"POST": acts((INSIDE, SUBMITTED), exists=SUBMITTED)},
    "objective:decide": {"GET": reads(), "POST": DECIDE},
    "api:objective-detail": {"GET": reads()},
    "api:objective-sharing": {"PUT": write(_sharing, DRAFT)},
    "api:objective-scope": {"PUT": write(_scope)},
    "api:objective-factors": {"PUT": write(_factors)},
    "api:objective-risk": {"PUT": write(_risk_api)},
    "api:objective-utility": {"PUT": write(lambda world: UTILITY)},
    "api:objective-defaults": {"GET": reads()},
    "api:objective-plan": {"PUT": write(_plan)},
    "api:objective-versions": {"GET": reads()},
    "api:objective-decision": {"POST": DECIDE},
}
