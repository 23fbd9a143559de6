"""Each project gets its first table, and each data set the table that it is of.

A statement for all rows wherever one can do it: an organisation may have many thousand projects.
"""

from django.db import migrations
from django.db.models import Exists, OuterRef, Subquery
from django.utils import timezone


def name_the_tables(apps, schema_editor):
    Project = apps.get_model("core", "Project")
    Table = apps.get_model("datasets", "Table")
    Dataset = apps.get_model("datasets", "Dataset")
    first = Table.objects.filter(removed_at=None, is_main=True)
    first.update(position=0)
    without = Project.objects.exclude(Exists(first.filter(project=OuterRef("pk"))))
    made = [
        Table(project_id=project, name="data", position=0, is_main=True, declared_by_id=by)
        for project, by in without.values_list("pk", "created_by_id")
    ]
    Table.objects.bulk_create(made, batch_size=500)
    # The field takes the time of writing, whatever it is given.
    opened = Project.objects.filter(pk=OuterRef("project")).values("created_at")
    for batch in _batches([table.pk for table in made]):
        Table.objects.filter(pk__in=batch).update(declared_at=Subquery(opened))
    of_project = first.filter(project=OuterRef("project")).values("pk")
    Dataset.objects.filter(table=None).update(table=Subquery(of_project[:1]))


def unname_the_tables(apps, schema_editor):
    Table = apps.get_model("datasets", "Table")
    Dataset = apps.get_model("datasets", "Dataset")
    live = Table.objects.filter(removed_at=None)
    first = live.filter(position=0)
    Dataset.objects.filter(table__in=first.values("pk")).update(table=None)
    first.update(is_main=True)
    others = live.filter(project=OuterRef("project")).exclude(pk=OuterRef("pk"))
    alone = list(first.exclude(Exists(others)).values_list("pk", flat=True))
    for batch in _batches(alone):
        # Links that were taken back may still speak of the table, so it is not deleted.
        Table.objects.filter(pk__in=batch).update(removed_at=timezone.now())


def _batches(keys):
    return [keys[start : start + 500] for start in range(0, len(keys), 500)]


class Migration(migrations.Migration):
    dependencies = [("datasets", "0002_tables"), ("core", "0002_project_reopened_at")]

    operations = [migrations.RunPython(name_the_tables, unname_the_tables)]
