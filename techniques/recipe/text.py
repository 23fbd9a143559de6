"""Reading a recipe's text safely."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml

from techniques.core.messages import EngineError, _

MAX_CHARACTERS = 20_000_000


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
        raise EngineError("recipe_too_long", _("The recipe is too long to be read."))
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - a subclass of the safe loader
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        raise EngineError(
            "recipe_unreadable",
            _("The recipe is not valid YAML or JSON (line %(line)s, column %(column)s)."),
            line=mark.line + 1 if mark else "?",
            column=mark.column + 1 if mark else "?",
        ) from None


def line_of(text: str, path: Sequence[Any]) -> int:
    """The line in which what lies at ``path`` (keys and places in lists) of a readable text begins; of what is above it where that
    is not there."""
    node = yaml.compose(text, Loader=_Loader)
    for part in path:
        if isinstance(node, yaml.MappingNode):
            inner = next((pair for pair in node.value if pair[0].value == str(part)), None)
            if inner is None:
                break
            key, node = inner
            if part == path[-1]:
                node = key
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
        else:
            break
    return int(node.start_mark.line) + 1 if node is not None else 1
