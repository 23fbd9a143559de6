"""The jobs of findings: what a job is called begins with the package in which it is looked for."""

from .inspected import kinds  # noqa: F401
from .received.inside import kinds as received_kinds  # noqa: F401
