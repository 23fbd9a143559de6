"""No address without an expectation, no expectation without an address."""

from __future__ import annotations

from django.http import HttpResponse
from django.test import override_settings
from django.urls import include, path
from rest_framework.response import Response
from rest_framework.views import APIView

from .addresses import METHODS, Address, addresses
from .expectations import EXPECTED
from .objects import OBJECTS


def without_expectation(known: dict[str, Address]) -> list[str]:
    """A line to paste for each address that no table of expectations lists."""
    missing = []
    for name, address in known.items():
        wanted = address.methods or (() if name in EXPECTED else ("GET", "POST"))
        lacking = [method for method in wanted if method not in EXPECTED.get(name, {})]
        if lacking:
            rule = "reads()" if lacking == ["GET"] else "acts((planner, at(State.…)))"
            line = ", ".join(f'"{m}": {"reads()" if m == "GET" else rule}' for m in lacking)
            missing.append(f'    "{name}": {{{line}}},  # {address.route}')
    return missing


def test_every_address_has_an_expectation():
    missing = without_expectation(addresses())
    assert not missing, "say who may, in tests/access/expectations/:\n" + "\n".join(missing)


class Endpoint(APIView):
    def get(self, request):
        return Response()

    def delete(self, request):
        return Response()


class UrlsWithMore:
    """The portal's addresses, and three that nobody has thought about."""

    urlpatterns = [
        path("", include("deid_portal.urls")),
        path("new/<uuid:project_id>/", lambda request, project_id: HttpResponse(), name="new_page"),
        path("nameless/", lambda request: HttpResponse()),
        path("more/", include(([path("it/", Endpoint.as_view(), name="endpoint")], "more"))),
    ]


def test_a_new_address_is_found():
    with override_settings(ROOT_URLCONF=UrlsWithMore):
        missing = without_expectation(addresses())
    assert [line.strip().split('"')[1] for line in missing] == ["new_page", "/nameless/", "more:endpoint"]
    assert '"DELETE"' in missing[2]


def test_no_expectation_without_its_address():
    known = addresses()
    stale = [name for name in EXPECTED if name not in known]
    for name, methods in EXPECTED.items():
        if name in known and (answered := known[name].methods) is not None:
            stale += [f"{method} {name}" for method in methods if method not in answered]
    assert not stale


def test_methods_and_arguments_are_known():
    for name, address in addresses().items():
        for method, rules in EXPECTED.get(name, {}).items():
            assert method in METHODS
            for rule in rules if isinstance(rules, list) else [rules]:
                unknown = set(address.arguments) - set(OBJECTS) - set(rule.arguments)
                assert not unknown, f"{name}: tests/access/objects.py does not know {unknown}"
