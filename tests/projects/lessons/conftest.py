"""A project that was released and is monitored, and one at each earlier state, as for monitoring."""

from tests.projects.monitoring.conftest import monitored  # noqa: F401
