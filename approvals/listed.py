"""Rows of another table as one list, read along with a row."""

from __future__ import annotations

from typing import Any

from django.db.models import Aggregate, JSONField


class Listed(Aggregate):
    """Objects as one list."""

    function = "JSON_GROUP_ARRAY"
    output_field = JSONField()

    def as_postgresql(self, compiler: Any, connection: Any, **more: Any) -> Any:
        return self.as_sql(compiler, connection, function="JSONB_AGG", **more)
