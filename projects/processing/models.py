"""Recipes in their versions, and the runs that carried them out."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from approvals.governance.draft import Subject
from approvals.governance.governed import GovernedModel, GovernedRecord
from projects.core.models import Project
from projects.datasets.models import Dataset, StoredFile, Table
from projects.datasets.tables.names import column_label
from projects.jobs.models import NUMBERED_ONCE, WHOLE_OR_ABSENT, JobResult
from projects.vault.models import Secret
from techniques.core.attributes import Scene
from techniques.core.messages import EngineError
from techniques.recipe.recipe_set import RecipeSet
from techniques.recipe.scenes import SCENES

from .editor.whole.models import WholePreview as WholePreview
from .enums import RunEngine, RunStatus
from .recipes.levels.models import LevelAnswers as LevelAnswers
from .recipes.levels.models import LevelCount as LevelCount
from .recipes.load.models import LoadMeasurement as LoadMeasurement
from .recipes.proposal.models import Proposal as Proposal
from .recipes.saved.models import SavedRecipe as SavedRecipe


class RecipeVersion(GovernedRecord):
    """One version of a project's recipe; versions are added, never changed (5.4.4 a to c).

    ``content`` is the recipe of every table with the links between them: {"recipe": 1, "tables": [{"name": …, "recipe":
    canonical JSON of ``techniques.recipe.recipe.Recipe``}], "references": [{"from": [table, column], "to": …}]}, the
    first table first; the only table of a project has the name "". ``content_hash`` covers recipes and references,
    ``verdicts_hash`` is that of the identification it was written for. A table whose draft began from a scene of use
    has its code besides, ``scene``, and as ``departures`` the columns that it treats otherwise than that preset.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="recipes")
    number = models.PositiveIntegerField(_("Version"))
    content = models.JSONField()
    content_hash = models.CharField(_("Content hash"), max_length=64)
    verdicts_hash = models.CharField(max_length=64)
    note = models.CharField(_("What changed and why"), max_length=300, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("recipe version")
        constraints = [
            models.UniqueConstraint(fields=("project", "number"), name="recipe_number_once_per_project")
        ]

    def __str__(self) -> str:
        return f"{self.project.number} v{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("recipe", str(self.pk), str(self), self.content_hash)

    @property
    def tables(self) -> dict[str, dict[str, Any]]:
        """Table → its recipe, the first table first."""
        return {one["name"]: one["recipe"] for one in self.content["tables"]}

    @property
    def references(self) -> list[dict[str, Any]]:
        """The links between the tables that the version was written for."""
        return list(self.content["references"])

    def name_of(self, table: Table) -> str:
        """What the version calls a table: the first one keeps its place under any name."""
        return str(self.content["tables"][0]["name"]) if table.is_first else table.name

    def part_of(self, table: Table) -> dict[str, Any] | None:
        """The recipe of one table, None where that was not written yet."""
        found: dict[str, Any] | None = self._entry(table).get("recipe")
        return found

    def scene_of(self, table: Table) -> str:
        """The scene of use that the recipe of one table began from; "" for none."""
        return str(self._entry(table).get("scene", ""))

    def _entry(self, table: Table) -> dict[str, Any]:
        first, *others = self.content["tables"]
        # A further table may have got the name that the first one had when the version was written.
        of_table = [first] if table.is_first else [one for one in others if one["name"] == table.name]
        return of_table[0] if of_table else {}

    @property
    def scenes(self) -> list[dict[str, Any]]:
        """The scenes of use that recipes of the version began from, by tables, in the reader's words."""
        return [
            {"table": one["name"], "scene": one["scene"], "departures": one["departures"]}
            | {"name": gettext(SCENES[Scene(one["scene"])].name)}
            for one in self.content["tables"]
            if "scene" in one
        ]

    def as_set(self) -> RecipeSet:
        """The engine's view: linked columns under one domain; EngineError where the links would not survive it."""
        return RecipeSet.from_data({"recipe": 1, "tables": self.tables, "references": self.references})

    def broken_link(self) -> EngineError | None:
        """Why a version with the recipes of all tables would break a declared link; None where it breaks none."""
        try:
            if self.references:
                self.as_set()
        except EngineError as error:
            return error
        return None


class AdviceRecord(GovernedRecord):
    """The answers to the 13 questions of 5.4.3 about a table, and the ranking of techniques that followed.

    ``answers`` and ``advice`` are the engine's (``techniques.advice``), ``content_hash`` its hash over both.
    Records are added, never changed.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="advice_records")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="advice_records")
    number = models.PositiveIntegerField()
    answers = models.JSONField()
    advice = models.JSONField()
    content_hash = models.CharField(_("Content hash"), max_length=64)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("advice")
        constraints = [
            models.UniqueConstraint(fields=("project", "number"), name="advice_number_once_per_project")
        ]

    def __str__(self) -> str:
        return f"{self.project.number} A{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("advice", str(self.pk), str(self), self.content_hash)


class ModelAdviceRecord(GovernedRecord):
    """The conversation about the model of a table (Annex B): answers, what was settled, and what was suggested.

    ``answers``, ``facts`` and ``advice`` are the engine's (``techniques.advice.models``), ``content_hash`` its hash over
    them. ``taken_in`` is the version of the recipe that took the suggestion over, if one did.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="model_advice_records")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="model_advice_records")
    number = models.PositiveIntegerField()
    answers = models.JSONField()
    facts = models.JSONField()
    advice = models.JSONField()
    content_hash = models.CharField(_("Content hash"), max_length=64)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    taken_in = models.ForeignKey(RecipeVersion, on_delete=models.PROTECT, related_name="+", null=True)
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    taken_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("advice on the model")
        constraints = [
            models.UniqueConstraint(
                fields=("project", "number"), name="model_advice_number_once_per_project"
            ),
            models.CheckConstraint(
                condition=Q(taken_in=None, taken_by=None, taken_at=None)
                | Q(taken_in__isnull=False, taken_by__isnull=False, taken_at__isnull=False),
                name="model_advice_taken_whole_or_not",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} M{self.number}"

    @property
    def subject(self) -> Subject:
        return Subject("model_advice", str(self.pk), str(self), self.content_hash)


class Run(GovernedRecord):
    """One execution of one recipe version on the data of every table: ``tables`` has what it read and wrote of each.

    It has succeeded only when every table has its result (``triggers``). ``joins`` counts what joins before and after.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="runs")
    recipe_version = models.ForeignKey(RecipeVersion, on_delete=models.PROTECT, related_name="runs")
    number = models.PositiveIntegerField(_("Run"))
    status = models.CharField(_("State"), max_length=10, choices=RunStatus.choices, default=RunStatus.RUNNING)
    job_id = models.UUIDField(null=True)
    key = models.ForeignKey(Secret, on_delete=models.PROTECT, related_name="+")
    seed = models.ForeignKey(Secret, on_delete=models.PROTECT, related_name="+")
    # SM3 and SM4 alone, as the organisation's policy said when the run began.
    national = models.BooleanField(default=False)
    # Name of the cluster that treats the parts; empty: this server does.
    cluster = models.CharField(max_length=60, blank=True)
    joins = models.JSONField(default=list, blank=True)
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    started_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-number",)
        verbose_name = _("run")
        constraints = [
            models.UniqueConstraint(fields=("project", "number"), name="run_number_once_per_project"),
            models.UniqueConstraint(
                fields=("project",), condition=Q(status="running"), name="run_one_at_a_time_per_project"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project.number} #{self.number}"

    @property
    def engine(self) -> RunEngine:
        return RunEngine.SPARK if self.cluster else RunEngine.LOCAL

    @property
    def subject(self) -> Subject:
        """The run as the log names it while it goes on; ``run_subject`` is the one that reviews judge."""
        return Subject("run", str(self.pk), str(self), "")


class RunTable(GovernedModel):
    """A table of a run: what was read, and once the whole run has succeeded what was written.

    ``name`` is that of the recipe: "" for the only table of a project. ``report`` is the engine's (counts, levels,
    versions; never values), ``notice`` what the recipient is told about the changes (4.4). ``subjects`` says whose each row
    of the result is, where the recipe names a key of persons; it is kept for measuring and handed to nobody.
    """

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="tables")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="run_tables")
    name = models.CharField(max_length=40, blank=True)
    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="+")
    result = models.ForeignKey(StoredFile, on_delete=models.PROTECT, related_name="+", null=True)
    result_format = models.JSONField(default=dict)
    result_sha256 = models.CharField(max_length=64, blank=True)
    result_rows = models.BigIntegerField(null=True)
    subjects = models.ForeignKey(StoredFile, on_delete=models.PROTECT, related_name="+", null=True)
    report = models.JSONField(default=dict)
    notice = models.JSONField(default=dict)

    class Meta:
        ordering = ("name",)
        verbose_name = _("table of a run")
        constraints = [
            models.UniqueConstraint(fields=("run", "table"), name="runtable_once_per_run"),
            models.CheckConstraint(
                condition=(Q(result__isnull=False, result_rows__isnull=False) & ~Q(result_sha256=""))
                | Q(result=None, result_sha256="", result_rows=None),
                name="runtable_result_whole_or_absent",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.run} · {self.name}"

    def file_name(self, stem: str) -> str:
        """What a file of the result is called: that of the first table by ``stem`` alone."""
        kind = self.result_format.get("kind", "csv")
        return f"{stem}.{kind}" if self.table.is_first else f"{stem}-{self.name}.{kind}"


class MappingTable(GovernedRecord):
    """Values and the pseudonyms that a run assigned to them in one column (A.4.2): auxiliary information.

    The content is encrypted once more under ``key`` of the vault; destroying that key ends the way back.
    Nobody downloads it; a governed reversal looks single values up in it. ``table`` is the name of the run's
    table, empty where it has none: each table is assigned pseudonyms of its own.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="mapping_tables")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="mapping_tables")
    table = models.CharField(max_length=40, blank=True)
    step = models.PositiveIntegerField()
    column = models.CharField(max_length=512)
    stored = models.OneToOneField(StoredFile, on_delete=models.PROTECT, related_name="+")
    key = models.ForeignKey(Secret, on_delete=models.PROTECT, related_name="mapping_tables")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("made_at", "step")
        verbose_name = _("mapping table")
        constraints = [
            models.UniqueConstraint(
                fields=("run", "table", "step", "column"), name="mapping_table_once_per_column"
            )
        ]

    def __str__(self) -> str:
        return f"{self.run} {column_label(self.table, self.column)}"


class ShareFile(GovernedRecord):
    """The result of a run as one holder of secret shares gets it (A.2.6). ``number`` counts holders from 1, ``table`` is
    the name of the run's table.

    The file of the holder whom the recipe names is the run's own result.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="share_files")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="share_files")
    table = models.CharField(max_length=40, blank=True)
    number = models.PositiveSmallIntegerField(_("Holder"))
    stored = models.OneToOneField(StoredFile, on_delete=models.PROTECT, related_name="+")
    sha256 = models.CharField(max_length=64)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("run", "number")
        verbose_name = _("file of shares")
        constraints = [
            models.UniqueConstraint(fields=("run", "table", "number"), name="share_file_once_per_holder"),
            models.CheckConstraint(condition=Q(number__gt=0), name="share_file_counts_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.run} {self.number}"


class Exploration(JobResult):
    """The solutions that the model step of one recipe version has to choose from, as a job has listed them.

    ``result`` is the engine's (``space``: levels, loss, suppression of each solution; ``frontier``: the best for other
    k and limits; no values of the data). Once another solution is chosen, ``chosen_in`` is the version that fixes it.
    """

    letter = "E"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="explorations")
    recipe_version = models.ForeignKey(RecipeVersion, on_delete=models.PROTECT, related_name="explorations")
    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="explorations")
    number = models.PositiveIntegerField(_("Exploration"))
    result = models.JSONField(default=dict)
    chosen_levels = models.JSONField(null=True)
    choice_reason = models.TextField(blank=True)
    chosen_in = models.ForeignKey(RecipeVersion, on_delete=models.PROTECT, related_name="+", null=True)
    chosen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    chosen_at = models.DateTimeField(null=True)

    class Meta(JobResult.Meta):
        verbose_name = _("exploration")
        constraints = [
            NUMBERED_ONCE,
            WHOLE_OR_ABSENT,
            models.CheckConstraint(
                condition=Q(
                    chosen_levels=None, chosen_in=None, chosen_by=None, chosen_at=None, choice_reason=""
                )
                | (
                    Q(
                        chosen_levels__isnull=False,
                        chosen_in__isnull=False,
                        chosen_by__isnull=False,
                        chosen_at__isnull=False,
                        measured_at__isnull=False,
                    )
                    & ~Q(choice_reason="")
                ),
                name="exploration_choice_whole_or_absent",
            ),
        ]


class Forecast(JobResult):
    """The risk by information entropy of a table's source and after each step of its recipe, before that is run for good.

    ``question`` names the columns and what is assumed of the attacker, ``result`` is the engine's: figures, and no value of the data.
    """

    letter = "F"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="forecasts")
    recipe_version = models.ForeignKey(RecipeVersion, on_delete=models.PROTECT, related_name="forecasts")
    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="forecasts")
    number = models.PositiveIntegerField(_("Forecast"))
    question = models.JSONField()
    result = models.JSONField(default=dict)

    class Meta(JobResult.Meta):
        verbose_name = _("forecast")


class PreviewedRows(models.Model):
    """Which of a data set's first rows a column was shown with under some settings of a step: no value under two.

    ``settings`` is a keyed digest of technique and parameters, ``rows`` numbers of the sample's rows from 0.
    """

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="+")
    column = models.CharField(max_length=512)
    settings = models.CharField(max_length=64)
    rows = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("dataset", "column", "settings"), name="previewed_once")
        ]

    def __str__(self) -> str:
        return f"{self.column}: {self.rows}"
