"""Settings for the tests: everything real but fast, in a folder of its own."""

import atexit
import os
import shutil
import tempfile

if "DEID_VAR_DIR" not in os.environ:
    # Worker processes are started with it and end before the one that has made it.
    os.environ["DEID_VAR_DIR"] = tempfile.mkdtemp(prefix="deid-test-")
    atexit.register(shutil.rmtree, os.environ["DEID_VAR_DIR"], ignore_errors=True)
os.environ.setdefault("DEID_SECRET_KEY", "only-for-tests-" + "x" * 40)
os.environ.setdefault("DEID_MASTER_KEY", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVowMTIzNDU=")

from deid_portal.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
# Static files are looked for when they are asked for: every client of a test would list them all at its first request.
WHITENOISE_AUTOREFRESH = True
CELERY_TASK_ALWAYS_EAGER = False
