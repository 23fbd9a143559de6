"""Each project gets its first table, and each data set the table that it is of."""

from django.db import migrations


def name_the_tables(apps, schema_editor):
    Project = apps.get_model("core", "Project")
    Table = apps.get_model("datasets", "Table")
    Dataset = apps.get_model("datasets", "Dataset")
    first = {table.project_id: table for table in Table.objects.filter(removed_at=None, is_main=True)}
    for project in Project.objects.exclude(pk__in=first):
        table = Table.objects.create(
            project=project, name="data", position=0, is_main=True, declared_by_id=project.created_by_id
        )
        Table.objects.filter(pk=table.pk).update(declared_at=project.created_at)
        first[project.pk] = table
    for key, table in first.items():
        Table.objects.filter(pk=table.pk).update(position=0)
        Dataset.objects.filter(project=key, table=None).update(table=table)


def unname_the_tables(apps, schema_editor):
    Table = apps.get_model("datasets", "Table")
    Dataset = apps.get_model("datasets", "Dataset")
    live = Table.objects.filter(removed_at=None)
    for table in live.filter(position=0):
        Dataset.objects.filter(table=table).update(table=None)
        if live.filter(project=table.project_id).count() == 1:
            table.delete()
        else:
            Table.objects.filter(pk=table.pk).update(is_main=True)


class Migration(migrations.Migration):
    dependencies = [("datasets", "0002_tables"), ("core", "0002_project_reopened_at")]

    operations = [migrations.RunPython(name_the_tables, unname_the_tables)]
