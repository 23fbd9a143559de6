"""WSGI entry point."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deid_portal.settings")
application = get_wsgi_application()

from django.db import connection  # noqa: E402  what they read is there only now

from projects.vault.checks import require_keys  # noqa: E402

require_keys()
# A server may fork after this.
connection.close()
