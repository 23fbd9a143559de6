"""How the web server meets slow clients: a thread is given to a request whose head is whole, and taken from one that crawls.

For gunicorn: ``--worker-class deid_portal.serving.Worker``. Without it eight connections that send a byte now and then
hold eight threads. TLS, and bodies that somebody sends slowly but steadily, are the proxy's part (docs/how-to/operations.md).
"""

from __future__ import annotations

import errno
import selectors
import socket
import time
from functools import partial
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

# A request's head has to be whole this long after its first byte could come, and is no longer than this.
HEAD_SECONDS = 10.0
HEAD_BYTES = 64 * 1024
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


class Worker(ThreadWorker):  # type: ignore[misc]
    """Threads that are given only to requests whose head has come whole; the loop collects the heads."""

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
        conn.head = b""
        conn.sock.setblocking(False)
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
        conn.head += data
        if data and b"\r\n\r\n" not in conn.head and len(conn.head) < HEAD_BYTES:
            return
        self.poller.unregister(client)
        self.pending_conns.remove(conn)
        if conn.head:
            conn.data_ready = True
            self.enqueue_req(conn)
        else:
            self.nr_conns -= 1
            conn.close()

    def handle(self, conn: TConn) -> Any:
        head = getattr(conn, "head", b"")
        if head:
            conn.sock.begin()
            conn.init()
            conn.parser.unreader.unread(head)
            conn.head = b""
        return super().handle(conn)
