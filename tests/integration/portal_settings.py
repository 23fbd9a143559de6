"""The portal's own settings and one more app, which brings the tests' kinds of jobs."""

from deid_portal.settings import *  # noqa: F403

INSTALLED_APPS = [*INSTALLED_APPS, "tests.integration.killapp"]  # noqa: F405
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LANGUAGE_CODE = "en"
