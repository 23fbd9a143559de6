"""Each filter of the log has one index, which holds the order of the log as well.

The indexes of a single column go by their names in the database: to alter a field would have SQLite write the whole log anew
for each of them.
"""

from typing import Any

from django.db import migrations, models

TABLE = "audit_auditevent"
SINGLE = ("at", "actor_id", "action", "project_id")


def drop_single(apps: Any, schema_editor: Any) -> None:
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, TABLE)
    for name, one in found.items():
        alone = len(one["columns"] or ()) == 1 and one["columns"][0] in SINGLE
        if alone and one["index"] and not one["unique"] and not one["primary_key"]:
            schema_editor.execute(f"DROP INDEX {schema_editor.quote_name(name)}")


def make_single(apps: Any, schema_editor: Any) -> None:
    event = apps.get_model("audit", "AuditEvent")
    for name in SINGLE:
        schema_editor.add_index(event, models.Index(fields=[name], name=f"audit_single_{name}"))


class Migration(migrations.Migration):
    dependencies = [("audit", "0004_sealed_state")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(drop_single, make_single)],
            state_operations=[
                migrations.AlterField(
                    "auditevent", "action", models.CharField(max_length=80, verbose_name="Action")
                ),
                migrations.AlterField("auditevent", "actor_id", models.CharField(blank=True, max_length=40)),
                migrations.AlterField("auditevent", "at", models.DateTimeField(verbose_name="Time")),
                migrations.AlterField("auditevent", "project_id", models.UUIDField(null=True)),
            ],
        ),
        migrations.AddIndex(
            model_name="auditevent", index=models.Index(fields=["at", "seq"], name="audit_by_time")
        ),
        migrations.AddIndex(
            model_name="auditevent", index=models.Index(fields=["actor", "seq"], name="audit_by_actor")
        ),
        migrations.AddIndex(
            model_name="auditevent", index=models.Index(fields=["action", "seq"], name="audit_by_action")
        ),
        migrations.AddIndex(
            model_name="auditevent", index=models.Index(fields=["project_id", "seq"], name="audit_by_project")
        ),
    ]
