"""An anchor of the log outside the database: the number and hash of a row, as somebody wrote them down.

The chain and its seal show what was altered within the log. Who puts an older copy of the whole database in
its place, sealed and sound in itself, alters nothing in it; only what is kept elsewhere tells. Plans and
reports print the end of the log as it was when they were made, and people keep them; and the portal sends its end
by itself to the places in ``DEID_ANCHORS``: a folder on other storage, ``mailto:`` an address, an ``https`` address.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from smtplib import SMTPException
from urllib.request import Request, urlopen

from django.conf import settings
from django.core.mail import send_mail
from django.utils import timezone
from django.utils.translation import gettext as _

from .findings import Fault, Finding
from .models import AuditEvent
from .verify import stored_end_faults, stored_head

log = logging.getLogger(__name__)

# Fewer signs than these could be met on purpose.
SHORTEST = 16


@dataclass(frozen=True)
class Anchor:
    """Row ``seq`` of the log had this ``hash``: 64 hexadecimal digits, or the first of them."""

    seq: int
    hash: str


def anchor_now() -> Anchor | None:
    """The end of the log as it is; None before its first row."""
    head = stored_head()
    return Anchor(head["seq"], head["hash"]) if head else None


def anchor_read(seq: int | None, digits: str) -> Anchor | None:
    """What somebody typed, spaces and capitals as they please; None for nothing. ``ValueError`` says what is wrong."""
    plain = re.sub(r"\s", "", digits or "").lower()
    if seq is None and not plain:
        return None
    if seq is None or not plain:
        raise ValueError(_("Give both: the number of the row and its hash."))
    if seq < 1:
        raise ValueError(_("Rows are counted from 1."))
    if not re.fullmatch(rf"[0-9a-f]{{{SHORTEST},64}}", plain):
        raise ValueError(
            _("A hash has 64 characters: digits and the letters a to f. Give at least the first %(n)s.")
            % {"n": SHORTEST}
        )
    return Anchor(seq, plain)


def anchor_faults(anchor: Anchor, *, last: int, found: str) -> Iterator[Fault]:
    """Compare with a log that ends at row ``last`` and whose row ``anchor.seq`` has the hash ``found``."""
    if last < anchor.seq:
        yield Fault(Finding.SHORTER, {"seq": anchor.seq, "last": last})
    elif not found.startswith(anchor.hash):
        yield Fault(Finding.ANOTHER, {"seq": anchor.seq})


def stored_faults(anchors: Iterable[Anchor]) -> Iterator[Fault]:
    """Compare with the log in the database, whose chain is checked besides."""
    wanted, head = list(anchors), stored_head()
    found = dict(AuditEvent.objects.filter(pk__in={one.seq for one in wanted}).values_list("seq", "hash"))
    for one in wanted:
        yield from anchor_faults(one, last=head["seq"] if head else 0, found=found.get(one.seq, ""))


def anchors_in(folder: Path) -> list[Anchor]:
    """The anchors that were kept in ``folder``, one a file ``*.json``; ``ValueError`` names a file that is none."""
    found = []
    for path in sorted(folder.glob("*.json")):
        try:
            said = json.loads(path.read_text(encoding="utf-8"))
            anchor = anchor_read(int(said["seq"]), str(said["hash"]))
        except (ValueError, KeyError, TypeError, OSError) as error:
            raise ValueError(
                _("%(file)s is not an anchor: %(error)s") % {"file": path, "error": error}
            ) from None
        found += [anchor] if anchor else []
    return found


def anchors_kept() -> list[Anchor]:
    """Those in the folders to which this portal sends its anchors, as far as they can be read."""
    folders = [Path(place) for place in settings.DEID_ANCHORS if not _is_address(place)]
    return [anchor for folder in folders if folder.is_dir() for anchor in anchors_in(folder)]


def _is_address(place: str) -> bool:
    return place.startswith(("mailto:", "https://", "http://"))


def anchors_send() -> list[str]:
    """Send the end of the log as it is to every place in ``DEID_ANCHORS``; the places that could not be reached.

    It goes out when nothing has happened as well: that none comes is a sign, too. Of a log that does not hold, none is sent.
    """
    anchor = anchor_now()
    faults = stored_end_faults()
    if anchor is None or faults:
        log.critical(
            "no anchor of the audit log was sent: %s", " ".join(map(str, faults)) or "the log is empty"
        )
        return list(settings.DEID_ANCHORS) if faults else []
    at = timezone.now().isoformat(timespec="seconds")
    text = json.dumps({"seq": anchor.seq, "hash": anchor.hash, "at": at})
    missed = []
    for place in settings.DEID_ANCHORS:
        try:
            _send(place, f"audit-anchor-{anchor.seq:012d}-{anchor.hash[:SHORTEST]}.json", text)
        except (OSError, ValueError, SMTPException) as error:
            log.error("the anchor of the audit log did not reach %s (%s)", place, type(error).__name__)  # noqa: TRY400
            missed.append(place)
    return missed


def _send(place: str, name: str, text: str) -> None:
    if place.startswith("mailto:"):
        send_mail(name, text, None, [place.removeprefix("mailto:")])
    elif _is_address(place):
        kind = {"Content-Type": "application/json"}
        with urlopen(Request(place, text.encode(), kind), timeout=20):  # noqa: S310  what the operator has set
            pass
    else:
        # What is there stays: the folder may take new files only.
        with suppress(FileExistsError), (Path(place) / name).open("x", encoding="utf-8") as file:
            file.write(text + "\n")
