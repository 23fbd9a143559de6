"""What tests read from a page of HTML."""

from __future__ import annotations

import re


def sent_nowhere(page: str) -> list[str]:
    """The forms of the page that are sent to whatever address it stands at."""
    posts = [tag for tag in re.findall(r"<form[^>]*>", page) if 'method="post"' in tag]
    assert posts
    return [tag for tag in posts if "action=" not in tag]
