"""Tells mypy that ``request.user`` is an account: every view but those marked ``public`` asks for sign-in.

A public view asks ``is_authenticated`` before it takes the user for a person.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.plugin import AttributeContext, Plugin
from mypy.types import Instance, Type, UnionType, get_proper_type

_REQUESTS = {"django.http.request.HttpRequest.user", "rest_framework.request.Request.user"}
_NOBODY = "django.contrib.auth.models.AnonymousUser"


def _account(context: AttributeContext) -> Type:
    found = get_proper_type(context.default_attr_type)
    if not isinstance(found, UnionType):
        return found
    members = [get_proper_type(member) for member in found.items]
    return UnionType.make_union(
        [one for one in members if not (isinstance(one, Instance) and one.type.fullname == _NOBODY)]
    )


class SignedIn(Plugin):
    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        return _account if fullname in _REQUESTS else None


def plugin(version: str) -> type[Plugin]:
    return SignedIn
