"""What other folders use too lies in a module of its own."""

from .keystores import keystore, place_of_keys  # noqa: F401
