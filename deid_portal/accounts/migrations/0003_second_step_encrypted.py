"""Secrets and recovery codes of two-step sign-in no longer lie readable in the database.

There is no way back: the codes cannot be told from their digests.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations

from deid_portal.accounts.models import SecondStep
from deid_portal.accounts.two_step import code_digest


def seal_secrets(apps: Any, schema_editor: Any) -> None:
    for device in apps.get_model("otp_totp", "TOTPDevice").objects.all():
        device.key = SecondStep.sealed(bytes.fromhex(device.key), device.user_id)
        device.save(update_fields=["key"])
    for token in apps.get_model("otp_static", "StaticToken").objects.select_related("device"):
        token.token = code_digest(token.device.user_id, token.token)
        token.save(update_fields=["token"])


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_person"),
        ("otp_totp", "0003_add_timestamps"),
        ("otp_static", "0003_add_timestamps"),
    ]

    operations = [
        migrations.CreateModel(
            name="SecondStep",
            fields=[],
            options={"proxy": True, "indexes": [], "constraints": []},
            bases=("otp_totp.totpdevice",),
        ),
        migrations.RunPython(seal_secrets),
    ]
