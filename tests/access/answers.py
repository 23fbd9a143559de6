"""What an answer must be like for each expectation."""

from __future__ import annotations

import io
import json
import re
import zipfile
from typing import Any

from .language import Rule

LOGIN = "/account/sign-in/"
WORKSPACE = "/tests/"
# What the page of a refusal says in words.
REASON = re.compile(r'<p class="reason">(?:<[^>]+>|\s)*([^<]+)')
HAN = re.compile(r"[\u4e00-\u9fff]")
# Nobody in the walk has chosen a language, so every reason is Chinese; the shortest says four words in as many.
SHORTEST_REASON = 4


def body_of(response: Any) -> str:
    content = b"".join(response.streaming_content) if response.streaming else response.content
    if response.headers.get("Content-Type") == "application/zip":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            content = b"\n".join(archive.read(name) for name in archive.namelist())
    return bytes(content).decode("utf-8", "replace")


def judge(expected: str, rule: Rule, response: Any, body: str) -> str:
    """What is wrong with the answer; empty where nothing is."""
    status, location = response.status_code, response.headers.get("Location", "")
    if status >= 500:
        return "an error"
    to_login = status == 302 and location.startswith(LOGIN)
    match expected:
        case "permitted":
            good = status in rule.answers and (rule.public or not to_login)
        case "led on":
            good = status == 302 and location == WORKSPACE
        case "sign in":
            # Whose time is over is turned away: a page leads to the sign-in, the API says so.
            good = to_login or (status == 403 and '"access_ended"' in body)
        case "unauthorised":
            good = status == 401
        case "expired (API)":
            good = status == 403 and json.loads(body)["code"] == "access_ended"
        case "refused":
            return explained(response, body) if status == 403 else f"{status}, expected a refusal"
        case "no such method":
            good = status == 405
        case "turned away":
            good = status in (401, 403, 404, 405)
        case "forged":
            good = status == 403
        case "as GET":
            good = (status in (200, 302, 405) or rule.answers == {status}) and not body
        case "described":
            good = status in (200, 401, 403, 404)
        case "absent":
            good = status in (403, 404)
        case _:
            good = status == 404
    return "" if good else f"{status} {location}, expected {expected}"


def explained(response: Any, body: str) -> str:
    """A refusal says why, in words."""
    if response.headers.get("Content-Type", "").startswith("application/json"):
        said = json.loads(body)
        return "" if said.get("code") and in_words(said.get("reason")) else "refused without code and reason"
    reason = REASON.search(body)
    return "" if reason and in_words(reason.group(1)) else "refused without a reason on the page"


def in_words(text: Any) -> bool:
    return isinstance(text, str) and len(HAN.findall(text)) >= SHORTEST_REASON
