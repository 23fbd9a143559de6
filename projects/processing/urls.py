from django.urls import path

from . import views
from .advice import views as advice_views
from .advice.model import views as model_views
from .editor import views as recipe_views
from .editor.hierarchies import views as hierarchy_views
from .editor.whole import views as whole_views
from .recipes.forecast import views as forecast_views
from .recipes.levels import views as level_views
from .recipes.load import views as load_views
from .recipes.proposal import views as proposal_views
from .recipes.saved import views as saved_views
from .recipes.scenes import views as scene_views
from .solutions import views as solution_views

app_name = "processing"
urlpatterns = [
    path("", views.page, name="page"),
    path("advice/", advice_views.advice, name="advice"),
    path("scenes/", scene_views.scenes, name="scenes"),
    path("model/", model_views.model_advice, name="model_advice"),
    path("model/take/", model_views.model_advice_take, name="model_advice_take"),
    path("solutions/", solution_views.solutions, name="solutions"),
    path("solutions/look/", solution_views.explore, name="explore"),
    path("solutions/<uuid:exploration_id>/choose/", solution_views.solution_choose, name="solution_choose"),
    path("forecast/", forecast_views.forecast, name="forecast"),
    path("forecast/measure/", forecast_views.forecast_start, name="forecast_start"),
    path("load/", load_views.load, name="load"),
    path("load/measure/", load_views.load_start, name="load_start"),
    path("levels/", level_views.levels, name="levels"),
    path("levels/count/", level_views.levels_count, name="levels_count"),
    path("levels/take/", level_views.levels_take, name="levels_take"),
    path("levels/form/", level_views.levels_form, name="levels_form"),
    path("levels/answers/", level_views.levels_answers, name="levels_answers"),
    path("saved/", saved_views.saved, name="saved"),
    path("propose/", proposal_views.propose, name="propose"),
    path("recipe/", recipe_views.recipe, name="recipe"),
    path("recipe/look/<int:number>/", recipe_views.preview, name="recipe_look"),
    path("recipe/whole/", whole_views.whole, name="recipe_whole"),
    path("recipe/levels/<int:number>/<str:place>/", hierarchy_views.hierarchy, name="hierarchy"),
    path("recipe/text/", recipe_views.recipe_text, name="recipe_text"),
    path("versions/<int:number>/", views.version, name="version"),
    path("run/", views.run, name="run"),
    path("runs/<uuid:run_id>/", views.run_detail, name="run_detail"),
    path("report/", views.report, name="report"),
]
