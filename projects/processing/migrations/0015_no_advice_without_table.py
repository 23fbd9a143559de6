from django.db import migrations, models
import django.db.models.deletion

TABLE = {"on_delete": django.db.models.deletion.PROTECT, "to": "datasets.table"}


class Migration(migrations.Migration):
    dependencies = [("processing", "0014_advice_about_the_first_table")]

    operations = [
        migrations.AlterField(
            "advicerecord", "table", models.ForeignKey(related_name="advice_records", **TABLE)
        ),
        migrations.AlterField(
            "modeladvicerecord", "table", models.ForeignKey(related_name="model_advice_records", **TABLE)
        ),
        migrations.RemoveField("recipeversion", "scene"),
        migrations.RemoveField("recipeversion", "scene_departures"),
    ]
