"""The only writer of invitations, and of what is done by them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, BinaryIO

from django.core.exceptions import ValidationError
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.countries import UNKNOWN, is_country
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.services import notify, project_lock
from projects.datasets.models import StoredFile
from projects.datasets.samples import Page, page_of_rows
from projects.datasets.store.responses import pieces_of
from projects.datasets.store.store import store_open
from projects.processing.models import RunTable
from projects.processing.runs.selectors import result_format, results_are_sound, tables_of_run
from projects.workflow import Role

from .. import events
from ..enums import Certainty
from ..models import IntruderClaim, IntruderTest, Invitation
from ..rules import IntrusionReason
from ..services import claims_add, test_locked
from . import rules


def invitation_make(
    test: IntruderTest,
    *,
    tester: Person,
    country: str,
    task: str,
    until: date,
    gets_file: bool = False,
    shows_verdicts: bool = False,
    by: Person,
) -> Invitation:
    """Have ``tester`` try it until the end of the day ``until``: they see the test and its result from now on, in ``country``, a code of
    ISO 3166-1."""
    facts: dict[str, Any] = {
        "tester": str(tester), "tester_country": country, "last_day": until.isoformat()
    }  # fmt: skip
    with recording(events.INVITED, by=by, about=test, **facts) as event:
        test = test_locked(test)
        rules.may_invite(by, test).require()
        if not is_country(country):
            raise ValidationError({"country": [UNKNOWN]})
        rules.may_be_invited(tester, test, until, country).require()
        invitation = Invitation(
            test=test,
            tester=tester,
            country=country,
            task=_said(task),
            until=until,
            gets_file=gets_file,
            shows_verdicts=shows_verdicts,
            invited_by=by,
        )
        invitation.save(force_insert=True)
        event.facts.update(invitation=str(invitation.pk), gets_file=gets_file)
        return invitation


def invitation_end(invitation: Invitation, *, reason: str, by: Person) -> Invitation:
    """Withdraw an invitation before its last day; the tester sees nothing of the test any more."""
    reason = _said(reason)
    facts: dict[str, Any] = {"tester": str(invitation.tester), "invitation": str(invitation.pk)}
    with recording(events.INVITATION_ENDED, by=by, about=invitation.test, reason=reason, **facts):
        invitation = _locked(invitation)
        rules.may_end(by, invitation).require()
        invitation.ended_by, invitation.ended_at, invitation.end_reason = by, timezone.now(), reason[:500]
        invitation.save()
        return invitation


def invitation_look(invitation: Invitation, *, table: str, page: int, by: Person) -> Page:
    """One page of the first rows of the result, for the tester's eyes within the portal, on the record."""
    rules.may_look(by, invitation).require()
    written = _written(invitation, table)
    with _open_sound(invitation, written) as stream:
        shown = page_of_rows(stream, result_format(written), written.result_rows or 0, page)
    facts: dict[str, Any] = {"first": shown.first, "last": shown.last, **_named(table)}
    with recording(events.LOOKED, by=by, about=invitation.test, data_leave=True, **facts):
        invitation = _locked(invitation)
        rules.may_look(by, invitation).require()
        invitation.views, invitation.looked_at = invitation.views + 1, timezone.now()
        invitation.save(update_fields=["views", "looked_at"])
    return shown


def invitation_fetch(invitation: Invitation, *, table: str, by: Person) -> tuple[Iterator[bytes], RunTable]:
    """The file of the result, decrypted and authenticated piece by piece while it is sent, on the record."""
    rules.may_fetch(by, invitation).require()
    written = _written(invitation, table)
    stream = _open_sound(invitation, written)
    try:
        facts: dict[str, Any] = {"file": file_name(invitation, written), "sha256": written.result_sha256}
        with recording(events.FETCHED, by=by, about=invitation.test, data_leave=True, **facts):
            invitation = _locked(invitation)
            rules.may_fetch(by, invitation).require()
            invitation.fetches, invitation.looked_at = invitation.fetches + 1, timezone.now()
            invitation.save(update_fields=["fetches", "looked_at"])
    except BaseException:
        stream.close()
        raise
    return pieces_of(stream), written


def invited_claim(
    invitation: Invitation,
    *,
    record: int,
    reference: str,
    grounds: str,
    certainty: Certainty,
    table: str = "",
    by: Person,
) -> IntruderClaim:
    """Claim to know whose a record of the result is, how that was found out, and how sure it is."""
    with recording(events.CLAIMED, by=by, about=invitation.test, claims=1) as event:
        invitation = _locked(invitation)
        rules.may_look(by, invitation).require()
        test = invitation.test
        (claim,) = claims_add(
            test,
            records=[record],
            table=table,
            reference=_said(reference),
            by=by,
            invitation=invitation,
            grounds=_said(grounds),
            certainty=Certainty(certainty),
        )
        event.facts["invitation"] = str(invitation.pk)
        notify(test.project, events.CLAIMED, (Role.EXECUTOR,), by=by, subject=str(test), claims=1)
        return claim


def file_name(invitation: Invitation, written: RunTable) -> str:
    """What the file is called that a tester fetches."""
    return written.file_name(f"{invitation.test.project.number}-N{invitation.test.number}")


def _written(invitation: Invitation, table: str) -> RunTable:
    found = tables_of_run(invitation.test.run).get(table)
    if found is None:
        raise RunTable.DoesNotExist
    return found


def _open_sound(invitation: Invitation, written: RunTable) -> BinaryIO:
    if written.result is None or written.result.destroyed_at is not None:
        raise StoredFile.DoesNotExist
    if not results_are_sound(invitation.test.run):
        deny(IntrusionReason.RESULT_ALTERED).require()
    return store_open(written.result)


def _named(table: str) -> dict[str, str]:
    return {"table": table} if table else {}


def _said(text: str) -> str:
    text = text.strip()
    if not text:
        deny(IntrusionReason.SAY_IT).require()
    return text


def _locked(invitation: Invitation) -> Invitation:
    """The invitation as it stands in the database, with project and test locked."""
    project_lock(invitation.test.project)
    found = Invitation.objects.select_for_update(of=("self",)).select_related(
        "test__project", "test__run", "tester"
    )
    return found.get(pk=invitation.pk)
