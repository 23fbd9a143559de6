"""Slow clients stop nobody: the worker class that the portal is served with, over a tiny application."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from deid_portal.serving import Arrival, arrival_of

THREADS = 2
APPLICATION = """
def application(environ, start_response):
    size = len(environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)))
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [str(size).encode()]
"""
# The same rules within a test's patience.
QUICK = """
from deid_portal import serving
serving.HEAD_SECONDS, serving.PATIENCE_SECONDS = 3.0, 1.0
"""


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    (folder / "tiny.py").write_text(QUICK + APPLICATION)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number = probe.getsockname()[1]
    served = subprocess.Popen(
        [
            sys.executable, "-m", "gunicorn", "tiny", "--chdir", str(folder), "--bind", f"127.0.0.1:{number}",
            "--worker-class", "deid_portal.serving.Worker", "--threads", str(THREADS), "--log-level", "error",
        ],
    )  # fmt: skip
    for _try in range(100):
        with suppress(OSError), socket.create_connection(("127.0.0.1", number), 1):
            break
        time.sleep(0.1)
    yield number
    served.terminate()
    served.wait(10)


def asked(port, body=b"", seconds=2.0):
    """The answer's status and text, within so many seconds."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    connection.request("POST" if body else "GET", "/", body)
    answer = connection.getresponse()
    return answer.status, answer.read()


def opened(port, sent):
    sock = socket.create_connection(("127.0.0.1", port), 2)
    sock.sendall(sent)
    return sock


def said(sock, seconds=5):
    """One whole answer of the tiny application, however it comes in parts."""
    sock.settimeout(seconds)
    answer = b""
    while not answer.endswith(b"\r\n0\r\n\r\n") and (part := sock.recv(1000)):
        answer += part
    return answer


def test_heads_that_never_end_hold_no_thread(port):
    slow = [opened(port, b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ") for _ in range(4 * THREADS)]
    for _round in range(3):
        for sock in slow:
            sock.sendall(b"a")
        assert asked(port) == (200, b"0")
    time.sleep(3.2)
    assert asked(port, b"x" * 100_000) == (200, b"100000")
    assert [sock.recv(1) for sock in slow] == [b""] * len(slow), "whoever does not end is hung up on"


def test_pages_and_forms_are_answered_while_more_bodies_crawl_than_there_are_threads(port):
    slow = [
        opened(port, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\na" % length)
        for length in (100_000, 1_000)
        for _ in range(20)
    ]
    for _round in range(3):
        for sock in slow:
            with suppress(ConnectionError):
                sock.sendall(b"a")
        assert asked(port) == (200, b"0")
        assert asked(port, b"x" * 1_000) == (200, b"1000")
    for sock in slow[20:]:
        sock.settimeout(5)
        assert sock.recv(1) == b"", "whoever does not end a form is hung up on"
    for sock in slow:
        sock.close()
    assert asked(port, b"x" * 100_000, seconds=10) == (200, b"100000"), "an upload has its turn"


def test_large_bodies_that_crawl_are_hung_up_on(port):
    slow = opened(port, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
    slow.sendall(b"a")
    assert asked(port, b"x" * 100_000, seconds=5) == (200, b"100000")
    slow.settimeout(5)
    with suppress(ConnectionResetError):
        while slow.recv(1000):
            pass
    slow.close()


def test_of_too_many_large_bodies_the_last_are_told_to_come_again(port):
    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n"
    slow = [opened(port, head) for _ in range(THREADS // 2 + 64)]
    time.sleep(0.3)
    with opened(port, head) as late:
        late.settimeout(2)
        assert late.recv(100).startswith(b"HTTP/1.1 503 ")
    for sock in slow:
        sock.close()
    deadline = time.monotonic() + 10
    while (answer := asked(port, b"x" * 100_000, seconds=10))[0] == 503 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert answer == (200, b"100000"), "the line has gone, and an upload has its turn"


@pytest.mark.parametrize(
    ("received", "expected"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\n", "PART_OF_HEAD"),
        (b"x" * 70_000, "WHOLE"),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "WHOLE"),
        (b"POST / HTTP/1.1\r\ncontent-LENGTH: 3 \r\n\r\nab", "PART_OF_BODY"),
        (b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", "WHOLE"),
        (b"POST / HTTP/1.1\r\nContent-Length: 32769\r\n\r\nabc", "LARGE"),
        (b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 99999\r\n\r\nabc", "LARGE"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "LARGE"),
        (b"POST / HTTP/1.1\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n", "LARGE"),
        (b"POST / HTTP/1.1\r\nContent-Length: many\r\n\r\n", "WHOLE"),
        (b"POST / HTTP/1.1\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n", "LARGE"),
        (b"POST / HTTP/1.1\r\nContent-Length: " + b"0" * 5000 + b"3\r\n\r\nabc", "WHOLE"),
    ],
)
def test_how_much_of_a_request_is_there(received, expected):
    assert arrival_of(received) is Arrival[expected]


def test_a_length_of_thousands_of_digits_ends_no_process(port):
    with opened(port, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n") as odd:
        odd.settimeout(5)
        with suppress(ConnectionResetError):
            assert b" 200 " not in odd.recv(1000)
    crawling = opened(port, b"GET / HTTP/1.1\r\n")
    assert asked(port) == (200, b"0")
    crawling.sendall(b"Host: x\r\nConnection: close\r\n\r\n")
    assert crawling.recv(1000).startswith(b"HTTP/1.1 200 "), "the process is the one that was"


def test_requests_sent_ahead_hold_no_thread_until_they_are_there(port):
    whole = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    ahead = [opened(port, whole + b"G") for _ in range(4 * THREADS)]
    for sock in ahead:
        assert said(sock).startswith(b"HTTP/1.1 200 ")
    assert asked(port, seconds=0.8) == (200, b"0")
    ahead[0].sendall(whole[1:-1])
    ahead[0].sendall(whole[-1:])
    assert said(ahead[0]).startswith(b"HTTP/1.1 200 ")
    for sock in ahead[1:]:
        assert said(sock, 6) == b"", "whoever does not go on is hung up on"
    with opened(port, whole + whole[:-2] + b"Content-Length: 3\r\n\r\nab") as both:
        assert said(both).startswith(b"HTTP/1.1 200 ")
        both.sendall(b"c")
        assert said(both).endswith(b"\r\n1\r\n3\r\n0\r\n\r\n")


def test_one_connection_asks_again_and_a_head_may_come_in_parts(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    for _time in range(3):
        connection.request("POST", "/", b"abc")
        assert connection.getresponse().read() == b"3"
    sock = opened(port, b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n")
    time.sleep(0.2)
    sock.sendall(b"Content-Length: 2\r\n\r\na")
    sock.sendall(b"b")
    assert b"\r\n2\r\n" in sock.makefile("rb").read()
