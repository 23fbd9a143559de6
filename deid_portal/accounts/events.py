"""Sentences of the audit log about people and their sessions."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

USER_CREATED = audit_action("user.created", _("%(actor)s created the account “%(subject)s” (%(post)s)"))
SIGNED_IN = audit_action("user.signed_in", _("%(actor)s signed in"))
SIGNED_OUT = audit_action("user.signed_out", _("%(actor)s signed out"))
SIGN_IN_LOCKED = audit_action("user.locked", _("Sign-in for an account was locked after repeated failures"))
TOTP_CHANGED = audit_action("user.totp", _("%(actor)s changed two-step sign-in: %(state)s"))
PASSWORD_CHANGED = audit_action("user.password", _("%(actor)s changed the password"))
TOKEN_CHANGED = audit_action("user.token", _("%(actor)s changed the API token: %(state)s"))
