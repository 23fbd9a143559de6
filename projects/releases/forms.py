"""Forms of releases; they translate what was typed, the services decide."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib.auth import get_user_model
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from approvals.countries import HERE, country_choices
from approvals.governance.person import by_reading
from projects.core.enums import SharingType
from projects.core.forms import FEW, OfferingForm, PersonChoiceField
from projects.core.models import Project
from projects.datasets.upload.uploading import FIELD
from projects.objective.selectors import objective_of

from .agreements.approvals import is_proposed
from .agreements.parties import may_agree
from .enums import CheckInterval
from .selectors import held_by, recipients_of

PROHIBITIONS = ("prohibits_reidentification", "prohibits_linkage", "prohibits_onward_sharing")


class DateInput(forms.DateInput):
    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class _ScanField(forms.FileField):
    """Needed; it arrives past the form, in the encrypted store, and who records the agreement asks for it there."""

    def clean(self, data: Any, initial: Any = None) -> None:
        return None


class AgreementForm(OfferingForm):
    """A signed agreement: its three prohibitions (3.13) are ticked one by one. The plan's use is offered as its purpose.
    Where nothing is handed over, no checks of it are asked."""

    recipient = PersonChoiceField(label=_("Recipient"), queryset=None, empty_label=None)
    organisation = forms.CharField(
        label=_("Recipient organisation"),
        max_length=120,
        strip=True,
        widget=forms.TextInput(attrs={"list": "organisations"}),
    )
    country = forms.ChoiceField(
        label=_("Country or region of the recipient"),
        choices=country_choices,
        help_text=_(
            "Data that leave the mainland (to Hong Kong, Macao, Taiwan or abroad) need an impact assessment that names the "
            "place and what permits it."
        ),
    )
    purpose = forms.CharField(
        label=_("Permitted purpose"), max_length=2000, strip=True, widget=forms.Textarea(attrs={"rows": 3})
    )
    prohibits_reidentification = forms.BooleanField(label=_("The recipient does not re-identify anybody"))
    prohibits_linkage = forms.BooleanField(label=_("The recipient does not link the data with outside data"))
    prohibits_onward_sharing = forms.BooleanField(label=_("The recipient does not share the data onward"))
    signed_by = forms.CharField(
        label=_("Signed by"), max_length=80, strip=True, help_text=_("Who signed for the recipient.")
    )
    signed_on = forms.DateField(label=_("Signed on"), widget=DateInput)
    valid_until = forms.DateField(
        label=_("Valid until"),
        widget=DateInput,
        help_text=_("After this day nothing can be downloaded."),
    )
    check_months = forms.TypedChoiceField(
        label=_("Checks of samples by the recipient"),
        choices=CheckInterval.choices,
        coerce=int,
        help_text=_(
            "How often the signed text has the recipient check samples of what they hold. The portal reminds them of it."
        ),
    )
    fetch_approval = forms.BooleanField(
        label=_("Each fetch of the file needs an approval of its own"),
        required=False,
        help_text=_(
            "Tick it if the signed text says so. Then the recipient requests each fetch for a purpose, and the supervisor decides."
        ),
    )
    file = _ScanField(
        label=_("Scan of the signed agreement"),
        help_text=_("Required. PDF, PNG or JPEG, at most 20 MB. It is encrypted as it arrives."),
    )

    assert FIELD == "file"

    def __init__(self, data: Any = None, *, project: Project) -> None:
        self.project = project
        recipients = recipients_of(project)
        today = timezone.localdate()
        initial = {
            "recipient": recipients[0].pk if recipients else None,
            "organisation": recipients[0].department if recipients else "",
            "country": HERE,
            "signed_on": today,
            "valid_until": today + timedelta(days=365),
            "check_months": CheckInterval.YEAR.value,
            "fetch_approval": is_proposed(project, held_by(project, recipients[0]) if recipients else None),
        }
        objective = objective_of(project)
        self.offers = {"signed_by": tuple(str(user) for user in recipients[:FEW])} if recipients else {}
        if use := ((objective.scope if objective else None) or {}).get("use"):
            self.offers = {"purpose": (use,), **self.offers}
        super().__init__(data, initial=initial)
        users = type(recipients[0]).objects if recipients else project.created_by.__class__.objects
        self.fields["recipient"].queryset = users.filter(pk__in=[user.pk for user in recipients])  # type: ignore[attr-defined]
        # They are read already: the page asks for none of them again.
        offered = sorted(((user.pk, str(user)) for user in recipients), key=lambda one: by_reading(one[1]))
        self.fields["recipient"].choices = offered  # type: ignore[attr-defined]
        if project.sharing_type == SharingType.ENCLAVE and not (data or {}).get("check_months"):
            del self.fields["check_months"]
        if project.sharing_type != SharingType.CONTROLLED and not (data or {}).get("fetch_approval"):
            del self.fields["fetch_approval"]
        for name in PROHIBITIONS:
            self.fields[name].error_messages["required"] = _(
                "An agreement without this prohibition is not sufficient."
            )

    def clean_organisation(self) -> str:
        name: str = self.cleaned_data["organisation"]
        known = may_agree(self.project, name)
        if not known:
            raise forms.ValidationError(known.text)
        return name

    def clean_signed_on(self) -> Any:
        day = self.cleaned_data["signed_on"]
        if day > timezone.localdate():
            raise forms.ValidationError(_("The agreement cannot have been signed in the future."))
        return day

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        until, signed = data.get("valid_until"), data.get("signed_on")
        if until and until < timezone.localdate():
            self.add_error("valid_until", _("The agreement would already have ended."))
        elif until and signed and until < signed:
            self.add_error("valid_until", _("The agreement cannot end before it was signed."))
        return data

    def agreement(self) -> dict[str, Any]:
        """The arguments of ``agreement_record`` without the scan."""
        said = {name: value for name, value in self.cleaned_data.items() if name != FIELD}
        return {"check_months": None, "fetch_approval": None} | said


class EndForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), max_length=200, strip=True)


class NoticeForm(forms.Form):
    """The recipient has read what was changed."""

    notice_read = forms.BooleanField(
        label=_("I have read how the data were changed and what must not be computed from them."),
        error_messages={"required": _("Please confirm that you have read the data-use notice.")},
    )


class TermsAndNoticeForm(NoticeForm):
    """The first time, the recipient accepts the terms of the agreement too."""

    accepted = forms.BooleanField(
        label=_("I have read the terms of the agreement and will comply with them."),
        error_messages={"required": _("Please confirm that you accept the terms.")},
    )

    field_order = ("accepted", "notice_read")


class ShareForm(forms.Form):
    """Whose file of shares goes to whom."""

    number = forms.IntegerField(min_value=1, max_value=100)
    holder = PersonChoiceField(queryset=get_user_model().objects.none(), empty_label=_("Choose"))

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = [person.pk for person in recipients_of(project)]
        self.fields["holder"].queryset = get_user_model().objects.filter(pk__in=people)  # type: ignore[attr-defined]
