from django.urls import path

from . import views
from .notice import views as notice_views
from .plan import together
from .plan import views as decision_views
from .plan.need import views as need_views
from .plan.saved import views as saved_views
from .surroundings import views as context_views
from .targets.register import views as register_views

app_name = "objective"
urlpatterns = [
    path("", views.page, name="page"),
    path("need/", need_views.need, name="need"),
    path("need/answer/", need_views.need_answer, name="need_answer"),
    path("sharing/", views.sharing, name="sharing"),
    path("together/", together.page, name="together"),
    path("scope/", views.scope, name="scope"),
    path("scope/notice/", notice_views.notice, name="notice"),
    path("scope/notice/remove/", notice_views.notice_remove, name="notice_remove"),
    path("scope/notice/<uuid:notice_id>/file/", notice_views.notice_file, name="notice_file"),
    path("scope/register/", register_views.register, name="register"),
    path("scope/register/take/", register_views.register_take, name="register_take"),
    path("factors/", views.factors, name="factors"),
    path("risk/", views.risk, name="risk"),
    path("risk/context/", context_views.context, name="context"),
    path("risk/context/take/", context_views.context_take, name="context_take"),
    path("utility/", views.utility, name="utility"),
    path("utility/suggested/", views.utility_suggest, name="utility_suggest"),
    path("utility/<int:position>/remove/", views.utility_remove, name="utility_remove"),
    path("templates/", saved_views.templates, name="templates"),
    path("plan/", views.plan, name="plan"),
    path("plan/edit/", views.plan_edit, name="plan_edit"),
    path("plan/pdf/", decision_views.plan_pdf, name="plan_pdf"),
    path("plan/pdf/make/", decision_views.plan_pdf_make, name="plan_pdf_make"),
    path("decide/", decision_views.decide, name="decide"),
]
