"""Things to press: buttons, links, actions that may be denied, dialogs, and the progress of a job."""

from collections.abc import Mapping
from typing import Any

from django.template import Context, Library
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from deid_portal.ui.tags.common import address, attributes, decision_of, fresh_id, pick, picked

register = Library()

BUTTON_TONES = ("primary", "secondary", "quiet", "danger")
ACTIVE_STATES = ("queued", "waiting", "running", "started", "cancelling")


def _button_tone(tone: str) -> str:
    return tone if tone in BUTTON_TONES else "primary"


@register.inclusion_tag("components/button.html")
def button(
    label: str, tone: str = "primary", icon: str = "", type: str = "submit", size: str = "", **extra: Any
) -> dict[str, Any]:
    """``{% button label tone="primary|secondary|quiet|danger" icon= type= name= value= hx_post= … %}``."""
    return {
        "label": label, "tone": _button_tone(tone), "icon": icon, "type": type, "size": size,
        "attributes": attributes(extra),
    }  # fmt: skip


@register.inclusion_tag("components/link_button.html")
def link_button(
    label: str,
    url: str,
    *arguments: Any,
    tone: str = "secondary",
    icon: str = "",
    size: str = "",
    query: str = "",
    **extra: Any,
) -> dict[str, Any]:
    """A link that looks like a button, for going somewhere; use ``button`` for doing something.

    ``{% link_button label "processing:page" project.pk icon="arrow-left" %}``: see ``address``; ``query`` is added to it.
    """
    return {
        "label": label, "url": address(url, arguments) + query, "tone": _button_tone(tone), "icon": icon, "size": size,
        "attributes": attributes(extra),
    }  # fmt: skip


@register.inclusion_tag("components/action_button.html", takes_context=True)
def action_button(
    context: Context,
    label: str,
    url: str = "",
    *arguments: Any,
    decision: object = None,
    method: str = "post",
    tone: str = "primary",
    icon: str = "",
    hidden: Mapping[str, Any] | None = None,
    dialog: str = "",
    query: str = "",
    **extra: Any,
) -> dict[str, Any]:
    """An action that says why it is closed.

    ``{% action_button label "releases:end" project.pk release.pk decision=verdict %}``: see ``address``; ``query`` is added.
    ``decision`` is a rule's result (see ``decision_of``). Open: a small POST form, a link (``method="get"``),
    or the opener of the dialog with id ``dialog``. Closed: a focusable button with ``aria-disabled`` and the
    reason as visible text tied to it by ``aria-describedby``.
    """
    allowed, reason = decision_of(decision)
    return {
        "label": label, "url": address(url, arguments) + query, "allowed": allowed, "reason": reason,
        "method": method.lower(), "tone": _button_tone(tone), "icon": icon, "hidden": dict(hidden or {}), "dialog": dialog,
        "attributes": attributes(extra), "reason_id": fresh_id("why"),
        "csrf_token": context.get("csrf_token"),
    }  # fmt: skip


@register.simple_tag
def deny_reason(decision: object) -> object:
    """``{% deny_reason verdict %}``: the sentence that a closed action shows, for pages that say it elsewhere."""
    return decision_of(decision)[1]


@register.simple_block_tag(takes_context=True, end_name="endconfirm_dialog")
def confirm_dialog(
    context: Context,
    content: str,
    title: str,
    url: str,
    *arguments: Any,
    id: str,
    confirm: str,
    tone: str = "danger",
    cancel: str = "",
) -> SafeString:
    """``{% confirm_dialog title "releases:end" release.pk id= confirm= %}body and fields{% endconfirm_dialog %}``.

    A POST form inside a ``<dialog>``; open it with ``{% action_button … dialog="id" %}``. Without JavaScript
    the form simply stands in the page.
    """
    values = {
        "content": content, "id": id, "title": title, "url": address(url, arguments), "confirm": confirm,
        "cancel": cancel, "tone": _button_tone(tone), "csrf_token": context.get("csrf_token"),
    }  # fmt: skip
    return SafeString(render_to_string("components/confirm_dialog.html", values))


@register.inclusion_tag("components/job_progress.html", takes_context=True)
def job_progress(
    context: Context, job: object, poll_url: str = "", cancel_url: str = "", done_url: str = ""
) -> dict[str, Any]:
    """Progress of a job, polled every two seconds through htmx while the job is alive.

    ``job`` gives ``label``, ``state`` (queued, running, cancelling, done, failed, cancelled), ``percent``
    (0–100 or None), ``estimate`` (words such as "about 40 seconds left"), ``detail`` and ``message``.
    ``poll_url`` must answer with this same component; the poll ends with the first answer that is not alive.
    """
    state = str(pick(job, "state", "queued") or "queued")
    percent = pick(job, "percent", None)
    if percent is not None:
        percent = min(max(round(float(percent)), 0), 100)
    return {
        **picked(job, "label estimate detail message"),
        "state": state, "percent": percent, "alive": state in ACTIVE_STATES,
        "poll_url": poll_url, "cancel_url": cancel_url, "done_url": done_url,
        "csrf_token": context.get("csrf_token"),
    }  # fmt: skip
