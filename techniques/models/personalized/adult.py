"""The data of the paper's experiment: complete cases of Adult, with diseases and protection levels drawn at random."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from techniques.core.messages import EngineError, _
from techniques.core.tuples import Codes
from techniques.hierarchies.build import build
from techniques.hierarchies.definitions import Table
from techniques.models.local_recoding.shapes import Shape, free, of_hierarchy
from techniques.models.personalized.sensitivity import Numbers, Sensitivity

_MISSING = "?"
_GROUPS: dict[str, dict[str, dict[str, str]]] = {
    "workclass": {
        "*": {
            "Non-Government": "Private Self-emp-not-inc Self-emp-inc",
            "Government": "Federal-gov Local-gov State-gov",
            "Unemployed": "Without-pay Never-worked",
        }
    },
    "education": {
        "Higher education": {
            "Undergraduate": "Bachelors Some-college",
            "Professional Education": "Prof-school Assoc-acdm Assoc-voc",
            "Graduate": "Masters Doctorate",
        },
        "Secondary education": {"High School": "7th-8th 9th 10th 11th 12th HS-grad"},
        "Primary education": {"Primary School": "Preschool 1st-4th 5th-6th"},
    },
    "native-country": {
        "*": {
            "North America": "United-States Puerto-Rico Canada Outlying-US(Guam-USVI-etc) Cuba Honduras Jamaica Mexico "
            "Dominican-Republic Haiti Guatemala El-Salvador",
            "South America": "Ecuador Columbia Nicaragua Trinadad&Tobago Peru",
            "Asia": "Cambodia India Japan China Iran Philippines Vietnam Laos Taiwan Thailand Hong",
            "Europe": "England Germany Greece Italy Poland Portugal Ireland France Hungary Scotland Yugoslavia "
            "Holand-Netherlands",
            "Africa": "South",
        }
    },
    "marital-status": {
        "*": {
            "spouse present": "Married-civ-spouse Married-AF-spouse",
            "spouse not present": "Divorced Never-married Separated Widowed Married-spouse-absent",
        }
    },
    "race": {
        "*": {"White": "White", "Black": "Black", "Other race": "Asian-Pac-Islander Amer-Indian-Eskimo Other"}
    },
    "sex": {"*": {"*": "Male Female"}},
}
"""By column the values (separated by spaces) under what stands above them, under what stands above that."""
QUASI_IDENTIFIERS = ("age", *_GROUPS)
DISEASE = Sensitivity(
    [
        ("HIV", "immune disease", "severe disease", "illness"),
        ("Cancer", "immune disease", "severe disease", "illness"),
        ("Heart Disease", "chronic disease", "severe disease", "illness"),
        ("Asthma", "chronic disease", "severe disease", "illness"),
        ("Flu", "respiratory infection", "common disease", "illness"),
        ("Phthisis", "respiratory infection", "common disease", "illness"),
        ("Hepatitis", "digestive disease", "common disease", "illness"),
        ("Indigestion", "digestive disease", "common disease", "illness"),
    ],
    {
        "HIV": 4,
        "Cancer": 4,
        "Phthisis": 3,
        "Hepatitis": 3,
        "Heart Disease": 2,
        "Asthma": 2,
        "Flu": 1,
        "Indigestion": 1,
    },
)
"""Levels of the paper's table 4. Of its tree the text says that it has 8 leaves and 4 levels, and two leaves, flu one of them,
under respiratory infection; the rest is ours."""


@dataclass(frozen=True)
class Experiment:
    """n complete cases: ``codes`` (n,) of each quasi-identifier, and the disease and protection level (0 none) of each."""

    shapes: list[Shape]
    codes: list[Codes]
    disease: Numbers
    wanted: Numbers

    def part(self, rows: Numbers) -> Experiment:
        """These rows alone. The widths of the columns stay those of the whole table."""
        codes = [column[rows] for column in self.codes]
        return Experiment(self.shapes, codes, self.disease[rows], self.wanted[rows])


def read(path: Path) -> tuple[list[Shape], list[Codes]]:
    """The quasi-identifiers of the complete cases of Adult, a CSV with the columns' usual names.

    Raises EngineError ``columns_missing``.
    """
    with path.open(newline="", encoding="utf-8-sig") as stream:
        lines = csv.reader(stream, skipinitialspace=True)
        names = next(lines, [])
        absent = [name for name in QUASI_IDENTIFIERS if name not in names]
        if absent:
            text = _("%(path)s: the file has no column called %(columns)s.")
            raise EngineError("columns_missing", text, path=path.name, columns=", ".join(absent))
        whole = [row for row in lines if row and not any(cell in ("", _MISSING) for cell in row)]
    shapes, codes = [], []
    for name in QUASI_IDENTIFIERS:
        place = names.index(name)
        encoded = pa.array([row[place] for row in whole], pa.string()).dictionary_encode()
        codes.append(np.asarray(encoded.indices).astype(np.int32))
        shapes.append(_shape(name, encoded.dictionary))
    return shapes, codes


def drawn(shapes: list[Shape], codes: list[Codes], random: np.random.Generator) -> Experiment:
    """Each record gets one of the diseases; a random quarter of them a protection level of 1 to 4."""
    n = len(codes[0])
    disease = random.integers(0, len(DISEASE.values), n)
    wanted = np.zeros(n, dtype=np.int64)
    quarter = random.permutation(n)[: n // 4]
    wanted[quarter] = random.integers(1, DISEASE.height + 1, len(quarter))
    return Experiment(shapes, codes, disease, wanted)


def _shape(name: str, values: Sequence[str]) -> Shape:
    if name not in _GROUPS:
        return free(values, False)
    rows = [
        [value, above, top, "*"]
        for top, groups in _GROUPS[name].items()
        for above, held in groups.items()
        for value in held.split(" ")
    ]
    return of_hierarchy(build(Table(kind="table", rows=rows), values), False, name)
