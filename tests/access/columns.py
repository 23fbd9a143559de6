"""What Django works out of a column alone, for every statement anew, is worked out once: how it is written, what makes
Python's values of its values, and its hash. The statements are the same, letter by letter."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.db.models import Field
from django.db.models.expressions import Col, ColPairs
from django.db.models.sql.compiler import SQLCompiler

Replacement = tuple[type, str, Callable[..., Any]]


def columns_once() -> tuple[Replacement, ...]:
    """Methods to put in place of Django's, with memories of their own: owner, name, method."""
    compile_any, convert_any = SQLCompiler.compile, SQLCompiler.get_converters
    # By field, which lives as long as its model does.
    names: dict[Field, str] = {}
    made_by: dict[Field, list[Any]] = {}

    def compiled(self: SQLCompiler, node: Any) -> tuple[str, Any]:
        if type(node) is not Col or not node.alias:
            return compile_any(self, node)
        field = node.target
        if (name := names.get(field)) is None:
            name = names[field] = self.connection.ops.quote_name(field.column)
        return f"{self.quote_name_unless_alias(node.alias)}.{name}", []

    def converters(self: SQLCompiler, expressions: Iterable[Any]) -> dict[int, tuple[list[Any], Any]]:
        found = {}
        expressions = list(expressions)
        if any(type(one) is ColPairs for one in expressions):
            return convert_any(self, expressions)
        for place, one in enumerate(expressions):
            if type(one) is Col and one.target is one.output_field:
                if (made := made_by.get(one.target)) is None:
                    made = made_by[one.target] = self.connection.ops.get_db_converters(
                        one
                    ) + one.get_db_converters(self.connection)
            elif one:
                made = self.connection.ops.get_db_converters(one) + one.get_db_converters(self.connection)
            else:
                continue
            if made:
                found[place] = (made, one)
        return found

    def hashed(self: Col) -> int:
        return hash((self.alias, self.target))

    return (
        (SQLCompiler, "compile", compiled),
        (SQLCompiler, "get_converters", converters),
        (Col, "__hash__", hashed),
    )
