from django.db import migrations, models
import django.db.models.deletion


class Migration(migrations.Migration):
    dependencies = [("datasets", "0004_table_of_each_data_set"), ("processing", "0009_one_content")]

    operations = [
        migrations.AlterField("runtable", "name", models.CharField(blank=True, max_length=40)),
        migrations.AlterField(
            "runtable",
            "run",
            models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="tables", to="processing.run"
            ),
        ),
    ]
