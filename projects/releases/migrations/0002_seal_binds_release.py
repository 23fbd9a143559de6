"""Seals made before they bound release and project are made anew; one that was broken stays broken."""

from __future__ import annotations

import base64
import hmac
import json
from typing import Any

from django.conf import settings
from django.db import migrations


SEALED = (
    "id",
    "project_id",
    "run_id",
    "signoff_id",
    "file_name",
    "rows",
    "result_sha256",
    "recipe_hash",
    "verification_hash",
)


def earlier_seal(release: Any) -> str:
    """The seal as it was: over the three hashes alone."""
    return _hmac(
        f"result={release.result_sha256}\nrecipe={release.recipe_hash}\n"
        f"verification={release.verification_hash}"
    )


def later_seal(release: Any) -> str:
    """The seal as it is from this migration on."""
    parts = {name: str(getattr(release, name)) for name in SEALED}
    return _hmac(json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":")))


def _hmac(text: str) -> str:
    key = hmac.digest(base64.b64decode(settings.DEID_MASTER_KEY), b"release-seal", "sha256")
    return hmac.digest(key, text.encode(), "sha256").hex()


def seal_anew(apps: Any, schema_editor: Any) -> None:
    for release in apps.get_model("releases", "Release").objects.all():
        if hmac.compare_digest(release.seal.encode(), earlier_seal(release).encode()):
            release.seal = later_seal(release)
            release.save(update_fields=["seal"])


class Migration(migrations.Migration):
    dependencies = [("releases", "0001_initial")]

    operations = [migrations.RunPython(seal_anew, migrations.RunPython.noop)]
