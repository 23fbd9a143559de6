"""Live masking over real HTTP: ``python -m benchmarks.masking [--calls 2000] [--values 100] [--people 1]``.

A portal of its own is served as ``manage.py demo`` serves it (gunicorn, one process, eight threads; worker and clock
beside it). Each person has a token and one connection that stays open, and sends calls one after the other: values of
all eight kinds in turn, every call with other values. Printed are the percentiles of the time from sending a call to
having read its answer; the first calls, in which the server loads what it needs, are not counted. Ends with 0
only if the 99th percentile is below the bound.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import numpy as np

from benchmarks import memory
from benchmarks.installation import Installation, installation

BOUND_MS = 20.0
WARM_CALLS = 50
POLICY = "bench-desk"
PREPARE = f"""
from deid_portal.accounts.enums import Post
from deid_portal.accounts.models import User
from deid_portal.accounts.tokens import token_create
from deid_portal.masking.enums import Scene
from deid_portal.masking.services import policy_decide, policy_propose
named = {{role: User.objects.get(username=person[0]) for role, person in people.items()}}
shown = {{"name": "generalise", "id_number": "partial", "bank_card": "partial", "address": "partial",
         "phone": "partial", "number": "generalise", "date": "partial", "position": "divisions"}}
policy = policy_propose(name="{POLICY}", title="Desk", scene=Scene.LIVE_DISPLAY, treatments={{Post.STAFF: shown}},
                        reason="measurement", by=named["planner"])
policy_decide(policy, accept=True, reason="measurement", by=named["admin"])
more = [token_create(named[role], name="measurement")[1] for role in ("executor", "supervisor", "management")]
"""


def values(count: int) -> list[dict[str, str]]:
    """``count`` values of the eight kinds in turn: those of a hospital's file, and cards and amounts made up."""
    from deid_portal.demo.hospital import generate

    table = generate(count // 8 + 2000)
    columns = {
        "name": "姓名", "id_number": "身份证号", "phone": "手机号", "address": "住址", "date": "出生日期",
        "number": "费用", "position": "住址",
    }  # fmt: skip
    texts = {kind: table[column].drop_null().to_pylist() for kind, column in columns.items()}
    drawn = np.random.default_rng(1).integers(10**8, 10**9, len(table))
    texts["bank_card"] = [f"6222021234{number}" for number in drawn]
    kinds = sorted(texts)
    return [{"kind": kinds[i % 8], "value": texts[kinds[i % 8]][i // 8]} for i in range(count)]


class Caller:
    """One person's program: a token and a connection that is kept."""

    def __init__(self, address: str, token: str, bodies: list[bytes]) -> None:
        where = urlparse(address)
        self.connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=30)
        self.headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
        self.bodies = bodies
        self.seconds: list[float] = []
        self.statuses: Counter[int] = Counter()
        self.last: Any = None

    def call(self, body: bytes) -> None:
        began = time.perf_counter()
        self.connection.request("POST", f"/api/masking/{POLICY}/", body, self.headers)
        answer = self.connection.getresponse()
        text = answer.read()
        self.seconds.append(time.perf_counter() - began)
        self.statuses[answer.status] += 1
        self.last = json.loads(text)

    def run(self) -> None:
        for body in self.bodies:
            self.call(body)


def measure(portal: Installation, options: argparse.Namespace) -> bool:
    """Print the percentiles; whether they hold."""
    given = values(options.values * 200)
    pieces = [given[i : i + options.values] for i in range(0, len(given), options.values)]
    bodies = [json.dumps({"values": piece}, ensure_ascii=False).encode() for piece in pieces]
    warm = [bodies[i % len(bodies)] for i in range(WARM_CALLS)]
    each = [bodies[i % len(bodies)] for i in range(options.calls)]
    tokens = [portal.more[i % len(portal.more)] for i in range(options.people)]
    callers = [Caller(portal.address, token, warm) for token in tokens]
    together(callers)
    for caller in callers:
        caller.bodies, caller.seconds = each, []
    used, began = memory.cpu_seconds(portal.processes["web"]), time.perf_counter()
    together(callers)
    spent, wall = memory.cpu_seconds(portal.processes["web"]) - used, time.perf_counter() - began
    taken = 1000 * np.array([second for caller in callers for second in caller.seconds])
    statuses = sum((caller.statuses for caller in callers), Counter[int]())
    p50, p95, p99 = np.percentile(taken, [50, 95, 99])
    good = p99 < BOUND_MS and set(statuses) == {200}
    print(
        f"{len(taken):,} calls of {options.values} values by {options.people} at a time, load {os.getloadavg()[0]:.1f}"
    )
    print(f"p50 {p50:.1f} ms  p95 {p95:.1f} ms  p99 {p99:.1f} ms  longest {taken.max():.1f} ms")
    print(
        f"{len(taken) / wall:,.0f} calls/s, {1000 * spent / len(taken):.1f} ms of the server's processor time a call"
    )
    shown = [text for text in callers[0].last["masked"] if text is not None]
    print(f"of the last answer: {' · '.join(shown[:8])}")
    if set(statuses) != {200}:
        print(f"answers: {dict(statuses)}")
    print(f"p99 below {BOUND_MS:g} ms: {'ok' if good else 'MISSED'}")
    return bool(good)


def together(callers: list[Caller]) -> None:
    threads = [threading.Thread(target=caller.run) for caller in callers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2000, help="calls of each person")
    parser.add_argument("--values", type=int, default=100)
    parser.add_argument("--people", type=int, default=1, help="who call at the same time")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="deid-masking-") as folder:
        settings = {"DEID_API_RATE": "1000000/min"}
        with installation(Path(folder), prepare=PREPARE, settings=settings) as portal:
            return 0 if measure(portal, options) else 1


if __name__ == "__main__":
    sys.exit(main())
