"""What no code may break about releases: what was signed about recipients stays, and nobody holds two numbers of shares."""

from __future__ import annotations

from approvals.countries import HERE
from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import (
    changed,
    exchanged,
    linked_accounts,
    rewritten,
    same_person,
    where_named,
)

_AGREED = changed(
    "id",
    "project_id",
    "recipient_id",
    "organisation",
    "purpose",
    "prohibits_reidentification",
    "prohibits_linkage",
    "prohibits_onward_sharing",
    "signed_by",
    "signed_on",
    "valid_until",
    "scan_sha256",
    "recorded_by_id",
    "recorded_at",
)


def _months(row: str) -> str:
    """Between two checks of samples: more than any interval where only the one on receipt, or nothing, was agreed."""
    return f"COALESCE(NULLIF({row}.check_months, 0), 1000)"


def _never(column: str) -> str:
    """Whether what was agreed, or left unsaid, is another than before."""
    return f"{exchanged(column)} OR (OLD.{column} IS NULL AND NEW.{column} IS NOT NULL)"


_CHECKS = f"{_never('check_months')} OR {_never('country')} OR {_never('fetch_approval')}"
# An agreement of a live release is one that was approved, or one that goes no further than another with the same recipient.
_UNSIGNED = (
    "EXISTS (SELECT 1 FROM core_project p WHERE p.id = NEW.project_id AND p.state = 'monitoring' AND p.sharing_type <> 'public') "
    "AND NOT EXISTS (SELECT 1 FROM releases_recipientchange c WHERE c.agreement_id = NEW.id AND c.outcome = 'approved' "
    "AND c.recipient_id = NEW.recipient_id AND c.scan_sha256 = NEW.scan_sha256) "
    "AND NOT EXISTS (SELECT 1 FROM releases_agreement a WHERE a.project_id = NEW.project_id AND a.id <> NEW.id "
    "AND a.recipient_id = NEW.recipient_id AND a.purpose = NEW.purpose AND a.valid_until >= NEW.valid_until "
    f"AND {_months('a')} >= {_months('NEW')} "
    f"AND (COALESCE(NEW.country, '{HERE}') = '{HERE}' OR a.country = NEW.country) "
    "AND (COALESCE(NEW.fetch_approval, FALSE) OR NOT COALESCE(a.fetch_approval, FALSE)))"
)
_PROPOSED = changed(
    "id",
    "project_id",
    "number",
    "recipient_id",
    "asks",
    "terms",
    "scan_sha256",
    "content_hash",
    "proposed_by_id",
    "proposed_at",
    "needed",
)
# The last signature is the decision itself.
_CHANGE_OPEN = (
    "EXISTS (SELECT 1 FROM releases_recipientchange c WHERE c.id = NEW.change_id AND c.project_id = NEW.project_id "
    "AND c.content_hash = NEW.content_hash AND c.outcome = 'waiting' AND c.needed - 1 > "
    "(SELECT COUNT(*) FROM releases_changesignature g WHERE g.change_id = c.id))"
)

register(
    Trigger(
        "agreement_has_its_scan",
        "releases_agreement",
        ("INSERT",),
        "an agreement is recorded with the scan of what was signed",
        "NEW.scan_sha256 = ''",
    ),
    Trigger(
        "agreement_of_live_release_was_signed",
        "releases_agreement",
        ("INSERT",),
        "a new recipient or purpose of a live release, a longer term, fewer checks or fetches without approval are approved by senior management first",
        _UNSIGNED,
    ),
    Trigger(
        "agreement_stays_as_recorded",
        "releases_agreement",
        ("UPDATE",),
        "an agreement stays as it was recorded, and ended as it ended",
        f"{_AGREED} OR {_CHECKS} OR {exchanged('ended_at')}",
    ),
    Trigger(
        "agreement_never_deleted", "releases_agreement", ("DELETE",), "an agreement is ended, never deleted"
    ),
    Trigger(
        "terms_accepted_by_the_recipient",
        "releases_termsacceptance",
        ("INSERT",),
        "terms are accepted by the recipient whose they are",
        "NOT EXISTS (SELECT 1 FROM releases_agreement a WHERE a.id = NEW.agreement_id AND a.recipient_id = NEW.accepted_by_id)",
    ),
    Trigger(
        "terms_accepted_once",
        "releases_termsacceptance",
        ("UPDATE", "DELETE"),
        "an acceptance of terms is written once",
    ),
    Trigger(
        "recipient_change_stays_as_proposed",
        "releases_recipientchange",
        ("UPDATE",),
        "a change of recipients stays as it was proposed, and decided as it was decided",
        f"{_PROPOSED} OR {exchanged('needed_by')} OR (OLD.needed_by IS NULL AND NEW.needed_by IS NOT NULL) "
        f"OR (OLD.outcome <> 'waiting' AND ({changed('outcome', 'reason')} OR "
        f"{exchanged('decided_by_id', 'decided_at', 'agreement_id')}))",
    ),
    *where_named(
        "recipient_change_not_by_own_person",
        "releases_recipientchange",
        "nobody decides about a change that they proposed under another account",
        linked_accounts("NEW.decided_by_id", "NEW.proposed_by_id"),
        "OLD.decided_by_id IS NULL",
    ),
    Trigger(
        "recipient_change_begins_waiting",
        "releases_recipientchange",
        ("INSERT",),
        "a change of recipients begins as a proposal",
        "NEW.outcome <> 'waiting'",
    ),
    Trigger(
        "recipient_change_by_all_who_are_needed",
        "releases_recipientchange",
        ("UPDATE",),
        "what several people have to sign is approved once as many different people have signed it",
        "NEW.outcome = 'approved' AND OLD.outcome <> 'approved' AND ((SELECT COUNT(*) FROM releases_changesignature g "
        "WHERE g.change_id = NEW.id AND g.content_hash = NEW.content_hash) <> NEW.needed - 1 "
        "OR EXISTS (SELECT 1 FROM releases_changesignature g WHERE g.change_id = NEW.id "
        f"AND {same_person('g.signed_by_id', 'NEW.decided_by_id')}))",
    ),
    Trigger(
        "change_signature_of_what_is_open",
        "releases_changesignature",
        ("INSERT",),
        "a signature is about exactly what waits for it, and none is given beyond those that are needed",
        f"NOT {_CHANGE_OPEN}",
    ),
    Trigger(
        "change_signature_one_of_each_person",
        "releases_changesignature",
        ("INSERT",),
        "one person signs one change once, under whatever account",
        "EXISTS (SELECT 1 FROM releases_changesignature g WHERE g.change_id = NEW.change_id "
        f"AND {same_person('g.signed_by_id', 'NEW.signed_by_id')})",
    ),
    Trigger(
        "change_signature_not_of_own_proposal",
        "releases_changesignature",
        ("INSERT",),
        "nobody signs a change that they proposed themselves",
        "EXISTS (SELECT 1 FROM releases_recipientchange c WHERE c.id = NEW.change_id "
        f"AND {same_person('c.proposed_by_id', 'NEW.signed_by_id')})",
    ),
    Trigger(
        "change_signature_stays",
        "releases_changesignature",
        ("UPDATE", "DELETE"),
        "a signature is written once",
    ),
    Trigger(
        "recipient_change_never_deleted", "releases_recipientchange", ("DELETE",), "a proposed change is kept"
    ),
    *where_named(
        "share_one_number_per_natural_person",
        "releases_shareholding",
        "nobody holds shares of two numbers, under whatever accounts",
        "EXISTS (SELECT 1 FROM releases_shareholding h WHERE h.project_id = NEW.project_id "
        f"AND h.number <> NEW.number AND {linked_accounts('h.holder_id', 'NEW.holder_id')})",
        changed("project_id", "number", "holder_id"),
    ),
    Trigger(
        "share_number_is_final",
        "releases_shareholding",
        ("UPDATE",),
        "a number of shares is never exchanged",
        f"{changed('id', 'project_id', 'number', 'holder_id', 'assigned_by_id', 'assigned_at')} OR {exchanged('ended_at')}",
    ),
    Trigger("share_holding_stays", "releases_shareholding", ("DELETE",), "a holding is ended, never deleted"),
)
register(
    Trigger(
        "copy_statement_stays",
        "releases_copystatement",
        ("UPDATE", "DELETE"),
        "what a recipient stated about their copy stays",
    ),
    Trigger(
        "copy_statement_of_what_was_fetched",
        "releases_copystatement",
        ("INSERT",),
        "who fetched nothing has no copy to destroy",
        "NOT EXISTS (SELECT 1 FROM releases_delivery d WHERE d.release_id = NEW.release_id "
        "AND d.recipient_id = NEW.recipient_id AND d.fetched_at IS NOT NULL)",
    ),
    Trigger(
        "copy_statement_once_for_what_was_fetched",
        "releases_copystatement",
        ("INSERT",),
        "of what was fetched there is one statement",
        "EXISTS (SELECT 1 FROM releases_copystatement s WHERE s.id <> NEW.id AND s.release_id = NEW.release_id "
        "AND s.recipient_id = NEW.recipient_id AND NOT EXISTS (SELECT 1 FROM releases_delivery d "
        "WHERE d.release_id = s.release_id AND d.recipient_id = s.recipient_id AND d.fetched_at > s.stated_at))",
    ),
)

_PUBLISHED_TEXTS = changed(
    "id",
    "project_id",
    "release_id",
    "number",
    "token",
    "title",
    "summary",
    "conditions",
    "contact",
    "content_hash",
    "proposed_by_id",
    "proposed_at",
)
_IN_FORCE = "SELECT 1 FROM releases_release r WHERE r.id = NEW.release_id AND r.ended_at IS NULL"
register(
    Trigger(
        "publication_of_public_release",
        "releases_publication",
        ("INSERT",),
        "only a completely public release in force is published",
        "NOT EXISTS (SELECT 1 FROM releases_release r JOIN core_project p ON p.id = r.project_id "
        "WHERE r.id = NEW.release_id AND r.project_id = NEW.project_id AND r.ended_at IS NULL AND p.sharing_type = 'public')",
    ),
    Trigger(
        "publication_begins_waiting",
        "releases_publication",
        ("INSERT",),
        "a publication begins as a proposal",
        "NEW.status <> 'waiting'",
    ),
    Trigger(
        "publication_stays_as_proposed",
        "releases_publication",
        ("UPDATE",),
        "a publication stays as it was proposed, decided and published",
        f"{_PUBLISHED_TEXTS} OR {exchanged('decided_by_id', 'decided_at', 'published_at', 'version', 'ended_by_id', 'ended_at')} "
        f"OR {rewritten('reason', 'ended_why')}",
    ),
    Trigger(
        "publication_goes_forward",
        "releases_publication",
        ("UPDATE",),
        "a publication goes from proposal to decision, seal, address and withdrawal, never back",
        "OLD.status <> NEW.status AND NOT (OLD.status = 'waiting' AND NEW.status IN ('replaced', 'refused', 'verifying', 'lapsed') "
        "OR OLD.status = 'verifying' AND NEW.status IN ('live', 'stopped') OR OLD.status = 'live' AND NEW.status = 'withdrawn')",
    ),
    Trigger(
        "publication_while_release_holds",
        "releases_publication",
        ("UPDATE",),
        "what has ended or has a broken seal is not published",
        f"OLD.status <> 'live' AND NEW.status = 'live' AND NOT EXISTS ({_IN_FORCE} AND r.seal_broken_at IS NULL)",
    ),
    Trigger(
        "publication_lapses_with_its_release",
        "releases_publication",
        ("UPDATE",),
        "a proposal lapses when its release has ended, not before",
        f"OLD.status <> 'lapsed' AND NEW.status = 'lapsed' AND EXISTS ({_IN_FORCE})",
    ),
    *where_named(
        "publication_not_by_own_person",
        "releases_publication",
        "nobody decides about a publication that they proposed under another account",
        linked_accounts("NEW.decided_by_id", "NEW.proposed_by_id"),
        "OLD.decided_by_id IS NULL",
    ),
    Trigger(
        "publication_never_deleted",
        "releases_publication",
        ("DELETE",),
        "what was published is withdrawn, never deleted",
    ),
)
