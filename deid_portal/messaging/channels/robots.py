"""Robots of WeCom, DingTalk and Feishu: what each takes, how each is signed to, and what each answers."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote_plus

from projects.vault.keys import key_unwrap, key_wrap
from techniques.core.messages import EngineError

from ..enums import RobotKind
from ..models import Robot
from .failures import Busy, Refused, Sealed, Unreachable
from .hosts import post_json

Body = dict[str, Any]


@dataclass(frozen=True)
class Form:
    """How one kind of robot is written to.

    ``most``: the longest text, in bytes. ``sign``: address and body with the signature. ``answer``: under which names the answer says
    how it went, 0 for well; ``busy``: the codes that ask to come again later.
    """

    body: Callable[[str], Body]
    most: int
    answer: tuple[str, ...]
    busy: frozenset[int]
    sign: Callable[[str, Body, str], tuple[str, Body]] | None = None


def _digest(key: str, said: str) -> str:
    return base64.b64encode(hmac.new(key.encode(), said.encode(), hashlib.sha256).digest()).decode()


def _dingtalk(url: str, body: Body, secret: str) -> tuple[str, Body]:
    """In the address, by milliseconds."""
    now = str(round(time.time() * 1000))
    sign = quote_plus(_digest(secret, f"{now}\n{secret}"))
    return f"{url}{'&' if '?' in url else '?'}timestamp={now}&sign={sign}", body


def _feishu(url: str, body: Body, secret: str) -> tuple[str, Body]:
    """In the body, by seconds; what is signed is the key, and nothing under it."""
    now = str(round(time.time()))
    return url, {"timestamp": now, "sign": _digest(f"{now}\n{secret}", ""), **body}


def _text(text: str) -> Body:
    return {"msgtype": "text", "text": {"content": text}}


FORMS: dict[RobotKind, Form] = {
    RobotKind.WECOM: Form(_text, 2_000, ("errcode",), frozenset({-1, 45009, 45033})),
    RobotKind.DINGTALK: Form(_text, 18_000, ("errcode",), frozenset({-1, 130101, 410100}), _dingtalk),
    RobotKind.FEISHU: Form(
        lambda text: {"msg_type": "text", "content": {"text": text}},
        18_000,
        ("code", "StatusCode"),
        frozenset({9499, 11232, 11233, 99991400}),
        _feishu,
    ),
}


def is_signed_to(kind: RobotKind) -> bool:
    """Whether robots of this kind may ask for a signature."""
    return FORMS[kind].sign is not None


def robot_seal(robot: Robot, *, url: str, secret: str) -> None:
    """Put address and secret into the robot's row, encrypted."""
    plain = json.dumps({"url": url, "secret": secret}).encode()
    robot.sealed = base64.b64encode(key_wrap(plain, robot.context)).decode()


def robot_send(robot: Robot, text: str) -> None:
    """Raises a ``Failure``."""
    try:
        opened = json.loads(key_unwrap(base64.b64decode(robot.sealed), robot.context))
    except EngineError:
        raise Sealed from None
    form = FORMS[RobotKind(robot.kind)]
    url, body = opened["url"], form.body(text)
    if form.sign is not None and opened["secret"]:
        url, body = form.sign(url, body, opened["secret"])
    status, said = post_json(url, json.dumps(body, ensure_ascii=False).encode())
    if status == 429:
        raise Busy
    if status >= 500:
        raise Unreachable
    if status != 200:
        raise Refused
    _require_well(form, said)


def _require_well(form: Form, said: bytes) -> None:
    """A robot answers 200 to what it refuses, too."""
    try:
        answer = json.loads(said)
        code = next(int(answer[name]) for name in form.answer if name in answer)
    except (ValueError, TypeError, StopIteration):
        raise Refused from None
    if code in form.busy:
        raise Busy
    if code != 0:
        raise Refused
