"""The organisation's policy about cryptography (GB/T 37964 A.2.1): its only writer, and how it is read."""

from __future__ import annotations

from django.db.models import BooleanField, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny
from approvals.request_cache import cached_read, prime

from .. import events, rules
from ..models import CryptographyPolicy


def policies() -> QuerySet[CryptographyPolicy]:
    """Every version, the newest first; the first one holds."""
    return CryptographyPolicy.objects.select_related("made_by")


@cached_read
def national_only() -> bool:
    """Whether national commercial cryptography (SM2, SM3, SM4) alone is allowed; not before somebody says so."""
    found = CryptographyPolicy.objects.values_list("national_only", flat=True).first()
    return bool(found)


def national_now() -> Coalesce:
    """The same as a value beside the rows of another statement; who reads it there hands it to ``national_prime``."""
    newest = CryptographyPolicy.objects.order_by("-number").values("national_only")[:1]
    return Coalesce(Subquery(newest), Value(False), output_field=BooleanField())


def national_prime(answer: bool) -> None:
    """Keep what another statement of this request has read already."""
    prime(national_only, result=answer)


def policy_set(*, national: bool, reason: str, by: Person) -> CryptographyPolicy:
    """Lay down the next version. Runs that have begun go on as they began."""
    action = events.CRYPTOGRAPHY_NATIONAL if national else events.CRYPTOGRAPHY_ANY
    with governed_act(), recording(action, by=by, reason=reason.strip()) as event:
        rules.may_edit_metadata(by).require()
        if not reason.strip():
            deny(rules.OrganisationReason.REASON_NEEDED).require()
        last = CryptographyPolicy.objects.first()
        if bool(last and last.national_only) == national:
            deny(rules.OrganisationReason.NOTHING_CHANGED).require()
        policy = CryptographyPolicy.objects.create(
            number=last.number + 1 if last else 1,
            national_only=national,
            reason=reason.strip()[:500],
            made_by=by,
        )
        event.subject = policy.subject
        return policy
