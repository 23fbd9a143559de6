"""Draws from the distributions of noise."""

from __future__ import annotations

import numpy as np

from techniques.core.secrets import Secrets
from techniques.families.randomization.columns import Reals


def normal(secrets: Secrets, label: str, count: int) -> Reals:
    """``count`` standard normal numbers (Box and Muller) that only the seed foretells."""
    pairs = -(-count // 2)
    draws = secrets.uniform(label, 2 * pairs)
    radius = np.sqrt(-2 * np.log1p(-draws[:pairs]))
    angle = 2 * np.pi * draws[pairs:]
    return np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])[:count]


def uniform(secrets: Secrets, label: str, count: int) -> Reals:
    """``count`` numbers, uniform with mean 0 and variance 1."""
    drawn: Reals = (2 * secrets.uniform(label, count) - 1) * np.sqrt(3)
    return drawn
