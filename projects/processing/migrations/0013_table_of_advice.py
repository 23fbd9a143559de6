from django.db import migrations, models
import django.db.models.deletion

TABLE = {"on_delete": django.db.models.deletion.PROTECT, "to": "datasets.table"}


class Migration(migrations.Migration):
    dependencies = [("datasets", "0004_table_of_each_data_set"), ("processing", "0012_no_table_in_a_run")]

    operations = [
        migrations.AddField(
            "advicerecord", "table", models.ForeignKey(null=True, related_name="advice_records", **TABLE)
        ),
        migrations.AddField(
            "modeladvicerecord", "table", models.ForeignKey(null=True, related_name="model_advice_records", **TABLE)
        ),
        migrations.RemoveConstraint("recipeversion", "recipe_scene_known"),
    ]
