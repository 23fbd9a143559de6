"""What a run read and wrote of its first table moves from the row of the run into a row of its own."""

from django.db import migrations

MOVED = ("dataset_id", "result_id", "result_format", "result_sha256", "result_rows", "report", "notice")
ROWS = 200
"""Runs at a time: a report may be large."""


def rows_of_first_tables(apps, schema_editor):
    Run, RunTable = apps.get_model("processing", "Run"), apps.get_model("processing", "RunTable")
    keys = list(Run.objects.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), ROWS):
        runs = Run.objects.filter(pk__in=keys[start : start + ROWS])
        RunTable.objects.bulk_create(
            RunTable(
                run=run,
                table_id=run.dataset.table_id,
                name=run.recipe_version.content["tables"][0]["name"],
                **{field: getattr(run, field) for field in MOVED},
            )
            for run in runs.select_related("dataset", "recipe_version")
        )


class Migration(migrations.Migration):
    dependencies = [("processing", "0010_run_tables")]

    # Back only where nothing was run yet: a run without a data set is none to the earlier columns.
    operations = [migrations.RunPython(rows_of_first_tables, migrations.RunPython.noop)]
