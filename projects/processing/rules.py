"""Who may write recipes and run them, and when."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from approvals.passages import passage
from approvals.request_cache import one_reading
from projects.core.evidence import evidence_state
from projects.core.models import Project
from projects.core.rules import deny_missing, may_act_in
from projects.datasets.models import Table
from projects.datasets.tables.selectors import dataset_now
from projects.workflow import Evidence, State
from techniques.engines.spark.suitability import whole_table_techniques
from techniques.recipe.recipe import Recipe

from .enums import RunStatus
from .models import RecipeVersion
from .recipes.objections import recipe_objections
from .recipes.policy import allowed, national_only
from .recipes.selectors import current_recipe, current_sources, without_recipe
from .runs.cluster import cluster_name
from .wording import engine_text, technique_name


class ProcessingReason(Reason):
    NO_RECIPE = "no_recipe", _("Save a recipe first.")
    ALREADY_RUNNING = "already_running", _("A run is in progress; wait for it or cancel it.")
    BEING_TRIED = (
        "suggestion_being_tried",
        _(
            "The suggestion is being tried on the data; what is found is filled in here. Wait for it or cancel it."
        ),
    )
    RECIPE_OUTDATED = (
        "recipe_outdated",
        _("The verdicts about the columns changed since this recipe was saved; check and save it again."),
    )
    TABLE_WITHOUT_RECIPE = (
        "table_without_recipe",
        _("The recipe does not yet state what happens to: %(tables)s."),
    )
    LINK_BROKEN = "link_broken", _("The recipe would break a link between tables: %(why)s")
    NOT_NATIONAL = (
        "not_national",
        _(
            "The organisation allows national commercial cryptography (SM3, SM4) only; choose other algorithms in "
            "the recipe and save it again."
        ),
    )
    RECIPE_NOT_NATIONAL = (
        "recipe_not_national",
        _("According to the organisation's policy, this cannot go forward: %(why)s"),
    )
    NO_CLUSTER = "no_cluster", _("No cluster is set up for this portal; run the recipe on this server.")
    NOT_ON_CLUSTER = (
        "not_on_cluster",
        _(
            "These steps need all rows on one machine, so the recipe can only be run on this server: %(techniques)s."
        ),
    )
    ADVICE_OUTDATED = (
        "advice_outdated",
        _("Targets or verdicts changed since this advice. Answer the questions again."),
    )
    ADVICE_TAKEN = "advice_taken", _("This advice is already in the recipe.")
    NO_QUASI_IDENTIFIER = (
        "no_quasi_identifier",
        _("No column was judged a quasi-identifier, so there is nothing for a model to generalise."),
    )
    NO_LATTICE = (
        "no_lattice",
        _("The recipe has no step that searches for a generalisation of whole columns."),
    )
    EXPLORATION_UNDER_WAY = (
        "exploration_under_way",
        _("The solutions are being examined; wait or cancel."),
    )
    EXPLORATION_OUTDATED = (
        "exploration_outdated",
        _("The recipe or the data changed after the solutions were examined. Examine them again."),
    )
    NO_SOLUTION = "no_solution", _("This is not one of the solutions that meet the conditions.")
    SOLUTION_IS_BEST = (
        "solution_is_best",
        _("The recipe already takes this solution; there is nothing to choose."),
    )
    NOTHING_TO_FORECAST = (
        "nothing_to_forecast",
        _("No column was judged a quasi-identifier, so nothing tells one person from another."),
    )
    FORECAST_UNDER_WAY = (
        "forecast_under_way",
        _("The planned steps are being measured; wait for it or cancel it."),
    )
    LOAD_UNDER_WAY = (
        "load_under_way",
        _("The load is being measured; wait for it or cancel it."),
    )
    NO_DATA_TO_PREVIEW = (
        "no_data_to_preview",
        _("There is no checked data set to preview."),
    )
    PREVIEW_UNDER_WAY = (
        "preview_under_way",
        _("A preview of the whole result is being calculated; wait for it or cancel it."),
    )
    NOTHING_SENSITIVE = (
        "nothing_sensitive",
        _(
            "No column of a checked data set was judged a sensitive attribute, so there are no levels to ask for."
        ),
    )
    LEVELS_UNDER_WAY = (
        "levels_under_way",
        _("The protection levels are being counted; wait for it or cancel it."),
    )
    NOTHING_TO_JOIN_LEVELS_TO = (
        "nothing_to_join_levels_to",
        _("There are no checked data to join answers to."),
    )
    LEVELS_BEING_JOINED = (
        "levels_being_joined",
        _("Answers are being joined; wait for it or cancel it."),
    )
    ANSWERS_TOO_LARGE = "answers_too_large", _("The file is larger than 2 MB.")
    LEVELS_OUTDATED = (
        "levels_outdated",
        _("The protection levels of the current data have not been counted. Count them first."),
    )
    SAVED_NAME_NEEDED = "saved_name_needed", _("Give the saved recipe a name.")
    SAVED_NAME_TAKEN = (
        "saved_name_taken",
        _("You have already saved a recipe under this name; choose another name or withdraw that one."),
    )
    SAVED_BY_ANOTHER = "saved_by_another", _("Only the person who saved a recipe can withdraw it.")
    NOTHING_TO_PROPOSE = (
        "nothing_to_propose",
        _("Checked data and verdicts about their columns are needed before a recipe can be suggested."),
    )
    PROPOSAL_UNDER_WAY = (
        "proposal_under_way",
        _("A suggestion is being tested on the data; wait for it or cancel it."),
    )
    NOTE_NEEDED = "note_needed", _("State what has changed since version %(number)s and why.")


# No data can be processed before these exist (5.2.4, 5.3).
BEFORE_ANY_RUN = (
    Evidence.PLAN_APPROVED,
    Evidence.DATASET_READY,
    Evidence.VERDICTS_COMPLETE,
    Evidence.IDENTIFICATION_REVIEWED,
)


def may_edit_recipe(user: Person, project: Project) -> Verdict:
    return may_act_in(user, project, State.PROCESSING)


def note_enough(current: RecipeVersion | None, note: str) -> Verdict:
    """Whether ``note`` can stand on the version after ``current``: a change is explained, a beginning is not."""
    if current is None or note.strip():
        return ALLOW
    return deny(ProcessingReason.NOTE_NEEDED, number=current.number)


def may_go_forward(version: RecipeVersion) -> Verdict:
    """Whether the policy about cryptography lets a recipe become the current one again."""
    why = recipe_objections(version)
    return deny(ProcessingReason.RECIPE_NOT_NATIONAL, why=passage(why)) if why else ALLOW


@one_reading
def may_try_recipe(user: Person, table: Table) -> Verdict:
    """The executor, while the data is processed, once a table has a recipe for its verdicts as they are: for what is measured before it
    is run."""
    from projects.identification.selectors import verdicts_hash

    project = table.project
    verdict = may_edit_recipe(user, project)
    if not verdict:
        return verdict
    recipe = current_recipe(project)
    if recipe is None or recipe.part_of(table) is None or dataset_now(table) is None:
        return deny(ProcessingReason.NO_RECIPE)
    outdated = recipe.verdicts_hash != verdicts_hash(project)
    return deny(ProcessingReason.RECIPE_OUTDATED) if outdated else ALLOW


def may_run(user: Person, project: Project) -> Verdict:
    from projects.identification.selectors import verdicts_hash

    verdict = may_act_in(user, project, State.PROCESSING)
    if not verdict:
        return verdict
    missing = [text for e in BEFORE_ANY_RUN for text in evidence_state(project, e).missing]
    if missing:
        return deny_missing(missing)
    recipe, sources = current_sources(project)
    if recipe is None:
        return deny(ProcessingReason.NO_RECIPE)
    if recipe.verdicts_hash != verdicts_hash(project):
        return deny(ProcessingReason.RECIPE_OUTDATED)
    without = without_recipe(sources)
    if without:
        return deny(ProcessingReason.TABLE_WITHOUT_RECIPE, tables=_(", ").join(without))
    broken = recipe.broken_link()
    if broken is not None:
        return deny(ProcessingReason.LINK_BROKEN, why=engine_text(broken))
    if national_only() and not all(allowed(Recipe.from_data(part)) for part in recipe.tables.values()):
        return deny(ProcessingReason.NOT_NATIONAL)
    if project.runs.filter(status=RunStatus.RUNNING).exists():
        return deny(ProcessingReason.ALREADY_RUNNING)
    return ALLOW


def may_run_on_cluster(user: Person, project: Project) -> Verdict:
    verdict = may_run(user, project)
    if not verdict:
        return verdict
    recipe = current_recipe(project)
    assert recipe is not None  # as the rule requires
    return cluster_suits(recipe)


def cluster_suits(version: RecipeVersion) -> Verdict:
    """Whether the cluster can carry a recipe out."""
    if not cluster_name():
        return deny(ProcessingReason.NO_CLUSTER)
    recipes = [Recipe.from_data(part) for part in version.tables.values()]
    named = dict.fromkeys(one for recipe in recipes for one in whole_table_techniques(recipe))
    if named:
        return deny(
            ProcessingReason.NOT_ON_CLUSTER, techniques=_(", ").join(technique_name(one) for one in named)
        )
    return ALLOW
