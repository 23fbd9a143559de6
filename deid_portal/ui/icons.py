"""The icon set: 24 × 24 outlines of our own, drawn inline so that pages and PDF documents share them.

Each entry is the inner markup of an ``<svg>`` whose stroke is ``currentColor``; ``SOLID`` names the
filled ones. Icons are decoration: the word beside an icon always carries the meaning.
"""

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

_P = '<path d="{}"/>'


def _path(*commands: str) -> str:
    return "".join(_P.format(command) for command in commands)


_RING = '<circle cx="12" cy="12" r="9"/>'
_SHEET = "M6 3h8l4 4v14H6z"

ICONS: dict[str, str] = {
    "archive": _path("M3 4h18v5H3z", "M5 9v11h14V9", "M10 13h4"),
    "arrow-down": _path("M12 4v16", "m6 14 6 6 6-6"),
    "arrow-left": _path("M20 12H4", "m10 6-6 6 6 6"),
    "arrow-right": _path("M4 12h16", "m14 6 6 6-6 6"),
    "arrow-up": _path("M12 20V4", "m6 10 6-6 6 6"),
    "bell": _path("M6 17V11a6 6 0 0 1 12 0v6l2 2H4z", "M10 22h4"),
    "book": _path("M4 5c3-1.5 6-1 8 1 2-2 5-2.5 8-1v14c-3-1.5-6-1-8 1-2-2-5-2.5-8-1z", "M12 6v14"),
    "branch": _path("M7 7v10", "M7 14c6 0 10-1 10-5")
    + '<circle cx="7" cy="5" r="2"/><circle cx="7" cy="19" r="2"/><circle cx="17" cy="7" r="2"/>',
    "calendar": _path("M4 6h16v14H4z", "M4 11h16", "M8 3v5", "M16 3v5"),
    "chart": _path("M4 4v16h16", "M8 16v-4", "M12 16V8", "M16 16v-6"),
    "check": _path("m5 12.5 4.5 4.500L19 7.5"),
    "check-circle": _RING + _path("m8 12.3 2.8 2.800L16 9.5"),
    "chevron-down": _path("m6 9 6 6 6-6"),
    "chevron-left": _path("m15 6-6 6 6 6"),
    "chevron-right": _path("m9 6 6 6-6 6"),
    "circle": _RING,
    "clock": _RING + _path("M12 7v5.500l3.5 2"),
    "columns": _path("M4 4h16v16H4z", "M10 4v16", "M15 4v16"),
    "copy": _path("M9 9h11v11H9z", "M15 9V4H4v11h5"),
    "database": '<ellipse cx="12" cy="6" rx="7" ry="3"/>'
    + _path("M5 6v12c0 1.660 3.130 3 7 3s7-1.340 7-3V6", "M5 12c0 1.660 3.130 3 7 3s7-1.340 7-3"),
    "dash-circle": _RING + _path("M8 12h8"),
    "download": _path("M12 4v11", "m7 11 5 5 5-5", "M4 20h16"),
    "edit": _path("M4 20l1-5L16 4l4 4L9 19z", "m14 6 4 4"),
    "external": _path("M13 4h7v7", "M20 4l-9 9", "M18 14v6H4V6h6"),
    "eye": _path("M2 12c2.5-4.5 6-7 10-7s7.5 2.5 10 7c-2.5 4.5-6 7-10 7s-7.5-2.5-10-7z")
    + '<circle cx="12" cy="12" r="3"/>',
    "eye-off": _path(
        "M9.5 5.400A9 9 0 0 1 12 5c4 0 7.5 2.5 10 7a18 18 0 0 1-3 3.8",
        "M6 7.300A17 17 0 0 0 2 12c2.5 4.5 6 7 10 7a9 9 0 0 0 4.5-1.2",
        "M4 4l16 16",
    ),
    "file": _path(_SHEET, "M14 3v4h4", "M9 12h6", "M9 16h6"),
    "filter": _path("M4 5h16l-6 8v6l-4-2v-4z"),
    "flag": _path("M5 21V4h12l-2 4 2 4H5"),
    "globe": _RING + _path("M3 12h18", "M12 3c5 5 5 13 0 18", "M12 3c-5 5-5 13 0 18"),
    "history": _path("M4 12a8 8 0 1 0 3-6.2", "M4 4v5h5", "M12 8v4.500l3 2"),
    "home": _path("M4 11l8-7 8 7v9H4z", "M10 20v-6h4v6"),
    "info": _RING + _path("M12 11v6", "M12 7v.5"),
    "key": '<circle cx="8" cy="15" r="4"/>' + _path("M11 12l9-9", "M16 7l3 3"),
    "link": _path(
        "M10 14a4 4 0 0 0 6 0l4-4a4 4 0 0 0-6-6l-1 1", "M14 10a4 4 0 0 0-6 0l-4 4a4 4 0 0 0 6 6l1-1"
    ),
    "list": _path("M9 6h11", "M9 12h11", "M9 18h11", "M4 6h1", "M4 12h1", "M4 18h1"),
    "lock": _path("M5 11h14v10H5z", "M8 11V8a4 4 0 0 1 8 0v3", "M12 15v2"),
    "menu": _path("M4 7h16", "M4 12h16", "M4 17h16"),
    "minus": _path("M5 12h14"),
    "play": _path("M7 4l13 8-13 8z"),
    "plus": _path("M12 5v14", "M5 12h14"),
    "printer": _path("M7 9V3h10v6", "M7 17H4V9h16v8h-3", "M7 14h10v7H7z"),
    "question": _RING + _path("M9.5 9.500a2.5 2.5 0 1 1 3.5 2.300c-.7.3-1 .8-1 1.7", "M12 17v.3"),
    "redo": _path("M20 10H10a6 6 0 0 0 0 12h3", "m15 5 5 5-5 5"),
    "refresh": _path("M20 12a8 8 0 0 1-14.5 4.6", "M4 12a8 8 0 0 1 14.5-4.6", "M19 3v5h-5", "M5 21v-5h5"),
    "scale": _path("M12 4v16", "M8 20h8", "M5 7h14", "M5 7l-3 7h6z", "M19 7l-3 7h6z"),
    "search": '<circle cx="11" cy="11" r="6.5"/>' + _path("m16 16 5 5"),
    "seal": _path("M4 4h16v16H4z", "M8 8h8", "M12 8v8", "M8 16h8", "M8 12h4"),
    "shield": _path("M12 3l8 3v6c0 4.5-3.2 7.7-8 9-4.8-1.3-8-4.5-8-9V6z"),
    "shield-check": _path("M12 3l8 3v6c0 4.5-3.2 7.7-8 9-4.8-1.3-8-4.5-8-9V6z", "m8.5 12 2.5 2.5 4.5-4.5"),
    "sign-out": _path("M14 4H5v16h9", "M10 12h11", "m17 8 4 4-4 4"),
    "stop": _path("M8.5 3h7L21 8.500v7L15.5 21h-7L3 15.500v-7z", "M9 9l6 6", "M15 9l-6 6"),
    "trash": _path("M4 7h16", "M9 7V4h6v3", "M6 7l1 14h10l1-14", "M10 11v6", "M14 11v6"),
    "undo": _path("M4 10h10a6 6 0 0 1 0 12h-3", "m9 5-5 5 5 5"),
    "upload": _path("M12 16V5", "m7 9 5-5 5 5", "M4 20h16"),
    "user": '<circle cx="12" cy="8" r="4"/>' + _path("M4 21c.5-5 4-7 8-7s7.5 2 8 7"),
    "users": '<circle cx="9" cy="8" r="3.5"/>'
    + _path(
        "M2 20c.4-4.5 3.4-6 7-6s6.6 1.5 7 6", "M16 5a3.5 3.5 0 0 1 0 6.5", "M18 14.500c2.4.8 3.7 2.5 4 5.5"
    ),
    "warning": _path("M12 3.5 22 20.500H2z", "M12 10v5", "M12 17.700v.3"),
    "x": _path("M6 6l12 12", "M18 6 6 18"),
}

# Every tone has an icon and, in the status badge, a word: colour is never the only signal.
TONE_ICONS: dict[str, str] = {
    "ok": "check-circle",
    "fail": "stop",
    "warn": "warning",
    "info": "info",
    "neutral": "dash-circle",
    "unknown": "question",
}


def icon_svg(name: str, label: str = "", size: str = "") -> SafeString:
    """Inline SVG of the icon ``name``; ``label`` gives it a text alternative, otherwise it is hidden.

    ``size`` is ``""`` (1.25 em), ``"s"`` or ``"l"``. Raises ``KeyError`` for a name that does not exist,
    so that a typing error is seen in the first test and not by a user.
    """
    body = mark_safe(ICONS[name])  # noqa: S308 - constants of this module
    modifier = f" icon--{size}" if size in {"s", "l"} else ""
    if label:
        return format_html(
            '<svg class="icon{}" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" '
            'stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" role="img" aria-label="{}" '
            'focusable="false">{}</svg>',
            modifier,
            label,
            body,
        )
    return format_html(
        '<svg class="icon{}" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" '
        'stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" '
        'focusable="false">{}</svg>',
        modifier,
        body,
    )
