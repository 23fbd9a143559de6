from django.urls import path

from . import api

urlpatterns = [
    path("events/", api.AuditLogView.as_view(), name="audit-event-list"),
    path("chain/", api.AuditChainView.as_view(), name="audit-chain"),
    path("checks/", api.AuditCheckListView.as_view(), name="audit-check-list"),
    path("checks/<uuid:check_id>/", api.AuditCheckView.as_view(), name="audit-check-detail"),
]
