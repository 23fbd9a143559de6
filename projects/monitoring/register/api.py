"""The register of releases for programs: the same lines and filters as the page."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import PORTION, Portions
from projects.releases.agreements.api import ApprovalField, CheckMonthsField, CheckSerializer
from projects.releases.relatives.api import OutsideKinSerializer
from projects.releases.relatives.outside.rules import may_read_outside

from .forms import RegisterForm
from .presentation import line_row
from .selectors import ReleaseLine, lines_of, releases_seen


class RegisterQuerySerializer(serializers.Serializer[Any]):
    q = serializers.CharField(required=False)
    over = serializers.BooleanField(required=False)


class RegisterFileSerializer(serializers.Serializer[Any]):
    """``subject``: the columns of the source by whose values persons were told apart; empty: the recipe names none."""

    table = serializers.CharField(allow_blank=True)
    rows = serializers.IntegerField()
    sha256 = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    subject = serializers.ListField(child=serializers.CharField())


class RegisterHolderSerializer(serializers.Serializer[Any]):
    recipient = serializers.CharField()
    organisation = serializers.CharField()
    purpose = serializers.CharField()
    valid_until = serializers.DateField()
    ended_at = serializers.DateTimeField(allow_null=True)
    accepted = serializers.BooleanField()
    fetched = serializers.IntegerField()
    last = serializers.DateTimeField(allow_null=True)
    check_months = CheckMonthsField(allow_null=True)
    country = serializers.CharField(allow_null=True)
    fetch_approval = ApprovalField(allow_null=True)
    check = CheckSerializer(allow_null=True)


class RegisterOverlapSerializer(serializers.Serializer[Any]):
    """``id`` is null where the caller may not see the other project; ``recipients`` hold both."""

    id = serializers.UUIDField(allow_null=True)
    name = serializers.CharField()
    why = serializers.CharField()
    recipients = serializers.ListField(child=serializers.CharField())


class RegisterLineSerializer(serializers.Serializer[Any]):
    """``tells_more``: what the measurement together with exactly these overlaps has found; null: not measured so, or nothing was
    found but one of them was made ``outside`` the portal, which does not have its file."""

    id = serializers.UUIDField()
    project = serializers.UUIDField()
    number = serializers.CharField()
    title = serializers.CharField()
    released_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    in_force = serializers.BooleanField()
    public = serializers.BooleanField()
    seal = serializers.CharField()
    files = RegisterFileSerializer(many=True)
    holders = RegisterHolderSerializer(many=True)
    overlaps = RegisterOverlapSerializer(many=True)
    outside = OutsideKinSerializer(many=True)
    tells_more = serializers.BooleanField(allow_null=True)


class RegisterView(APIView):
    @extend_schema(
        "monitoring_register",
        parameters=[RegisterQuerySerializer, *PORTION],
        responses=RegisterLineSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """The releases of the projects that the caller may see, the newest first: files, columns, recipients, terms, overlaps."""
        form = RegisterForm(request.query_params)
        if not form.is_valid():
            raise serializers.ValidationError(
                {name: [str(one) for one in errors] for name, errors in form.errors.items()}
            )
        portions = Portions()
        found: Any = portions.paginate_queryset(releases_seen(request.user, **form.cleaned_data), request)
        may_read = bool(may_read_outside(request.user))
        rows = [_given(line, may_read=may_read) for line in lines_of(request.user, found)]
        return portions.get_paginated_response(RegisterLineSerializer(rows, many=True).data)


def _given(line: ReleaseLine, *, may_read: bool) -> dict[str, Any]:
    release, row = line.release, line_row(line, may_read_outside=may_read)
    return {
        "id": release.pk,
        "project": release.project_id,
        "number": release.project.number,
        "title": release.project.title,
        "released_at": release.released_at,
        "ended_at": release.ended_at,
        "in_force": release.in_force,
        "public": line.is_public,
        "seal": release.seal,
        "files": [vars(one) for one in line.files],
        "holders": [
            {
                "recipient": str(one.agreement.recipient),
                "organisation": one.agreement.organisation,
                "purpose": one.agreement.purpose,
                "valid_until": one.agreement.valid_until,
                "ended_at": one.agreement.ended_at,
                "accepted": one.agreement.is_accepted,
                "fetched": one.fetched,
                "last": one.last,
                "check_months": one.agreement.check_months,
                "country": one.agreement.country,
                "fetch_approval": one.agreement.fetch_approval,
                "check": one.check,
            }
            for one in line.holders
        ],
        "overlaps": [
            {"id": shown["id"], "name": shown["name"], "why": shown["why"], "recipients": one.by_one}
            for one, shown in zip(line.overlaps, row["overlaps"], strict=True)
        ],
        "outside": row["outside"],
        "tells_more": line.tells_more,
    }
