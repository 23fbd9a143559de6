"""Apart from the rows: PostgreSQL alters no table in the transaction that has written rows of it."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("datasets", "0003_every_project_has_a_table")]

    operations = [
        migrations.RemoveConstraint(model_name="table", name="table_one_main_per_project"),
        migrations.RemoveField(model_name="table", name="is_main"),
        migrations.AddConstraint(
            model_name="table",
            constraint=models.UniqueConstraint(
                condition=models.Q(("position", 0), ("removed_at", None)),
                fields=("project",),
                name="table_one_first_per_project",
            ),
        ),
        migrations.AlterField(
            model_name="dataset",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="datasets", to="datasets.table"
            ),
        ),
    ]
