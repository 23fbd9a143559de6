"""Forms about messages: they translate and validate, and decide nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from .enums import Pace, RobotKind
from .models import MessageChoice, Robot

MAIL = "mail"


class RobotForm(forms.Form):
    name = forms.CharField(
        label=_("Name of the chat"), max_length=60, help_text=_("By which people choose it.")
    )
    kind = forms.ChoiceField(label=_("Kind"), choices=RobotKind.choices, widget=forms.RadioSelect)
    url = forms.CharField(
        label=_("Address (webhook)"),
        max_length=1000,
        help_text=_(
            "As the chat shows it. Whoever has it writes into the chat: it is kept encrypted and never shown again."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "inputmode": "url"}),
    )
    secret = forms.CharField(
        label=_("Secret for signatures"),
        max_length=200,
        required=False,
        help_text=_("Where the robot of DingTalk or Feishu asks for signed messages; WeCom has none."),
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )

    def clean_kind(self) -> RobotKind:
        return RobotKind(self.cleaned_data["kind"])


class ChoiceForm(forms.Form):
    """``robots``: the robots that this person may choose; by mail is always there."""

    pace = forms.ChoiceField(label=_("When"), choices=Pace.choices, widget=forms.RadioSelect)

    def __init__(self, *args: Any, choice: MessageChoice, robots: Sequence[Robot], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._robots = {str(robot.pk): robot for robot in robots}
        self.fields["pace"].initial = choice.pace
        if robots:
            self.fields["channel"] = forms.ChoiceField(
                label=_("By which way"),
                choices=[(MAIL, _("By mail")), *_choices_of(robots)],
                widget=forms.RadioSelect,
                initial=str(choice.robot_id) if str(choice.robot_id) in self._robots else MAIL,
                help_text=_(
                    "What a robot writes is read by everybody in its chat; your name stands before it."
                ),
            )

    @property
    def chosen(self) -> dict[str, Any]:
        given = self.cleaned_data
        return {"pace": Pace(given["pace"]), "robot": self._robots.get(given.get("channel", MAIL))}


class TestForm(forms.Form):
    """By which way a test message goes."""

    def __init__(self, *args: Any, robots: Sequence[Robot], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._robots = {str(robot.pk): robot for robot in robots}
        self.fields["channel"] = forms.ChoiceField(
            label=_("By which way"),
            choices=[(MAIL, _("By mail, to your own address")), *_choices_of(robots)],
            widget=forms.RadioSelect,
            initial=MAIL,
        )

    @property
    def robot(self) -> Robot | None:
        return self._robots.get(self.cleaned_data["channel"])


def _choices_of(robots: Sequence[Robot]) -> list[tuple[str, Any]]:
    return [
        (str(one.pk), _("Robot “%(name)s” (%(kind)s)") % {"name": one.name, "kind": one.get_kind_display()})
        for one in robots
    ]
