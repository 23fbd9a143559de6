from django.urls import path

from . import api
from .acceptance import api as acceptance_api
from .afterwards import api as afterwards_api
from .amendments import api as amendments_api
from .oversight import api as oversight_api

amendment = "amendments/<uuid:amendment_id>/"
later = "later-reassessments/<uuid:later_id>/"
one = "reassessments/<uuid:reassessment_id>/"
urlpatterns = [
    path("reviews/", api.Reviews.as_view(), name="reviews"),
    path("reviews/subject/", api.Reviewed.as_view(), name="reviews-subject"),
    path("oversight/", oversight_api.ManagementReviews.as_view(), name="oversight"),
    path("oversight/<slug:stage>/", oversight_api.StageRecords.as_view(), name="oversight-stage"),
    path("changes/", api.Changes.as_view(), name="changes"),
    path("reassessments/", api.Reassessments.as_view(), name="reassessments"),
    path(one, api.ReassessmentDetail.as_view(), name="reassessments-detail"),
    path(one + "open/", api.ReassessmentOpen.as_view(), name="reassessments-open"),
    path(one + "measure/", api.ReassessmentMeasure.as_view(), name="reassessments-measure"),
    path("later-reassessments/", afterwards_api.Laters.as_view(), name="later-reassessments"),
    path(later, afterwards_api.LaterDetail.as_view(), name="later-reassessments-detail"),
    path(later + "measure/", afterwards_api.LaterMeasure.as_view(), name="later-reassessments-measure"),
    path(later + "conclude/", afterwards_api.LaterConclude.as_view(), name="later-reassessments-conclude"),
    path(one + "accept/", acceptance_api.ReassessmentAccept.as_view(), name="reassessments-accept"),
    path(one + "amendments/", amendments_api.Amendments.as_view(), name="amendments"),
    path(amendment + "review/", amendments_api.AmendmentReview.as_view(), name="amendments-review"),
    path(amendment + "decision/", amendments_api.AmendmentDecision.as_view(), name="amendments-decide"),
    path(one + "conclude/", api.ReassessmentConclude.as_view(), name="reassessments-conclude"),
]
