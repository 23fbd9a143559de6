"""Sentences of the audit log about organisation."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

from .proposals.services import Sentences

METADATA_SEEDED = audit_action(
    "metadata.seeded",
    _("The portal created version %(subject)s of the metadata table (%(entries)s entries)"),
)
METADATA_CHANGED = audit_action(
    "metadata.changed",
    _(
        "%(actor)s made version %(subject)s of the metadata table: %(added)s added, %(changed)s changed, "
        "%(removed)s removed (%(reason)s)"
    ),
)
CRYPTOGRAPHY_NATIONAL = audit_action(
    "cryptography.national",
    _("%(actor)s allowed national commercial cryptography (SM3, SM4) only (%(reason)s)"),
)
CRYPTOGRAPHY_ANY = audit_action(
    "cryptography.any", _("%(actor)s allowed AES and SHA-2 beside SM3 and SM4 (%(reason)s)")
)
LETTERHEAD_SET = audit_action(
    "letterhead.set", _("%(actor)s set version %(subject)s of the letterhead: %(name)s")
)
COEFFICIENTS = Sentences(
    proposed=audit_action(
        "coefficients.proposed",
        _(
            "%(actor)s proposed version %(subject)s of the coefficients of the surroundings: low %(low)s, high %(high)s "
            "(%(reason)s)"
        ),
    ),
    news=audit_action(
        "coefficients.awaits_decision",
        _("%(actor)s proposed coefficients of the surroundings; they await a decision"),
    ),
    in_force=audit_action(
        "coefficients.in_force",
        _("%(actor)s put version %(subject)s of the coefficients of the surroundings in force (%(reason)s)"),
    ),
    turned_down=audit_action(
        "coefficients.turned_down",
        _("%(actor)s turned down version %(subject)s of the coefficients of the surroundings (%(reason)s)"),
    ),
)
TABLE_RULES = Sentences(
    proposed=audit_action(
        "table_rules.proposed",
        _("%(actor)s proposed the rules for tables of statistics “%(subject)s” (%(reason)s)"),
    ),
    news=audit_action(
        "table_rules.awaits_decision",
        _("%(actor)s proposed rules for tables of statistics; they await a decision"),
    ),
    in_force=audit_action(
        "table_rules.in_force",
        _("%(actor)s put the rules for tables of statistics “%(subject)s” in force (%(reason)s)"),
    ),
    turned_down=audit_action(
        "table_rules.turned_down",
        _("%(actor)s turned down the rules for tables of statistics “%(subject)s” (%(reason)s)"),
    ),
)
GRADING = Sentences(
    proposed=audit_action(
        "grading.proposed", _("%(actor)s proposed version %(subject)s of the grading of data (%(reason)s)")
    ),
    news=audit_action(
        "grading.awaits_decision", _("%(actor)s proposed another grading of data; it awaits a decision")
    ),
    in_force=audit_action(
        "grading.in_force",
        _("%(actor)s put version %(subject)s of the grading of data in force (%(reason)s)"),
    ),
    turned_down=audit_action(
        "grading.turned_down",
        _("%(actor)s turned down version %(subject)s of the grading of data (%(reason)s)"),
    ),
)
CHECKLIST = Sentences(
    proposed=audit_action(
        "checklist.proposed",
        _("%(actor)s proposed a version of the review checklist of the stage “%(stage)s” (%(reason)s)"),
    ),
    news=audit_action(
        "checklist.awaits_decision", _("%(actor)s proposed another review checklist; it awaits a decision")
    ),
    in_force=audit_action(
        "checklist.in_force", _("%(actor)s put the review checklist “%(subject)s” in force (%(reason)s)")
    ),
    turned_down=audit_action(
        "checklist.turned_down", _("%(actor)s turned down the review checklist “%(subject)s” (%(reason)s)")
    ),
)
CLAUSES = Sentences(
    proposed=audit_action(
        "agreement_clauses.proposed",
        _("%(actor)s proposed version %(subject)s of the clauses of the agreement (%(reason)s)"),
    ),
    news=audit_action(
        "agreement_clauses.awaits_decision",
        _("%(actor)s proposed other clauses of the agreement; they await a decision"),
    ),
    in_force=audit_action(
        "agreement_clauses.in_force",
        _("%(actor)s put version %(subject)s of the clauses of the agreement in force (%(reason)s)"),
    ),
    turned_down=audit_action(
        "agreement_clauses.turned_down",
        _("%(actor)s turned down version %(subject)s of the clauses of the agreement (%(reason)s)"),
    ),
)
RETENTION = Sentences(
    proposed=audit_action(
        "retention.proposed",
        _("%(actor)s proposed version %(subject)s of the terms of retention (%(reason)s)"),
    ),
    news=audit_action(
        "retention.awaits_decision", _("%(actor)s proposed other terms of retention; they await a decision")
    ),
    in_force=audit_action(
        "retention.in_force",
        _("%(actor)s put version %(subject)s of the terms of retention in force (%(reason)s)"),
    ),
    turned_down=audit_action(
        "retention.turned_down",
        _("%(actor)s turned down version %(subject)s of the terms of retention (%(reason)s)"),
    ),
)
SIGNERS = Sentences(
    proposed=audit_action(
        "signers.proposed",
        _("%(actor)s proposed version %(subject)s of the numbers of signatures (%(reason)s)"),
    ),
    news=audit_action(
        "signers.awaits_decision",
        _("%(actor)s proposed other numbers of signatures; they await a decision"),
    ),
    in_force=audit_action(
        "signers.in_force",
        _("%(actor)s put version %(subject)s of the numbers of signatures in force (%(reason)s)"),
    ),
    turned_down=audit_action(
        "signers.turned_down",
        _("%(actor)s turned down version %(subject)s of the numbers of signatures (%(reason)s)"),
    ),
)
