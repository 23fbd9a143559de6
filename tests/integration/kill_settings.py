"""The portal's own settings and one more app, which brings the test's kind of job."""

from deid_portal.settings import *  # noqa: F403

INSTALLED_APPS = [*INSTALLED_APPS, "tests.integration.killapp"]  # noqa: F405
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
