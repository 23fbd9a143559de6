"""How appointments stand today, of one account and beside the rows of another statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.db.models import Aggregate, CharField, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from approvals.request_cache import cached_read
from projects.workflow.posts import Tenure, TenureKind

from .enums import AppointmentStatus

if TYPE_CHECKING:
    from ..models import Appointment


class _Joined(Aggregate):
    """Texts with commas between them."""

    function = "GROUP_CONCAT"
    output_field = CharField()

    def as_postgresql(self, compiler: Any, connection: Any, **more: Any) -> Any:
        template = "STRING_AGG(%(expressions)s, ',')"
        return self.as_sql(compiler, connection, template=template, **more)


def in_force(path: str = "") -> Q:
    """That an appointment at the end of ``path`` is confirmed and in force today."""
    today = timezone.localdate()
    since = Q(**{f"{path}status": AppointmentStatus.CONFIRMED, f"{path}starts_on__lte": today})
    return since & (Q(**{f"{path}ends_on": None}) | Q(**{f"{path}ends_on__gte": today}))


def posts_read() -> Coalesce:
    """The posts that an account holds today, with commas, beside the rows of a statement about accounts."""
    held = _rows().filter(in_force(), account=OuterRef("pk")).order_by().values("account")
    return Coalesce(Subquery(held.annotate(posts=_Joined("post")).values("posts")), Value(""))


@cached_read
def posts_in_force(account_id: Any) -> frozenset[str]:
    """The posts that one account holds today."""
    return frozenset(_rows().filter(in_force(), account=account_id).order_by().values_list("post", flat=True))


def _rows() -> Any:
    # The model asks this module how it stands.
    return apps.get_model("accounts", "Appointment").objects.all()


def tenure_of(appointments: Sequence[Appointment]) -> Tenure:
    """How somebody stands to a post by their appointments to it: the best of them, and of like ones that which lasts longest,
    begins soonest, or ended last."""
    today = timezone.localdate()
    found: dict[TenureKind, list[Any]] = {}
    for one in appointments:
        if one.status == AppointmentStatus.CONFIRMED and one.starts_on > today:
            found.setdefault(TenureKind.TO_COME, []).append(one.starts_on)
        elif one.status == AppointmentStatus.CONFIRMED and (one.ends_on is None or one.ends_on >= today):
            found.setdefault(TenureKind.IN_FORCE, []).append(one.ends_on)
        elif one.status == AppointmentStatus.CONFIRMED:
            found.setdefault(TenureKind.OVER, []).append(one.ends_on)
        elif one.status == AppointmentStatus.ENDED and one.ended_at is not None:
            found.setdefault(TenureKind.OVER, []).append(timezone.localdate(one.ended_at))
        elif one.status == AppointmentStatus.WAITS:
            found.setdefault(TenureKind.WAITS, []).append(None)
    if days := found.get(TenureKind.IN_FORCE):
        return Tenure(TenureKind.IN_FORCE, None if None in days else max(days))
    if days := found.get(TenureKind.TO_COME):
        return Tenure(TenureKind.TO_COME, min(days))
    if TenureKind.WAITS in found:
        return Tenure(TenureKind.WAITS)
    if days := found.get(TenureKind.OVER):
        return Tenure(TenureKind.OVER, max(days))
    return Tenure(TenureKind.NONE)
