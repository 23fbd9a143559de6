"""Requests that no well-meaning program sends: drawn by Schemathesis from the served schema, and bent from what the walk sends."""

from __future__ import annotations

import json
import random
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count
from typing import Any
from urllib.parse import quote, quote_from_bytes

from django.core.cache import cache
from django.core.signals import got_request_exception
from django.core.wsgi import get_wsgi_application
from django.urls import reverse
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable, UnsatisfiedAssumption
from hypothesis.strategies import SearchStrategy, composite

from .addresses import Address, addresses
from .language import Rule
from .objects import OBJECTS
from .undoing import hurry, undone
from .walk import Walk

SCHEMA = "/api/schema/"
LONG = "长" * 200
# Numbers, dates and texts at which a database, a codec, a template or a calendar gives up.
VALUES: tuple[Any, ...] = (
    2**31, 2**63, -(2**63) - 1, 10**400, 1e308, float("nan"), float("inf"), -1, 0, True, None, [], {}, [[]], {"": None},
    "", " ", "\x00", "a\x00b", "\ud800", "\udfff x", "\u202e文", "\ufeff", "😀" * 40, "%", "%s %(a)d %%", "{0} {a.b} {{ x }}",
    "<script>alert(1)</script>", "'\"><b>", "a\r\nb", LONG, "x" * 100_000, "-0", "1e999", "０１", "9" * 5_000,
    "9999-12-31", "0000-00-00", "0001-01-01", "10000-01-01", "2026-02-30", "9999-12-31T23:59:59+14:00", "../../etc/passwd",
    "00000000-0000-0000-0000-000000000000", [2**63], ["\ud800"], {"\ud800": 1}, {"a": {"a": {"a": []}}},
)  # fmt: skip
DEEP = 200_000
# Of a kind of request that there is, nearly every draw fits: of all operations of the schema none needed more than five.
# By itself Hypothesis gives up after 458.
TRIES = 60
# What is no body of the kind that it says it is.
BODIES: tuple[tuple[str, bytes], ...] = (
    ("application/json", b"[" * DEEP),
    ("application/json", b'{"a":' * DEEP + b"1" + b"}" * DEEP),
    ("application/json", b""),
    ("application/json", b"null"),
    ("application/json", b"[1, 2"),
    ("application/json", b'"\xff\xfe"'),
    ("application/json", b'{"a": 1e999999, "b": ' + b"9" * 5_000 + b"}"),
    ("application/json; charset=utf-16", '{"a": 1}'.encode("utf-16")),
    ("application/json; charset=nonsense", b"{}"),
    ("text/plain", b"{}"),
    ("application/xml", b"<a/>"),
    ("", b"{}"),
    ("multipart/form-data", b"--x\r\n\r\n"),
    ("multipart/form-data; boundary=", b"--\r\n"),
    ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\na"),
    ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\xff\x00\r\n--x--\r\n'),
    ("multipart/form-data; boundary=x", b"--x\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n!\r\n--x--"),
    ("multipart/form-data; boundary=" + "y" * 300, b"--y--"),
    ("application/x-www-form-urlencoded", b"&".join(b"a%d=1" % number for number in range(2_000))),
    ("application/x-www-form-urlencoded; charset=nonsense", b"a=%ff%00&%ed%a0%80=1"),
)  # fmt: skip
QUERY = (
    "page", "limit", "offset", "page_size", "table", "q", "show", "sort", "order", "version", "file", "language", "all", "look",
    "scene", "kind", "role", "stage", "mine", "state", "next", "project", "format", "since", "until", "action", "person",
)  # fmt: skip


class NothingFits(Exception):
    """What was drawn was thrown away each time."""


def within(tries: int, cases: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """``cases``, until so many were thrown away."""
    thrown_away = count(1)

    @composite
    def next_case(draw: Any) -> Any:
        try:
            return draw(cases)
        except UnsatisfiedAssumption:
            if next(thrown_away) >= tries:
                raise NothingFits from None
            raise

    return next_case()


class Fuzzing:
    """At one checkpoint; each request is undone. ``sent`` counts them by status, ``faults`` holds every 500 once."""

    def __init__(self, walk: Walk, number: int) -> None:
        self.walk, self.random, self.number = walk, random.Random(number), number
        self.sent: Counter[int] = Counter()
        self.faults: dict[str, str] = {}
        self._error = ""
        self._by_path = {_template(one): one for one in addresses().values() if one.is_api}

    def __enter__(self) -> Fuzzing:
        got_request_exception.connect(self._note)
        self._hurry = hurry(self.walk.world.accounts, self.walk.world.session_keys)
        self._hurry.__enter__()
        return self

    def __exit__(self, *_error: object) -> None:
        self._hurry.__exit__(None, None, None)
        got_request_exception.disconnect(self._note)

    def _note(self, sender: Any, request: Any, **more: Any) -> None:
        self._error = traceback.format_exc(limit=-6)

    def _judge(self, status: int, what: str) -> None:
        self.sent[status] += 1
        if status >= 500:
            place = self._error.strip().splitlines()[-1] if self._error else str(status)
            self.faults.setdefault(
                f"{what.split('?')[0]} {place[:80]}", f"{what[:200]}: {status}\n{self._error}"
            )

    # By the schema

    def drawn(self, operations: list[Any], role: str, examples: int) -> None:
        """Send ``examples`` requests of each kind, fitting and unfitting, for each of the operations."""
        from schemathesis import GenerationMode  # takes more than a second to load

        for operation in operations:
            for mode in GenerationMode:
                self._draw(operation, mode, role, examples)

    def _draw(self, operation: Any, mode: Any, role: str, examples: int) -> None:
        @seed(self.number)
        @settings(
            max_examples=examples,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=within(TRIES, operation.as_strategy(generation_mode=mode)))
        def send(case: Any) -> None:
            known = self._known(operation.path, role)
            if case.path_parameters and self.random.random() < 0.85:
                case.path_parameters = {**case.path_parameters, **known}
            headers = (
                {"Authorization": f"Token {self.walk.world.keys[role]}"}
                if role in self.walk.world.keys
                else {}
            )
            cache.clear()  # the throttle counts there
            self._error = ""
            with undone():
                status = case.call(headers=headers).status_code
            self._judge(status, f"{role} {case.method} {operation.path} ({mode.name.lower()})")

        # Where nothing can be wrong there is nothing to send.
        with suppress(Unsatisfiable, NothingFits):
            send()

    def _known(self, path: str, role: str) -> dict[str, Any]:
        """The objects of the project that the path names; what else it takes is drawn."""
        address = self._by_path[path]
        objects = replace(address, arguments=tuple(name for name in address.arguments if name in OBJECTS))
        return {name: str(value) for name, value in self.walk.arguments(objects, Rule(), role)[0].items()}

    # By the walk

    def bent(self, role: str, chances: float) -> None:
        """What the walk sends as ``role`` with something hostile in path, query or body; each address with ``chances``."""
        for address, method, rules in self.walk.table():
            if self.random.random() >= chances:
                continue
            rule = self.random.choice(rules)
            arguments, _exists = self.walk.arguments(address, rule, role)
            path = reverse(address.name, kwargs=arguments)
            query = self._query() if method == "GET" or self.random.random() < 0.2 else b""
            if self.random.random() < 0.1:
                path += self.random.choice(
                    ("%00", "%ED%A0%80", "%FF", "9" * 400, "%0A", "../", quote("<b>%s"))
                )
            client = self.walk.world.client(role)
            cache.clear()
            self._error = ""
            with undone():
                # Making it may do something of its own, such as turning down what waits.
                content_type, body = self._body(address, method, rule, role)
                response = client.generic(
                    method, path, body, content_type=content_type, QUERY_STRING=query.decode("latin-1")
                )
                if response.streaming:
                    response.close()
            self._judge(
                response.status_code, f"{role} {method} {path}?{query[:80]!r} {content_type} {body[:120]!r}"
            )

    def _query(self) -> bytes:
        names = self.random.sample(QUERY, self.random.randint(1, 4))
        return b"&".join(
            name.encode() + b"=" + _escaped(self.random.choice(VALUES)).encode() for name in names
        )

    def _body(self, address: Address, method: str, rule: Rule, role: str) -> tuple[str, bytes]:
        if method == "GET":
            return "", b""
        if self.random.random() < 0.15:
            return self.random.choice(BODIES)
        data = rule.body(self.walk.world) if rule.body else {}
        data = json.loads(json.dumps(data, default=str))
        data = (
            self._spoiled(data)
            if data
            else {self.random.choice(("a", "reason", "note")): self.random.choice(VALUES)}
        )
        if (rule.media or ("json" if address.is_api else "form")) == "json":
            return "application/json", json.dumps(data).encode()
        pairs = data.items() if isinstance(data, dict) else []
        form = b"&".join(
            _escaped(name).encode() + b"=" + _escaped(one).encode()
            for name, value in pairs
            for one in (value if isinstance(value, list) else [value])
        )
        return "application/x-www-form-urlencoded", form

    def _spoiled(self, data: Any) -> Any:
        """``data`` with one of its leaves, or of its branches, replaced by something hostile."""
        if isinstance(data, dict) and data and self.random.random() < 0.9:
            name = self.random.choice(list(data))
            return {**data, name: self._spoiled(data[name])}
        if isinstance(data, list) and data and self.random.random() < 0.8:
            place = self.random.randrange(len(data))
            return [*data[:place], self._spoiled(data[place]), *data[place + 1 :]]
        return self.random.choice(VALUES)


def served_operations(key: str) -> list[Any]:
    """The operations of the schema that the portal serves, with the portal behind them."""
    import schemathesis

    headers = {"Authorization": f"Token {key}", "Accept": "application/json"}
    schema = schemathesis.openapi.from_wsgi(SCHEMA, get_wsgi_application(), headers=headers)
    return [found.ok() for found in schema.get_all_operations()]


def _escaped(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return quote_from_bytes(text.encode("utf-8", "surrogatepass"), safe="")


def _template(address: Address) -> str:
    parts = address.route.split("<")
    return (
        "/"
        + parts[0]
        + "".join("{" + part.split(">")[0].split(":")[-1] + "}" + part.split(">")[1] for part in parts[1:])
    )


def traces(faults: dict[str, str]) -> Iterator[str]:
    yield from (faults[one] for one in sorted(faults))
