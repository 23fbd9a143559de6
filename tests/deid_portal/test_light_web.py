"""The web process stays small: the data engine's heavy modules are for the worker alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

# What a web process does before its first request: settings, applications, every URL with its view.
PROGRAM = """
import sys
import django
from django.urls import URLPattern, get_resolver

django.setup()

def resolve(patterns):
    views = 0
    for pattern in patterns:
        views += callable(pattern.callback) if isinstance(pattern, URLPattern) else resolve(pattern.url_patterns)
    return views

views = resolve(get_resolver().url_patterns)
heavy = {"numpy", "pandas", "pyarrow", "numba", "llvmlite", "scipy", "weasyprint", "networkx"}
print(views, *sorted(heavy & {name.partition(".")[0] for name in sys.modules}))
"""


def test_resolving_every_view_loads_no_heavy_module(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env={**os.environ, "DEID_VAR_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    views, *heavy = done.stdout.split()
    assert int(views) > 150
    assert heavy == [], "loaded by the web process: " + ", ".join(heavy)
