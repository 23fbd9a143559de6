"""The web process writes recipes and starts runs without loading the numerical libraries."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "deid_portal.settings_test"
import django
django.setup()
import projects.processing.urls, projects.processing.api_urls, projects.verification.urls, projects.verification.api_urls
import projects.objective.urls, projects.objective.api_urls, projects.queries.urls, projects.queries.api_urls
print([name for name in ("numpy", "pyarrow", "numba", "pandas") if name in sys.modules])
"""


def test_pages_and_api_load_no_numerical_library():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
