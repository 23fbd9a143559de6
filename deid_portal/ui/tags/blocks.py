"""Structure: page header, card, notice, disclosure, tabs, badges and other pieces of a page."""

from collections.abc import Iterable
from typing import Any

from django.template import Library
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from deid_portal.ui.icons import TONE_ICONS, icon_svg
from deid_portal.ui.tags.common import (
    NOTICE_WORDS,
    TONE_WORDS,
    address,
    attributes,
    fresh_id,
    pair,
    picked,
    tone_of,
)

register = Library()


@register.simple_tag
def icon(name: str, label: str = "", size: str = "") -> SafeString:
    """``{% icon "check" %}``; give ``label`` only when no word stands beside it."""
    return icon_svg(name, label, size)


@register.simple_tag
def logo() -> SafeString:
    """The mark of the portal: a table whose identifying cells are masked."""
    return SafeString(render_to_string("components/logo.html"))


@register.simple_block_tag(end_name="endpage_header")
def page_header(content: str, title: str, lead: str = "", kicker: str = "") -> SafeString:
    """``{% page_header title=… lead=… kicker=… %}actions{% endpage_header %}``: the one h1 of a page."""
    context = {"title": title, "lead": lead, "kicker": kicker, "actions": SafeString(content.strip())}
    return SafeString(render_to_string("components/page_header.html", context))


@register.inclusion_tag("components/breadcrumbs.html")
def breadcrumbs(crumbs: Iterable[Any]) -> dict[str, Any]:
    """``crumbs``: (label, url) pairs from the outside in; the last is the page itself, url may be empty."""
    return {"crumbs": [dict(zip(("label", "url"), pair(c, "label", "url"), strict=True)) for c in crumbs]}


@register.simple_block_tag(end_name="endcard")
def card(
    content: str,
    title: str = "",
    url: str = "",
    *arguments: Any,
    id: str = "",
    tone: str = "",
    icon: str = "",
    level: int = 2,
    lead: str = "",
) -> SafeString:
    """``{% card title=… %}…{% endcard %}``; ``tone`` draws the edge.

    ``{% card title "core:members" project.pk %}`` makes the title a link: see ``address``.
    """
    context = {
        "content": content, "title": title, "id": id, "tone": tone, "icon": icon,
        "heading": f"h{min(max(int(level), 2), 5)}", "lead": lead,
        "url": address(url, arguments), "label_id": fresh_id("card"),
    }  # fmt: skip
    return SafeString(render_to_string("components/card.html", context))


@register.simple_block_tag(end_name="endnotice")
def notice(content: str, tone: str = "info", title: str = "", live: bool = False) -> SafeString:
    """``{% notice tone="warn" title=… %}…{% endnotice %}``; ``live`` announces it to screen readers."""
    tone = tone_of(tone)
    context = {
        "content": content, "tone": tone, "title": title, "word": NOTICE_WORDS[tone],
        "icon": TONE_ICONS[tone], "role": ("alert" if tone == "fail" else "status") if live else "",
    }  # fmt: skip
    return SafeString(render_to_string("components/notice.html", context))


@register.simple_block_tag(end_name="endverdict")
def verdict(content: str, tone: str, title: str, lead: str = "") -> SafeString:
    """``{% verdict tone="fail" title=… lead=… %}…{% endverdict %}``: the answer to "can I sign this?"."""
    tone = tone_of(tone)
    context = {"content": content, "tone": tone, "title": title, "lead": lead, "icon": TONE_ICONS[tone]}
    return SafeString(render_to_string("components/verdict.html", context))


@register.simple_block_tag(end_name="enddisclosure")
def disclosure(
    content: str, summary: str, open: bool = False, note: str = "", written: str = ""
) -> SafeString:
    """``{% disclosure summary=… %}…{% enddisclosure %}``: details on demand, works without JavaScript.

    ``written`` stands in the summary once something is written in a field of the content, which has a placeholder, if a blank one.
    """
    context = {"content": content, "summary": summary, "open": open, "note": note, "written": written}
    return SafeString(render_to_string("components/disclosure.html", context))


@register.simple_block_tag(end_name="endempty_state")
def empty_state(content: str, title: str, icon: str = "archive", lead: str = "") -> SafeString:
    """``{% empty_state title=… lead=… %}buttons{% endempty_state %}``: why it is empty and what to do next."""
    context = {"content": content, "title": title, "icon": icon, "lead": lead}
    return SafeString(render_to_string("components/empty_state.html", context))


@register.inclusion_tag("components/status_badge.html")
def status_badge(tone: object, word: str = "", icon: str = "") -> dict[str, Any]:
    """``{% status_badge tone word %}``: tone is ok, fail, warn, info, neutral, unknown or a boolean."""
    name = tone_of(tone)
    return {"tone": name, "word": word or TONE_WORDS[name], "icon": icon or TONE_ICONS[name]}


@register.inclusion_tag("components/tabs.html")
def tabs(items: Iterable[Any], label: str) -> dict[str, Any]:
    """``items``: {label, url, current, count}; plain links, so each tab has an address of its own."""
    return {"items": [picked(item, "label url current count") for item in items], "label": label}


@register.inclusion_tag("components/key_number.html")
def key_number(
    value: object,
    label: str,
    plain: str = "",
    unit: str = "",
    tone: str = "",
    target: str = "",
    url: str = "",
) -> dict[str, Any]:
    """A big number that is never bare: ``label`` above, ``plain`` words below, ``target`` beside."""
    name = tone_of(tone) if tone else ""
    return {
        "value": value, "label": label, "plain": plain, "unit": unit, "tone": name, "target": target,
        "icon": TONE_ICONS.get(name, ""), "word": TONE_WORDS.get(name, ""), "url": url,
    }  # fmt: skip


@register.inclusion_tag("components/person.html")
def person(name: object, role: str = "", post: str = "") -> dict[str, Any]:
    """A person chip: the first character of the name as mark, then name and role (or post)."""
    text = str(name or "")
    return {"name": text, "role": role, "post": post, "mark": text[:1].upper()}


@register.simple_tag
def attrs(**extra: Any) -> SafeString:
    """``<form{% attrs hx_get=url %}>``: escaped attributes out of keyword arguments."""
    return attributes(extra)
