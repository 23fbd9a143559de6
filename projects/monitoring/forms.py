"""Forms of review and monitoring; they translate what was typed, the services decide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from approvals.decisions.models import ItemAnswer, ReviewOutcome
from approvals.governance.draft import Subject
from approvals.governance.verdict import Verdict
from projects.core.drafts.forms import KeptForm
from projects.core.forms import OfferingForm
from projects.core.help.clauses import Clause

from .checklists.forms import answer_fields, answer_name, answers_given, place_of, reason_name
from .checklists.items import Answers, Checklist
from .checklists.rules import may_answer_so
from .enums import ChangeKind, ReassessmentOutcome

LONG = 4000
OBJECT = _("%(title)s (content %(hash)s)")
MET = _("met, or not needed here")
NOT_MET = _("not met")
REQUIREMENT = _("%(clause)s %(title)s: %(said)s")
FOLLOWS = _("; ")
# What a field of type datetime-local sends and wants to be given.
MOMENT = "%Y-%m-%dT%H:%M"


class DateInput(forms.DateInput):
    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class MomentInput(forms.DateTimeInput):
    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format=MOMENT)


def _long(rows: int, **kwargs: Any) -> forms.CharField:
    return forms.CharField(widget=forms.Textarea(attrs={"rows": rows}), max_length=LONG, strip=True, **kwargs)


def met_name(one: Clause) -> str:
    """The field of the tick for a requirement."""
    return f"met-{one.key}".replace(" ", "-").replace(":", "")


def comment_name(one: Clause) -> str:
    return f"said-{one.key}".replace(" ", "-").replace(":", "")


class FiveFieldsForm(OfferingForm):
    """The record of a review with the five fields that 5.6.1 wants.

    ``content`` is the hash of what the page showed: a review of something else is refused.
    """

    offers: Mapping[str, Sequence[Any]] = {
        "process": (
            _("Read in full and compared with what the portal recorded for this stage."),
            _("Samples of the evidence were checked and the figures recalculated."),
        ),
        "result": (
            _("Complete and sound; no error and no deviation was found."),
            _("Sound; the remarks on the requirements do not affect this conclusion."),
        ),
        "measures": (_("There was no deviation, so no action was needed."),),
    }

    SOUND = "0"
    """The offered result by which there was no deviation."""

    content = forms.CharField(widget=forms.HiddenInput, max_length=64)
    object = _long(
        2, label=_("Object of the review"), help_text=_("Which documents and records were examined.")
    )
    time = forms.DateTimeField(
        label=_("Time of the review"), input_formats=[MOMENT, "%Y-%m-%dT%H:%M:%S"], widget=MomentInput
    )
    process = _long(
        4,
        label=_("Process of the review"),
        help_text=_("How it was reviewed: what it was compared with and which samples were taken."),
    )
    result = _long(
        4,
        label=_("Result of the review"),
        help_text=_("Complete or not, sound or not; errors and deviations."),
    )
    measures = _long(
        3,
        label=_("Measures taken"),
        help_text=_(
            "What was or will be done about deviations; if nothing, say so and give the reason. If "
            "the result is that there was no deviation, say so here too."
        ),
    )

    def __init__(self, *args: Any, current_hash: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.current_hash = current_hash

    @staticmethod
    def known(title: str, content: Subject) -> dict[str, Any]:
        """What the portal knows: which content, and when. What was done and found is for the person to say."""
        return {
            "content": content.hash,
            "object": str(OBJECT) % {"title": title, "hash": content.hash[:12]},
            "time": timezone.localtime().replace(second=0, microsecond=0),
        }

    def clean_time(self) -> datetime:
        moment: datetime = self.cleaned_data["time"]
        try:
            return self.check_time(moment)
        except forms.ValidationError as error:
            # Of a field's own check, a form wants the text alone.
            raise forms.ValidationError(error.messages) from None

    @staticmethod
    def check_time(moment: datetime) -> datetime:
        """A clock that is a little ahead is forgiven."""
        if moment > timezone.now() + timedelta(minutes=5):
            raise forms.ValidationError({"time": _("The review cannot be in the future.")})
        return moment

    def is_sound(self, chosen: Mapping[str, list[str]]) -> bool:
        """Whether the result says that there was no deviation."""
        return self.SOUND in chosen["result"]

    def follows(self, name: str, chosen: Mapping[str, list[str]]) -> Iterable[Any]:
        """Where there was no deviation nothing had to be done."""
        return self.offers["measures"][:1] if name == "measures" and self.is_sound(chosen) else ()

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if data.get("content") != self.current_hash:
            self.add_error(
                None,
                _("The content has changed since this page was opened. Read it again, then submit the form."),
            )
        return data

    def five_fields(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("object", "time", "process", "result", "measures")}


class ReviewForm(FiveFieldsForm):
    """A stage review of the supervisor, and its conclusion."""

    ALL_MET = _("Each requirement named here is met or not needed; no remarks were made.")
    """The result that follows where every requirement was ticked and none has a comment."""

    ONE_BY_ONE = _(
        "Each requirement named here was checked, one by one, against the content that the portal showed."
    )
    """The process that follows where every requirement was ticked."""

    process = _long(
        4,
        label=_("Process of the review"),
        help_text=_(
            "How it was reviewed: what it was compared with and which samples were taken. If you "
            "leave it empty and the stage passes with every requirement ticked, the record says that "
            "each was checked against the content."
        ),
    )
    result = _long(
        4,
        label=_("Result of the review"),
        help_text=_(
            "Complete or not, sound or not; errors and deviations. If you return it, everyone reads "
            "this as the reason. If you leave it empty and the stage passes with every requirement "
            "ticked and no remarks, the ticks are recorded as the result."
        ),
    )
    outcome = forms.ChoiceField(
        label=_("Conclusion"), choices=ReviewOutcome.choices, widget=forms.RadioSelect
    )

    def __init__(
        self,
        *args: Any,
        current_hash: str,
        may_pass: Verdict,
        requirements: Iterable[Clause],
        checklist: Checklist | None = None,
        **kwargs: Any,
    ) -> None:
        """``requirements``: what the clause asks of the stage; each gets a tick and a comment of its own. ``checklist``: the
        organisation's; each of its items gets an answer and a reason."""
        super().__init__(*args, current_hash=current_hash, **kwargs)
        self.checklist = checklist or Checklist()
        self.fields.update(answer_fields(self.checklist))
        self.may_pass = may_pass
        self.requirements = list(requirements)
        for one in self.requirements:
            self.fields[met_name(one)] = forms.BooleanField(
                label=_("Met, or not needed here"),
                required=False,
                widget=forms.CheckboxInput(attrs={"class": "control control--checkbox"}),
            )
            self.fields[comment_name(one)] = forms.CharField(
                label=_("Comment"), max_length=300, strip=True, required=False
            )
        self.fields["outcome"].choice_hints = {  # type: ignore[attr-defined]
            ReviewOutcome.PASSED.value: _(
                "The project continues; the review applies to exactly this content."
            ),
            ReviewOutcome.RETURNED.value: _(
                "The project goes back to the person who submitted it, with your result as the reason."
            ),
        }

    def clean_outcome(self) -> ReviewOutcome:
        outcome = ReviewOutcome(self.cleaned_data["outcome"])
        if outcome == ReviewOutcome.PASSED and not self.may_pass:
            raise forms.ValidationError(self.may_pass.text)
        return outcome

    def follows(self, name: str, chosen: Mapping[str, list[str]]) -> Iterable[Any]:
        """What was answered one by one is the process and the result as well; of a stage without a deviation nothing had to be done."""
        if name == "process":
            return (self.ONE_BY_ONE,) if self._is_all_ticked() else ()
        if name == "result":
            return (self.ALL_MET,) if self._is_all_met() else ()
        return super().follows(name, chosen)

    def is_sound(self, chosen: Mapping[str, list[str]]) -> bool:
        return super().is_sound(chosen) or self.cleaned_data.get("result") == str(self.ALL_MET)

    def _is_all_ticked(self) -> bool:
        given = self.cleaned_data
        is_passed = given.get("outcome") == ReviewOutcome.PASSED
        return (
            is_passed
            and bool(self.requirements)
            and all(given.get(met_name(one)) for one in self.requirements)
            and all(one.answer for one in self.answers().given)
        )

    def _is_all_met(self) -> bool:
        said = [self.cleaned_data.get(comment_name(one)) for one in self.requirements]
        said += [one.reason for one in self.answers().given]
        fails = any(one.answer == ItemAnswer.FAILS for one in self.answers().given)
        return self._is_all_ticked() and not any(said) and not fails

    def answers(self) -> Answers:
        """What was said of the items of the checklist; of one that has changed since the page was shown, nothing that holds."""
        return answers_given(self.checklist, self.cleaned_data)

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if data.get("outcome") == ReviewOutcome.PASSED:
            open_ones = [one.clause for one in self.requirements if not data.get(met_name(one))]
            if open_ones:
                self.add_error(
                    "outcome",
                    _("Not ticked, so it cannot pass: %(clauses)s") % {"clauses": _(", ").join(open_ones)},
                )
        verdict = may_answer_so(
            self.checklist, self.answers(), passes=data.get("outcome") == ReviewOutcome.PASSED
        )
        if not verdict:
            # What cannot pass stands at the conclusion; a missing reason at its item.
            self.add_error(place_of(verdict, self.answers()), verdict.text)
        return data

    def review(self) -> dict[str, Any]:
        """The arguments of ``stage_review_record``. What was ticked and said of each requirement stands with the process."""
        given = self.five_fields() | {"outcome": self.cleaned_data["outcome"]}
        lines = [self._line(one) for one in self.requirements]
        answers = self.answers() if self.checklist.items else None
        return given | {"process": "\n".join([given["process"], *lines]), "answers": answers}

    def _line(self, one: Clause) -> str:
        said = MET if self.cleaned_data.get(met_name(one)) else NOT_MET
        comment = self.cleaned_data.get(comment_name(one))
        line = str(REQUIREMENT) % {"clause": one.clause, "title": one.title, "said": said}
        return f"{line}{FOLLOWS}{comment}" if comment else line

    def checklist_rows(self) -> list[dict[str, Any]]:
        """Each item with the names of its two fields, for the page."""
        return [
            {"item": item, "fields": f"{answer_name(place)},{reason_name(place)}"}
            for place, item in enumerate(self.checklist.items)
        ]

    def requirement_rows(self) -> list[dict[str, Any]]:
        """Each requirement with its two fields, for the page."""
        return [
            {"clause": one, "met": self[met_name(one)], "comment": self[comment_name(one)]}
            for one in self.requirements
        ]


class ChangeForm(KeptForm):
    """Something that may change the risk (5.6.2 a–d)."""

    draft_name = "monitoring.change"

    kind = forms.ChoiceField(label=_("What changed"), choices=ChangeKind.choices, widget=forms.RadioSelect)
    description = _long(
        3,
        label=_("Description"),
        help_text=_("What exactly changed, and why it may affect the risk. No personal data here."),
    )
    happened_on = forms.DateField(label=_("Date of the change"), widget=DateInput)

    def clean_happened_on(self) -> Any:
        day = self.cleaned_data["happened_on"]
        if day > timezone.localdate():
            raise forms.ValidationError(_("The change cannot be in the future."))
        return day


class ConclusionForm(OfferingForm):
    """The supervisor's conclusion of a re-assessment."""

    STILL_MET = _(
        "Measured again, every target is still met, and nothing else that affects the risk is known."
    )

    outcome = forms.ChoiceField(
        label=_("Conclusion"), choices=ReassessmentOutcome.choices, widget=forms.RadioSelect
    )
    finding = _long(
        4,
        label=_("Finding"),
        help_text=_("What was compared with the targets, and why you reach this conclusion."),
    )

    def __init__(self, *args: Any, nothing_new: bool, may_keep: Verdict, **kwargs: Any) -> None:
        """``nothing_new``: today's measurement meets every target, and no reported change waits for a conclusion; only then may
        the offered finding be true. ``may_keep``: whether the release may stay."""
        self.may_keep = may_keep
        self.offers = {"finding": (self.STILL_MET,)} if nothing_new else {}
        super().__init__(*args, **kwargs)
        self.order_fields(["outcome", "finding_chosen", "finding"])
        self.fields["outcome"].choice_hints = {  # type: ignore[attr-defined]
            ReassessmentOutcome.KEEP.value: _(
                "The release stays in force; the next re-assessment is planned."
            ),
            ReassessmentOutcome.SUSPEND.value: _(
                "Nobody receives it until the supervisor resumes the project; a re-assessment is due in two weeks."
            ),
            ReassessmentOutcome.VERIFY.value: _(
                "The release ends at once; the result is measured and approved again."
            ),
            ReassessmentOutcome.PROCESS.value: _("The release ends at once; the data are processed again."),
        }

    def clean(self) -> dict[str, Any]:
        chosen = self.cleaned_data.get("finding_chosen")
        if chosen and self.cleaned_data.get("outcome") != ReassessmentOutcome.KEEP:
            self.add_error(
                "finding",
                _("The suggested finding applies only to a release that stays in force; state why it ends."),
            )
        if self.cleaned_data.get("outcome") == ReassessmentOutcome.KEEP and not self.may_keep:
            self.add_error("outcome", self.may_keep.text)
        return super().clean()
