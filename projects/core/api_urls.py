from django.urls import path

from . import api
from .assessments import api as assessments
from .audit_package.api import AuditPackageView
from .comments.api import CommentListView
from .phases.api import PhasesView
from .succession import api as succession

urlpatterns = [
    path("tasks/", api.TaskListView.as_view(), name="task-list"),
    path("notifications/", api.NotificationListView.as_view(), name="notification-list"),
    path("projects/", api.ProjectListView.as_view(), name="project-list"),
    path("projects/<uuid:project_id>/", api.ProjectView.as_view(), name="project-detail"),
    path("projects/<uuid:project_id>/mark/", api.MarkView.as_view(), name="project-mark"),
    path("projects/<uuid:project_id>/members/", api.MemberListView.as_view(), name="project-member-list"),
    path(
        "projects/<uuid:project_id>/members/<int:membership_id>/",
        api.MemberView.as_view(),
        name="project-member-detail",
    ),
    path(
        "projects/<uuid:project_id>/hand-over/", succession.HandOverView.as_view(), name="project-hand-over"
    ),
    path("projects/<uuid:project_id>/moves/<str:move>/", api.MoveView.as_view(), name="project-move"),
    path("projects/<uuid:project_id>/comments/", CommentListView.as_view(), name="project-comments"),
    path("projects/<uuid:project_id>/history/", api.HistoryView.as_view(), name="project-history"),
    path(
        "projects/<uuid:project_id>/assessments/",
        assessments.Assessments.as_view(),
        name="project-assessments",
    ),
    path(
        "projects/<uuid:project_id>/assessments/<uuid:order_id>/report/",
        assessments.AssessmentReport.as_view(),
        name="project-assessment-report",
    ),
    path(
        "projects/<uuid:project_id>/assessments/<uuid:order_id>/end/",
        assessments.AssessmentEnd.as_view(),
        name="project-assessment-end",
    ),
    path(
        "projects/<uuid:project_id>/audit-package/",
        AuditPackageView.as_view(),
        name="project-audit-package",
    ),
    path("projects/<uuid:project_id>/phases/", PhasesView.as_view(), name="project-phases"),
]
