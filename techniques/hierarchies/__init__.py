"""Generalisation hierarchies (GB/T 37964 A.5): how a value becomes coarser, level by level.

Level 0 is the value itself, the last level is ``*`` for every value. :mod:`definitions` says what a recipe
may state and is light enough for the web process; :mod:`build` turns a definition and the distinct values
of a column into lookup tables.
"""

from __future__ import annotations

ROOT = "*"
"""The label under which every value falls at the last level of a hierarchy."""
