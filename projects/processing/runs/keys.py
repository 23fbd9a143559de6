"""The secrets of a run: what the vault holds for it, and what is destroyed when it ends (GB/T 37964 4.2 c, A.4.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from approvals.governance.person import Person
from projects.core.models import Project
from projects.vault.models import Secret
from projects.vault.purposes import ONCE, PROJECT_KEY, SEED, SHARED
from projects.vault.services import secret_bytes, secret_destroy_spent, secret_get_or_create
from techniques.core.messages import gettext_noop
from techniques.recipe.recipe_set import RecipeSet

from ..enums import RunStatus
from ..models import Run

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


def _purpose_key(run: Run, purpose: str) -> Secret:
    """The one that was live when the run began, whatever became of it."""
    made = Secret.objects.filter(
        project=run.project_id, purpose=SHARED % purpose, created_at__lte=run.started_at
    )
    return made.latest("created_at")
