from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext_lazy as _

from approvals.governance.proven import proven
from approvals.governance.triggers import ensure_registered, lift_registered


class CoreConfig(AppConfig):
    name = "projects.core"
    label = "core"
    verbose_name = _("Projects")

    def ready(self) -> None:
        # Who sees a project is read from there.
        right = ("permission__codename", "permission__content_type__model")
        proven(project="object_pk", beside=right)(apps.get_model("guardian", "UserObjectPermission"))
        # The sentences that each package writes into the audit log, the evidence it gives and what it does when others
        # act, what it puts on a person's home page, and what it forbids in the database itself.
        autodiscover_modules("events", "providers", "home", "triggers", "sentences")
        pre_migrate.connect(lift_registered, sender=self, dispatch_uid="registered-triggers-lifted")
        post_migrate.connect(ensure_registered, sender=self, dispatch_uid="registered-triggers")
