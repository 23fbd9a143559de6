"""How the web server meets slow clients: a thread is given to a request that has come whole, and taken from one that crawls.

For gunicorn: ``--worker-class deid_portal.serving.Worker``. Without it eight connections that send a byte now and then
hold eight threads. A body too large to be waited for, an upload, is read by a thread while it arrives; such ones hold half of
the threads at most, and the others wait in line, so that pages go on however many crawl. TLS is the proxy's part
(docs/how-to/operations.md).
"""

from __future__ import annotations

import errno
import re
import selectors
import socket
import time
from collections import deque
from contextlib import suppress
from enum import Enum
from functools import partial
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

# A request's head has to be whole this long after its first byte could come, and is no longer than this; a body up to
# so many bytes as long after the head.
HEAD_SECONDS = 10.0
HEAD_BYTES = 64 * 1024
SMALL_BYTES = 32 * 1024
# So many larger bodies wait for a thread; the next one is told to come again.
LARGE_IN_LINE = 64
LATER = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 30\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
)
_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"^content-length:[ \t]*(\d+)[ \t]*$", re.I | re.M)
_DIGITS = len(str(SMALL_BYTES))
# A body of a length that is not said, and one that is sent when the server has said to go on.
_OPEN_END = re.compile(rb"^(?:transfer-encoding|expect):", re.I | re.M)
# A body comes at this rate at least (bytes a second), after a start of so many seconds; an answer moves on within as many.
BODY_RATE = 32 * 1024
PATIENCE_SECONDS = 20.0


class PatientSocket:
    """A socket that waits, but not without end."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self.begin()

    def begin(self) -> None:
        """A new request begins."""
        self._since, self._received = time.monotonic(), 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)

    def setblocking(self, flag: bool) -> None:
        self._sock.settimeout(PATIENCE_SECONDS if flag else 0.0)

    def recv(self, *arguments: Any) -> bytes:
        left = self._since + PATIENCE_SECONDS + self._received / BODY_RATE - time.monotonic()
        if self._sock.gettimeout() == 0.0:
            return self._sock.recv(*arguments)
        if left > 0:
            self._sock.settimeout(min(left, PATIENCE_SECONDS))
            try:
                data = self._sock.recv(*arguments)
            except TimeoutError:
                pass
            else:
                self._sock.settimeout(PATIENCE_SECONDS)
                self._received += len(data)
                return data
        raise ConnectionResetError(errno.ECONNRESET, "the request came too slowly")


class Arrival(Enum):
    """How much of a request is there."""

    PART_OF_HEAD = "part of the head"
    PART_OF_BODY = "part of a small body"
    WHOLE = "whole"
    LARGE = "head of a large body"


def arrival_of(received: bytes) -> Arrival:
    head, end, body = received.partition(_END)
    if not end:
        return Arrival.PART_OF_HEAD if len(received) < HEAD_BYTES else Arrival.WHOLE
    length = small_length(head)
    if length is None:
        return Arrival.LARGE
    return Arrival.WHOLE if len(body) >= length else Arrival.PART_OF_BODY


def small_length(head: bytes) -> int | None:
    """Bytes of the body that a head speaks of; None where they are too many to be waited for, or not said."""
    fields = head.replace(b"\r", b"")
    lengths = _LENGTH.findall(fields)
    # Python refuses numbers of some thousand digits.
    if _OPEN_END.search(fields) or any(len(digits.lstrip(b"0")) > _DIGITS for digits in lengths):
        return None
    length = max((int(digits.lstrip(b"0") or b"0") for digits in lengths), default=0)
    return length if length <= SMALL_BYTES else None


class Worker(ThreadWorker):  # type: ignore[misc]
    """Threads that are given only to requests that have come whole, and half of them to large bodies; the loop collects."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.large_threads = max(1, self.cfg.threads // 2)
        self.large: set[TConn] = set()
        self.line: deque[TConn] = deque()

    def accept(self, listener: socket.socket) -> None:
        if self.cfg.is_ssl:
            super().accept(listener)
            return
        try:
            sock, client = listener.accept()
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK):
                raise
            return
        self.nr_conns += 1
        conn = TConn(self.cfg, PatientSocket(sock), client, listener.getsockname())
        self._await_head(conn)

    def on_client_socket_readable(self, conn: TConn, client: Any) -> None:
        if self.cfg.is_ssl:
            super().on_client_socket_readable(conn, client)
            return
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        self._await_head(conn)

    def _await_head(self, conn: TConn) -> None:
        conn.head, conn.wanted = b"", 0
        conn.sock.setblocking(False)
        self._await_more(conn)

    def _await_more(self, conn: TConn) -> None:
        """Each is appended with the same patience, so that the first of them runs out first."""
        conn.timeout = time.monotonic() + HEAD_SECONDS
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def on_pending_socket_readable(self, conn: TConn, client: Any) -> None:
        if self.cfg.is_ssl:
            super().on_pending_socket_readable(conn, client)
            return
        try:
            data = conn.sock.recv(HEAD_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data and self._is_part(conn, data):
            return
        self.poller.unregister(client)
        self.pending_conns.remove(conn)
        if data:
            self._go_on(conn)
        else:
            self._hang_up(conn)

    def _is_part(self, conn: TConn, data: bytes) -> bool:
        """Whether more has to come before anything can be done. However it is cut up, a head is read once."""
        known = max(0, len(conn.head) - len(_END) + 1)
        conn.head += data
        if conn.wanted:
            return bool(len(conn.head) < conn.wanted)
        return bool(conn.head.find(_END, known) < 0 and len(conn.head) < HEAD_BYTES)

    def _go_on(self, conn: TConn) -> None:
        """With what has come: a head, or a head and its small body."""
        arrival = Arrival.WHOLE if conn.wanted else arrival_of(conn.head)
        if arrival is Arrival.PART_OF_BODY:
            head, end, _body = conn.head.partition(_END)
            conn.wanted = len(head) + len(end) + (small_length(head) or 0)
            self._await_more(conn)
        elif arrival is not Arrival.LARGE:
            self._begin(conn)
        elif len(self.large) < self.large_threads:
            self.large.add(conn)
            self._begin(conn)
        elif len(self.line) < LARGE_IN_LINE:
            self.line.append(conn)
        else:
            with suppress(OSError):
                conn.sock.send(LATER)
            self._hang_up(conn)

    def _begin(self, conn: TConn) -> None:
        conn.data_ready = True
        self.enqueue_req(conn)

    def _hang_up(self, conn: TConn) -> None:
        self.nr_conns -= 1
        conn.close()

    def finish_request(self, conn: TConn, fs: Any) -> None:
        if conn in self.large:
            self.large.remove(conn)
            if self.line:
                following = self.line.popleft()
                self.large.add(following)
                self._begin(following)
        ahead = (
            b""
            if self.cfg.is_ssl or conn.is_http2 or not _goes_on(fs)
            else conn.parser.unreader.take_buffered()
        )
        if not ahead:
            super().finish_request(conn, fs)
            return
        # Sent before the answer had come: the next request has to be there like any other before a thread is given to it.
        conn.head, conn.wanted = b"", 0
        conn.sock.setblocking(False)
        if self._is_part(conn, ahead):
            self._await_more(conn)
        else:
            self._go_on(conn)

    def handle(self, conn: TConn) -> Any:
        head = getattr(conn, "head", b"")
        if head:
            conn.sock.begin()
            conn.init()
            conn.parser.unreader.unread(head)
            conn.head = b""
        return super().handle(conn)


def _goes_on(fs: Any) -> bool:
    """Whether the connection is kept for a further request."""
    return not fs.cancelled() and fs.exception() is None and bool(fs.result())
