"""Whether a text that people write for one another holds an identifier of somebody; the value itself is never given back."""

from __future__ import annotations

import unicodedata

from django.utils.translation import gettext as _

from techniques.core.kinds import KINDS
from techniques.identification.patterns import RULES, Rule, Strength

# Left to people: colleagues and offices are named at work, and so are web pages, machines and companies.
_SAID_AT_WORK = frozenset({"person_name", "address", "url", "ip_address", "credit_code"})


def identifiers_in(text: str) -> list[str]:
    """The names of the kinds of identifiers that stand in ``text``, each once, by the rules that the scan of data has.

    A form that other codes share proves nothing and is let pass. Full-width signs count as their ASCII forms, signs
    without width not at all.
    """
    seen = "".join(one for one in unicodedata.normalize("NFKC", text) if unicodedata.category(one) != "Cf")
    strict = (one for one in RULES if one.strength >= Strength.SEGMENT and one.kind not in _SAID_AT_WORK)
    found = dict.fromkeys(rule.kind for rule in strict if _finds(rule, seen))
    return list(dict.fromkeys(_(KINDS[kind].name) for kind in found))


def _finds(rule: Rule, text: str) -> bool:
    return any(rule.check is None or rule.check(match) for match in rule.compiled.finditer(text))
