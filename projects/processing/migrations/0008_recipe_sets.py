"""One form of a recipe's content for projects with one table and with several."""

from django.db import migrations


def as_sets(apps, schema_editor):
    RecipeVersion = apps.get_model("processing", "RecipeVersion")
    for version in RecipeVersion.objects.iterator():
        joint = version.joint
        tables = [{"name": joint.get("main", ""), "recipe": version.content}]
        tables += [{"name": name, "recipe": recipe} for name, recipe in joint.get("tables", {}).items()]
        content = {"recipe": 1, "tables": tables, "references": joint.get("references", [])}
        RecipeVersion.objects.filter(pk=version.pk).update(content=content)


def as_they_were(apps, schema_editor):
    RecipeVersion = apps.get_model("processing", "RecipeVersion")
    for version in RecipeVersion.objects.iterator():
        first, *others = version.content["tables"]
        joint = {}
        if first["name"]:
            joint = {
                "main": first["name"],
                "tables": {one["name"]: one["recipe"] for one in others},
                "references": version.content["references"],
            }
        RecipeVersion.objects.filter(pk=version.pk).update(content=first["recipe"], joint=joint)


class Migration(migrations.Migration):
    dependencies = [("processing", "0007_mapping_per_table")]

    operations = [migrations.RunPython(as_sets, as_they_were)]
