"""The five steps of B.2.5.2 on a page, with a budget of the reader's choice."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

pytestmark = pytest.mark.django_db
PAGE = reverse("query_example:histogram")
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def page(client, people):
    client.force_login(people.recipient)

    def read(epsilon=None):
        answer = client.get(PAGE, {} if epsilon is None else {"epsilon": epsilon}, headers=ENGLISH)
        return answer, re.sub(r"\s+", " ", answer.content.decode())

    return read


def test_the_steps_say_what_holds_for_the_budget(page):
    answer, text = page()
    assert answer.status_code == 200
    assert "17 patients" in text
    assert "S / ε = 1 / 1 = 1." in text
    assert "after any H′ with 73.11 % at most" in text
    assert "e^ε times as likely, which is about 2.718" in text
    assert "In at least 95 % of all draws" in text
    # 1 / (1 + e^-0.3) is 0.574443, and a bound is not rounded below what it bounds.
    assert "after any H′ with 57.45 % at most" in page(0.3)[1]
    _answer, bolder = page(0.5)
    assert "S / ε = 1 / 0.5 = 2." in bolder
    assert "after any H′ with 62.25 % at most" in bolder


def test_the_noise_is_the_difference_and_is_drawn_anew(page):
    seen = set()
    for _time in range(8):
        answer, _text = page(0.3)
        rows = answer.context["rows"]
        assert [row[1] for row in rows] == list("213434")
        assert [row[4] for row in rows] == list("125323")
        drawn = tuple(int(row[3].replace("−", "-")) - int(row[1]) for row in rows)
        assert drawn == tuple(int(row[2].replace("−", "-")) for row in rows)
        seen.add(drawn)
    assert len(seen) > 1


@pytest.mark.parametrize("epsilon", ["0", "-1", "11", "nan", "x", ""])
def test_another_budget_is_refused_with_what_can_be_given(page, epsilon):
    answer, text = page(epsilon)
    assert answer.status_code == 422
    assert "Each patient is in one group" not in text
    assert answer.context["form"].errors["epsilon"]
