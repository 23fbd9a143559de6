"""The store of the keys, as the vault's own tests have it."""

from tests.projects.vault.custody.keystores import keystore, place_of_keys  # noqa: F401
