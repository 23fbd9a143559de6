"""One's own account, and everybody's for administrators."""

from django.core.files.uploadedfile import SimpleUploadedFile

from ..language import Table, for_all, public
from ..roles import ADMINISTRATOR, SIGNED_IN, TESTER

TOKEN = {"name": "a program", "days": 30, "password": "correct-horse-battery"}
ACCOUNT = {"full_name": "Renamed Person", "department": "", "email": "", "access_until": ""}
NEW = {**ACCOUNT, "username": "newcomer", "post": "staff"}


def own(**more):
    return for_all(SIGNED_IN | TESTER, **more)


def own_of_staff(**more):
    return for_all(SIGNED_IN, **more)


def administers(**more):
    return for_all(ADMINISTRATOR, refuses=SIGNED_IN, **more)


APPOINTMENT = {"post": "management", "starts_on": "2030-01-01", "reason": "elected"}


def _people(world):
    return {
        "file": SimpleUploadedFile("people.csv", "用户名,姓名,岗位\nli.lei,李雷,staff\n".encode("gb18030")),
        "reason": "list of the personnel office",
    }


NAMES = {"starts_on": "2030-01-01", "ends_on": "2030-01-31", "reason": "on leave"}
# The holder of the post and the deputy of the one that waits, and who administers.
PAIR = ADMINISTRATOR | {"planner", "outsider"}
LEAVES = {"reason": "another post", "agreed": "silent for two years"}
# Of the other project, for it is never over.
PLANNED = {
    "arguments": {
        "user_id": lambda world, role, project: world.people.outsider.pk,
        "number": lambda world, role, project: world.other.number,
    },
}


TABLE: Table = {
    "accounts:sign_in": {"GET": public(), "POST": public()},
    # Off where no provider is set up, as in the walk; tests/deid_portal/accounts/test_oidc.py signs in by one.
    "accounts:oidc_start": {
        "GET": public(
            answers=frozenset({404}),
            never="no provider is set up; tests/deid_portal/accounts/test_oidc.py has one",
        )
    },
    "accounts:oidc_back": {
        "GET": public(
            answers=frozenset({404}),
            never="no provider is set up; tests/deid_portal/accounts/test_oidc.py has one",
        )
    },
    "accounts:sign_out": {"POST": public()},
    "accounts:second_step": {"GET": own(), "POST": own()},
    "accounts:profile": {
        "GET": own(),
        "POST": own(body=lambda world: {"email": "", "language": "en"}),
    },
    "accounts:password": {"GET": own(), "POST": own()},
    "accounts:two_step": {"GET": own(), "POST": own(body=lambda world: {"start": "1"})},
    "accounts:two_step_manage": {"GET": own(), "POST": own()},
    "accounts:token_create": {"GET": own(), "POST": own(body=lambda world: TOKEN)},
    "accounts:token_revoke": {"POST": own()},
    "accounts:accounts": {"GET": administers()},
    "accounts:account_create": {"GET": administers(), "POST": administers(body=lambda world: NEW)},
    "accounts:intake": {"GET": administers(), "POST": administers(body=_people, media="multipart")},
    "accounts:account": {"GET": administers(), "POST": administers(body=lambda world: ACCOUNT)},
    "accounts:appointments": {"GET": administers()},
    "accounts:appointment_give": {
        "POST": administers(body=lambda world: {f"post-{name}": value for name, value in APPOINTMENT.items()})
    },
    "accounts:appointment_decide": {"POST": administers(body=lambda world: {"confirm": "yes"})},
    "accounts:appointment_end": {
        "POST": administers(
            body=lambda world: {f"end-{world.appointment.pk}-reason": "over"},
            answers=frozenset({302, 403}),
            never="what waits is turned down, not ended; tests/deid_portal/accounts/test_appointments.py ends one",
        )
    },
    "accounts:deputies": {
        "GET": own_of_staff(),
        "POST": own_of_staff(
            body=lambda world: NAMES | {"post": "planner", "deputy": world.people.outsider.pk}
        ),
    },
    "accounts:account_deputies": {
        "GET": administers(),
        "POST": administers(
            arguments={"user_id": lambda world, role, project: world.people.other_supervisor.pk},
            body=lambda world: NAMES | {"post": "supervisor", "deputy": world.people.supervisor.pk},
        ),
    },
    "accounts:deputations": {"GET": administers()},
    "accounts:deputation_decide": {"POST": administers(body=lambda world: {"confirm": "yes"})},
    "accounts:deputation_end": {
        "POST": for_all(PAIR, body=lambda world: {f"end-{world.deputation.pk}-reason": "back"})
    },
    "accounts:leaving": {"GET": administers(), "POST": administers(body=lambda world: LEAVES)},
    "accounts:leaving_planning": {
        "GET": administers(**PLANNED, answers=frozenset({200})),
        "POST": administers(
            **PLANNED,
            body=lambda world: {"to": world.people.planner.pk, "reason": "left"},
            answers=frozenset({302}),
        ),
    },
    "accounts:account_active": {"POST": administers(body=lambda world: {"active": "no"})},
    "accounts:account_password": {"POST": administers(body=lambda world: {"password-reason": "forgotten"})},
    "accounts:account_recovery": {"POST": administers(body=lambda world: {"allow": "yes"})},
    "accounts:account_person": {
        "POST": administers(
            body=lambda world: {
                "person-other": world.people.outsider.pk,
                "person-reason": "a new post",
            }
        )
    },
    "accounts:account_person_end": {"POST": administers(body=lambda world: {"unlink-reason": "mistaken"})},
    "accounts:account_two_step": {
        "POST": administers(
            body=lambda world: {"reason": "lost phone"},
            answers=frozenset({403}),
            never="nobody in the walk has a second step; tests/deid_portal/accounts/test_recovery.py removes one",
        )
    },
    "api:account-me": {"GET": own()},
    "api:account-intake": {"POST": administers(body=_people, media="multipart")},
    "api:account-leaving": {"GET": administers(), "POST": administers(body=lambda world: LEAVES)},
    "api:account-leaving-planning": {
        "POST": administers(
            **PLANNED,
            body=lambda world: {"username": "planner", "reason": "left"},
            answers=frozenset({201}),
        )
    },
    "api:appointment-list": {
        "GET": administers(),
        "POST": administers(body=lambda world: APPOINTMENT | {"username": "other_executor"}),
    },
    "api:appointment-decision": {"POST": administers(body=lambda world: {"confirm": True})},
    "api:appointment-end": {
        "POST": administers(
            body=lambda world: {"reason": "over"},
            answers=frozenset({403}),
            never="what waits is turned down, not ended; tests/deid_portal/accounts/test_appointments.py ends one",
        )
    },
    "api:deputation-list": {
        "GET": own_of_staff(),
        "POST": administers(
            body=lambda world: (
                NAMES | {"username": "other_supervisor", "post": "supervisor", "deputy": "supervisor"}
            )
        ),
    },
    "api:deputation-decision": {"POST": administers(body=lambda world: {"confirm": True})},
    "api:deputation-end": {"POST": for_all(PAIR, body=lambda world: {"reason": "back"})},
    "api:account-token-sign-in": {
        "POST": public(answers=frozenset({400}), never="a wrong request is answered before any password is")
    },
    "api:account-token-list": {
        "GET": own(),
        "POST": own(body=lambda world: TOKEN, session=True),
    },
    "api:account-token-detail": {"DELETE": own()},
}
