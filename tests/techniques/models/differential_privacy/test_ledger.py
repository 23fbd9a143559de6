"""The account in a file."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from techniques.core.messages import EngineError
from techniques.models.differential_privacy.ledger import ledger, open_account
from techniques.models.differential_privacy.loss import Budget, Charge, Loss

COST = Charge(Loss.pure(0.1))


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "account"
    open_account(found, "source", Budget(epsilon=1))
    return found


def ask(path, question, made=None):
    with ledger(path, "source") as account:
        return account.ask(question, COST, lambda: made or {"value": question})


def events(path):
    return [json.loads(line)["event"] for line in path.read_text().splitlines()]


def test_an_equal_question_gets_its_stored_answer_at_no_cost(path):
    assert ask(path, "a", {"value": 1}) == ({"value": 1}, False)
    assert ask(path, "a", {"value": 2}) == ({"value": 1}, True)
    with ledger(path, "source") as account:
        assert account.figures()["spent_epsilon"] == "0.1"
    assert events(path) == ["opened", "answered", "repeated"]


def test_beyond_the_budget_nothing_is_answered_and_the_refusal_is_kept(path):
    for number in range(10):
        ask(path, str(number))
    with pytest.raises(EngineError) as caught:
        ask(path, "one more")
    assert caught.value.code == "budget_spent"
    assert events(path)[-1] == "refused"
    # What was paid for is still there.
    assert ask(path, "3") == ({"value": "3"}, True)


def test_fifty_at_once_never_overspend(path):
    def one(number):
        try:
            return ask(path, str(number))[1] is False
        except EngineError:
            return False

    with ThreadPoolExecutor(50) as pool:
        answered = list(pool.map(one, range(50)))
    assert sum(answered) == 10
    assert events(path).count("answered") == 10
    assert events(path).count("refused") == 40


def test_an_answer_that_fails_costs_nothing(path):
    def fails():
        raise EngineError("broken", "broken")

    with pytest.raises(EngineError), ledger(path, "source") as account:
        account.ask("a", COST, fails)
    assert events(path) == ["opened"]


def test_an_account_is_opened_once(path):
    with pytest.raises(EngineError) as caught:
        open_account(path, "source", Budget(epsilon=100))
    assert caught.value.code == "ledger_exists"


@pytest.mark.parametrize(
    "content", ["", "{}\n", '{"event": "opened", "source": "source", "budg', "no json\n"]
)
def test_a_broken_account_answers_nothing(path, content):
    path.write_text(content)
    with pytest.raises(EngineError) as caught:
        ask(path, "a")
    assert caught.value.code == "ledger_broken"


def test_a_line_that_broke_off_stops_everything(path):
    ask(path, "a")
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(EngineError) as caught:
        ask(path, "a")
    assert caught.value.code == "ledger_broken"


def test_another_table_has_another_account(path):
    with pytest.raises(EngineError) as caught, ledger(path, "other"):
        pass
    assert caught.value.code == "ledger_of_another"
    with pytest.raises(EngineError) as caught, ledger(path.with_name("nowhere"), "source"):
        pass
    assert caught.value.code == "ledger_missing"
