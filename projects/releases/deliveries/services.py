"""The only writer of deliveries: what recipients ask for, fetch and look at, and what a broken seal does.

The seal is checked three times over: a job hashes the stored bytes for each delivery; when the file is
fetched its row is checked again; and each chunk proves itself while it is decrypted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, BinaryIO
from uuid import UUID

from django.utils import timezone

from approvals.audit.proof import explained_require
from approvals.audit.recording import recording
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from approvals.request_cache import one_reading
from projects.core.services import notify, project_lock
from projects.datasets.models import StoredFile
from projects.datasets.samples import Page
from projects.datasets.store.store import store_open
from projects.jobs.models import Job
from projects.jobs.services import job_start
from projects.objective.enums import Act
from projects.objective.selectors import factors_along
from projects.processing.runs.shares import shares_are_sound
from projects.workflow import Role
from techniques.core.messages import EngineError, gettext_noop

from .. import events, rules
from ..enums import DeliveryStatus
from ..models import Agreement, Delivery, Release
from ..seal import seal_matches
from ..selectors import agreement_with
from ..shares.selectors import share_files_for, shares_hash
from .enclave_view import page_read
from .files import Sealed, sealed_files
from .requests.selectors import approval_column
from .requests.services import fetch_record

Broken = Callable[[Release, str], None]
_broken: list[Broken] = []

DELIVERY_JOB = "releases.verify_seal"
# Seals that one recipient may have verified at a time: each reads whole files.
MOST_WAITING = 3
NO_SHARE = "release.no_share"
"""Why a delivery came to nothing: the shares are held by somebody else now."""


def on_seal_broken(function: Broken) -> Broken:
    """Subscribe to broken seals, told once for each release and with what was measured: how monitoring opens a
    re-assessment (T/ISC 0078 11.1 d)."""
    _broken.append(function)
    return function


def delivery_request(release: Release, *, notice_read: bool, by: Person) -> tuple[Delivery, Job]:
    """A recipient asks for the file, or to look at it; a job verifies the seal over the stored bytes first."""
    with recording(events.DELIVERY_REQUESTED, by=by, about=release) as event:
        rules.may_request_delivery(by, release).require()
        if not notice_read:
            deny(rules.ReleaseReason.NOTICE_UNREAD).require()
        if Delivery.objects.filter(recipient=by, status=DeliveryStatus.VERIFYING).count() >= MOST_WAITING:
            deny(rules.ReleaseReason.DELIVERIES_WAIT, most=MOST_WAITING).require()
        explained_require(release.project_id, by=by)
        delivery = Delivery.objects.create(
            release=release, recipient=by, notice_acknowledged_at=timezone.now()
        )
        event.facts["delivery"] = str(delivery.pk)
        job = job_start(
            DELIVERY_JOB,
            project=release.project,
            subject=Subject("delivery", str(delivery.pk), str(release)),
            title=gettext_noop("Verify the seal"),
            by=by,
        )
        return delivery, job


def delivery_conclude(delivery: Delivery, *, measured_sha256: str) -> Delivery:
    """Compare what is stored with what was sealed; called when the bytes have been hashed."""
    release = delivery.release
    handed = handed_to(release, delivery.recipient)
    if not handed:
        # The share was passed on while the bytes were being hashed: nothing was altered.
        delivery_break_off(delivery, code=NO_SHARE)
        delivery.refresh_from_db()
        return delivery
    _stored, expected = handed[0]
    if measured_sha256 != expected or not row_is_sound(release):
        return _refuse(delivery, measured_sha256)
    facts: dict[str, Any] = {"recipient": str(delivery.recipient), "measured": measured_sha256}
    with recording(events.DELIVERY_READY, by=None, about=release, **facts):
        delivery = Delivery.objects.select_for_update(of=("self",)).get(pk=delivery.pk)
        # The release may have ended while the bytes were being hashed.
        if delivery.status == DeliveryStatus.VERIFYING:
            delivery.status, delivery.verified_at = DeliveryStatus.READY, timezone.now()
            delivery.save()
        return delivery


def delivery_break_off(delivery: Delivery, *, code: str) -> None:
    """The verification did not come to an end: nothing is handed out; the recipient may ask again."""
    facts: dict[str, Any] = {"recipient": str(delivery.recipient), "code": code}
    with recording(events.DELIVERY_BROKEN_OFF, by=None, about=delivery.release, **facts):
        Delivery.objects.filter(pk=delivery.pk, status=DeliveryStatus.VERIFYING).update(
            status=DeliveryStatus.EXPIRED
        )


def row_is_sound(release: Release) -> bool:
    """Whether the rows still say what was sealed: no hash in them was altered, no file exchanged."""
    if release.shares_hash and not (
        shares_are_sound(release.run_id) and release.shares_hash == shares_hash(release.run_id)
    ):
        return False
    return seal_matches(release) and all(
        stored is not None and stored.sha256 == sealed for stored, sealed in sealed_files(release)
    )


def handed_to(release: Release, recipient: Person) -> list[Sealed]:
    """The files that this recipient gets: those of the release, of a table that was split into shares their own, and
    none at all without a number."""
    if not release.shares_hash:
        return sealed_files(release)
    shares = share_files_for(recipient, release)
    if not shares:
        return []
    return [
        (share.stored, share.sha256) if (share := shares.get(file["table"])) else sealed
        for file, sealed in zip(release.files, sealed_files(release), strict=True)
    ]


def files_for(release: Release, recipient: Person) -> list[dict[str, Any]]:
    """What a recipient is told of each file; without hash and size where nothing of it is theirs."""
    if not release.shares_hash:
        return list(release.files)
    shares = share_files_for(recipient, release)
    if not shares:
        return [file | {"sha256": "", "size": None} for file in release.files]
    return [
        file | {"sha256": share.sha256, "size": share.stored.size}
        if (share := shares.get(file["table"]))
        else file
        for file in release.files
    ]


def seal_break(release: Release, *, recipient: Person | None, measured: str = "") -> None:
    """Record that the stored file is not the sealed one; nobody gets it any more, supervisor and planner are notified.

    ``recipient``: who asked for it when it was found; None when a re-assessment found it.
    """
    facts: dict[str, Any] = {"recipient": "" if recipient is None else str(recipient), "measured": measured}
    with recording(events.SEAL_BROKEN, by=None, about=release, **facts):
        project = project_lock(release.project)
        unknown = Release.objects.filter(pk=release.pk, seal_broken_at=None)
        is_news = bool(unknown.update(seal_broken_at=timezone.now()))
        Delivery.objects.filter(
            release=release, status__in=(DeliveryStatus.VERIFYING, DeliveryStatus.READY)
        ).update(status=DeliveryStatus.REFUSED, verified_at=None)
        notify(project, events.SEAL_BROKEN, (Role.SUPERVISOR, Role.PLANNER), by=None)
        if is_news:
            release.refresh_from_db()
            for react in _broken:
                react(release, measured)


def _refuse(delivery: Delivery, measured: str) -> Delivery:
    seal_break(delivery.release, recipient=delivery.recipient, measured=measured)
    delivery.refresh_from_db()
    return delivery


def delivery_open(
    delivery: Delivery, *, by: Person, file: int = 0, act: Act = Act.FETCH
) -> tuple[Iterator[bytes], Delivery]:
    """The bytes of a verified delivery, decrypted (and authenticated) piece by piece while they are sent.

    ``file``: which of the release's files (``Release.files``); ``StoredFile.DoesNotExist`` beyond the last. ``act``: on
    the page or through the API. One act at a time is
    recorded, so that one approval serves one fetch.
    """
    # Whether this fetch is approved is asked under the lock alone.
    rules.may_unseal(by, delivery, act).require()
    stream = _open_sound(delivery.release, by, file)
    try:
        facts: dict[str, Any] = {"delivery": str(delivery.pk), **_file_fact(delivery.release, file)}
        with recording(
            events.DELIVERY_FETCHED, by=by, about=delivery.release, data_leave=True, **facts
        ) as event:
            delivery = (
                Delivery.objects.select_for_update(of=("self",))
                .select_related("release__project__objective", "recipient")
                .annotate(approved_by=approval_column(file))
                .get(pk=delivery.pk)
            )
            agreement, approval = _grounds(delivery, file, by, act)
            handed = files_for(delivery.release, by)[file]
            fetch = fetch_record(delivery, file, handed["sha256"], agreement=agreement, approval=approval)
            event.facts["fetch"] = str(fetch.pk)
            if approval is not None:
                event.facts["fetch_request"] = str(approval)
            delivery.status, delivery.fetched_at = DeliveryStatus.FETCHED, fetch.fetched_at
            delivery.save()
    except BaseException:
        stream.close()
        raise
    return sealed_pieces(stream, delivery.release, recipient=delivery.recipient), delivery


@one_reading
def _grounds(delivery: Any, file: int, by: Person, act: Act) -> tuple[Agreement | None, UUID | None]:
    """By which agreement and by the approval of which request the recipient may fetch a file now; refused where they may not.

    ``delivery`` was read under the lock, with the target of its project and with the request that is approved (``approved_by``); who
    has none reads why not.
    """
    project = delivery.release.project
    factors_along(project)
    rules.may_unseal(by, delivery, act).require()
    if not rules.needs_approval(by, project):
        return agreement_with(by, project), None
    if delivery.approved_by is None:
        rules.may_download(by, delivery, file, act).require()
        deny(rules.ReleaseReason.FETCH_UNAPPROVED).require()
    return agreement_with(by, project), delivery.approved_by


def delivery_look(delivery: Delivery, *, page: int, by: Person, file: int = 0) -> Page:
    """Enclave sharing: one page of the first rows, for the recipient's eyes within the portal, on the record."""
    rules.may_look_at(by, delivery).require()
    with _open_sound(delivery.release, by, file) as stream:
        try:
            shown = page_read(stream, delivery.release, page, file)
        except EngineError as error:
            if not error.code.startswith("store."):
                raise
            seal_break(delivery.release, recipient=by)
            deny(rules.ReleaseReason.SEAL_BROKEN).require()
            raise AssertionError from error
    facts: dict[str, Any] = {
        "first": shown.first,
        "last": shown.last,
        "delivery": str(delivery.pk),
        **_file_fact(delivery.release, file),
    }
    with recording(events.RELEASE_VIEWED, by=by, about=delivery.release, data_leave=True, **facts):
        return shown


def _open_sound(release: Release, by: Person, file: int) -> BinaryIO:
    """The stored file that is handed to this recipient."""
    files = handed_to(release, by)
    if not files:
        deny(rules.ReleaseReason.NO_SHARE).require()
    if file >= len(files):
        raise StoredFile.DoesNotExist
    return sealed_open(release, files[file][0], recipient=by)


def sealed_open(release: Release, stored: StoredFile | None, *, recipient: Person | None) -> BinaryIO:
    """A file of a release, its first bytes proven; a broken seal is recorded before the refusal is raised.

    ``recipient``: who asked for it; None where it is handed out to everybody.
    """
    if stored is not None and row_is_sound(release):
        try:
            stream = store_open(stored)
            stream.read(1)
            stream.seek(0)
        except EngineError:
            pass
        else:
            return stream
    seal_break(release, recipient=recipient)
    deny(rules.ReleaseReason.SEAL_BROKEN).require()
    raise AssertionError


def _file_fact(release: Release, number: int) -> dict[str, Any]:
    """Which file, for the log: where the tables of a release are told apart by name."""
    file = release.files[number]
    return {"file": file["file_name"]} if file["table"] else {}


def sealed_pieces(stream: BinaryIO, release: Release, *, recipient: Person | None) -> Iterator[bytes]:
    """What :func:`sealed_open` opened, authenticated piece by piece."""
    with stream:
        try:
            while piece := stream.read(1 << 18):
                yield piece
        except EngineError:
            # What was sent so far was sound; the announced length shows the recipient that it broke off.
            seal_break(release, recipient=recipient)
            raise
