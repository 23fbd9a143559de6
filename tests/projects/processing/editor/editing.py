"""What a person does in the recipe editor: read its entries, press a button, find a step."""

from __future__ import annotations

import re
from html import unescape


def entries(response) -> dict[str, list[str]]:
    """What a browser without script would post back from the page."""
    html = response.content.decode()
    form = html[html.index('id="recipe"') :]
    found: dict[str, list[str]] = {}

    def put(name, value):
        found.setdefault(unescape(name), []).append(unescape(value))

    for tag in re.findall(r"<input[^>]*>", form):
        values = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if "name" not in values or (values.get("type") in ("checkbox", "radio") and " checked" not in tag):
            continue
        put(values["name"], values.get("value", "on" if values.get("type") == "checkbox" else ""))
    for name, body in re.findall(r'<select[^>]*name="([^"]*)"[^>]*>(.*?)</select>', form, re.DOTALL):
        options = re.findall(r'<option value="([^"]*)"( selected)?', body)
        put(name, next((value for value, selected in options if selected), options[0][0]))
    for name, body in re.findall(r'<textarea[^>]*name="([^"]*)"[^>]*>(.*?)</textarea>', form, re.DOTALL):
        put(name, body.removeprefix("\n"))
    return found


def press(client, address, form, do):
    return client.post(address, {**form, "do": do})


def step_of(form, technique) -> str:
    return next(
        name[:-10] for name, values in form.items() if values == [technique] and name.endswith("-technique")
    )
