from django.urls import path

from . import api

urlpatterns = [
    path("", api.OpenFindingList.as_view(), name="findings-open"),
    path("spot-checks/", api.SpotCheckList.as_view(), name="spot-checks"),
    path("spot-checks/<uuid:spot_check_id>/", api.SpotCheckDetail.as_view(), name="spot-checks-detail"),
    path(
        "spot-checks/<uuid:spot_check_id>/<int:place>/sound/",
        api.CheckedStepSound.as_view(),
        name="spot-checks-sound",
    ),
    path(
        "spot-checks/<uuid:spot_check_id>/<int:place>/deviates/",
        api.CheckedStepDeviates.as_view(),
        name="spot-checks-deviates",
    ),
]
