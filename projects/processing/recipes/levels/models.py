"""What was counted of the levels that persons ask for."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from projects.core.models import Project
from projects.datasets.models import Dataset, StoredFile
from projects.jobs.models import JobResult


class LevelCount(JobResult):
    """How many ask for which protection level in a table, and with which value of its sensitive attribute ``column``.

    ``level_column`` is empty where nobody was asked yet. ``result`` is the engine's
    (:class:`techniques.models.personalized.requested.Requested`): values that too few persons have are not named in it.
    """

    letter = "L"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="level_counts")
    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="level_counts")
    number = models.PositiveIntegerField(_("Count of levels"))
    column = models.CharField(max_length=512)
    level_column = models.CharField(max_length=512, blank=True)
    person_key = models.JSONField(default=list)
    result = models.JSONField(default=dict)

    class Meta(JobResult.Meta):
        verbose_name = _("count of levels")


class LevelAnswers(JobResult):
    """Answers of the form about protection levels, and what joining them to a table's data gave: ``made`` is the data set with
    the column more.

    ``key`` is the column by which they are joined, with ``more_keys`` where it takes several, ``default`` the level of who did not answer, 0 for none. The answers themselves are
    gone once they are joined or the job broke off.
    """

    letter = "P"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="level_answers")
    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="level_answers")
    number = models.PositiveIntegerField(_("Answers of the form"))
    stored = models.ForeignKey(StoredFile, on_delete=models.PROTECT, related_name="+", null=True)
    key = models.CharField(max_length=512)
    more_keys = models.JSONField(default=list)
    default = models.PositiveSmallIntegerField(default=0)
    made = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="+", null=True)
    result = models.JSONField(default=dict)

    class Meta(JobResult.Meta):
        verbose_name = _("answers about protection levels")

    @property
    def keys(self) -> list[str]:
        """All columns that tell together whose an answer is."""
        return [self.key, *self.more_keys]
