"""Pages of processing."""

from django.urls import path

from . import advice_views, recipe_views, scene_views, views

app_name = "processing"
urlpatterns = [
    path("", views.page, name="page"),
    path("advice/", advice_views.advice, name="advice"),
    path("scenes/", scene_views.scenes, name="scenes"),
    path("recipe/", recipe_views.recipe, name="recipe"),
    path("recipe/look/<int:number>/", recipe_views.look, name="recipe_look"),
    path("recipe/text/", recipe_views.recipe_text, name="recipe_text"),
    path("versions/<int:number>/", views.version, name="version"),
    path("run/", views.run, name="run"),
    path("runs/<uuid:run_id>/", views.run_detail, name="run_detail"),
    path("report/", views.report, name="report"),
]
