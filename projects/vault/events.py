"""Sentences of the audit log about auxiliary information."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

from .purposes import purpose_text

SECRET_CREATED = audit_action(
    "secret.created", _("%(actor)s created the key “%(subject)s” in the vault"), purpose_text
)
SECRET_USED = audit_action(
    "secret.used", _("%(actor)s used the key “%(subject)s” of the vault"), purpose_text
)
SECRET_MOVED = audit_action(
    "secret.moved", _("The key “%(subject)s” was moved into the store of the keys"), purpose_text
)
SECRET_SPENT = audit_action(
    "secret.spent",
    _("%(actor)s destroyed the key “%(subject)s” of the vault, whose one use is over"),
    purpose_text,
)
SECRET_DESTROYED = audit_action(
    "secret.destroyed",
    _("%(actor)s destroyed the key “%(subject)s” of the vault: %(reason)s"),
    purpose_text,
)
SECRET_PROPOSED = audit_action(
    "secret.proposed",
    _("%(actor)s proposed to destroy the key “%(subject)s” of the vault: %(reason)s"),
    purpose_text,
)
SECRET_LAPSED = audit_action(
    "secret.lapsed",
    _(
        "%(actor)s let the proposal to destroy the key “%(subject)s” of the vault lapse, because the "
        "project was reopened"
    ),
    purpose_text,
)
SECRET_KEPT = audit_action(
    "secret.kept",
    _("%(actor)s decided that the key “%(subject)s” of the vault is kept: %(reason)s"),
    purpose_text,
)
