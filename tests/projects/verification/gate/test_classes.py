"""The nodes of sensitive values at each level, by a tree that is read off by hand."""

from __future__ import annotations

import pytest

from projects.verification.gate.both import BothFiles
from projects.verification.gate.classes import attribute_of, levels_of, read
from techniques.core.messages import EngineError
from techniques.hierarchies.definitions import Table
from tests.projects.verification.gate.checks.test_checks import clinic

TREE = Table(kind="table", rows=[[v, "x" if v in "abc" else "y", "*"] for v in "abcdef"])


def alike(nodes):
    """Which of the values have the same node, the missing one first."""
    return [[at for at, node in enumerate(nodes) if node == one] for one in dict.fromkeys(nodes)]


@pytest.mark.parametrize(
    ("cells", "groups"),
    [
        (["", "a", "b", "c", "d", "f"], [[0], [1, 2, 3], [4, 5]]),
        (["a", "d", "", "d"], [[0], [1], [2]]),
        (["f", "e", "*"], [[0], [1, 2]]),
        (["a"], [[0], [1]]),
    ],
)
def test_a_missing_value_meets_the_others_at_the_root_alone(cells, groups):
    text = "q,s\n" + "".join(f"1,{cell}\n" for cell in cells)
    attribute = attribute_of(BothFiles.read(clinic(text, text)).result["s"], None)
    leaves, above = levels_of(TREE, attribute)
    assert alike(leaves.tolist()) == [[at] for at in range(len(attribute.texts) + 1)]
    assert alike(above.tolist()) == groups


@pytest.mark.parametrize("cells", [["", ""], ["*", ""], ["*"]])
def test_a_column_without_a_value_is_all_unknown(cells):
    text = "q,s\n" + "".join(f"1,{cell}\n" for cell in cells)
    attribute = attribute_of(BothFiles.read(clinic(text, text)).result["s"], None)
    assert (len(attribute.texts), attribute.unknown, attribute.strange) == (0, len(cells), 0)
    assert attribute.reference.tolist() == [1.0]


def test_a_table_without_rows_has_no_classes_to_measure():
    case = clinic("q,s\n", "q,s\n")
    for quasi in (["q"], []):
        with pytest.raises(EngineError) as refused:
            read(case.result, quasi, ["s"], lambda rows: None)
        assert refused.value.code == "no_rows"
    classes, columns = read(clinic("q,s\n1,a\n", "q,s\n1,a\n").result, [], ["s"], lambda rows: None)
    assert (classes.of_row.tolist(), classes.starred.tolist(), [*columns]) == ([0], [False], ["s"])
