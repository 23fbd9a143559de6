"""A result that the portal wrote as Parquet is queried as one that it wrote as text."""

from __future__ import annotations

import pytest

from projects.enclave.services import query_look
from projects.processing.runs.selectors import latest_run, result_format, tables_of_run

from .conftest import in_parquet, query

pytestmark = pytest.mark.django_db
START = in_parquet


def test_a_parquet_result_is_queried(enclave):
    (written,) = tables_of_run(latest_run(enclave.project)).values()
    assert result_format(written).kind == "parquet"
    made = query(
        enclave, 'SELECT count(*), count(DISTINCT "诊断"), sum(CAST("费用" AS DOUBLE)) > 0 FROM data'
    )
    (row,) = query_look(made, by=enclave.people.recipient)["rows"]
    assert row == [str(written.result_rows), "3", "true"]
