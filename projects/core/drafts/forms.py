"""Forms that keep drafts say so themselves, and what of them is never kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import UUID

from django import forms
from django.http import QueryDict

if TYPE_CHECKING:
    from .models import FormDraft
    from .selectors import Place

KEPT_FORMS: dict[str, type[KeptForm]] = {}
"""Every form that keeps drafts for who fills it in, by its name."""


class KeptForm(forms.Form):
    """A form whose entries can be kept before they are whole.

    ``draft_name`` names it among the drafts; without one it is kept in another way, or as a part of a form that has one. Files and
    secrets are never kept. A tick is kept only where ``keeps_ticks`` says that the form's ticks attest nothing, and a field of
    ``never_kept`` not at all.
    """

    draft_name: ClassVar[str] = ""
    keeps_ticks: ClassVar[bool] = False
    never_kept: ClassVar[frozenset[str]] = frozenset()

    beside: tuple[KeptForm, ...] = ()
    """Further forms of the same page, sent and kept together with this one."""
    address: str = ""
    """Where it is sent, if its page is shown at another address as well: with something else that was refused there."""
    place: Place | None = None
    draft: FormDraft | None = None
    opened: UUID
    """By this the page that shows the form is known again: it is sent with the form, and with each draft of it."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if name := cls.__dict__.get("draft_name"):
            KEPT_FORMS[name] = cls

    def _kept(self) -> Iterator[tuple[str, list[str]]]:
        """Each field that is kept, with the names of its controls."""
        for name, field in self.fields.items():
            widget = field.widget
            is_secret = isinstance(field, forms.FileField) or isinstance(widget, forms.PasswordInput)
            is_tick = isinstance(field, forms.BooleanField) and not self.keeps_ticks
            if is_secret or is_tick or name in self.never_kept:
                continue
            sent = self.add_prefix(name)
            parts: list[str] = getattr(widget, "widgets_names", [""])
            yield name, [f"{sent}{part}" for part in parts]

    @property
    def entries(self) -> dict[str, list[str]]:
        """What was sent, control by control and as it was typed: a draft. No database keeps a NUL in a text."""
        sent: Any = self.data
        return {
            control: [text.replace("\0", "") for text in sent.getlist(control)]
            for _name, controls in self._kept()
            for control in controls
        }

    def begin_with(self, entries: Mapping[str, list[str]]) -> None:
        """Show the entries of a draft instead of what is saved."""
        sent = QueryDict(mutable=True)
        for control, texts in entries.items():
            sent.setlist(control, texts)
        for name, controls in self._kept():
            if any(control in entries for control in controls):
                widget = self.fields[name].widget
                self.initial[name] = widget.value_from_datadict(sent, {}, self.add_prefix(name))
