"""From what a form or a program sends to typed content; problems come back by field, translated.

Every function raises ``django.core.exceptions.ValidationError`` with a dictionary of fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from pydantic import BaseModel
from pydantic import ValidationError as Invalid
from pydantic_core import PydanticCustomError

from ..surroundings.profile.protections import for_sharing as factors_for_sharing
from .content import Factors, Plan, Scope
from .risk import RiskTargets, for_sharing
from .utility import parse_utility

Model = TypeVar("Model", bound=BaseModel)


def _text(kind: str, context: Mapping[str, Any]) -> str:
    """A sentence in the reader's language; never the value that was sent."""
    if kind.startswith("target_"):
        text = _(str(context["text"]))
        return text % context["params"] if context["params"] else text
    if kind in ("missing", "string_too_short", "none_required", "too_short"):
        return _("This is required.")
    if kind in ("string_too_long", "too_long"):
        return _("Too long: at most %(limit)s.") % {"limit": context.get("max_length", "?")}
    if kind in ("greater_than", "greater_than_equal"):
        limit = context.get("ge", context.get("gt"))
        return _("Too small: the minimum is %(limit)s.") % {"limit": limit}
    if kind in ("less_than", "less_than_equal"):
        return _("Too large: the maximum is %(limit)s.") % {"limit": context.get("le", context.get("lt"))}
    if kind in ("enum", "literal_error"):
        return _("Not one of the choices.")
    if kind == "extra_forbidden":
        return _("There is no such field.")
    if kind.startswith("date_"):
        return _("A date is required.")
    if "number" in kind or kind.startswith(("int_", "float_", "finite")):
        return _("A number is required.")
    if kind == "value_error":
        return _("These answers contradict each other.")
    if kind.startswith("union_tag"):
        return _("There is no such kind of target.")
    return _("This cannot be used.")


def problems_of(error: Invalid, prefix: str = "") -> dict[str, list[str]]:
    """Field → sentences. A problem of a whole model is filed under the field that it names."""
    found: dict[str, list[str]] = {}
    for item in error.errors(include_url=False, include_input=False):
        context = item.get("ctx") or {}
        field = str(context.get("field") or (item["loc"][0] if item["loc"] else "__all__"))
        found.setdefault(prefix + field, []).append(_text(item["type"], context))
    return found


def content_read(model: type[Model], data: Any) -> Model:
    """A part of the target out of the object that a form or a program sent."""
    if not isinstance(data, Mapping):
        raise ValidationError({"__all__": [_("An object with the fields of this part is required.")]})
    try:
        return model(**data)
    except Invalid as error:
        raise ValidationError(problems_of(error)) from None


def scope_read(data: Any) -> Scope:
    return content_read(Scope, data)


def factors_read(data: Any, sharing_type: str = "") -> Factors:
    """Factors; of a ``sharing_type`` those that agree with it."""
    factors = content_read(Factors, data)
    return _agreed(factors_for_sharing, factors, sharing_type) if sharing_type else factors


def plan_read(data: Any, *, stated: bool = False) -> Plan:
    """``stated``: a person writes it, who has to say how data are prepared (5.4.2); a plan that is kept says what it says."""
    plan = content_read(Plan, data)
    if stated and plan.preparation is None:
        raise ValidationError(
            {"preparation": [_("State how the data are prepared, or why they are not (5.4.2).")]}
        )
    return plan


def risk_read(data: Any, sharing_type: str) -> RiskTargets:
    """Risk targets that agree with themselves and with the sharing type."""
    return _agreed(for_sharing, content_read(RiskTargets, data), sharing_type)


def _agreed(check: Callable[[Model, str], Model], content: Model, sharing_type: str) -> Model:
    try:
        return check(content, sharing_type)
    except PydanticCustomError as error:
        raise ValidationError({(error.context or {})["field"]: [problem_text(error)]}) from None


def problem_text(error: PydanticCustomError) -> str:
    """What is wrong with targets by themselves or for their sharing type, in the reader's language."""
    return _text(error.type, error.context or {})


def utility_read(rows: Any) -> list[Any]:
    """Utility targets; a problem names the number of the target, from 1."""
    if not isinstance(rows, list):
        raise ValidationError({"__all__": [_("A list of targets is required.")]})
    try:
        return parse_utility(rows)
    except Invalid as error:
        found: dict[str, list[str]] = {}
        for item in error.errors(include_url=False, include_input=False):
            place = item["loc"]
            number = place[0] if place and isinstance(place[0], int) else -1
            # (number, kind, field, …) of a target whose kind is known.
            name = str(place[2]) if len(place) > 2 else "kind"
            text = _text(item["type"], item.get("ctx") or {})
            found.setdefault(f"{number + 1}.{name}", []).append(text)
        raise ValidationError(found) from None
