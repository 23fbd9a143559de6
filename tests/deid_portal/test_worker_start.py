"""What the processes of a worker share: all that jobs load is loaded before the first of them is forked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

# What a worker does before it forks: Celery's start, up to the signal that nothing of it has been forked yet.
PROGRAM = """
import gc, pkgutil, sys
from celery.signals import worker_init
from deid_portal.celery import app
import techniques

app.loader.init_worker()
before = gc.get_freeze_count()
for _receiver, answer in worker_init.send(sender=None):
    if isinstance(answer, Exception):
        raise answer
engine = [found.name for found in pkgutil.walk_packages(techniques.__path__, "techniques.")]
print(len(engine))
print(*[name for name in engine if name not in sys.modules and not name.startswith("techniques.cli")])
wanted = ("numpy", "pyarrow", "numba.np.arrayobj", "projects.verification.kinds")
print(*[name for name in wanted if name not in sys.modules], *(["weasyprint"] if "weasyprint" in sys.modules else []))
print(before, gc.get_freeze_count())
"""


def test_what_jobs_load_is_there_before_the_first_process(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, env={**os.environ, "DEID_VAR_DIR": str(tmp_path)},
        capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    modules, left_out, otherwise, frozen = done.stdout.split("\n")[:4]
    assert int(modules) > 200
    assert left_out == ""
    assert otherwise == ""
    before, after = map(int, frozen.split())
    assert before == 0
    assert after > 100_000
