"""Bounds that keep one hostile or broken file from taking the machine with it."""

from __future__ import annotations

from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * KIB
GIB: Final = 1024 * MIB

MAX_COLUMNS: Final = 16_384
"""The widest sheet a spreadsheet holds; wider CSV files are refused as well."""

MAX_NAME_CHARACTERS: Final = 512
"""Longest column name."""

MAX_FIELD_BYTES: Final = 1 * MIB
"""Longest cell in UTF-8 bytes; far beyond any remark, so longer means a quote was not closed."""

MAX_RECORD_BYTES: Final = 4 * MIB
"""Longest row in UTF-8 bytes; must stay below ``CSV_BLOCK_BYTES``."""

CSV_BLOCK_BYTES: Final = 8 * MIB
"""How much text the CSV parser works on at once."""

MAX_BATCH_BYTES: Final = 256 * MIB
"""A batch ends early rather than hold more text than this."""

MAX_XLSX_PACKED: Final = 256 * MIB
"""Larger tables come as CSV or Parquet."""
MAX_XLSX_UNCOMPRESSED: Final = 2 * GIB
MAX_XLSX_MEMBERS: Final = 10_000
MAX_XLSX_RATIO: Final = 200
"""Unpacked : packed size of one member above ``XLSX_RATIO_FROM`` bytes; honest sheets stay below 60."""
XLSX_RATIO_FROM: Final = 32 * MIB
MAX_XLSX_ROWS: Final = 1_048_576
MAX_XLSX_CELLS: Final = 64 * MIB
"""Cells of the rectangle that a sheet spans, empty ones included."""
MAX_XLSX_STRINGS: Final = 4 * MIB
"""Different texts of a workbook; they are kept together, in some 60 bytes each beside their signs."""
MAX_XLSX_STRINGS_BYTES: Final = 256 * MIB
XLSX_PART_BYTES: Final = 32 * MIB
"""XML of a sheet that is parsed at once."""
XLSX_PART_CELLS: Final = 2 * MIB
"""Cells of the rectangle that such a part spans, empty ones included; each takes 32 bytes while it is read."""
MAX_XLSX_PART_TEXT: Final = 192 * MIB
"""Text that the cells of such a part may hold; one that is named by many cells is as often in memory."""
XLSX_KEPT_BYTES: Final = 128 * MIB
"""Packed text of parts that is kept from the first look to the reading; what finds no room is parsed twice."""
MAX_XLSX_CELL_CHARACTERS: Final = 32_767

MAX_PARQUET_ROWS: Final = 100_000_000
MAX_PARQUET_ROW_GROUP: Final = 1 * GIB
"""Unpacked bytes of one row group, as its footer declares them."""
MAX_PARQUET_PAGE: Final = 512 * MIB
"""Unpacked bytes of one page, by its own header; it is unpacked in one piece."""
MAX_PARQUET_RATIO: Final = 1000
"""Unpacked : packed size of a whole file above ``PARQUET_RATIO_FROM`` bytes; repeated values take no more
room unpacked, for they are encoded before they are packed, so that honest files stay below 100."""
PARQUET_RATIO_FROM: Final = 64 * MIB
MAX_PARQUET_TEXT: Final = 32 * GIB
"""Text that all cells of one file may unpack to."""

MAX_UNPACKED: Final = 256 * GIB
"""Bytes that a gzip or Zstandard file may unpack to."""
MAX_UNPACKED_RATIO: Final = 250
"""Unpacked : packed size of such a file above ``UNPACKED_RATIO_FROM`` bytes; honest tables stay below 60."""
UNPACKED_RATIO_FROM: Final = 1 * GIB
JSON_BLOCK_BYTES: Final = 16 * MIB
"""JSON Lines that are parsed at once, up to a line of ``MAX_RECORD_BYTES``."""

DISTINCT_CAP: Final = 100_000
"""A profile counts distinct values exactly up to here and says "more than" beyond."""
