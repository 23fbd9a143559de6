"""Whether a text that people write for one another holds an identifier of somebody; the value itself is never given back."""

from __future__ import annotations

import unicodedata

from django.utils.translation import gettext as _

from techniques.core.kinds import KINDS
from techniques.identification.patterns import RULES, Rule, Strength
from techniques.values.written import normalise

# What two persons share more often than this, or may share at will, is left to people: colleagues and offices are named
# at work, and so are web pages, machines and companies.
_ONES_OWN = 0.1


def identifiers_in(text: str) -> list[str]:
    """The names of the kinds of identifiers that stand in ``text``, each once, by the rules that the scan of data has.

    A form that other codes share proves nothing and is let pass. Full-width signs count as their ASCII forms, Chinese
    numerals as digits where many stand in a row, signs without width not at all.
    """
    plain = "".join(one for one in unicodedata.normalize("NFKC", text) if unicodedata.category(one) != "Cf")
    seen = normalise(plain)
    strict = (one for one in RULES if one.strength >= Strength.SEGMENT and _is_ones_own(one.kind))
    found = dict.fromkeys(rule.kind for rule in strict if _finds(rule, seen))
    return list(dict.fromkeys(_(KINDS[kind].name) for kind in found))


def _is_ones_own(kind: str) -> bool:
    repeats = KINDS[kind].repeats
    return repeats is not None and repeats < _ONES_OWN


def _finds(rule: Rule, text: str) -> bool:
    return any(rule.check is None or rule.check(match) for match in rule.compiled.finditer(text))
