from django.urls import path

from . import admin_views, views
from .appointments import views as appointments
from .deputies import views as deputies
from .intake import views as intake_views
from .leaving import views as leaving_views
from .oidc import views as oidc

app_name = "accounts"
urlpatterns = [
    path("sign-in/", views.sign_in, name="sign_in"),
    path("provider/", oidc.start, name="oidc_start"),
    path("provider/back/", oidc.back, name="oidc_back"),
    path("sign-out/", views.sign_out, name="sign_out"),
    path("second-step/", views.second_step, name="second_step"),
    path("", views.profile, name="profile"),
    path("password/", views.password, name="password"),
    path("two-step/", views.two_step_setup, name="two_step"),
    path("two-step/manage/", views.two_step_manage, name="two_step_manage"),
    path("tokens/new/", views.token_create, name="token_create"),
    path("tokens/<uuid:token_id>/revoke/", views.token_revoke, name="token_revoke"),
    path("people/", admin_views.account_list, name="accounts"),
    path("people/new/", admin_views.account_create, name="account_create"),
    path("people/intake/", intake_views.intake, name="intake"),
    path("people/<int:user_id>/", admin_views.account_edit, name="account"),
    path("people/<int:user_id>/active/", admin_views.account_active, name="account_active"),
    path("people/<int:user_id>/password/", admin_views.account_password, name="account_password"),
    path("people/<int:user_id>/person/", admin_views.account_person, name="account_person"),
    path("people/<int:user_id>/person/end/", admin_views.account_person_end, name="account_person_end"),
    path(
        "people/<int:user_id>/recoveries/<uuid:recovery_id>/",
        admin_views.account_recovery,
        name="account_recovery",
    ),
    path("people/<int:user_id>/leaving/", leaving_views.leaving, name="leaving"),
    path(
        "people/<int:user_id>/leaving/<str:number>/", leaving_views.leaving_planning, name="leaving_planning"
    ),
    path("people/<int:user_id>/posts/", appointments.appointment_give, name="appointment_give"),
    path("appointments/", appointments.appointment_list, name="appointments"),
    path(
        "appointments/<uuid:appointment_id>/decide/",
        appointments.appointment_decide,
        name="appointment_decide",
    ),
    path("appointments/<uuid:appointment_id>/end/", appointments.appointment_end, name="appointment_end"),
    path("deputies/", deputies.deputies, name="deputies"),
    path("people/<int:user_id>/deputies/", deputies.account_deputies, name="account_deputies"),
    path("deputations/", deputies.deputations, name="deputations"),
    path("deputations/<uuid:deputation_id>/decide/", deputies.deputation_decide, name="deputation_decide"),
    path("deputations/<uuid:deputation_id>/end/", deputies.deputation_end, name="deputation_end"),
    path("people/<int:user_id>/two-step/", admin_views.account_two_step, name="account_two_step"),
]
