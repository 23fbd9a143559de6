from django.urls import path

from . import api
from .notice import api as notice_api
from .plan.need import api as need_api
from .plan.saved import api as saved_api
from .surroundings import api as context_api
from .targets.register import api as register_api

urlpatterns = [
    path("", api.ObjectiveDetail.as_view(), name="objective-detail"),
    path("need/", need_api.ProjectNeeds.as_view(), name="objective-need"),
    path("need/answer/", need_api.ProjectNeedAnswer.as_view(), name="objective-need-answer"),
    path("sharing/", api.ObjectiveSharing.as_view(), name="objective-sharing"),
    path("scope/", api.ObjectiveScope.as_view(), name="objective-scope"),
    path("notice/", notice_api.PrivacyNotices.as_view(), name="objective-notice"),
    path(
        "notice/<uuid:notice_id>/file/", notice_api.PrivacyNoticeFile.as_view(), name="objective-notice-file"
    ),
    path("register/", register_api.RegisterLookups.as_view(), name="objective-register"),
    path("register/take/", register_api.RegisterTake.as_view(), name="objective-register-take"),
    path("factors/", api.ObjectiveFactors.as_view(), name="objective-factors"),
    path("risk/", api.ObjectiveRisk.as_view(), name="objective-risk"),
    path("context/", context_api.ContextAssessments.as_view(), name="objective-context"),
    path("context/take/", context_api.ContextTake.as_view(), name="objective-context-take"),
    path("utility/", api.ObjectiveUtility.as_view(), name="objective-utility"),
    path("defaults/", api.ObjectiveDefaults.as_view(), name="objective-defaults"),
    path("plan/", api.ObjectivePlan.as_view(), name="objective-plan"),
    path("templates/", saved_api.ProjectTemplates.as_view(), name="objective-templates"),
    path("versions/", api.PlanVersionList.as_view(), name="objective-versions"),
    path("decision/", api.ObjectiveDecision.as_view(), name="objective-decision"),
]
