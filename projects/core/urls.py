from django.urls import path

from . import views
from .assessments import views as assessment_views
from .audit_package import views as audit_package_views
from .comments import views as comment_views
from .help import views as help_views
from .phases import views as phases_views
from .succession import views as succession_views

app_name = "core"
urlpatterns = [
    path("", views.home, name="home"),
    path("projects/", views.projects, name="projects"),
    path("projects/new/", views.project_create, name="project_create"),
    path("projects/<uuid:project_id>/", views.project_overview, name="project"),
    path("projects/<uuid:project_id>/continue/", views.project_continue, name="project_continue"),
    path("projects/<uuid:project_id>/edit/", views.project_edit, name="project_edit"),
    path("projects/<uuid:project_id>/mark/", views.project_mark, name="project_mark"),
    path("projects/<uuid:project_id>/members/", views.members, name="members"),
    path("projects/<uuid:project_id>/members/<int:membership_id>/end/", views.member_end, name="member_end"),
    path("projects/<uuid:project_id>/hand-over/", succession_views.hand_over, name="hand_over"),
    path("projects/<uuid:project_id>/move/<str:move>/", views.move, name="move"),
    path("projects/<uuid:project_id>/comments/<str:thread>/", comment_views.comments, name="comments"),
    path("projects/<uuid:project_id>/history/", views.history, name="history"),
    path("projects/<uuid:project_id>/assessments/", assessment_views.page, name="assessments"),
    path(
        "projects/<uuid:project_id>/assessments/<uuid:order_id>/report/",
        assessment_views.report,
        name="assessment_report",
    ),
    path(
        "projects/<uuid:project_id>/assessments/<uuid:order_id>/end/",
        assessment_views.end,
        name="assessment_end",
    ),
    path("projects/<uuid:project_id>/audit-package/", audit_package_views.take, name="audit_package"),
    path("projects/<uuid:project_id>/phases/", phases_views.phases, name="phases"),
    path("notifications/", views.notifications, name="notifications"),
    path("notifications/read/", views.notifications_read, name="notifications_read"),
    path("help/process/", help_views.process, name="help_process"),
    path("help/glossary/", help_views.glossary, name="help_glossary"),
    path("help/tour/", help_views.tour, name="help_tour"),
    path("help/tour/end/", help_views.tour_end, name="help_tour_end"),
]
