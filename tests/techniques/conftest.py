"""What the tests of the engine share."""

from __future__ import annotations

from functools import cache

import pytest

from techniques.families.encryption import homomorphic
from techniques.families.encryption.ciphers import paillier


@pytest.fixture(autouse=True, scope="session")
def _one_key_for_one_seed() -> None:
    """Keys of homomorphic encryption grow from their seeds alone: once for each seed is enough."""
    homomorphic.key_from_seed = cache(paillier.key_from_seed)
