"""Forms of masking policies."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import validate_slug
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from projects.core.drafts.forms import KeptForm
from techniques.core.kinds import IDENTIFIER_NAMES, Identifier
from techniques.engines.masking import HIDDEN, treatments

from .enums import MASKED_POSTS, Scene
from .models import MaskingPolicy


class ProposalForm(KeptForm):
    """What a policy is called, and for each post and kind how a value is shown."""

    draft_name = "masking.policy"

    title = forms.CharField(label=_("Title"), max_length=80)
    name = forms.CharField(
        label=_("Name in the address"),
        max_length=40,
        validators=[validate_slug],
        help_text=_("Letters, digits and hyphens; programs call the policy by it."),
    )
    scene = forms.ChoiceField(label=_("Scene"), choices=Scene.choices)
    reason = forms.CharField(label=_("Reason for this version"), max_length=500)

    def __init__(self, *args: Any, policy: MaskingPolicy | None = None, **kwargs: Any) -> None:
        self.policy = policy
        if policy is not None:
            kwargs["initial"] = {"title": policy.title, "name": policy.name, "scene": policy.scene}
        super().__init__(*args, **kwargs)
        if policy is not None:
            self.fields["name"].disabled = True
        for post in MASKED_POSTS:
            for kind, several in treatments().items():
                chosen = policy.treatments.get(post.value, {}).get(kind.value) if policy else None
                self.fields[f"{post.value}-{kind.value}"] = forms.ChoiceField(
                    label=_(IDENTIFIER_NAMES[kind]),
                    choices=[(t.key, gettext(t.name)) for t in several],
                    initial=chosen or HIDDEN,
                )

    def groups(self) -> list[tuple[str, list[Any]]]:
        """The fields of each post under its name."""
        return [
            (str(post.label), [self[f"{post.value}-{kind.value}"] for kind in Identifier])
            for post in MASKED_POSTS
        ]

    def values(self) -> dict[str, Any]:
        """What the service is given."""
        data = self.cleaned_data
        return {
            **{name: data[name] for name in ("name", "title", "scene", "reason")},
            "treatments": {
                post.value: {kind.value: data[f"{post.value}-{kind.value}"] for kind in Identifier}
                for post in MASKED_POSTS
            },
        }
