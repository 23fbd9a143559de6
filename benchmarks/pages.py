"""Pages under many people: ``python -m benchmarks.pages [--people 50] [--seconds 120] [--workers 2] [--think 5]``.

A portal of its own with the demo's projects, one of 60 columns among them, is served as docs/how-to/operations.md says for production
(gunicorn with two processes of eight threads; worker and clock beside it), over plain HTTP. Each person signs in by the form, keeps a
connection and a session of their own, and goes from page to page by the links of the page before, chosen by chance, with a time to
think before each: half of ``--think`` to one and a half of it. Every account of the demo has as many of them as every other. Then they do
the same with no time to think, which no people do: it shows how many pages a second the machine makes, and how long the line is.

A time is from the request to the last byte of the answer, HTML before anything that it asks for. A weight is what a first visit transfers, as
Chromium would ask for it: the page, its style sheets, scripts and images, compressed as they come, without HTTP's heads. Pages are put together
by their address, each id in it a star. Who measures uses the same processors as what is measured. Ends with 0 only if the 95th percentile with
time to think, and every weight, hold.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import os
import random
import re
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from html import unescape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin, urlparse

import brotli
import numpy as np

from benchmarks import memory
from benchmarks.client import Client
from benchmarks.installation import Installation, installation

BOUND_MS, BOUND_BYTES = 300.0, 300_000
WIDE = 60
PREPARE = """
from deid_portal.demo import loading, purposes
from deid_portal.demo.accounts import ensure_people
from projects.workflow import State
loading.load(rows={rows}, say=lambda line: None)
head = ",".join(f"measure_{{n}}" for n in range(1, {wide} + 1))
lines = [",".join(str((row * 7919 + n * 104729) % 1000) for n in range({wide})) for row in range(500)]
wide = story.Story(ensure_people(), "{wide} columns", "\\n".join([head, *lines]).encode(), documents=False, file_name="wide.csv")
wide.reach(State.IDENTIFICATION)
wide.upload()
wide.scan()
more = f"/projects/{{wide.project.pk}}/identification/"
"""
ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=/)\d+(?=/)")
LINK = re.compile(r"<a\s(?![^>]*\bdownload)[^>]*?href=\"(/[^\"#]*)")
ASSET = re.compile(r"<(?:link|script|img)\s[^>]*?(?:href|src)=\"([^\"]+)\"")
OF_STYLE = re.compile(r"url\(\s*[\"']?([^\"')]+)")
# What a link leads to that is no page.
NO_PAGES = ("/static/", "/api/", "/account/sign-out/")
FONTS = (".woff", ".woff2", ".ttf", ".otf")


class Visit(NamedTuple):
    kind: str
    began: float
    seconds: float
    weight: int


def kind_of(path: str) -> str:
    """The type of a page: its address without ids and without what is asked of it."""
    return ID.sub("*", urlparse(path).path)


class Reader:
    """One person: a session, and a connection that is kept."""

    def __init__(self, address: str, name: str, password: str, seed: int) -> None:
        client = Client(address)
        client.sign_in(name, password)
        where = urlparse(address)
        self.connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=120)
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in client.cookies)
        self.headers = {"Cookie": cookies, "Accept-Encoding": "gzip, deflate, br", "Accept": "text/html"}
        self.chance = random.Random(seed)
        self.links: list[str] = []
        self.visits: list[Visit] = []
        self.others: Counter[str] = Counter()
        # Of each type of page: the address where it was read, and its text.
        self.pages: dict[str, tuple[str, int, str]] = {}

    def fetch(self, path: str) -> tuple[http.client.HTTPResponse, bytes]:
        """By the connection from before or, as a browser does where the server has closed it meanwhile, by a new one."""
        for attempt in (1, 2):
            try:
                self.connection.request("GET", path, headers=self.headers)
                answer = self.connection.getresponse()
                return answer, answer.read()
            except ConnectionError:
                self.connection.close()
                if attempt == 2:
                    raise
        raise AssertionError

    def read(self, path: str) -> None:
        """A page, and where it is not one, what came instead is counted."""
        began = time.perf_counter()
        answer, body = self.fetch(path)
        seconds = time.perf_counter() - began
        if answer.status != 200 or not (answer.headers["Content-Type"] or "").startswith("text/html"):
            self.others[f"{answer.status} {kind_of(path)}"] += 1
            self.links = []
            return
        kind = kind_of(path)
        self.visits.append(Visit(kind, began, seconds, len(body)))
        text = (gzip.decompress(body) if answer.headers["Content-Encoding"] == "gzip" else body).decode()
        if kind not in self.pages or self.pages[kind][1] < len(body):
            self.pages[kind] = (path, len(body), text)
        found = {unescape(link) for link in LINK.findall(text)}
        self.links = sorted(link for link in found if not link.startswith(NO_PAGES))

    def next(self) -> str:
        """By a link of the page, now and then to the beginning."""
        return self.chance.choice(self.links) if self.links and self.chance.random() > 0.1 else "/"

    def walk(self, until: float, think: float) -> None:
        # Not all at the same moment.
        time.sleep(self.chance.random() * think)
        while time.perf_counter() < until:
            self.read(self.next())
            time.sleep(think * self.chance.uniform(0.5, 1.5))


class Weights:
    """What pages ask for beside themselves; each file is fetched once."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.files: dict[str, tuple[int, list[str]]] = {}

    def file(self, path: str) -> tuple[int, list[str]]:
        """Bytes as transferred, and what it asks for in its turn."""
        if path not in self.files:
            answer, body = self.reader.fetch(path)
            assert answer.status == 200, f"{answer.status} {path}"
            size, coding = len(body), answer.headers["Content-Encoding"]
            plain = {"gzip": gzip.decompress, "br": brotli.decompress}.get(coding, bytes)(body)
            asks = OF_STYLE.findall(plain.decode()) if urlparse(path).path.endswith(".css") else []
            self.files[path] = size, [urljoin(path, asked) for asked in asks if not asked.startswith("data:")]
        return self.files[path]

    def of(self, page: tuple[str, int, str]) -> int:
        """The whole first visit in bytes, without fonts."""
        path, own, text = page
        waiting = [
            urljoin(path, unescape(asked)) for asked in ASSET.findall(text) if not asked.startswith("data:")
        ]
        seen: set[str] = set()
        while waiting:
            asked = waiting.pop()
            if asked not in seen and not urlparse(asked).path.endswith(FONTS):
                seen.add(asked)
                size, more = self.file(asked)
                own += size
                waiting += more
        return own


def together(readers: list[Reader], seconds: float, think: float) -> list[Visit]:
    """All walk for so long; what they have read meanwhile."""
    for reader in readers:
        reader.visits, reader.links = [], []
    until = time.perf_counter() + seconds
    threads = [threading.Thread(target=reader.walk, args=(until, think)) for reader in readers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [visit for reader in readers for visit in reader.visits]


def percentiles(visits: list[Visit]) -> tuple[float, float, float]:
    """Median, 95th percentile and longest, in ms."""
    taken = 1000 * np.array([visit.seconds for visit in visits])
    p50, p95 = np.percentile(taken, [50, 95])
    return float(p50), float(p95), float(taken.max())


def measure(portal: Installation, options: argparse.Namespace) -> bool:
    people = [portal.people[role] for role in sorted(portal.people)]
    readers = []
    for number in range(options.people):
        name, password, _full = people[number % len(people)]
        readers.append(Reader(portal.address, name, password, seed=number))
    for reader in readers[: len(people)]:
        reader.read("/")
    executor = readers[sorted(portal.people).index("executor")]
    good = True
    for think, seconds in ((options.think, options.seconds), (0.0, options.seconds / 4)):
        used, load = memory.cpu_seconds(portal.processes["web"]), os.getloadavg()[0]
        began = time.perf_counter()
        visits = together(readers, seconds, think)
        spent, wall = memory.cpu_seconds(portal.processes["web"]) - used, time.perf_counter() - began
        p50, p95, longest = percentiles(visits)
        print(
            f"\n{options.people} people, {f'{think:g} s to think' if think else 'no time to think'}, ", end=""
        )
        print(f"{options.workers} processes; load before {load:.1f}")
        print(f"{len(visits):,} pages, {len(visits) / wall:.1f} a second, ", end="")
        print(f"{1000 * spent / len(visits):.0f} ms of the server's processor time each")
        print(f"p50 {p50:.0f} ms  p95 {p95:.0f} ms  longest {longest:.0f} ms")
        if think:
            executor.read(portal.more)
            good = tell(readers, visits)
            print(f"\np95 of all at most {BOUND_MS:g} ms: {'ok' if p95 <= BOUND_MS else 'MISSED'}")
            good = good and p95 <= BOUND_MS
    return good


def tell(readers: list[Reader], visits: list[Visit]) -> bool:
    """A row for each type of page, the slowest first; whether all are light enough."""
    pages: dict[str, tuple[str, int, str]] = {}
    weights: dict[str, int] = {}
    for reader in readers:
        weigh = Weights(reader)
        for kind, page in reader.pages.items():
            if page[1] > pages.get(kind, ("", 0, ""))[1]:
                pages[kind], weights[kind] = page, weigh.of(page)
    of_kind: dict[str, list[Visit]] = defaultdict(list)
    for visit in visits:
        of_kind[visit.kind].append(visit)
    print("\n| page | read | p50 ms | p95 ms | longest ms | HTML kB, plain | as sent | first visit kB |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for kind in sorted(pages, key=lambda kind: -percentiles(of_kind[kind])[1] if of_kind[kind] else 0.0):
        times = " | ".join(f"{ms:.0f}" for ms in percentiles(of_kind[kind])) if of_kind[kind] else "– | – | –"
        _path, size, text = pages[kind]
        kilobytes = f"{len(text.encode()) / 1000:.0f} | {size / 1000:.1f} | {weights[kind] / 1000:.0f}"
        print(f"| `{kind}` | {len(of_kind[kind])} | {times} | {kilobytes} |")
    others = sum((reader.others for reader in readers), Counter[str]())
    if others:
        print("\nno pages:", ", ".join(f"{count} × {what}" for what, count in others.most_common(12)))
    heaviest = max(weights, key=lambda kind: weights[kind])
    good = weights[heaviest] <= BOUND_BYTES
    print(f"\nheaviest first visit {weights[heaviest] / 1000:.0f} kB, {heaviest}; ", end="")
    print(f"all at most {BOUND_BYTES / 1000:g} kB: {'ok' if good else 'MISSED'}")
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument(
        "--seconds", type=float, default=120.0, help="with time to think; a quarter of it without"
    )
    parser.add_argument("--think", type=float, default=5.0)
    parser.add_argument("--workers", type=int, default=2, help="processes of the web server")
    parser.add_argument("--rows", type=int, default=10_000, help="of the demo's data")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="deid-pages-") as folder:
        prepare = PREPARE.format(rows=options.rows, wide=WIDE)
        with installation(Path(folder), prepare=prepare, web_processes=options.workers) as portal:
            return 0 if measure(portal, options) else 1


if __name__ == "__main__":
    sys.exit(main())
