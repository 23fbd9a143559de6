"""Fixtures that every kind of test may use."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def real_data_dir() -> Path:
    """The real data sets that stand beside a checkout; tests skip where they are absent."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real data directory is not beside this checkout")
    return folder
