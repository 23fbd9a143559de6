from django.urls import path

from .advice import api as advice_api
from .advice.model import api as model_api
from .editor.whole import api as preview_api
from .recipes.api import Recipe, Recipes, Suggestion, Techniques
from .recipes.forecast import api as forecast_api
from .recipes.levels import api as level_api
from .recipes.load import api as load_api
from .recipes.proposal import api as proposal_api
from .recipes.saved import api as saved_api
from .recipes.scenes import api as scene_api
from .runs.api import RunDetail, Runs
from .solutions import api as solution_api

urlpatterns = [
    path("techniques/", Techniques.as_view(), name="processing-techniques"),
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
    path("forecasts/", forecast_api.Forecasts.as_view(), name="processing-forecasts"),
    path("loads/", load_api.Loads.as_view(), name="processing-loads"),
    path("saved-recipes/", saved_api.SavedRecipes.as_view(), name="processing-saved-recipes"),
    path("saved-recipes/fit/", saved_api.FittedRecipe.as_view(), name="processing-saved-recipe-fit"),
    path("previews/", preview_api.WholePreviews.as_view(), name="processing-previews"),
    path("level-counts/", level_api.LevelCounts.as_view(), name="processing-level-counts"),
    path("level-answers/", level_api.AnswersOfLevels.as_view(), name="processing-level-answers"),
    path("suggestion/", Suggestion.as_view(), name="processing-suggestion"),
    path("proposals/", proposal_api.Proposals.as_view(), name="processing-proposals"),
    path("recipes/", Recipes.as_view(), name="processing-recipes"),
    path("recipes/<int:number>/", Recipe.as_view(), name="processing-recipe"),
    path("runs/", Runs.as_view(), name="processing-runs"),
    path("runs/<uuid:run_id>/", RunDetail.as_view(), name="processing-run"),
]
