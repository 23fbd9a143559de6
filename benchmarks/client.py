"""A person in front of the portal, over real HTTP: signs in by the form, then pages and API in one session."""

from __future__ import annotations

import http.client
import json
import re
import time
import uuid
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

PIECE = 1 << 20


class Refusal(Exception):
    """The portal answered with an error: status and what it said."""

    def __init__(self, status: int, path: str, body: str) -> None:
        super().__init__(f"{status} {path}: {body[:600]}")
        self.status, self.body = status, body


class Client:
    """One session. Times of the pages that were looked at are kept in ``pages``: (path, seconds)."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.cookies = CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.cookies))
        self.pages: list[tuple[str, float]] = []

    def _token(self) -> str:
        return next((cookie.value or "" for cookie in self.cookies if cookie.name == "csrftoken"), "")

    def send(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        """The open answer; raises :class:`Refusal` for a status of 400 and above."""
        request = Request(self.address + path, data=body, method=method, headers=headers or {})
        request.add_header("X-CSRFToken", self._token())
        try:
            return self.opener.open(request, timeout=900)
        except HTTPError as error:
            raise Refusal(error.code, path, error.read().decode(errors="replace")) from None
        except http.client.HTTPException as error:
            raise Refusal(0, path, repr(error)) from None

    def api(self, method: str, path: str, content: Any = None) -> Any:
        """JSON in, JSON out."""
        body = None if content is None else json.dumps(content).encode()
        headers = {"Content-Type": "application/json"} if body is not None else {}
        with self.send(method, "/api" + path, body, headers) as answer:
            return json.loads(answer.read() or b"null")

    def look(self, *paths: str) -> None:
        """Read pages as a person would; each must answer with 200."""
        for path in paths:
            began = time.perf_counter()
            with self.send("GET", path) as answer:
                answer.read()
            self.pages.append((path, time.perf_counter() - began))

    def sign_in(self, name: str, password: str) -> None:
        with self.send("GET", "/account/sign-in/") as answer:
            found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', answer.read().decode())
        assert found is not None
        form = {"csrfmiddlewaretoken": found[1], "username": name, "password": password}
        with self.send("POST", "/account/sign-in/", urlencode(form).encode()) as answer:
            if "/account/sign-in/" in answer.url:
                raise Refusal(403, "/account/sign-in/", "the portal did not let this person in")

    def upload(self, path: str, file: Path, kind: str = "text/csv", **fields: str) -> Any:
        """Send a file and what belongs to it as a browser would, multipart, without holding the file in memory."""
        boundary = uuid.uuid4().hex
        parts = [
            f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
            for name, value in fields.items()
        ]
        parts.append(
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{file.name}"\r\n'
            f"Content-Type: {kind}\r\n\r\n"
        )
        head = "".join(parts).encode()
        tail = f"\r\n--{boundary}--\r\n".encode()

        def pieces() -> Iterator[bytes]:
            yield head
            with file.open("rb") as stream:
                while piece := stream.read(PIECE):
                    yield piece
            yield tail

        headers = {
            "Content-Type": f"multipart/form-data; boundary={boundary}",
            "Content-Length": str(len(head) + file.stat().st_size + len(tail)),
        }
        with self.send("POST", "/api" + path, pieces(), headers) as answer:
            return json.loads(answer.read())

    def download(self, path: str, target: Path) -> int:
        """Fetch a file; returns its size in bytes."""
        size = 0
        with self.send("GET", "/api" + path) as answer, target.open("wb") as stream:
            while piece := answer.read(PIECE):
                size += stream.write(piece)
        return size

    def wait(self, job: str, every: float = 0.5) -> dict[str, Any]:
        """Until the job has ended; an end other than success is an error of the measurement."""
        while True:
            found: dict[str, Any] = self.api("GET", f"/jobs/{job}/")
            if found["status"] == "succeeded":
                return found
            if found["status"] in ("failed", "cancelled"):
                raise Refusal(422, f"job {found['kind']}", json.dumps(found["error"], ensure_ascii=False))
            time.sleep(every)
