"""The packages of the stages, walked as everybody at every stand."""

import pytest

from .checks import *  # noqa: F403
from .expectations import STAGES, names

pytestmark = pytest.mark.django_db
PACKAGES = names(STAGES)
