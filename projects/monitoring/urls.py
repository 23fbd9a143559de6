from django.urls import path

from . import views
from .acceptance import views as acceptance_views
from .afterwards import views as afterwards_views
from .amendments import views as amendment_views
from .oversight import views as oversight_views

app_name = "monitoring"
amendment = "amendments/<uuid:amendment_id>/"
later = "afterwards/<uuid:later_id>/"
one = "reassessments/<uuid:reassessment_id>/"
urlpatterns = [
    path("", views.page, name="page"),
    path("review/", views.review, name="review"),
    path("oversight/<slug:stage>/", oversight_views.records, name="oversight"),
    path(one, views.reassessment, name="reassessment"),
    path(one + "open/", views.reassessment_open, name="reassessment_open"),
    path(one + "measure/", views.reassessment_measure, name="reassessment_measure"),
    path("afterwards/", afterwards_views.page, name="afterwards"),
    path("afterwards/of/<uuid:release_id>/", afterwards_views.begin, name="later_begin"),
    path(later, afterwards_views.later, name="later"),
    path(later + "measure/", afterwards_views.measure, name="later_measure"),
    path(one + "accept/", acceptance_views.accept, name="reassessment_accept"),
    path(one + "amend/<str:kind>/", amendment_views.amend, name="amend"),
    path(amendment, amendment_views.amendment, name="amendment"),
    path(amendment + "review/", amendment_views.amendment_review, name="amendment_review"),
    path(amendment + "decide/", amendment_views.amendment_decide, name="amendment_decide"),
]
