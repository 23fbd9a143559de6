"""WSGI entry point."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deid_portal.settings")
application = get_wsgi_application()

from projects.vault.checks import require_keys  # noqa: E402  what it reads is there only now

require_keys()
