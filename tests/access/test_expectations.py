"""No address without an expectation, no expectation without an address."""

from __future__ import annotations

from .addresses import METHODS, addresses
from .expectations import EXPECTED
from .objects import OBJECTS


def test_every_address_has_an_expectation():
    missing = []
    for name, address in addresses().items():
        wanted = address.methods or (() if name in EXPECTED else ("GET", "POST"))
        lacking = [method for method in wanted if method not in EXPECTED.get(name, {})]
        if lacking:
            rule = "reads()" if lacking == ["GET"] else "acts((planner, at(State.…)))"
            line = ", ".join(f'"{m}": {"reads()" if m == "GET" else rule}' for m in lacking)
            missing.append(f'    "{name}": {{{line}}},  # {address.route}')
    assert not missing, "say who may, in tests/access/expectations/:\n" + "\n".join(missing)


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
