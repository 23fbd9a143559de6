"""Knock at every address as everybody, note what comes back, and undo it."""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Hashable, Iterator
from contextlib import nullcontext
from functools import lru_cache
from itertools import chain
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.signals import got_request_exception
from django.db import connection
from django.urls import reverse

from approvals.audit.models import AuditEvent
from projects.intrusion.models import Invitation

from .addresses import Address, addresses
from .answers import body_of, judge
from .checkpoints import CHECKPOINTS, REVISITED, since
from .expectations import EXPECTED, TABLES
from .language import Body, Rule
from .markup import faults_of
from .objects import OBJECTS, ids_of
from .personal import Personal
from .repeating import Answer, Reads, is_repeated, request_of, stored_of
from .roles import EVERYBODY, KNOW_OTHER, RECIPIENT, SEES, STRANGERS, TESTER
from .strange import SAFE, strange_knocks
from .undoing import Statements, Writes, hurry, newest_event, undone
from .visits import Knock, Visit
from .world import MINE, OTHERS, World, unknown

# Who is turned away before the method matters tries one method of an address at each checkpoint, in turn.
TURNED_AWAY = frozenset({"hidden", "absent", "sign in", "unauthorised", "expired (API)"})
# Up to so many values of an argument are all tried by everybody everywhere.
FEW = 3
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


@lru_cache(maxsize=8)
def ids_in(body: str) -> frozenset[str]:
    """The UUIDs in an answer, which is looked through for both projects."""
    return frozenset(UUID.findall(body))


def is_plain(data: Any) -> bool:
    """Whether sending it leaves it as it was."""
    if isinstance(data, dict):
        return all(map(is_plain, data.values()))
    if isinstance(data, list | tuple):
        return all(map(is_plain, data))
    return data is None or isinstance(data, str | int | float)


class Walk:
    """All visits at one checkpoint."""

    def __init__(self, world: World, checkpoint: str, personal: Personal) -> None:
        self.world, self.checkpoint, self.personal = world, checkpoint, personal
        self.packages = REVISITED.get(checkpoint, frozenset(TABLES))
        self.known = addresses()
        self.errors: list[str] = []
        # A recipient hears of the project when something is released to them.
        self.know = SEES | RECIPIENT if checkpoint in since("monitoring") else SEES
        self.rotation = list(CHECKPOINTS).index(self.checkpoint)
        self.mine = {"title": MINE, "ids": ids_of(world.project)}
        # A tester is told of their own invitation alone.
        invited = Invitation.objects.filter(tester=world.people.tester).values_list("pk", flat=True)
        self.untold = {"title": MINE, "ids": self.mine["ids"] - {str(pk) for pk in invited}}
        self.others = {"title": OTHERS, "ids": ids_of(world.other)}
        # Every visit is undone, so what an argument stands for stays the same.
        self._found: dict[tuple[str, str, Any], Any] = {}
        self._sent: dict[Body, Any] = {}
        self._who = stored_of(world.sessions, settings.SESSION_COOKIE_NAME)

    def visits(self) -> list[Visit]:
        made = []
        got_request_exception.connect(self._note_error)
        try:
            with hurry(self.world.accounts, self.world.session_keys):
                for knock in chain(self.knocks(), strange_knocks(self)):
                    with undone():
                        made.append(self._visit(knock))
        finally:
            got_request_exception.disconnect(self._note_error)
        return made

    def _note_error(self, sender: Any, request: Any, **kwargs: Any) -> None:
        self.errors.append(traceback.format_exc(limit=-4))

    def table(self) -> Iterator[tuple[Address, str, list[Rule]]]:
        """The addresses of the packages that are walked here, by method."""
        for package in sorted(self.packages):
            for name, methods in TABLES[package].items():
                for method, rules in methods.items():
                    if name in self.known:
                        yield self.known[name], method, rules if isinstance(rules, list) else [rules]

    def knocks(self) -> Iterator[Knock]:
        methods = {name: list(rules) for name, rules in EXPECTED.items()}
        for position, (address, method, rules) in enumerate(self.table()):
            method_here = methods[address.name][self.rotation % len(methods[address.name])]
            for role in EVERYBODY:
                for rule in self._chosen(rules, role):
                    arguments, exists = self.arguments(address, rule, role)
                    exists = exists and self.checkpoint in rule.exists
                    expected = self.expected(address, rule, role, exists)
                    if expected in TURNED_AWAY and (
                        method != method_here or not self._one_after_another(rule, role, position, exists)
                    ):
                        continue
                    yield Knock(address, method, rule, role, arguments, expected)

    def _one_after_another(self, rule: Rule, role: str, position: int, exists: bool) -> bool:
        """Whether one of those who are turned away tries here.

        Nobody can be shown what is not there yet: one who will see it, one who will not, and one who looks
        into everything else ask for it. The two whose accounts have ended are turned away before anything
        is looked up: each of them tries an address at every sixth checkpoint.
        """
        rotation = self.rotation // 2 + position
        if role in ("expired", "inactive"):
            return (self.rotation + position) % 6 == (0 if role == "expired" else 3)
        if exists or role == "anonymous":
            return True
        may = sorted(frozenset().union(*(roles for roles, _checkpoints in rule.permits)) or SEES)
        readers, strangers = sorted(SEES), sorted(STRANGERS | RECIPIENT | TESTER)
        return role in {
            may[rotation % len(may)],
            readers[rotation % len(readers)],
            strangers[rotation % len(strangers)],
        }

    def _chosen(self, rules: list[Rule], role: str) -> list[Rule]:
        """Of many values of an argument: those that this role may use here, and two others in turn."""
        here = [rule for rule in rules if self.checkpoint in rule.walked]
        if len(here) <= FEW:
            return here
        rotation = self.rotation
        may = [rule for rule in here if rule.permitted(role, self.checkpoint)]
        rest = [rule for rule in here if rule not in may]
        return may + [rest[(rotation + step) % len(rest)] for step in (0, len(rest) // 2)]

    def arguments(self, address: Address, rule: Rule, role: str) -> tuple[dict[str, Any], bool]:
        """What fills the path of ``address``, and whether all of it exists here."""
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

    def expected(
        self, address: Address, rule: Rule, role: str, exists: bool, checkpoint: str | None = None
    ) -> str:
        """What ``role`` is told at ``address``, here or at another ``checkpoint``, in the words that :func:`answers.judge` knows."""
        if role == "expired":
            return "expired (API)" if address.is_api and not rule.public else "sign in"
        if rule.public:
            return "permitted"
        if role in rule.leads:
            return "led on"
        if role in ("anonymous", "inactive"):
            return "unauthorised" if address.is_api else "sign in"
        if not exists:
            return (
                "absent" if role in rule.refuses or any(role in who for who, _ in rule.permits) else "hidden"
            )
        if rule.permitted(role, checkpoint or self.checkpoint):
            return "permitted"
        return "refused" if role in rule.refuses else "hidden"

    def _visit(self, knock: Knock) -> Visit:
        address, method, rule = knock.address, knock.method, knock.rule
        query = f"?{rule.query}" if rule.query else ""
        url = reverse(address.name, kwargs=knock.arguments) + query
        request = self._request(knock, url)
        known = self.world.answers.get(request)
        if known is not None and known.holds():
            visit = known.at(self.checkpoint, knock)
            self._look_for_secrets(visit, rule, url, known.body)
            return visit
        before, self.errors = newest_event(method), []
        counter, reads = Statements(), Reads()
        with (
            connection.execute_wrapper(counter),
            connection.execute_wrapper(reads) if request is not None else nullcontext(),
        ):
            response = self._send(knock, url)
            body = body_of(response)
        label = query + knock.label
        label += "".join(f" {value}" for value in rule.arguments.values() if isinstance(value, str | int))
        visit = Visit(
            self.checkpoint,
            knock.role,
            address.name,
            method,
            knock.expected,
            response.status_code,
            counter.queries,
            counter.repeated,
            label,
        )
        problem = judge(knock.expected, rule, response, body)
        if self.errors:
            problem = f"error: {self.errors[-1]}"
        if problem:
            visit.faults.append(("status", problem))
        self._look_for_secrets(visit, rule, url, body)
        if before is not None:
            self._look_into_the_log(visit, before)
        if response.headers.get("Content-Type", "").startswith("text/html") and not address.is_api:
            visit.faults += [("markup", fault) for fault in faults_of(response, body)]
        if request is not None and reads.alone and not visit.faults:
            headers = dict(response.headers)
            self.world.answers[request] = Answer(visit, response.status_code, headers, body, reads.made)
        return visit

    def _request(self, knock: Knock, url: str) -> Hashable | None:
        """What a repeated request is known by; None where it has to be sent each time."""
        body = knock.rule.body
        if not is_repeated(knock) or (body is not None and body not in self._sent):
            return None
        state = CHECKPOINTS[self.checkpoint].value if self._depends_on_state(knock) else None
        return request_of(knock, url, repr(self._sent[body]) if body else "", self._who, state)

    def _depends_on_state(self, knock: Knock) -> bool:
        """Whether this role is told something else here than at another checkpoint."""
        answers = {
            self.expected(knock.address, knock.rule, knock.role, checkpoint in knock.rule.exists, checkpoint)
            for checkpoint in CHECKPOINTS
        }
        return len(answers) > 1

    def _send(self, knock: Knock, url: str) -> Any:
        address, method, rule = knock.address, knock.method, knock.rule
        client = self.world.client(knock.role, knock.way)
        headers = {"Authorization": f"Token {knock.key}"} if knock.way == "token" else {}
        if address.is_api:
            cache.clear()  # the throttle counts there
        if method == "GET":
            return client.get(url, headers=headers)
        if rule == Rule() or method in ("HEAD", "OPTIONS", "TRACE"):
            return client.generic(method, url, headers=headers)
        data = self._data(rule)
        media = rule.media or ("json" if address.is_api else "form")
        send = getattr(client, method.lower())
        if media == "json":
            text = json.dumps(data, default=str)
            return send(url, text, content_type="application/json", headers=headers)
        return send(url, data, headers=headers)

    def _data(self, rule: Rule) -> Any:
        """What is sent. Made anew for each who sends it where it is more than texts and numbers, for a file is read to its end,
        and where somebody has to act before it can be sent."""
        if rule.body is None:
            return {}
        if rule.body in self._sent:
            return self._sent[rule.body]
        writes = Writes()
        with connection.execute_wrapper(writes):
            data = rule.body(self.world)
        if not writes.seen and is_plain(data):
            self._sent[rule.body] = data
        return data

    def _look_for_secrets(self, visit: Visit, rule: Rule, url: str, body: str) -> None:
        if visit.role not in rule.shows_raw or visit.expected != "permitted":
            for value in self.personal.found_in(body)[:3]:
                visit.faults.append(("raw", f"shows a personal value ({len(value)} characters)"))
        untold = self.untold if visit.role in TESTER else self.mine
        if visit.role not in self.know:
            visit.faults += [("hidden", what) for what in self._named(untold, url, body)]
        if visit.role not in KNOW_OTHER:
            visit.faults += [("hidden", what) for what in self._named(self.others, url, body)]
        if self.checkpoint == "monitoring" and visit.expected == "permitted":
            for project, roles in ((self.mine, rule.names), (self.others, rule.names_other)):
                if visit.role in roles and not self._named(project, url, body):
                    visit.faults.append(("hidden", f"does not name “{project['title']}”"))

    def _named(self, project: dict[str, Any], url: str, body: str) -> list[str]:
        """The project or an object of it, other than in an echo of the address that was asked for."""
        found = [f"names “{project['title']}”"] if project["title"] in body else []
        ids = project["ids"] & ids_in(body)
        return found + [f"holds the id {one}" for one in ids if one not in url]

    def _look_into_the_log(self, visit: Visit, before: int) -> None:
        if newest_event(visit.method) == before:
            return
        for event in AuditEvent.objects.filter(seq__gt=before):
            text = f"{event.subject} {event.reason} {json.dumps(event.facts, ensure_ascii=False)}"
            if self.personal.found_in(text):
                visit.faults.append(("raw", f"the event {event.action} holds a personal value"))
            if visit.method in SAFE:
                visit.faults.append(("event", f"left the event {event.action}"))
