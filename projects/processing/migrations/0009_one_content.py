from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("processing", "0008_recipe_sets")]

    operations = [migrations.RemoveField(model_name="recipeversion", name="joint")]
