"""Sentences of the audit log about releases."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

AGREEMENT_RECORDED = audit_action(
    "agreement.recorded",
    _("%(actor)s recorded the agreement with %(recipient)s, valid until %(valid_until)s"),
)
AGREEMENT_ENDED = audit_action("agreement.ended", _("%(actor)s ended the agreement with %(recipient)s"))
CHANGE_PROPOSED = audit_action(
    "recipient_change.proposed",
    _("%(actor)s proposed a change to what was signed about %(recipient)s, who receives the release"),
)
CHANGE_APPROVED = audit_action(
    "recipient_change.approved",
    _("%(actor)s approved the change to what was signed about %(recipient)s"),
)
CHANGE_SIGNED = audit_action(
    "recipient_change.signed",
    _(
        "%(actor)s signed the change to what was signed about %(recipient)s: %(given)s of %(needed)s signatures (%(reason)s)"
    ),
)
CHANGE_REFUSED = audit_action(
    "recipient_change.refused",
    _("%(actor)s refused the change to what was signed about %(recipient)s"),
)
TERMS_ACCEPTED = audit_action(
    "agreement.terms_accepted", _("%(actor)s accepted the terms of the agreement in the portal")
)
RELEASE_CREATED = audit_action("release.created", _("%(actor)s released “%(subject)s” under a seal"))
RELEASE_ENDED = audit_action("release.ended", _("%(actor)s ended the release “%(subject)s”"))
DELIVERY_REQUESTED = audit_action(
    "delivery.requested", _("%(actor)s read the data-use notice and asked for “%(subject)s”")
)
DELIVERY_READY = audit_action("delivery.ready", _("The seal of “%(subject)s” was verified for %(recipient)s"))
DELIVERY_FETCHED = audit_action("delivery.fetched", _("%(actor)s fetched “%(subject)s”"))
SEAL_BROKEN = audit_action(
    "release.seal_broken", _("The seal of “%(subject)s” is broken: it can no longer be fetched")
)
RELEASE_VIEWED = audit_action(
    "release.viewed", _("%(actor)s viewed rows %(first)s to %(last)s of “%(subject)s” within the portal")
)
DELIVERY_BROKEN_OFF = audit_action(
    "delivery.broken_off",
    _("The seal of “%(subject)s” could not be verified for %(recipient)s (%(code)s)"),
)
AGREEMENT_SCAN_READ = audit_action(
    "agreement.scan_read", _("%(actor)s opened the signed agreement with %(recipient)s")
)
SHARE_ASSIGNED = audit_action(
    "release.share_assigned",
    _("%(actor)s assigned the shares of holder %(number)s of “%(subject)s” to %(holder)s"),
)
RELATIVES_STARTED = audit_action(
    "relatives.started",
    _(
        "%(actor)s started the measurement “%(subject)s” of a result together with other releases "
        "(%(relatives)s)"
    ),
)
RELATIVES_DUE = audit_action(
    "relatives.due",
    _(
        "The measurement “%(subject)s” of the result together with other releases (%(relatives)s) was due and began"
    ),
)
RELATIVES_MEASURED = audit_action(
    "relatives.measured",
    _(
        "“%(subject)s” was measured; combinations: %(sets)s, revealing more than any single release: "
        "%(risky)s"
    ),
)
RELATIVES_BROKEN_OFF = audit_action(
    "relatives.broken_off", _("The measurement “%(subject)s” ended without a result (error code %(code)s)")
)
COPY_DESTROYED = audit_action(
    "copy.destroyed",
    _("%(actor)s stated that their copy of “%(subject)s” is destroyed: %(reason)s"),
)
PUBLICATION_PROPOSED = audit_action(
    "publication.proposed", _("%(actor)s proposed to publish “%(subject)s” for everybody")
)
PUBLICATION_APPROVED = audit_action(
    "publication.approved", _("%(actor)s approved the publication of “%(subject)s”")
)
PUBLICATION_REFUSED = audit_action(
    "publication.refused", _("%(actor)s refused the publication of “%(subject)s”")
)
PUBLISHED = audit_action(
    "publication.published",
    _("The seal of “%(subject)s” was verified, and version %(version)s was published for everybody"),
)
PUBLICATION_STOPPED = audit_action(
    "publication.stopped", _("“%(subject)s” was not published: the seal was not verified (%(code)s)")
)
PUBLICATION_DOWN = audit_action(
    "publication.down", _("“%(subject)s” is no longer published: its release ended")
)
PUBLICATION_LAPSED = audit_action(
    "publication.lapsed",
    _("The portal withdrew the proposal to publish “%(subject)s”: its release ended before the decision"),
)
PUBLICATION_WITHDRAWN = audit_action(
    "publication.withdrawn", _("%(actor)s withdrew the publication of “%(subject)s”")
)
