"""Who proposes a change of recipients, who decides about it, and who accepts terms."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.models import Project
from projects.core.rules import has_role, in_state
from projects.core.selectors import memberships_held, role_of
from projects.workflow import Role, State

from ...enums import ChangeOutcome
from ...models import Agreement, RecipientChange
from ...rules import ReleaseReason, may_record_agreement
from ..parties import may_agree
from ..terms import Terms
from .selectors import signatures_of


class ChangeReason(Reason):
    NOTHING_CHANGES = (
        "nothing_asked",
        _(
            "This agreement does not alter anything that was signed; the planning manager can simply record it."
        ),
    )
    DECIDED_ALREADY = "change_decided_already", _("This change has already been decided.")
    SIGNED_ALREADY = "change_signed_already", _("You have signed this change; another person signs too.")
    OWN_PROPOSAL = "own_proposal", _("You proposed this yourself; another person decides.")
    NO_COUNTRY = (
        "change_without_country",
        _(
            "It does not state the country or region of the recipient: it was proposed before that was asked for. It has to be proposed anew."
        ),
    )
    TERM_OVER = "term_over", _("The agreement would already have ended.")
    OTHER_CONTENT = (
        "other_change",
        _("What you decided on is not what is now proposed. Nothing was decided."),
    )
    NOT_YOURS = "not_your_agreement", _("This agreement is not with you.")
    NOT_IN_FORCE = "agreement_not_in_force", _("This agreement is not in force.")
    ACCEPTED_ALREADY = "terms_accepted_already", _("You have already accepted these terms.")
    TERMS_UNREAD = "terms_unread", _("Please confirm that you accept the terms.")


def may_propose_change(user: Person, project: Project, recipient: Person) -> Verdict:
    """As whoever records an agreement."""
    return may_record_agreement(user, project, recipient)


def may_decide_change(user: Person, change: RecipientChange) -> Verdict:
    """Senior management of the project, and never who proposed it."""
    verdict = first_denial(
        has_role(user, change.project, Role.MANAGEMENT),
        in_state(change.project, State.APPROVED, State.MONITORING),
    )
    if not verdict:
        return verdict
    if change.outcome != ChangeOutcome.WAITING:
        return deny(ChangeReason.DECIDED_ALREADY)
    return deny(ChangeReason.OWN_PROPOSAL) if user.is_same_person(change.proposed_by) else ALLOW


def may_approve_change(user: Person, change: RecipientChange) -> Verdict:
    """The same, while what is proposed can still come into force: the term runs, the person is a recipient, and their organisation
    has not ended."""
    verdict = may_decide_change(user, change)
    if not verdict:
        return verdict
    terms = Terms.model_validate(change.terms)
    if terms.valid_until < timezone.localdate():
        return deny(ChangeReason.TERM_OVER)
    if terms.country is None:
        return deny(ChangeReason.NO_COUNTRY)
    known = may_agree(change.project, terms.organisation)
    if not known:
        return known
    if role_of(change.recipient, change.project) != Role.RECIPIENT:
        return deny(ReleaseReason.WRONG_RECIPIENT, member=str(change.recipient))
    return deny(ChangeReason.SIGNED_ALREADY) if has_signed(user, change) else ALLOW


def has_signed(user: Person, change: RecipientChange) -> bool:
    """Whether ``user``, under whatever account, signed while others are still to sign."""
    return any(user.is_same_person(one.signed_by) for one in signatures_of(change))


def may_accept(user: Person, agreement: Agreement | None) -> Verdict:
    """The recipient, once, while the agreement is in force."""
    if agreement is None:
        return deny(ReleaseReason.NO_AGREEMENT)
    # Asked of each release in a list: by person, not by project.
    receives = any(
        one.project_id == agreement.project_id and one.role == Role.RECIPIENT
        for one in memberships_held(user.pk)
    )
    if agreement.recipient_id != user.pk or not user.is_active or not receives:
        return deny(ChangeReason.NOT_YOURS)
    if not agreement.in_force:
        return deny(ChangeReason.NOT_IN_FORCE)
    return deny(ChangeReason.ACCEPTED_ALREADY) if agreement.is_accepted else ALLOW
