"""Forms of the core: they translate and validate, and decide nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, TypeVar, cast

from django import forms
from django.forms.models import ModelChoiceIterator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from approvals.decisions.models import Decision
from approvals.governance.person import Person, by_reading
from approvals.governance.verdict import first_denial
from projects.workflow import Role, Stage
from projects.workflow.posts import POST_OF_ROLE, Post

from .drafts.forms import KeptForm
from .enums import ProjectMark, SharingType
from .models import Project
from .rules import CoreReason, of_records, post_verdict, records_missing
from .selectors import candidates

SHARING_HINTS = {
    SharingType.PUBLIC.value: _("Published for everyone. It can hardly be recalled."),
    SharingType.CONTROLLED.value: _(
        "Under an agreement that bars re-identification, linking with other data, and passing on."
    ),
    SharingType.ENCLAVE.value: _("The data never leave a controlled physical or virtual place."),
}
"""What each way of sharing means, in a sentence."""

FEW = 8
"""So many people or less are shown to choose from at a glance; of more there is a list to open."""

TEAM = (Role.EXECUTOR, Role.SUPERVISOR, Role.MANAGEMENT, Role.RECIPIENT)
"""The roles that a planning manager gives to others when a project begins."""


def _name(user: Person) -> str:
    """A person in a list to choose from."""
    return f"{user} · {user.department}" if user.department else f"{user} · {user.get_post_display()}"


class _ByReading(ModelChoiceIterator):  # type: ignore[type-arg]
    def __iter__(self) -> Iterator[tuple[Any, str]]:
        chosen = list(super().__iter__())
        first = chosen[:1] if self.field.empty_label is not None else []
        yield from first + sorted(chosen[len(first) :], key=lambda one: by_reading(one[1]))


class PersonChoiceField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """A person of a list of bounded length, in the order in which names are looked for."""

    iterator = _ByReading


class ProjectForm(KeptForm, forms.ModelForm):  # type: ignore[type-arg]
    draft_name = "core.project"

    class Meta:
        model = Project
        fields = ("title", "summary")
        widgets = {"summary": forms.Textarea(attrs={"rows": 4})}
        help_texts = {
            "title": _("Name the data, not the people in it. The title appears in the audit log."),
            "summary": _("In two or three sentences: which data, for whom, for what."),
        }


class SharingForm(KeptForm):
    """How a new project's data will be shared, where that is known; public sharing is confirmed on a page of its own."""

    sharing_type = forms.ChoiceField(
        label=_("How will the data be shared?"),
        choices=[
            (SharingType.CONTROLLED, SharingType.CONTROLLED.label),
            (SharingType.ENCLAVE, SharingType.ENCLAVE.label),
            ("", _("Completely public, or not known yet")),
        ],
        widget=forms.RadioSelect,
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        hints = SHARING_HINTS | {"": _("You are asked next, and each type is explained.")}
        self.fields["sharing_type"].choice_hints = hints  # type: ignore[attr-defined]

    @property
    def chosen(self) -> SharingType | None:
        """What was chosen, if anything was."""
        return SharingType(value) if (value := self.cleaned_data["sharing_type"]) else None


class MarkForm(forms.Form):
    """What the documents of a project bear on top."""

    mark = forms.ChoiceField(
        label=_("Confidentiality marking"),
        choices=ProjectMark.choices,
        help_text=_(
            "Appears at the top of every document of the project that is made from now on. Anything "
            "marked as a state secret must not be kept in this portal."
        ),
    )


class OfferingForm(forms.Form):
    """A form that offers sentences to choose for some of its texts. None is chosen beforehand: what somebody attests, they say.

    The field ``name`` holds the chosen sentences and the person's own words in the end, one a line; ``name_chosen`` are the choices.
    """

    offers: Mapping[str, Iterable[Any]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, sentences in self.offers.items():
            text = self.fields[name]
            self.fields[f"{name}_chosen"] = forms.MultipleChoiceField(
                label=text.label,
                help_text=text.help_text,
                choices=[(str(number), sentence) for number, sentence in enumerate(sentences)],
                widget=forms.CheckboxSelectMultiple,
                required=False,
            )
            # In a list of errors the question tells this field from the others with the same label.
            text.question = text.label  # type: ignore[attr-defined]
            text.label, text.help_text = _("Other or additional text, in your own words"), ""
            text.required = False

    def follows(self, name: str, chosen: Mapping[str, list[str]]) -> Iterable[Any]:
        """The sentences about ``name`` that follow from what was chosen of the others, where nothing is said of it."""
        return ()

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        chosen = {name: found.pop(f"{name}_chosen", []) for name in self.offers}
        for name in self.offers:
            said = dict(self.fields[f"{name}_chosen"].choices)  # type: ignore[attr-defined]
            own = list(filter(None, [found.get(name, "")]))
            sentences = [said[key] for key in chosen[name]]
            if not own and not sentences:
                sentences = list(self.follows(name, chosen))
            found[name] = "\n".join([*map(str, sentences), *own])
            if not found[name] and name not in self.errors:
                self.add_error(name, _("Choose a sentence or write your own."))
        return found


class TeamForm(KeptForm):
    """Several roles at once, one person each; a role that is left open can be given later."""

    def __init__(self, *args: Any, roles: Iterable[Role], people: Iterable[Any], **kwargs: Any) -> None:
        """``people``, read with their appointments, may be given a role whose post they hold; those from outside only that of
        a recipient."""
        super().__init__(*args, **kwargs)
        self.roles, self.people = list(roles), {str(one.pk): one for one in people}
        # Who is not offered for a role although an appointment to its post was given, and why; nobody else is named.
        self.closed: dict[Role, list[str]] = {}
        missing = records_missing(self.people.values())
        for role in self.roles:
            open_to = []
            for key, one in self.people.items():
                if one.post == Post.RECIPIENT and role != Role.RECIPIENT:
                    continue
                held = first_denial(post_verdict(one, role), of_records(one, role, missing))
                if held:
                    open_to.append((key, _name(one)))
                elif held.reason != CoreReason.NOT_APPOINTED:
                    self.closed.setdefault(role, []).append(held.text)
            self.fields[role.value] = forms.ChoiceField(
                label=role.label,
                choices=[("", _("Later")), *sorted(open_to, key=lambda one: by_reading(one[1]))],
                widget=forms.RadioSelect if len(open_to) <= FEW else forms.Select,
                required=False,
            )

    @property
    def notes(self) -> list[tuple[str, list[str]]]:
        """For each role, by its label: who is not offered and why, or that nobody holds the post that it asks for."""
        found = []
        for role in self.roles:
            said = sorted(self.closed.get(role, []), key=by_reading)
            field: Any = self.fields[role.value]
            if role in POST_OF_ROLE and len(field.choices) == 1:
                said.insert(
                    0,
                    gettext(
                        "Nobody holds this post at present: an administrator appoints someone and a second one confirms."
                    ),
                )
            if said:
                found.append((str(role.label), said))
        return found

    @property
    def team(self) -> dict[Role, Any]:
        """Who was chosen."""
        return {
            role: self.people[key] for role in self.roles if (key := self.cleaned_data.get(role.value, ""))
        }

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        chosen: dict[str, Role] = {}
        for role in self.roles:
            key = found.get(role.value, "")
            if key and key in chosen:
                self.add_error(role.value, _("A person has one role in a project, and it cannot be changed."))
            elif key:
                chosen[key] = role
        return found


class MemberForm(forms.Form):
    user = PersonChoiceField(
        label=_("Person"),
        empty_label=_("Choose"),
        queryset=Project.objects.none(),
        help_text=_("A person has one role in a project, and it cannot be changed."),
    )
    role = forms.ChoiceField(label=_("Role"), choices=[("", _("Choose")), *Role.choices])

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["user"]
        field.queryset = candidates(project)
        field.label_from_instance = _name


class ProjectFilterForm(forms.Form):
    q = forms.CharField(label=_("Number or title"), required=False, max_length=80)
    stage = forms.ChoiceField(label=_("Stage"), required=False, choices=[("", _("All")), *Stage.choices])
    sort = forms.ChoiceField(
        label=_("Order"), required=False, choices=[("", _("Newest first")), ("due", _("Earliest due first"))]
    )
    mine = forms.BooleanField(label=_("Only where I have to act"), required=False)


class MoveForm(forms.Form):
    """What is said beside a move. Which of the two is needed, the rules say."""

    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("It appears in the audit log, and everyone in the project can read it."),
        required=False,
        max_length=2000,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    justification = forms.CharField(
        label=_("Justification"),
        help_text=_(
            "Reviewer and signer see it first; it is part of the content that they judge, and appears in the audit log."
        ),
        required=False,
        max_length=2000,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 4}),
    )


F = TypeVar("F", bound=forms.BaseForm)


def as_sent(empty: F, sent: forms.BaseForm | None) -> F:
    """``sent``, if it is the form of the page that ``empty`` is, as somebody filled it in; else ``empty``."""
    return sent if type(sent) is type(empty) and sent.prefix == empty.prefix else empty


class SecondPersonForm(forms.Form):
    """Why a second person lets pass, or turns down, what another laid down; the button that sends it says which of the two."""

    unsaid: ClassVar[Any]

    reason = forms.CharField(label=_("Reason for the decision"), max_length=500)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # The same page may ask for the reason of what is laid down next.
        super().__init__(*args, **kwargs | {"auto_id": "decision_%s"})

    @property
    def accept(self) -> bool:
        return bool(self.data.get("decision") == "accept")

    def clean(self) -> dict[str, Any] | None:
        if self.data.get("decision") not in ("accept", "turn_down"):
            self.add_error(None, self.unsaid)
        return super().clean()


class SignedForm(forms.Form):
    """What is signed: a session that was left open signs nothing."""

    secret = forms.CharField(
        label=_("Your password, or a code of your second step"),
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        max_length=128,
        strip=False,
    )

    def __init__(self, *args: Any, confirms: Callable[[str], bool], **kwargs: Any) -> None:
        """``confirms`` says whether a secret is that of who signs; asked once all else is in order, for a code works once."""
        super().__init__(*args, **kwargs)
        self.confirms = confirms
        self.order_fields([*(name for name in self.fields if name != "secret"), "secret"])

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        secret = found.pop("secret", "")
        if not self.errors and not self.confirms(secret):
            self.add_error("secret", _("Password or code is wrong. Nothing was signed."))
        return found


class ApprovalForm(SignedForm):
    """Approve or refuse exactly what the page shows; ``approve`` and ``refuse`` are the words of each."""

    approve: ClassVar[Any]
    refuse: ClassVar[Any]

    decision = forms.ChoiceField(label=_("Decision"), widget=forms.RadioSelect)
    reason = forms.CharField(
        label=_("Reason for the decision"),
        max_length=500,
        strip=True,
        help_text=_("It is recorded in the audit log: do not include personal data."),
    )

    def __init__(self, *args: Any, may_approve: bool = True, **kwargs: Any) -> None:
        """Without ``may_approve`` the page offers to refuse alone; who sends an approval all the same reads why not."""
        super().__init__(*args, **kwargs)
        choices = [("approve", self.approve), ("refuse", self.refuse)]
        decision = cast(forms.ChoiceField, self.fields["decision"])
        decision.choices = choices if may_approve or self.is_bound else choices[1:]


class DecisionForm(SignedForm):
    """Senior management's decision about exactly what the page shows; ``hints`` say what each choice leads to."""

    hints: ClassVar[dict[Decision, Any]] = {}

    decision = forms.ChoiceField(
        label=_("Decision"),
        choices=[
            (Decision.APPROVED, _("Approve")),
            (Decision.RETURNED, _("Return for rework")),
            (Decision.REJECTED, _("Reject permanently")),
        ],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=_("Reason"),
        help_text=_(
            "It appears in the audit log and in the document, and everyone in the project can read it."
        ),
        widget=forms.Textarea(attrs={"rows": 4}),
        max_length=2000,
        strip=True,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["decision"]
        field.choice_hints = {decision.value: hint for decision, hint in self.hints.items()}

    def without_approval(self) -> None:
        """Take approving off the page; the service would refuse it anyway, and the page says why."""
        field: Any = self.fields["decision"]
        field.choices = [choice for choice in field.choices if choice[0] != Decision.APPROVED]
