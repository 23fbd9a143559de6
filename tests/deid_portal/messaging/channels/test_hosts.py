"""Where a robot's messages may go, and that they go nowhere else."""

from __future__ import annotations

import socket
from time import monotonic

import pytest

from deid_portal.messaging.channels import hosts
from deid_portal.messaging.channels.failures import ForbiddenHost, Unreachable
from deid_portal.messaging.channels.hosts import address_problem, is_outside, post_json


@pytest.mark.parametrize(
    "url",
    [
        "http://robot.example/x",
        "https://127.0.0.1/x",
        "https://10.1.2.3/x",
        "https://[::1]/x",
        "https://[::ffff:10.0.0.1]/x",
        "https://169.254.169.254/latest/meta-data",
        "https://user:word@robot.example/x",
        "https://robot.example/x#y",
        "https://robot.example/a b",
        "https://robot.example/a\r\nHost: other",
        "https://机器人.example/",
        "https://robot.example:99999/x",
        "https:///x",
        "ftp://robot.example/x",
        "file:///etc/passwd",
        "",
    ],
)
def test_addresses_that_no_robot_has(url):
    assert address_problem(url)


def test_public_hosts_by_https_alone():
    assert not address_problem("https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=k")
    assert not address_problem("https://8.8.8.8/x")


def test_a_setting_permits_a_host(settings):
    settings.DEID_WEBHOOK_HOSTS = ["Chat.inside:8080", "10.1.2.3"]
    assert not address_problem("http://chat.inside:8080/x")
    assert not address_problem("https://10.1.2.3/x")
    assert address_problem("http://chat.inside/x"), "another port is another host"


@pytest.mark.parametrize(
    ("number", "outside"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("127.0.0.1", False),
        ("192.168.0.1", False),
        ("100.64.0.1", False),
        ("224.0.0.1", False),
        ("0.0.0.0", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:192.168.0.1", False),
        ("64:ff9b::a00:1", False),
        ("2002:a00:1::1", False),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", False),
    ],
)
def test_which_addresses_are_outside(number, outside):
    assert is_outside(number) is outside


def test_a_name_that_points_inside_leads_nowhere(robot, settings):
    """The address alone looks well; what the name stands for is asked when the message goes out."""
    settings.DEID_WEBHOOK_HOSTS = []
    assert not address_problem("https://localhost/x")
    with pytest.raises(ForbiddenHost):
        post_json(f"https://localhost:{robot.server_port}/x", b"{}")
    assert not robot.posts


def test_one_address_inside_among_others_forbids_the_name(monkeypatch):
    def two(*args, **kwargs):
        return [(0, 0, 0, "", ("93.184.216.34", 443)), (0, 0, 0, "", ("10.0.0.1", 443))]

    monkeypatch.setattr(hosts.socket, "getaddrinfo", two)
    with pytest.raises(ForbiddenHost):
        post_json("https://robot.example/x", b"{}")


def test_a_redirect_is_not_followed(robot):
    robot.status, robot.headers = 302, {"Location": f"http://{robot.host}/elsewhere"}
    status, _said = post_json(robot.url, b"{}")
    assert status == 302
    assert [path for path, _body in robot.posts] == ["/robot/send?key=very-secret-key"]


def test_nobody_answers(settings, robot):
    port = robot.server_port
    robot.server_close()
    settings.DEID_WEBHOOK_HOSTS = [f"127.0.0.1:{port}", "no-such-host.invalid:80"]
    with pytest.raises(Unreachable):
        post_json(f"http://127.0.0.1:{port}/x", b"{}")
    with pytest.raises(Unreachable):
        post_json("http://no-such-host.invalid/x", b"{}")


def test_who_does_not_speak_tls_is_not_written_to(robot):
    with pytest.raises(Unreachable):
        post_json(robot.url.replace("http://", "https://"), b"{}")
    assert not robot.posts


def test_a_slow_answer_is_cut_off(robot, monkeypatch):
    """One byte at a time, each sooner than any limit on a single one."""
    monkeypatch.setattr(hosts, "TIMEOUT", 0.5)
    robot.drips.set()
    robot.answer = {"errcode": 0, "errmsg": "x" * 60_000}
    began = monotonic()
    with pytest.raises(Unreachable):
        post_json(robot.url, b"{}")
    assert monotonic() - began < 5
    robot.drips.clear()
    assert socket.getdefaulttimeout() is None
