"""Sentences of the audit log about people and their sessions."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words
from projects.workflow.posts import Post


class Change(models.TextChoices):
    """What happened to a credential, as the audit log says it."""

    SWITCHED_ON = "on", _("switched on")
    SWITCHED_OFF = "off", _("switched off")
    CODES_RENEWED = "codes", _("recovery codes renewed")
    CREATED = "created", _("created")
    REVOKED = "revoked", _("revoked")


class Lost(models.TextChoices):
    """What a person lost of their sign-in."""

    PASSWORD = "password", _("password")
    SECOND_STEP = "second_step", _("second step")


audit_words("post", Post)
audit_words("change", Change)
audit_words("lost", Lost)

USER_CREATED = audit_action("user.created", _("%(actor)s created the account “%(subject)s”: %(post)s"))
USER_EDITED = audit_action("user.edited", _("%(actor)s changed the account “%(subject)s”: %(fields)s"))
USER_DEACTIVATED = audit_action("user.deactivated", _("%(actor)s deactivated the account “%(subject)s”"))
USER_ACTIVATED = audit_action("user.activated", _("%(actor)s reactivated the account “%(subject)s”"))
USER_LINKED = audit_action(
    "user.linked",
    _("%(actor)s recorded that the accounts “%(subject)s” and “%(other)s” belong to one person: %(reason)s"),
)
USER_UNLINKED = audit_action(
    "user.unlinked",
    _("%(actor)s separated the account “%(subject)s” from the person's other accounts: %(reason)s"),
)
PASSWORD_RESET = audit_action(
    "user.password_reset", _("%(actor)s gave the account “%(subject)s” a one-time password")
)
TWO_STEP_REMOVED = audit_action(
    "user.totp_removed", _("%(actor)s removed two-step sign-in from the account “%(subject)s”")
)
RECOVERY_REQUESTED = audit_action(
    "user.recovery_requested",
    _("%(actor)s asked for a recovery of the account “%(subject)s”: %(lost)s. Reason: %(reason)s"),
)
RECOVERY_DECIDED = audit_action(
    "user.recovery_decided",
    _("%(actor)s decided about the recovery of the account “%(subject)s”: %(lost)s; allowed: %(allowed)s"),
)
RECOVERY_WAITS = audit_action(
    "user.recovery_waits",
    _(
        "%(actor)s asked for a recovery of somebody's sign-in: a second administrator decides, on the account's page"
    ),
)
RECOVERY_OF_YOURS = audit_action(
    "user.recovery_of_yours",
    _(
        "%(actor)s asked for a new password or the removal of two-step sign-in for your account, or decided about it. If "
        "you do not know of this, tell an auditor at once"
    ),
)
CONFIRMATION_FAILED = audit_action(
    "user.confirmation_failed",
    _("%(actor)s gave a wrong password or code to confirm a change of the account"),
)
SIGNED_IN = audit_action("user.signed_in", _("%(actor)s signed in"))
SIGNED_OUT = audit_action("user.signed_out", _("%(actor)s signed out"))
SIGN_IN_LOCKED = audit_action(
    "user.locked", _("Sign-in for the account “%(subject)s” was locked after repeated failures")
)
SECOND_STEP_FAILED = audit_action(
    "user.totp_failed", _("%(actor)s gave a wrong code in the second step of signing in")
)
TOTP_CHANGED = audit_action("user.totp", _("%(actor)s changed two-step sign-in: %(change)s"))
PASSWORD_REHASHED = audit_action(
    "user.password_rehashed", _("The portal renewed the stored hash of the password of %(subject)s")
)
PASSWORD_CHANGED = audit_action("user.password", _("%(actor)s changed the password"))
TOKEN_CHANGED = audit_action("user.token", _("%(actor)s changed the API token “%(name)s”: %(change)s"))
