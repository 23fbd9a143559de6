"""Files of nothing but line ends, quotation marks or delimiters: refused for what they are, in a moment."""

from __future__ import annotations

import io
import time

import pytest

from techniques.core.messages import EngineError
from techniques.tables import FileFormat, check
from techniques.tables.limits import MIB
from techniques.tables.readers.reading import read_sample

# Parsed anew with each further piece, eight such files took from 10 to 25 s each.
SECONDS = 4.0


@pytest.mark.parametrize(
    ("unit", "code"),
    [
        ("\n", "table.lines.blank"),
        ("\r\n", "table.lines.blank"),
        ('"', "table.row.long"),
        (",", "table.row.long"),
        (" ", "table.row.long"),
    ],
)
def test_a_file_of_one_sign_is_refused_in_a_moment(unit, code):
    data, table_format = unit.encode() * (12 * MIB // len(unit)), FileFormat(kind="csv", encoding="utf-8")
    before = time.process_time()
    with pytest.raises(EngineError) as head:
        read_sample(io.BytesIO(data), table_format)
    with pytest.raises(EngineError) as whole:
        check(io.BytesIO(data), table_format)
    assert time.process_time() - before < SECONDS
    assert head.value.code == code
    assert whole.value.code in {code, "table.field.long"}
    assert head.value.params["line"] == whole.value.params["line"] == 1
