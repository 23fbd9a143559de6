"""Where a run is to take place, as a form."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..enums import RunEngine


class RunForm(forms.Form):
    """Without a choice a run takes place on this server."""

    engine = forms.ChoiceField(
        label=gettext_lazy("Where the run takes place"),
        choices=RunEngine.choices,
        initial=RunEngine.LOCAL,
        widget=forms.RadioSelect,
        required=False,
    )

    def __init__(self, *args: Any, cluster: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        engine = self.fields["engine"]
        assert isinstance(engine, forms.ChoiceField)
        engine.choices = [
            (RunEngine.LOCAL, RunEngine.LOCAL.label),
            (RunEngine.SPARK, _("On the cluster %(name)s") % {"name": cluster}),
        ]
        engine.choice_hints = {  # type: ignore[attr-defined]
            RunEngine.LOCAL.value: _("One machine does all of it, which is right for most tables."),
            RunEngine.SPARK.value: _(
                "Many machines treat the rows; this server reads the file and writes the result. It takes about a minute to begin, "
                "and is meant for tens of millions of rows. The result is the same."
            ),
        }

    def clean_engine(self) -> str:
        return self.cleaned_data["engine"] or RunEngine.LOCAL.value
