"""What was advised was about the first table; the scene that a recipe began from was that of the first table too."""

from django.db import migrations
from django.db.models import OuterRef, Subquery


def of_the_first_table(apps, schema_editor):
    Table = apps.get_model("datasets", "Table")
    first = Table.objects.filter(project=OuterRef("project"), position=0, removed_at=None).values("pk")
    for name in ("AdviceRecord", "ModelAdviceRecord"):
        apps.get_model("processing", name).objects.update(table=Subquery(first[:1]))
    RecipeVersion = apps.get_model("processing", "RecipeVersion")
    for version in RecipeVersion.objects.exclude(scene="").iterator():
        version.content["tables"][0] |= {"scene": version.scene, "departures": version.scene_departures}
        RecipeVersion.objects.filter(pk=version.pk).update(content=version.content)


def of_the_project(apps, schema_editor):
    RecipeVersion = apps.get_model("processing", "RecipeVersion")
    for version in RecipeVersion.objects.iterator():
        scene, departures = "", []
        for number, one in enumerate(version.content["tables"]):
            found = one.pop("scene", ""), one.pop("departures", [])
            scene, departures = (scene, departures) if number else found
        RecipeVersion.objects.filter(pk=version.pk).update(
            content=version.content, scene=scene, scene_departures=departures
        )


class Migration(migrations.Migration):
    dependencies = [("processing", "0013_table_of_advice")]

    operations = [migrations.RunPython(of_the_first_table, of_the_project)]
