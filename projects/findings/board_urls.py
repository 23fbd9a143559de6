from django.urls import path

from . import board_views as views

app_name = "finding_board"
urlpatterns = [
    path("", views.board, name="page"),
    path("spot-checks/", views.spot_checks, name="spot_checks"),
    path("spot-checks/<uuid:spot_check_id>/", views.spot_check, name="spot_check"),
    path("spot-checks/<uuid:spot_check_id>/<int:place>/", views.checked_step, name="checked_step"),
    path(
        "spot-checks/<uuid:spot_check_id>/<int:place>/deviates/",
        views.checked_step_deviates,
        name="checked_step_deviates",
    ),
]
