"""Django's plugin for mypy, told what an account is: ``Person`` is the model of ``AUTH_USER_MODEL``, and ``request.user`` is one.

Every view but those marked ``public`` asks for sign-in; a public one asks ``is_authenticated`` before it takes the user
for a person.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.plugin import AnalyzeTypeContext, AttributeContext, Plugin
from mypy.types import Instance, Type, UnionType, get_proper_type
from mypy_django_plugin.main import NewSemanalDjangoPlugin

_REQUESTS = {"django.http.request.HttpRequest.user", "rest_framework.request.Request.user"}
_NOBODY = "django.contrib.auth.models.AnonymousUser"
_PERSON = "approvals.governance.person.Person"
_CONFIGURED = "django.contrib.auth.models._User"
"""What Django's plugin takes for the configured model."""


def _account(context: AttributeContext) -> Type:
    found = get_proper_type(context.default_attr_type)
    if not isinstance(found, UnionType):
        return found
    members = [get_proper_type(member) for member in found.items]
    return UnionType.make_union(
        [one for one in members if not (isinstance(one, Instance) and one.type.fullname == _NOBODY)]
    )


class SignedIn(NewSemanalDjangoPlugin):
    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        return _account if fullname in _REQUESTS else super().get_attribute_hook(fullname)

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        return super().get_type_analyze_hook(_CONFIGURED if fullname == _PERSON else fullname)


def plugin(version: str) -> type[Plugin]:
    return SignedIn
