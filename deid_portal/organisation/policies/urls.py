from django.urls import path

from . import views

urlpatterns = [
    path("", views.policies, name="policies"),
    path("add/", views.policy_add, name="policy_add"),
    path("<uuid:policy_id>/", views.policy, name="policy"),
    path("<uuid:policy_id>/propose/", views.policy_propose, name="policy_propose"),
    path("<uuid:policy_id>/review/", views.policy_review, name="policy_review"),
    path("<uuid:policy_id>/owner/", views.policy_owner, name="policy_owner"),
    path("<uuid:policy_id>/versions/<uuid:version_id>/decide/", views.policy_decide, name="policy_decide"),
    path(
        "<uuid:policy_id>/versions/<uuid:version_id>/acknowledge/",
        views.policy_acknowledge,
        name="policy_acknowledge",
    ),
    path("<uuid:policy_id>/versions/<uuid:version_id>/file/", views.policy_document, name="policy_document"),
]
