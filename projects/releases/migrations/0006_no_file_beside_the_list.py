from django.db import migrations, models

MOVED = ("result", "file_name", "result_sha256", "rows", "notice", "main_table")


class Migration(migrations.Migration):
    dependencies = [("releases", "0005_every_file_in_a_list")]

    operations = [
        *(migrations.RemoveField("release", field) for field in MOVED),
        migrations.AlterField("release", "files", models.JSONField()),
    ]
