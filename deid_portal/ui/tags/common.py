"""What all the tag families share: attributes, ids, tolerant lookups and the words of the tones."""

import re
import secrets
from collections.abc import Mapping
from typing import Any

from django.forms.utils import flatatt
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

TONES = ("ok", "fail", "warn", "info", "neutral", "unknown")

TONE_WORDS: dict[str, Any] = {
    "ok": _("Passed"),
    "fail": _("Did not pass"),
    "warn": _("Attention"),
    "info": _("Note"),
    "neutral": _("Not applicable"),
    "unknown": _("Not checked"),
}
# A notice tells something and checks nothing; these stand before it for those who do not see its colour.
NOTICE_WORDS: dict[str, Any] = {
    "ok": _("Done"),
    "fail": _("Error"),
    "warn": _("Attention"),
    "info": _("Note"),
    "neutral": _("Note"),
    "unknown": _("Note"),
}


ADDRESS_NAME = re.compile(r"[a-z_]+(:[a-z_-]+)+")


def address(target: object, arguments: tuple[Any, ...] = ()) -> str:
    """Where a tag leads: ``{% link_button _("Scenes of use") "processing:scenes" project.pk %}``.

    ``target`` is the name of an address, reversed with ``arguments``, or an address that Python code has resolved
    (``/projects/3/``, ``#moves``, nothing), which stays as it is. Raises ``NoReverseMatch`` for a name that the
    portal does not have and ``ValueError`` for arguments to an address that takes none any more.
    """
    text = str(target or "")
    if ADDRESS_NAME.fullmatch(text):
        return reverse(text, args=arguments)
    if arguments:
        raise ValueError(f"{text!r} is not the name of an address, so it takes no arguments")
    return text


def tone_of(value: object) -> str:
    """A tone name for ``value``: booleans map to ok and fail, ``None`` and unknown names to ``unknown``.

    Failing closed: whatever is not known to be good is never drawn as good.
    """
    if value is True:
        return "ok"
    if value is False:
        return "fail"
    text = str(value) if value is not None else "unknown"
    return text if text in TONES else "unknown"


def pick(item: object, name: str, default: Any = "") -> Any:
    """``item[name]`` or ``item.name``, so that components accept mappings and objects alike."""
    if isinstance(item, Mapping):
        return item.get(name, default)
    return getattr(item, name, default)


def picked(item: object, names: str) -> dict[str, Any]:
    """Several of these, by their names: ``picked(item, "label url")``."""
    return {name: pick(item, name) for name in names.split()}


def pair(item: object, first: str, second: str) -> tuple[Any, Any]:
    """The two values of a ``(first, second)`` tuple, mapping or object."""
    if isinstance(item, (tuple, list)):
        return item[0], item[1]
    return pick(item, first), pick(item, second)


def attributes(extra: Mapping[str, Any]) -> SafeString:
    """HTML attributes out of keyword arguments: ``hx_get="/x/"`` becomes ``hx-get="/x/"``, all escaped.

    ``None`` and ``False`` leave the attribute out. ``style`` and ``on…`` handlers are refused because the
    content security policy of the portal would drop them silently.
    """
    clean: dict[str, Any] = {}
    for key, value in extra.items():
        name = key.rstrip("_").replace("_", "-")
        if name == "style" or name.startswith("on"):
            raise ValueError(f"the attribute {name!r} is barred by the content security policy")
        if value is None or value is False:
            continue
        clean[name] = value if value is True else str(value)
    return flatatt(clean)


def fresh_id(prefix: str) -> str:
    """An id that stays unique when a fragment is swapped into a page rendered by another process."""
    return f"{prefix}-{secrets.token_hex(4)}"


def decision_of(decision: object) -> tuple[bool, object]:
    """Whether an action is open, and the sentence that says why not.

    Accepts ``None`` or ``True`` (open), ``False`` or ``""`` (closed, no reason known), a text (closed for
    that reason), or a rule's result: an object with ``allowed`` and one of ``message``, ``reason`` or ``text``.
    """
    if decision is None or decision is True:
        return True, ""
    if isinstance(decision, (str, Promise)):
        return False, decision
    allowed = pick(decision, "allowed", None)
    if allowed is None:
        allowed = bool(decision)
    if callable(allowed):
        allowed = allowed()
    if allowed:
        return True, ""
    text = pick(decision, "message", "") or pick(decision, "text", "")
    if text:
        return False, text
    # A typed reason is an enum member: its label is the sentence, the decision's params fill it in. A text above is filled
    # in already, and a percent sign in it is the user's own.
    reason = pick(decision, "reason", "")
    sentence, params = getattr(reason, "label", None) or reason, pick(decision, "params", None)
    return False, str(sentence) % params if params and sentence else sentence
