"""The only writer of leavers."""

from __future__ import annotations

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny
from deid_portal.organisation.team.services import seats_end
from projects.core.drafts.services import drafts_remove_of

from ..appointments.enums import AppointmentStatus
from ..appointments.rules import may_end
from ..appointments.services import appointment_decide, appointment_end
from ..deputies.services import deputations_end
from ..models import Leaving, User
from ..services import subject_of, user_set_active
from . import events, rules
from .selectors import in_hand, level_of


def leaving_record(account: User, *, reason: str, agreed: str, by: Person, at_once: bool = False) -> Leaving:
    """End somebody's access at once – account, tokens, sessions, appointments, deputations, duties in the team – and keep what is to be handed over.

    ``agreed``: what was agreed about confidentiality after leaving. Roles in projects stay until somebody takes them over; who
    plans a project alone hands that over before, unless access has to end ``at_once``.
    """
    with governed_act():
        with recording(events.LEFT, by=by, subject=subject_of(account), reason=reason.strip()) as event:
            account = User.objects.select_for_update().get(pk=account.pk)
            rules.may_record_leaving(by, account).require()
            if not reason.strip() or not agreed.strip():
                deny(rules.LeavingReason.TEXT_NEEDED).require()
            held, level = in_hand(account), level_of(account)
            rules.leaves_planned(account, held, at_once=at_once).require()
            left = Leaving.objects.create(
                account=account,
                reason=reason.strip(),
                agreed=agreed.strip(),
                level=level.value if level else "",
                hand_over=[{"project": one.project_number, "role": one.membership.role} for one in held],
                recorded_by=by,
            )
            if deputations := deputations_end(account, reason=reason.strip(), by=by):
                event.facts["deputations"] = deputations
            if duties := seats_end(account, reason=reason.strip(), by=by):
                event.facts["team_duties"] = duties
            event.facts.update(
                projects=len(held),
                posts=_appointments_end(account, reason=reason, by=by),
                tokens_ended=account.api_tokens.all().delete()[0],
            )
            drafts_remove_of(account)
            if account.is_active:
                user_set_active(account, active=False, by=by)
        return left


def _appointments_end(account: User, *, reason: str, by: Person) -> int:
    """End what is confirmed and turn down what waits; how many."""
    ended = 0
    for one in account.appointments.select_related("account"):
        if one.status == AppointmentStatus.WAITS:
            appointment_decide(one, confirm=False, by=by)
        elif one.status == AppointmentStatus.CONFIRMED and may_end(by, one):
            appointment_end(one, reason=reason, by=by)
        else:
            continue
        ended += 1
    return ended
