"""What is the same for every stage, walked as everybody at every stand."""

import pytest

from .checks import *  # noqa: F403
from .expectations import FRAME, names

pytestmark = pytest.mark.django_db
PACKAGES = names(FRAME)
