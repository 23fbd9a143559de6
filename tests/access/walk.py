"""Knock at every address as everybody, note what comes back, and undo it."""

from __future__ import annotations

import gc
import json
import re
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from django.core.cache import cache
from django.core.signals import got_request_exception
from django.db import connection, transaction
from django.template.base import Template
from django.urls import reverse

from approvals.audit.models import AuditEvent

from .addresses import METHODS, Address, addresses
from .expectations import EXPECTED, TABLES
from .language import Rule
from .markup import faults_of
from .objects import OBJECTS, OF_A_PROJECT, ids_of
from .personal import Personal
from .roles import EVERYBODY, KNOW_OTHER, SEES
from .stands import SECOND_LOOKS, STANDS
from .tale import MINE, OTHERS, World, unknown

LOGIN = "/account/sign-in/"
# Who is turned away before the method matters tries one method of an address at each stand, in turn.
TURNED_AWAY = frozenset({"hidden", "absent", "sign in", "unauthorised", "expired (API)"})
# What the page of a refusal says in words.
REASON = re.compile(r'<p class="reason">(?:<[^>]+>|\s)*([^<]+)')
# Up to so many values of an argument are all tried by everybody everywhere.
FEW = 3


@dataclass
class Visit:
    """One request: who, where, how, what was expected, what came, and what was wrong with it by kind."""

    stand: str
    role: str
    name: str
    method: str
    expected: str
    status: int
    queries: int
    repeated: int
    label: str = ""
    faults: list[tuple[str, str]] = field(default_factory=list)

    @property
    def succeeded(self) -> bool:
        return self.expected == "permitted" and self.status < 400

    def __str__(self) -> str:
        return f"{self.role} {self.method} {self.name}{self.label} @ {self.stand}: {self.status}"


class Statements:
    """Counts the statements of a request, without its savepoints and the session."""

    def __init__(self) -> None:
        self.statements: list[str] = []

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(("SELECT", "INSERT", "UPDATE", "DELETE")) and "django_session" not in sql:
            self.statements.append(sql)
        return execute(sql, params, many, context)

    @property
    def queries(self) -> int:
        """Without the one for the person who asks."""
        return max(0, len(self.statements) - 1)

    @property
    def repeated(self) -> int:
        """How often the statement that ran most often ran."""
        return max(Counter(self.statements).values(), default=0)


class Walk:
    """All visits at one stand to the addresses of some packages."""

    def __init__(self, world: World, stand: str, packages: Iterable[str], personal: Personal) -> None:
        self.world, self.stand, self.personal = world, stand, personal
        self.packages = set(packages) & SECOND_LOOKS.get(stand, frozenset(TABLES))
        self.known = addresses()
        self.errors: list[str] = []
        self.turn = list(STANDS).index(self.stand)
        self.mine = {"title": MINE, "ids": ids_of(world.project)}
        self.others = {"title": OTHERS, "ids": ids_of(world.other)}
        # Every visit is undone, so what an argument stands for stays the same.
        self._found: dict[tuple[str, str, Any], Any] = {}

    def visits(self) -> list[Visit]:
        got_request_exception.connect(self._note_error)
        try:
            with hurry():
                return [*self._visits(), *(self._strange_visits() if self.stand == "monitoring" else ())]
        finally:
            got_request_exception.disconnect(self._note_error)

    def _note_error(self, sender: Any, request: Any, **kwargs: Any) -> None:
        self.errors.append(traceback.format_exc(limit=-4))

    def _table(self) -> Iterator[tuple[Address, str, list[Rule]]]:
        for package in sorted(self.packages):
            for name, methods in TABLES[package].items():
                for method, rules in methods.items():
                    if name in self.known:
                        yield self.known[name], method, rules if isinstance(rules, list) else [rules]

    def _visits(self) -> Iterator[Visit]:
        table = list(self._table())
        methods = {name: list(rules) for name, rules in EXPECTED.items()}
        for address, method, rules in table:
            turn = methods[address.name][self.turn % len(methods[address.name])]
            for role in EVERYBODY:
                for rule in self._chosen(rules, role):
                    arguments, exists = self._arguments(address, rule, role)
                    expected = self._expected(address, rule, role, exists and self.stand in rule.exists)
                    if expected in TURNED_AWAY and method != turn:
                        continue
                    with undone():
                        yield self._visit(address, method, rule, role, arguments, expected)

    def _chosen(self, rules: list[Rule], role: str) -> list[Rule]:
        """Of many values of an argument: those that this role may use here, and two others in turn."""
        here = [rule for rule in rules if self.stand in rule.walked]
        if len(here) <= FEW:
            return here
        turn = self.turn
        may = [rule for rule in here if rule.permitted(role, self.stand)]
        rest = [rule for rule in here if rule not in may]
        return may + [rest[(turn + step) % len(rest)] for step in (0, len(rest) // 2)]

    def _strange_visits(self) -> Iterator[Visit]:
        """Objects of the other project below this one's address, and methods that no view answers."""
        for address, method, rules in self._table():
            theirs = [name for name in address.arguments if name in OF_A_PROJECT]
            if theirs and "project_id" in address.arguments:
                for role in ("planner", "executor", "supervisor", "management", "auditor"):
                    arguments, _exists = self._arguments(address, rules[0], role)
                    for name in theirs:
                        arguments[name] = OBJECTS[name](self.world, role, self.world.other)
                    assert None not in arguments.values(), address.name
                    mine = rules[0].permitted(role, self.stand)
                    with undone():
                        expected = "hidden" if mine else "absent"
                        yield self._visit(
                            address, method, rules[0], role, arguments, expected, " of another project"
                        )
        for name in {address.name: address for address, _method, _rules in self._table()}:
            address = self.known[name]
            if address.methods is None:
                rules = next(iter(EXPECTED[name].values()))
                rule = rules[0] if isinstance(rules, list) else rules
                for method in set(METHODS) - set(EXPECTED[name]):
                    for role in ("planner", "executor", "auditor", "administrator", "recipient"):
                        arguments, _exists = self._arguments(address, rule, role)
                        with undone():
                            yield self._visit(address, method, Rule(), role, arguments, "no such method")

    def _arguments(self, address: Address, rule: Rule, role: str) -> tuple[dict[str, Any], bool]:
        arguments, exists = {}, True
        for name in address.arguments:
            value = rule.arguments.get(name)
            find = OBJECTS[name] if value is None else value
            if callable(find):
                key = (name, role if name == "token_id" else "", find)
                if key not in self._found:
                    self._found[key] = find(self.world, role, self.world.project)
                value = self._found[key]
            if value is None:
                value, exists = unknown(), False
            arguments[name] = value
        return arguments, exists

    def _expected(self, address: Address, rule: Rule, role: str, exists: bool) -> str:
        if role == "expired":
            return "expired (API)" if address.is_api and not rule.public else "sign in"
        if rule.public:
            return "permitted"
        if role == "anonymous":
            return "unauthorised" if address.is_api else "sign in"
        if not exists:
            return (
                "absent" if role in rule.refuses or any(role in who for who, _ in rule.permits) else "hidden"
            )
        if rule.permitted(role, self.stand):
            return "permitted"
        return "refused" if role in rule.refuses else "hidden"

    def _visit(
        self,
        address: Address,
        method: str,
        rule: Rule,
        role: str,
        arguments: dict[str, Any],
        expected: str,
        label: str = "",
    ) -> Visit:
        url = reverse(address.name, kwargs=arguments)
        before, self.errors = newest_event(method), []
        counter = Statements()
        with connection.execute_wrapper(counter):
            response = self._send(address, method, rule, role, url)
            body = body_of(response)
        label += "".join(f" {value}" for value in rule.arguments.values() if isinstance(value, str | int))
        visit = Visit(
            self.stand,
            role,
            address.name,
            method,
            expected,
            response.status_code,
            counter.queries,
            counter.repeated,
            label,
        )
        problem = judge(expected, rule, response, body)
        if self.errors:
            problem = f"error: {self.errors[-1]}"
        if problem:
            visit.faults.append(("status", problem))
        self._look_for_secrets(visit, rule, url, body)
        if before is not None:
            self._look_into_the_log(visit, before)
        if response.headers.get("Content-Type", "").startswith("text/html") and not address.is_api:
            visit.faults += [("markup", fault) for fault in faults_of(response, body)]
        return visit

    def _send(self, address: Address, method: str, rule: Rule, role: str, url: str) -> Any:
        client = self.world.client(role)
        if address.is_api:
            cache.clear()  # the throttle counts there
        if method == "GET":
            return client.get(url)
        if rule == Rule():
            return client.generic(method, url)
        data = rule.body(self.world, role) if rule.body else {}
        media = rule.media or ("json" if address.is_api else "form")
        send = getattr(client, method.lower())
        if media == "json":
            return send(url, json.dumps(data, default=str), content_type="application/json")
        return send(url, data)

    def _look_for_secrets(self, visit: Visit, rule: Rule, url: str, body: str) -> None:
        if visit.role not in rule.shows_raw or visit.expected != "permitted":
            for value in self.personal.found_in(body)[:3]:
                visit.faults.append(("raw", f"shows a personal value ({len(value)} characters)"))
        knows_mine = visit.role in SEES or visit.role in ("recipient", "former")
        if not knows_mine:
            visit.faults += [("hidden", what) for what in self._named(self.mine, url, body)]
        if visit.role not in KNOW_OTHER:
            visit.faults += [("hidden", what) for what in self._named(self.others, url, body)]

    def _named(self, project: dict[str, Any], url: str, body: str) -> list[str]:
        """The project or an object of it, other than in an echo of the address that was asked for."""
        found = [f"names “{project['title']}”"] if project["title"] in body else []
        found += [f"holds the id {one}" for one in project["ids"] if one in body and one not in url]
        return found

    def _look_into_the_log(self, visit: Visit, before: int) -> None:
        for event in AuditEvent.objects.filter(seq__gt=before):
            text = f"{event.subject} {event.reason} {json.dumps(event.facts, ensure_ascii=False)}"
            if self.personal.found_in(text):
                visit.faults.append(("raw", f"the event {event.action} holds a personal value"))


@contextmanager
def hurry() -> Iterator[None]:
    """Thousands of requests: no copy of each template's context, and no collection of garbage meanwhile."""
    gc.collect()
    gc.disable()
    try:
        with mock.patch.object(Template, "_render", lambda self, context: self.nodelist.render(context)):
            yield
    finally:
        gc.enable()


@contextmanager
def undone() -> Iterator[None]:
    """Whatever happens inside has not happened afterwards."""
    mark = transaction.savepoint()
    try:
        yield
    finally:
        connection.needs_rollback = False
        transaction.savepoint_rollback(mark)


def newest_event(method: str) -> int | None:
    """The end of the audit log before a request that may write; reading writes nothing."""
    if method == "GET":
        return None
    return AuditEvent.objects.order_by("-seq").values_list("seq", flat=True).first() or 0


def body_of(response: Any) -> str:
    content = b"".join(response.streaming_content) if response.streaming else response.content
    return bytes(content).decode("utf-8", "replace")


def judge(expected: str, rule: Rule, response: Any, body: str) -> str:
    """What is wrong with the answer; empty where nothing is."""
    status, location = response.status_code, response.headers.get("Location", "")
    if status >= 500:
        return "an error"
    to_login = status == 302 and location.startswith(LOGIN)
    match expected:
        case "permitted":
            good = status in rule.answers and (rule.public or not to_login)
        case "sign in":
            # Whose time is over is turned away: a page leads to the sign-in, the API says so.
            good = to_login or (status == 403 and '"access_ended"' in body)
        case "unauthorised":
            good = status == 401
        case "expired (API)":
            good = status == 403 and json.loads(body)["code"] == "access_ended"
        case "refused":
            return explained(response, body) if status == 403 else f"{status}, expected a refusal"
        case "no such method":
            good = status in (403, 404, 405)
        case "absent":
            good = status in (403, 404)
        case _:
            good = status == 404
    return "" if good else f"{status} {location}, expected {expected}"


def explained(response: Any, body: str) -> str:
    """A refusal says why, in words."""
    if response.headers.get("Content-Type", "").startswith("application/json"):
        said = json.loads(body)
        return "" if said.get("code") and said.get("reason") else "refused without code and reason"
    reason = REASON.search(body)
    return "" if reason and len(reason.group(1).strip()) > 10 else "refused without a reason on the page"
