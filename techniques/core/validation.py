"""What pydantic finds wrong, in plain words and with its place."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from techniques.core.messages import EngineError, _

Model = TypeVar("Model", bound=BaseModel)
_PROBLEMS: dict[str, str] = {
    "missing": _("%(path)s: is required"),
    "extra_forbidden": _("%(path)s: is not known here"),
    "int_type": _("%(path)s: must be a whole number"),
    "int_parsing": _("%(path)s: must be a whole number"),
    "int_from_float": _("%(path)s: must be a whole number"),
    "float_type": _("%(path)s: must be a number"),
    "float_parsing": _("%(path)s: must be a number"),
    "bool_type": _("%(path)s: must be true or false"),
    "bool_parsing": _("%(path)s: must be true or false"),
    "string_type": _("%(path)s: must be text (put it in quotes)"),
    "list_type": _("%(path)s: must be a list"),
    "dict_type": _("%(path)s: must be a mapping"),
    "model_type": _("%(path)s: must be a mapping"),
    "model_attributes_type": _("%(path)s: must be a mapping"),
    "literal_error": _("%(path)s: must be one of %(expected)s"),
    "union_tag_invalid": _("%(path)s: kind must be one of %(expected_tags)s"),
    "union_tag_not_found": _("%(path)s: needs a kind"),
    "greater_than": _("%(path)s: must be more than %(gt)s"),
    "greater_than_equal": _("%(path)s: must be at least %(ge)s"),
    "less_than_equal": _("%(path)s: must be at most %(le)s"),
    "string_too_short": _("%(path)s: must have at least %(min_length)s characters"),
    "string_too_long": _("%(path)s: must have at most %(max_length)s characters"),
    "too_short": _("%(path)s: must have at least %(min_length)s entries"),
    "too_long": _("%(path)s: must have at most %(max_length)s entries"),
    "finite_number": _("%(path)s: must be a finite number"),
}
_OTHERWISE = _("%(path)s: %(problem)s")


def invalid(path: str, message: str) -> EngineError:
    """What is wrong at ``path`` of a recipe, as an error fit for a person; ``message`` names the place as %(path)s."""
    return EngineError("recipe_invalid", message, path=path)


def validated(kind: type[Model], data: Any, prefix: str = "", *, strict: bool | None = None) -> Model:
    """``data`` as a ``kind``; raises EngineError that names the place of what is wrong, under ``prefix``."""
    try:
        return kind.model_validate(data, strict=strict)
    except ValidationError as error:
        raise first_problem(error, prefix) from None


def first_problem(error: ValidationError, prefix: str) -> EngineError:
    """The first thing that is wrong, with its place in the recipe, as an error fit for a person."""
    detail = error.errors(include_url=False, include_input=False)[0]
    context = {key: value for key, value in (detail.get("ctx") or {}).items() if isinstance(key, str)}
    path = _path(prefix, detail["loc"])
    message = _PROBLEMS.get(detail["type"], _OTHERWISE)
    return EngineError("recipe_invalid", message, **{**context, "path": path, "problem": detail["msg"]})


_TAGS = frozenset({"star", "intervals", "dates", "mask", "regions", "table", "free"})


def _path(prefix: str, location: tuple[int | str, ...]) -> str:
    """``("steps", 2, "parameters", "k")`` → ``steps[2].parameters.k``; tags of unions are left out."""
    path = prefix
    for position, part in enumerate(location):
        if isinstance(part, int):
            path += f"[{part}]"
        elif part in _TAGS and position > 0 and location[position - 1] not in ("hierarchies",):
            continue
        else:
            path += f".{part}" if path else part
    return path or "recipe"
