"""Personal values out of the uploaded file, and a quick way to find them in what the portal says."""

from __future__ import annotations

import csv
import io
import json
import re
from functools import lru_cache

NAMES = 25
_DIGITS = re.compile(r"\d{11,}[Xx]?")
_NUMBERS = re.compile(r"\d{17}[\dXx]|1\d{10}")


class Personal:
    """The identity and telephone numbers of every row, and names, addresses, record numbers of some."""

    def __init__(self, data: bytes) -> None:
        rows = list(csv.DictReader(io.StringIO(data.decode("gb18030"))))
        assert len(rows) > 100
        self.numbers = {row[column] for row in rows for column in ("身份证号", "手机号")}
        # A name of two characters may stand in a text by chance; one of three does not.
        names = sorted({row["姓名"] for row in rows if len(row["姓名"]) >= 3})[:NAMES]
        records = sorted({row["病历号"] for row in rows})[:NAMES]
        addresses = sorted({row["住址"] for row in rows})[:NAMES]
        self.texts = [*names, *records, *addresses]
        assert len(self.numbers) > 100
        assert len(self.texts) == 3 * NAMES
        # Most texts hold none of them, which one pattern says nine times sooner than one search for each.
        self.any_text = re.compile("|".join(map(re.escape, self.texts)))
        # One role after the other is told the same at an address.
        self.found_in = lru_cache(maxsize=64)(self._found_in)

    def _found_in(self, text: str) -> list[str]:
        """What of it stands in ``text``; escaped JSON is read first."""
        if "\\u" in text:
            try:
                text = json.dumps(json.loads(text), ensure_ascii=False)
            except ValueError:
                text = text.encode("ascii", "backslashreplace").decode("unicode_escape", "ignore")
        found = [
            number
            for digits in _DIGITS.findall(text)
            for number in _NUMBERS.findall(digits)
            if number in self.numbers
        ]
        if self.any_text.search(text):
            found += [value for value in self.texts if value in text]
        return found
