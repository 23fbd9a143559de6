"""The trip from the run's button to the job: which modules of the product a click enters, counted while it happens.

``python scripts/trace_run.py [--root OTHER]`` carries the demo's small project to a saved recipe, in a database that lives
in memory, clicks *Run the recipe* once and prints how many modules, functions and calls that took, and how often the
call went over into another module. Counted from the view to its answer; the frame of the page and the job are not part of it.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import sys
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

PRODUCT = ("techniques", "approvals", "projects", "deid_portal")
VIEW = ("projects/processing/", "run")
ROLES = ("planner", "executor", "supervisor", "management", "recipient")


class Trace:
    """The calls between the beginning and the end of the view."""

    def __init__(self, root: Path) -> None:
        self.root, self.inside = str(root) + os.sep, 0
        self.calls: list[tuple[str, str]] = []

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        """What ``sys.setprofile`` reports."""
        path, name = frame.f_code.co_filename.removeprefix(self.root), frame.f_code.co_name
        if event not in {"call", "return"} or not path.startswith(PRODUCT):
            return
        is_view = path.startswith(VIEW[0]) and path.endswith("views.py") and name == VIEW[1]
        if event == "return":
            self.inside -= is_view
        else:
            self.inside += is_view
            if self.inside:
                self.calls.append((path, name))


def story(root: Path) -> tuple[Any, Any]:
    """The demo's project with a saved recipe, and its executor."""
    from deid_portal.accounts.services import user_create
    from deid_portal.demo.story import Story, csv_bytes
    from projects.workflow import State

    people = {}
    for role in ROLES:
        post = {"planner": "planner", "recipient": "recipient"}.get(role, "staff")
        people[role] = user_create(
            username=role, password=secrets.token_urlsafe(), full_name=role, post=post, by=None
        )
    demo = Story(people, "A run", csv_bytes(1200), documents=False)
    demo.reach(State.PROCESSING)
    demo.write_recipe()
    return demo.project, people["executor"]


def main() -> int:
    """Click once and print what it took, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument(
        "--root", type=Path, default=Path(__file__).resolve().parents[1], help="another copy of the code"
    )
    root = parser.parse_args().root.resolve()
    os.chdir(root)
    sys.path.insert(0, str(root))
    os.environ["DJANGO_SETTINGS_MODULE"] = "deid_portal.settings_test"
    os.environ["DEID_LOG_LEVEL"] = "ERROR"
    import django

    django.setup()
    from django.test import Client
    from django.test.utils import setup_databases, setup_test_environment
    from django.urls import reverse

    setup_test_environment()
    setup_databases(0, False)
    project, executor = story(root)
    client = Client()
    client.force_login(executor, backend="deid_portal.accounts.backends.AccountBackend")
    trace = Trace(root)
    sys.setprofile(trace)
    try:
        answer = client.post(reverse("processing:run", args=[project.pk]))
    finally:
        sys.setprofile(None)
    if answer.status_code != 302 or not trace.calls:
        raise SystemExit(f"the click did not start a run: {answer.status_code}")
    modules = [module for module, _ in trace.calls]
    counted = {
        "modules": len(set(modules)),
        "functions": len(set(trace.calls)),
        "calls": len(trace.calls),
        "changes": sum(before != after for before, after in pairwise(modules)),
        "entered": list(dict.fromkeys(modules)),
    }
    sys.stdout.write(json.dumps(counted, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
