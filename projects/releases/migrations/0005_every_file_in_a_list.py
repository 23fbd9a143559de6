"""The file of the first table goes to the head of the list that the others stand in."""

from django.db import migrations

ROWS = 200


def first_files(apps, schema_editor):
    Release = apps.get_model("releases", "Release")
    keys = list(Release.objects.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), ROWS):
        releases = list(Release.objects.filter(pk__in=keys[start : start + ROWS]).select_related("result"))
        for release in releases:
            first = {
                "table": release.main_table,
                "file_name": release.file_name,
                "stored": str(release.result_id),
                "sha256": release.result_sha256,
                "size": release.result.size,
                "rows": release.rows,
                "notice": release.notice,
            }
            release.files = [first, *release.files]
        Release.objects.bulk_update(releases, ["files"])


class Migration(migrations.Migration):
    dependencies = [("releases", "0004_tables"), ("datasets", "0004_table_of_each_data_set")]

    # Back only where nothing was released: a release without a result is none to the earlier columns.
    operations = [
        migrations.RunPython(first_files, migrations.RunPython.noop),
    ]
