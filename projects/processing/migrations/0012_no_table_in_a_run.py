from django.db import migrations

MOVED = ("dataset", "result", "result_format", "result_sha256", "result_rows", "report", "notice")


class Migration(migrations.Migration):
    dependencies = [("processing", "0011_first_table_of_each_run")]

    operations = [
        migrations.RemoveConstraint("run", "run_result_only_when_succeeded"),
        *(migrations.RemoveField("run", field) for field in MOVED),
    ]
