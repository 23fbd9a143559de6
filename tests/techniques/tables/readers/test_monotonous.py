"""Files of nothing but line ends, quotation marks or delimiters: refused for what they are, having been parsed once."""

from __future__ import annotations

import io

import pytest

from techniques.core.messages import EngineError
from techniques.tables import FileFormat, check
from techniques.tables.limits import MAX_RECORD_BYTES, MIB
from techniques.tables.readers import sampling, text_stream
from techniques.tables.readers.reading import read_sample

# By doubling what is parsed anew, all the parts together are at most twice the last, which may be twice the longest record.
MOST = 4 * MAX_RECORD_BYTES


@pytest.fixture(params=[(sampling, read_sample), (text_stream, check)], ids=["head", "whole"])
def reader(request, monkeypatch):
    """What reads a file, and the lengths of the texts in which it looked for the first record."""
    module, read = request.param
    lengths = []
    parse = module.first_record

    def counted(text, *rest):
        lengths.append(len(text))
        return parse(text, *rest)

    monkeypatch.setattr(module, "first_record", counted)
    return read, lengths


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
def test_a_file_of_one_sign_is_refused_without_being_parsed_again_and_again(reader, unit, code):
    read, lengths = reader
    data = unit.encode() * (12 * MIB // len(unit))
    with pytest.raises(EngineError) as refused:
        read(io.BytesIO(data), FileFormat(kind="csv", encoding="utf-8"))
    assert len(lengths) > 1
    assert sum(lengths) <= MOST
    assert refused.value.code in {code, "table.field.long"}
    assert read is check or refused.value.code == code
    assert refused.value.params["line"] == 1
