"""A real mail server and a real robot, on this machine, that say what they were sent."""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from aiosmtpd.controller import Controller

logging.getLogger("mail.log").setLevel(logging.WARNING)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Mailbox:
    """Takes every mail, but those to ``refuses`` (address → answer), and none while ``answer`` is another one."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.refuses: dict[str, str] = {}
        self.answer = "250 taken"
        self.port = free_port()
        self._controller: Any = None

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if address in self.refuses:
            return self.refuses[address]
        envelope.rcpt_tos.append(address)
        return "250 ok"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.answer.startswith("250"):
            self.mails.append(message_from_bytes(envelope.content, policy=policy.default))  # type: ignore[arg-type]
        return self.answer

    def open(self) -> None:
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    def close(self) -> None:
        if self._controller is not None:
            self._controller.stop()
            self._controller = None

    def to(self, address: str) -> list[EmailMessage]:
        return [mail for mail in self.mails if mail["To"] == address]

    def said(self, address: str) -> str:
        """The only mail to ``address``, with its subject."""
        (mail,) = self.to(address)
        return f"{mail['Subject']}\n{mail.get_content()}"


class Robot(ThreadingHTTPServer):
    """Writes down what is posted, and answers what it is told to."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Post)
        self.posts: list[tuple[str, dict[str, Any]]] = []
        self.status = 200
        self.answer: Any = {"errcode": 0, "errmsg": "ok"}
        self.headers: dict[str, str] = {}
        self.drips = threading.Event()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}/robot/send?key=very-secret-key"

    @property
    def texts(self) -> list[str]:
        return [body.get("text", body.get("content", {}))[_name(body)] for _path, body in self.posts]


def _name(body: dict[str, Any]) -> str:
    return "content" if "msgtype" in body else "text"


class Post(BaseHTTPRequestHandler):
    server: Robot

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.posts.append((self.path, json.loads(body)))
        self.send_response(self.server.status)
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        said = json.dumps(self.server.answer).encode()
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        while self.server.drips.is_set():
            self.wfile.write(b" ")
            self.wfile.flush()
            threading.Event().wait(0.05)
        self.wfile.write(said)

    def log_message(self, *args: Any) -> None:
        """Nothing on standard error."""


@contextmanager
def robot_open() -> Iterator[Robot]:
    robot = Robot()
    thread = threading.Thread(target=robot.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield robot
    finally:
        robot.shutdown()
        robot.server_close()
        thread.join()
