"""Reading a recipe's text safely, and saying in plain words what is wrong with it and where."""

from __future__ import annotations

from typing import Any

import yaml
from pydantic import ValidationError

from techniques.core.messages import EngineError, gettext_noop

MAX_CHARACTERS = 20_000_000

_PROBLEMS: dict[str, str] = {
    "missing": gettext_noop("%(path)s: is required"),
    "extra_forbidden": gettext_noop("%(path)s: is not known here"),
    "int_type": gettext_noop("%(path)s: must be a whole number"),
    "int_parsing": gettext_noop("%(path)s: must be a whole number"),
    "int_from_float": gettext_noop("%(path)s: must be a whole number"),
    "float_type": gettext_noop("%(path)s: must be a number"),
    "float_parsing": gettext_noop("%(path)s: must be a number"),
    "bool_type": gettext_noop("%(path)s: must be true or false"),
    "bool_parsing": gettext_noop("%(path)s: must be true or false"),
    "string_type": gettext_noop("%(path)s: must be text (put it in quotes)"),
    "list_type": gettext_noop("%(path)s: must be a list"),
    "dict_type": gettext_noop("%(path)s: must be a mapping"),
    "model_type": gettext_noop("%(path)s: must be a mapping"),
    "model_attributes_type": gettext_noop("%(path)s: must be a mapping"),
    "literal_error": gettext_noop("%(path)s: must be one of %(expected)s"),
    "union_tag_invalid": gettext_noop("%(path)s: kind must be one of %(expected_tags)s"),
    "union_tag_not_found": gettext_noop("%(path)s: needs a kind"),
    "greater_than": gettext_noop("%(path)s: must be more than %(gt)s"),
    "greater_than_equal": gettext_noop("%(path)s: must be at least %(ge)s"),
    "less_than_equal": gettext_noop("%(path)s: must be at most %(le)s"),
    "string_too_short": gettext_noop("%(path)s: must have at least %(min_length)s characters"),
    "string_too_long": gettext_noop("%(path)s: must have at most %(max_length)s characters"),
    "too_short": gettext_noop("%(path)s: must have at least %(min_length)s entries"),
    "too_long": gettext_noop("%(path)s: must have at most %(max_length)s entries"),
    "finite_number": gettext_noop("%(path)s: must be a finite number"),
}
_OTHERWISE = gettext_noop("%(path)s: %(problem)s")


class _Loader(yaml.SafeLoader):
    """YAML without what surprises: no repeated keys, no aliases, dates stay text."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.composer.ComposerError(None, None, "alias", self.peek_event().start_mark)  # type: ignore[no-untyped-call]
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _value in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, "repeated key", key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def load(text: str) -> Any:
    """Data from YAML or JSON text; EngineError ``recipe_unreadable`` with line and column otherwise."""
    if len(text) > MAX_CHARACTERS:
        raise EngineError("recipe_too_long", gettext_noop("The recipe is too long to be read."))
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - a subclass of the safe loader
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        raise EngineError(
            "recipe_unreadable",
            gettext_noop("The recipe is not valid YAML or JSON (line %(line)s, column %(column)s)."),
            line=mark.line + 1 if mark else "?",
            column=mark.column + 1 if mark else "?",
        ) from None


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
