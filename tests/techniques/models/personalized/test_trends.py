"""Which trends of the paper a table of runs shows: each alone is broken by figures that break it."""

from __future__ import annotations

import pytest

from techniques.models.personalized.experiment import K_OF_SIZES, MODELS, Found, Line, _means, _rising, trends

PLACES = [(2, 900), (10, 900), (K_OF_SIZES, 300), (K_OF_SIZES, 600)]
NCP = {(2, 900): 100, (10, 900): 200, (5, 300): 50, (5, 600): 100}
FACTOR = {2: (1, 1.5, 1.8), 10: (1, 1.1, 1.15), 5: (1, 1.3, 1.5)}
RATE = {2: 0.5, 10: 0.3, 5: 0.4}
TRENDS = [
    "loss grows with k", "loss grows with the rows", "loss: k-anonymity <= (α,l) <= personalized",
    "losses come closer as k grows", "recognition falls with k", "recognition hardly depends on the rows",
    "recognition: personalized < (α,l), and that at most 2 % above k-anonymity",
    "our search loses less and nothing more is recognised",
]  # fmt: skip


def found(
    changed: dict[tuple[str, int, int], dict[str, float]] | None = None, ours: tuple[float, float] = (90, 0.2)
) -> Found:
    """Two repetitions a little above and below the means; ``changed``: by model, k and rows."""
    lines = []
    for k, rows in PLACES:
        for number, model in enumerate(MODELS):
            plain = {"ncp": NCP[k, rows] * FACTOR[k][number], "rate": RATE[k] * (1, 0.9, 0.7)[number]}
            plain |= (changed or {}).get((model, k, rows), {})
            for off in (-0.5, 0.5):
                lines.append(Line(model, k, rows, int(off > 0), plain["ncp"] + off, plain["rate"], 1.0))
    theirs = Line("personalized", 5, 900, 0, 100, 0.2, 1.0)
    better = theirs._replace(ncp=90, recognition_rate=0.2)
    return Found(lines, 900, (theirs, better, theirs._replace(ncp=ours[0], recognition_rate=ours[1])))


def broken(*given: object) -> list[str]:
    shown = trends(found(*given))  # type: ignore[arg-type]
    assert list(shown) == TRENDS
    return [name for name, holds in shown.items() if not holds]


def test_all_of_them_are_shown() -> None:
    assert broken() == []


@pytest.mark.parametrize(
    ("changed", "trend"),
    [
        ({("k_anonymity", 10, 900): {"ncp": 97}, ("alpha_l", 10, 900): {"ncp": 150.5}, ("personalized", 10, 900): {"ncp": 180.5}}, {0, 3}),
        ({("alpha_l", 5, 600): {"ncp": 100}, ("k_anonymity", 5, 600): {"ncp": 60}, ("alpha_l", 5, 300): {"ncp": 105}, ("personalized", 5, 300): {"ncp": 106}}, {1}),
        ({("alpha_l", 5, 300): {"ncp": 48.9}}, {2}),
        ({("personalized", 2, 900): {"ncp": 146}}, {2, 3}),
        ({("alpha_l", 10, 900): {"ncp": 310}, ("personalized", 10, 900): {"ncp": 311}}, {3}),
        ({("personalized", 10, 900): {"ncp": 270}}, {3}),
        ({("k_anonymity", 10, 900): {"rate": 0.52}}, {4}),
        ({("personalized", 5, 600): {"rate": 0.32}}, {5}),
        ({("personalized", 10, 900): {"rate": 0.27}}, {6}),
        ({("alpha_l", 5, 300): {"rate": 0.41}, ("alpha_l", 5, 600): {"rate": 0.41}}, {6}),
    ],
)  # fmt: skip
def test_each_is_broken_by_what_breaks_it(
    changed: dict[tuple[str, int, int], dict[str, float]], trend: set[int]
) -> None:
    assert set(broken(changed)) == {TRENDS[place] for place in trend}


@pytest.mark.parametrize(
    ("ours", "holds"), [((99.9, 0.2), True), ((100, 0.2), False), ((90, 0.2001), False), ((90, 0.1), True)]
)
def test_ours_loses_less_and_lets_no_more_be_recognised(ours: tuple[float, float], holds: bool) -> None:
    assert broken(None, ours) == ([] if holds else [TRENDS[7]])


def test_rising_forgives_what_chance_may_do() -> None:
    assert _rising([100, 98, 98])
    assert not _rising([100, 97.9])
    assert _rising([-100, -102])
    assert not _rising([-100, -102.1])
    assert _rising([])


def test_means_are_over_the_repetitions_at_one_place() -> None:
    by_k, by_rows = (_means(found().lines, "alpha_l", axis) for axis in ("k", "rows"))
    assert {k: one.ncp for k, one in by_k.items()} == pytest.approx({2: 150, 10: 220})
    assert {rows: one.ncp for rows, one in by_rows.items()} == pytest.approx({300: 65, 600: 130})
    assert by_k[2].recognition_rate == pytest.approx(0.45)
    assert by_k[2].seconds == 1.0
