from django.urls import path

from . import views
from .comparison import views as candidate_views
from .reports.classes import views as class_views
from .sign_off.opinions import views as opinion_views
from .trials import views as trial_views

app_name = "verification"
urlpatterns = [
    path("", views.page, name="page"),
    path("measure/", views.measure, name="measure"),
    path("decide/", views.decide, name="decide"),
    path("candidates/", candidate_views.candidates, name="candidates"),
    path("candidates/compare/", candidate_views.compare, name="compare"),
    path("candidates/<uuid:comparison_id>/choose/", candidate_views.choose, name="choose"),
    path("classes/", class_views.classes, name="classes"),
    path("utility/", opinion_views.opinions, name="opinions"),
    path("utility/<uuid:opinion_id>/", opinion_views.opinion, name="opinion"),
    path("trials/", trial_views.trials, name="trials"),
    path("trials/start/", trial_views.trial_start, name="trial_start"),
    path("<uuid:verification_id>/ways/<int:number>/take/", views.remedy_take, name="way_take"),
    path("<uuid:verification_id>/ways/<int:number>/carry-out/", views.remedy_carry_out, name="way_carry_out"),
    path("report/make/", views.document_make, name="document_make"),
]
