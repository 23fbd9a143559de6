"""Ciphers and keys of the format-preserving techniques."""

from __future__ import annotations

from techniques.catalogue.encryption import EncryptionSettings
from techniques.core.operations import Context
from techniques.families.encryption.ciphers.blocks import KEY_BYTES


def cipher_and_key(
    settings: EncryptionSettings, context: Context, algorithm: str, use: str
) -> tuple[str, bytes]:
    """Cipher and key for one use, algorithm and domain."""
    cipher = "sm4" if algorithm.endswith("sm4") else "aes"
    domain = settings.domain or context.columns[0]
    key = context.secrets.derive(
        f"{use}: {algorithm}: {domain}",
        KEY_BYTES[cipher],
        national=cipher == "sm4",
        joinable=settings.joinable == "project",
    )
    return cipher, key
