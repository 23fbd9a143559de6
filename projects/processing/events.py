"""Sentences of the audit log about processing."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words
from techniques.catalogue import models
from techniques.recipe.scenes import SCENES

audit_words("technique", {one.key: _(one.name) for one in models.TECHNIQUES})
audit_words("scene", {scene.value: _(text.name) for scene, text in SCENES.items()})
audit_words(
    "attacker",
    {
        "prosecutor": _("Who knows that somebody is in the data"),
        "journalist": _("Who does not know who is in the data"),
        "marketer": _("Who wants to match as many as possible"),
    },
)

RECIPE_SAVED = audit_action(
    "recipe.saved", _("%(actor)s saved version %(number)s of the recipe “%(subject)s”")
)
RECIPE_KEPT = audit_action(
    "saved_recipe.created",
    _("%(actor)s saved version %(number)s of the recipe under the name “%(subject)s”"),
)
RECIPE_WITHDRAWN = audit_action(
    "saved_recipe.withdrawn", _("%(actor)s withdrew the saved recipe “%(subject)s”")
)
ADVICE_RECORDED = audit_action(
    "advice.recorded",
    _("%(actor)s answered the questions about techniques (“%(subject)s”, %(columns)s columns)"),
)
MODEL_ADVICE_RECORDED = audit_action(
    "model_advice.recorded",
    _("%(actor)s answered the questions about the model (“%(subject)s”): %(technique)s with k = %(k)s"),
)
MODEL_ADVICE_TAKEN = audit_action(
    "model_advice.taken", _("%(actor)s adopted the advice “%(subject)s” in version %(version)s of the recipe")
)
EXPLORATION_STARTED = audit_action(
    "exploration.started",
    _("%(actor)s requested a list of the solutions of version %(version)s of the recipe (“%(subject)s”)"),
)
EXPLORATION_MEASURED = audit_action(
    "exploration.measured", _("%(nodes)s of %(solutions)s solutions were examined (“%(subject)s”)")
)
EXPLORATION_BROKEN_OFF = audit_action(
    "exploration.broken_off",
    _("The examination of solutions ended without a result (“%(subject)s”, %(code)s)"),
)
SOLUTION_CHOSEN = audit_action(
    "solution.chosen",
    _("%(actor)s chose another solution (“%(subject)s”), now version %(version)s of the recipe: %(reason)s"),
)
PROPOSAL_STARTED = audit_action(
    "proposal.started", _("%(actor)s requested a trial of the suggested recipe on the data (“%(subject)s”)")
)
PROPOSAL_TRIED = audit_action(
    "proposal.tried", _("The suggested recipe was tried on the data in %(number)s variants (“%(subject)s”)")
)
PROPOSAL_BROKEN_OFF = audit_action(
    "proposal.broken_off",
    _("The trial of the suggested recipe ended without a result (“%(subject)s”, %(code)s)"),
)
FORECAST_STARTED = audit_action(
    "forecast.started",
    _(
        "%(actor)s requested a measurement of the planned steps of version %(version)s of the recipe "
        "(“%(subject)s”)"
    ),
)
FORECAST_MEASURED = audit_action(
    "forecast.measured", _("%(number)s planned steps were measured before the recipe is run (“%(subject)s”)")
)
FORECAST_BROKEN_OFF = audit_action(
    "forecast.broken_off",
    _("The measurement of the planned steps ended without a result (“%(subject)s”, %(code)s)"),
)
LOAD_STARTED = audit_action(
    "load.started",
    _("%(actor)s requested a measurement of the load of version %(version)s of the recipe (“%(subject)s”)"),
)
LOAD_MEASURED = audit_action(
    "load.measured",
    _("The load of the recipe was measured on samples of up to %(rows)s rows (“%(subject)s”)"),
)
LOAD_BROKEN_OFF = audit_action(
    "load.broken_off",
    _("The measurement of the load ended without a result (“%(subject)s”, %(code)s)"),
)
PREVIEW_STARTED = audit_action(
    "preview.started",
    _("%(actor)s requested a preview of a draft recipe's whole result (“%(subject)s”)"),
)
PREVIEW_MEASURED = audit_action(
    "preview.measured", _("The whole result of a draft was computed on %(rows)s rows (“%(subject)s”)")
)
PREVIEW_BROKEN_OFF = audit_action(
    "preview.broken_off",
    _("The preview of a draft's whole result ended without a result (“%(subject)s”, %(code)s)"),
)
LEVELS_COUNT_STARTED = audit_action(
    "levels.count_started",
    _("%(actor)s requested a count of the protection levels for “%(column)s” (“%(subject)s”)"),
)
LEVELS_COUNTED = audit_action(
    "levels.counted", _("The protection levels of %(rows)s rows were counted (“%(subject)s”)")
)
LEVELS_BROKEN_OFF = audit_action(
    "levels.broken_off",
    _("The count of protection levels ended without a result (“%(subject)s”, %(code)s)"),
)
LEVELS_SENT = audit_action(
    "levels.sent",
    _(
        "%(actor)s sent answers about protection levels to be joined to the data by “%(column)s” "
        "(“%(subject)s”)"
    ),
)
LEVELS_JOINED = audit_action(
    "levels.joined",
    _(
        "The protection levels of %(persons)s persons were joined to the data, %(missing)s did not answer (“%(subject)s”)"
    ),
)
LEVELS_NOT_JOINED = audit_action(
    "levels.not_joined",
    _("The joining of protection levels ended without a result (“%(subject)s”, %(code)s)"),
)
RUN_STARTED = audit_action("run.started", _("%(actor)s started the run “%(subject)s”"))
RUN_SUCCEEDED = audit_action(
    "run.succeeded", _("The run “%(subject)s” finished: %(rows_out)s of %(rows_in)s rows are in the result")
)
RUN_FAILED = audit_action("run.failed", _("The run “%(subject)s” failed (%(code)s)"))
RUN_CANCELLED = audit_action("run.cancelled", _("The run “%(subject)s” was cancelled"))
MAPPING_KEPT = audit_action(
    "run.mapping_kept",
    _("The mapping table of the column “%(column)s” of the run “%(subject)s” was stored in the vault"),
)
SHARES_KEPT = audit_action(
    "run.shares_kept",
    _(
        "The run “%(subject)s” made files for %(holders)s holders of shares; any %(threshold)s of them "
        "together can recover the values"
    ),
)
