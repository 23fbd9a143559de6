"""Who may do what with accounts."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.workflow.posts import AppointedPost, Post

from .events import Lost
from .models import ApiToken, Leaving, Recovery, SecondStep, User


class AccountReason(Reason):
    NOT_AN_ADMINISTRATOR = "not_an_administrator", _("Only administrators manage accounts.")
    NOT_APPOINTED = (
        "not_appointed_administrator",
        _(
            "Your appointment as administrator is not in force: another administrator has yet to confirm it, or it has ended."
        ),
    )
    TOKEN_IS_NO_SESSION = (
        "token_is_no_session",
        _("A token can neither create nor revoke other tokens; sign in with your password to do that."),
    )
    SAME_ACCOUNT = "same_account", _("An account already belongs to one person; choose a different account.")
    NOT_LINKED = "not_linked", _("This account is not linked to any other.")
    RECOVERY_WAITS = (
        "recovery_waits",
        _("This has already been requested and is waiting for another administrator."),
    )
    NO_SECOND_STEP = "no_second_step", _("This account has no two-step sign-in.")
    SECOND_ADMINISTRATOR = (
        "second_administrator",
        _(
            "Another administrator decides, whose account does not go back to the requester: nobody can take over a sign-in alone."
        ),
    )
    RECOVERY_OVER = "recovery_over", _("This has already been decided.")
    HAS_LEFT = "left_for_good", _("This person has left; a person who comes back gets a new account.")
    PEOPLE_CHANGED = (
        "people_changed",
        _(
            "This is not what the preview showed: the accounts or the table have changed since. Look at the preview again."
        ),
    )
    NOTHING_TO_TAKE_IN = "nothing_to_take_in", _("Every account is already as the table says.")
    REASON_NEEDED = "intake_reason_needed", _("A reason is required.")
    NOT_YOURSELF = "not_yourself", _("You cannot do this to your own account; ask another administrator.")


def must_have_second_step(user: Person) -> bool:
    """Whether they hold a post for which the organisation demands two-step sign-in."""
    return any(post.value in settings.DEID_SECOND_STEP_POSTS and user.holds(post) for post in AppointedPost)


LOOK_AGAIN = (AccountReason.PEOPLE_CHANGED, AccountReason.NOTHING_TO_TAKE_IN)
"""Why a table of people is not taken in, but shown once more."""


def may_administer(user: Person) -> Verdict:
    """Administrators by post, while they are appointed; superuser rights add nothing."""
    if not user.is_active or user.access_ended or user.post != Post.ADMINISTRATOR:
        return deny(AccountReason.NOT_AN_ADMINISTRATOR)
    if not user.holds(AppointedPost.ADMINISTRATOR):
        return deny(AccountReason.NOT_APPOINTED)
    return ALLOW


def may_administer_other(by: Person, account: User) -> Verdict:
    own = deny(AccountReason.NOT_YOURSELF) if account.pk == by.pk else ALLOW
    return first_denial(may_administer(by), own)


def may_set_active(by: Person, account: User, *, active: bool) -> Verdict:
    """Somebody else; who has left comes back with another account."""
    verdict = may_administer_other(by, account)
    if verdict and active and Leaving.objects.filter(account=account).exists():
        return deny(AccountReason.HAS_LEFT)
    return verdict


def may_take_in(does_something: bool, *, same: bool) -> Verdict:
    """A table of people that does something, and exactly what was shown."""
    if not does_something:
        return deny(AccountReason.NOTHING_TO_TAKE_IN)
    return ALLOW if same else deny(AccountReason.PEOPLE_CHANGED)


def may_ask_for_recovery(account: User, lost: Lost) -> Verdict:
    if Recovery.objects.filter(account=account, lost=lost, decided_at=None).exists():
        return deny(AccountReason.RECOVERY_WAITS)
    has = lost == Lost.PASSWORD or SecondStep.objects.filter(user=account, confirmed=True).exists()
    return ALLOW if has else deny(AccountReason.NO_SECOND_STEP)


def may_decide_recovery(by: Person, recovery: Recovery, *, allow: bool) -> Verdict:
    """Another natural person than who asked, and not through an account that one of them made; who asked may take it back."""
    verdict = may_administer_other(by, recovery.account)
    if not verdict:
        return verdict
    if recovery.decided_at is not None:
        return deny(AccountReason.RECOVERY_OVER)
    alone = allow and (by.is_same_person(recovery.asked_by) or by.has_origin_of(recovery.asked_by))
    return deny(AccountReason.SECOND_ADMINISTRATOR) if alone else ALLOW


def may_make_token(asking: ApiToken | None) -> Verdict:
    """With a session only (``asking`` None): whoever got hold of a token could else outlive its end."""
    return ALLOW if asking is None else deny(AccountReason.TOKEN_IS_NO_SESSION)


def may_revoke_token(asking: ApiToken | None, token_id: UUID) -> Verdict:
    """A token may end itself; the others are ended with a session."""
    if asking is None or asking.pk == token_id:
        return ALLOW
    return deny(AccountReason.TOKEN_IS_NO_SESSION)


def may_link(by: Person, account: User, other: User) -> Verdict:
    """An administrator, about other people's accounts: two that are one natural person's."""
    if account.pk == other.pk:
        return deny(AccountReason.SAME_ACCOUNT)
    return first_denial(may_administer_other(by, account), may_administer_other(by, other))


def may_unlink(by: Person, account: User) -> Verdict:
    verdict = may_administer_other(by, account)
    return verdict if not verdict or account.person_id is not None else deny(AccountReason.NOT_LINKED)
