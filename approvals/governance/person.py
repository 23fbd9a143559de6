"""Who acts: a person with an account, and the order in which people are looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    # Read by the type checker as the model that ``AUTH_USER_MODEL`` names (``scripts/mypy_signed_in.py``).
    from django.contrib.auth.base_user import AbstractBaseUser

    Person: TypeAlias = AbstractBaseUser
else:
    Person = Any

__all__ = ["Person", "by_reading"]


def by_reading(text: Any) -> list[tuple[int, bytes]]:
    """The key by which names stand in a list: Latin ones by letter, then Chinese ones by pinyin.

    The common characters of GB 2312 are numbered by their pinyin; rarer ones, which are not, come last.
    """
    key = []
    for character in str(text).casefold():
        code = character.encode("gb18030")
        common = len(code) == 2 and 0xB0 <= code[0] <= 0xD7
        key.append((0 if len(code) == 1 else 1 if common else 2, code))
    return key
