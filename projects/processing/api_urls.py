"""API endpoints of processing."""

from django.urls import path

from . import api
from .advice import api as advice_api
from .model_advice import api as model_api
from .scenes import api as scene_api
from .solutions import api as solution_api

urlpatterns = [
    path("techniques/", api.Techniques.as_view(), name="processing-techniques"),
    path("advice/", advice_api.AdviceView.as_view(), name="processing-advice"),
    path("scenes/", scene_api.Scenes.as_view(), name="processing-scenes"),
    path("model-advice/", model_api.ModelAdviceView.as_view(), name="processing-model-advice"),
    path("model-advice/take/", model_api.ModelAdviceTake.as_view(), name="processing-model-advice-take"),
    path("explorations/", solution_api.Explorations.as_view(), name="processing-explorations"),
    path(
        "explorations/<uuid:exploration_id>/choice/",
        solution_api.SolutionChoice.as_view(),
        name="processing-solution-choice",
    ),
    path("suggestion/", api.Suggestion.as_view(), name="processing-suggestion"),
    path("recipes/", api.Recipes.as_view(), name="processing-recipes"),
    path("recipes/<int:number>/", api.Recipe.as_view(), name="processing-recipe"),
    path("runs/", api.Runs.as_view(), name="processing-runs"),
    path("runs/<uuid:run_id>/", api.RunDetail.as_view(), name="processing-run"),
]
