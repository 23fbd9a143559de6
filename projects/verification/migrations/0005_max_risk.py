"""The greatest risk that a measurement knows stands beside its checks."""

from django.db import migrations, models

ROWS = 200


def greatest(checks):
    """As :func:`projects.verification.reports.gate.greatest_risk`, of rows as they were kept until then."""
    shares, unknown = [], False
    for row in checks:
        kind, measured = row["kind"], row.get("measured")
        if kind == "max_risk" and measured is not None:
            shares.append(measured)
        elif kind == "joined" and measured:
            shares.append(1 / measured)
        elif kind in ("max_risk", "joined") or (kind == "k" and row.get("passed") is None):
            unknown = True
    return max(shares) if shares and not unknown else None


def fill(apps, schema_editor):
    Verification = apps.get_model("verification", "Verification")
    keys = list(Verification.objects.exclude(measured_at=None).order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), ROWS):
        rows = list(Verification.objects.filter(pk__in=keys[start : start + ROWS]).only("pk", "checks"))
        for row in rows:
            row.max_risk = greatest(row.checks)
        Verification.objects.bulk_update(rows, ["max_risk"])


class Migration(migrations.Migration):
    dependencies = [("verification", "0004_utility_opinions")]

    operations = [
        migrations.AddField(
            model_name="verification",
            name="max_risk",
            field=models.FloatField(null=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
