"""The secrets of a run: what the vault holds for it, and what is destroyed when it ends (GB/T 37964 4.2 c, A.4.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.models import Project
from projects.datasets.tables.names import column_label
from projects.vault.models import Secret
from projects.vault.purposes import MAPPINGS, ONCE, PROJECT_KEY, SEED, SHARED, is_shared
from projects.vault.services import secret_bytes, secret_destroy_spent, secret_get_or_create
from projects.vault.uses import KeyUse
from techniques.core.messages import gettext_noop
from techniques.recipe.policy import secret_steps
from techniques.recipe.recipe_set import RecipeSet

from ..enums import RunStatus
from ..models import Run
from .selectors import tables_of_run

if TYPE_CHECKING:
    from techniques.core.secrets import Secrets


def keys_make(project: Project, number: int, recipes: RecipeSet, *, by: Person) -> tuple[Secret, Secret]:
    """Key and seed of run ``number``, and in the vault every other key that its recipe needs."""
    for purpose in recipes.purposes():
        secret_get_or_create(project, SHARED % purpose, by=by, shared=True)
    if recipes.needs_key_once():
        secret_get_or_create(project, ONCE % number, by=by)
    return (
        secret_get_or_create(project, PROJECT_KEY, by=by),
        secret_get_or_create(project, SEED % number, by=by),
    )


def secrets_of(run: Run, purposes: Iterable[str]) -> Secrets:
    """What the run was or is carried out with; a key that it had alone only while it goes on.

    ``purposes``: those whose keys are needed. EngineError ``vault.destroyed``.
    """
    from techniques.core.secrets import Secrets

    once = Secret.objects.filter(project=run.project_id, purpose=ONCE % run.number, destroyed_at=None).first()
    return Secrets(
        secret_bytes(run.key),
        secret_bytes(run.seed),
        purposes={purpose: secret_bytes(_purpose_key(run, purpose)) for purpose in purposes},
        once=secret_bytes(once) if once is not None and run.status == RunStatus.RUNNING else b"",
        national=run.national,
    )


def keys_end(run: Run) -> None:
    """Destroy the key that was the run's alone; in the transaction that ends it."""
    reason = gettext_noop("It was made for one run, which has ended.")
    secret_destroy_spent(run.project, ONCE % run.number, by=run.started_by, reason=reason)


def key_uses(secret: Secret) -> list[KeyUse]:
    """The runs that had ``secret``, with the columns whose values rest on their keys and draws."""
    runs = Run.objects.filter(project=secret.project_id).select_related("recipe_version")
    return [_use(run) for run in runs if _had(run, secret)]


def _had(run: Run, secret: Secret) -> bool:
    if secret.pk in (run.key_id, run.seed_id) or secret.purpose in (ONCE % run.number, MAPPINGS % run.number):
        return True
    if not is_shared(secret.purpose):
        return False
    ended = secret.destroyed_at
    while_live = secret.created_at <= run.started_at and (ended is None or run.started_at <= ended)
    return while_live and any(
        secret.purpose == SHARED % one for one in run.recipe_version.as_set().purposes()
    )


def _use(run: Run) -> KeyUse:
    columns = [
        column_label(name, column)
        for name, recipe in run.recipe_version.as_set().tables.items()
        for number in secret_steps(recipe)
        for column in recipe.steps[number].columns
    ]
    title = _("Run %(run)s of version %(version)s of the recipe")
    return KeyUse(
        title % {"run": run.number, "version": run.recipe_version.number},
        run.started_at,
        list(dict.fromkeys(columns)),
        [one.result_sha256 for one in tables_of_run(run).values() if one.result_sha256],
    )


def _purpose_key(run: Run, purpose: str) -> Secret:
    """The one that was live when the run began, whatever became of it."""
    made = Secret.objects.filter(
        project=run.project_id, purpose=SHARED % purpose, created_at__lte=run.started_at
    )
    return made.latest("created_at")
