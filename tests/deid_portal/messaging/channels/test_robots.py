"""What robots of each kind are sent, how it is signed, and how their answers are read."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from urllib.parse import parse_qs, urlsplit

import pytest

from deid_portal.messaging.channels.failures import Busy, Refused, Sealed, Unreachable
from deid_portal.messaging.channels.robots import robot_seal, robot_send
from deid_portal.messaging.enums import RobotKind
from deid_portal.messaging.models import Robot

TEXT = "张三：1 件待办"
SECRET = "SEC0123456789"


def made(kind, url, secret=""):
    found = Robot(name="chat", kind=kind, host="host")
    robot_seal(found, url=url, secret=secret)
    return found


def test_wecom_takes_a_text(robot):
    robot_send(made(RobotKind.WECOM, robot.url, SECRET), TEXT)
    ((path, body),) = robot.posts
    assert path == "/robot/send?key=very-secret-key"
    assert body == {"msgtype": "text", "text": {"content": TEXT}}


def test_dingtalk_signs_in_the_address(robot):
    """HMAC-SHA256 by the secret over milliseconds, line break and secret, in base 64 (DingTalk's own description)."""
    robot_send(made(RobotKind.DINGTALK, robot.url, SECRET), TEXT)
    ((path, body),) = robot.posts
    query = {name: values[0] for name, values in parse_qs(urlsplit(path).query).items()}
    assert query["key"] == "very-secret-key"
    assert abs(int(query["timestamp"]) / 1000 - time.time()) < 60
    wanted = hmac.digest(SECRET.encode(), f"{query['timestamp']}\n{SECRET}".encode(), "sha256")
    assert base64.b64decode(query["sign"]) == wanted
    assert body == {"msgtype": "text", "text": {"content": TEXT}}


def test_feishu_signs_in_the_body(robot):
    """HMAC-SHA256 over nothing, by seconds, line break and secret (Feishu's own description)."""
    robot.answer = {"code": 0, "msg": "success"}
    robot_send(made(RobotKind.FEISHU, robot.url, SECRET), TEXT)
    ((_path, body),) = robot.posts
    stamp = body.pop("timestamp")
    assert abs(int(stamp) - time.time()) < 60
    key = f"{stamp}\n{SECRET}".encode()
    # HMAC by hand: the key has fewer than the 64 bytes of a block.
    inner = bytes(byte ^ 0x36 for byte in key.ljust(64, b"\0"))
    outer = bytes(byte ^ 0x5C for byte in key.ljust(64, b"\0"))
    wanted = hashlib.sha256(outer + hashlib.sha256(inner).digest()).digest()
    assert base64.b64decode(body.pop("sign")) == wanted
    assert body == {"msg_type": "text", "content": {"text": TEXT}}


@pytest.mark.parametrize("kind", [RobotKind.DINGTALK, RobotKind.FEISHU])
def test_without_a_secret_nothing_is_signed(robot, kind):
    robot.answer = {"code": 0, "errcode": 0}
    robot_send(made(kind, robot.url), TEXT)
    ((path, body),) = robot.posts
    assert "sign" not in path
    assert "sign" not in body


@pytest.mark.parametrize(
    ("kind", "status", "answer", "failure"),
    [
        (RobotKind.WECOM, 200, {"errcode": 93000, "errmsg": "invalid webhook url"}, Refused),
        (RobotKind.WECOM, 200, {"errcode": 45009, "errmsg": "freq out of limit"}, Busy),
        (RobotKind.DINGTALK, 200, {"errcode": 310000, "errmsg": "sign not match"}, Refused),
        (RobotKind.DINGTALK, 200, {"errcode": 130101, "errmsg": "send too fast"}, Busy),
        (RobotKind.FEISHU, 200, {"code": 19021, "msg": "sign match fail"}, Refused),
        (RobotKind.FEISHU, 200, {"code": 11232, "msg": "frequency limited"}, Busy),
        (RobotKind.WECOM, 200, {}, Refused),
        (RobotKind.WECOM, 200, "hello", Refused),
        (RobotKind.WECOM, 404, {"errcode": 0}, Refused),
        (RobotKind.WECOM, 302, {"errcode": 0}, Refused),
        (RobotKind.WECOM, 429, {"errcode": 0}, Busy),
        (RobotKind.WECOM, 502, {"errcode": 0}, Unreachable),
    ],
)
def test_a_robot_that_does_not_take_it(robot, kind, status, answer, failure):
    robot.status, robot.answer = status, answer
    with pytest.raises(failure):
        robot_send(made(kind, robot.url), TEXT)


def test_feishus_older_answer(robot):
    robot.answer = {"StatusCode": 0, "StatusMessage": "success"}
    robot_send(made(RobotKind.FEISHU, robot.url), TEXT)


def test_the_address_opens_in_its_own_row_alone(robot):
    first, second = made(RobotKind.WECOM, robot.url, SECRET), made(RobotKind.WECOM, robot.url)
    assert "very-secret-key" not in json.dumps(base64.b64decode(first.sealed).decode("latin-1"))
    second.sealed = first.sealed
    with pytest.raises(Sealed):
        robot_send(second, TEXT)
    assert not robot.posts
