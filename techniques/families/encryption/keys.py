"""Ciphers and keys of the format-preserving techniques."""

from __future__ import annotations

import json

from techniques.catalogue.encryption import EncryptionSettings
from techniques.core.operations import Context
from techniques.families.encryption.ciphers.blocks import KEY_BYTES


def cipher_and_key(
    settings: EncryptionSettings, context: Context, algorithm: str, use: str, keys: int = 1
) -> tuple[str, bytes]:
    """Cipher of an algorithm, and for one use and the domain of the settings the bytes of so many keys."""
    cipher = "sm4" if "sm4" in algorithm else "aes"
    domain = settings.domain or context.columns[0]
    key = context.secrets.derive(
        f"{use}: {domain}",
        keys * KEY_BYTES[cipher],
        national=cipher == "sm4",
        joinable=settings.joinable == "project",
    )
    return cipher, key


def domain_of_column(domain: str, column: str) -> str:
    """What tells a column of a domain from every other column, of this domain or of another; ``domain`` is empty or the
    column's name where the column has one of its own. No two pairs have the same."""
    domain = domain or column
    if ": " in domain or ": " in column:
        # "a: b" and "c" are not "a" and "b: c".
        return json.dumps([domain, column], ensure_ascii=False)
    return column if domain == column else f"{domain}: {column}"
