"""One question is asked of the database once while a request only reads.

A page is put together by parts that know nothing of each other: rules, evidence, selectors and templates
all ask which data set is the current one. Within :func:`remembering` the first answer of a question
marked with :func:`asked_once` serves them all.

What keeps an answer from growing stale:

* Only the middleware opens the memory, for GET and HEAD; it ends with the request. Services, workers
  and commands never have one, and a POST asks anew each time.
* It closes for the rest of the request as soon as an act takes its turn (:mod:`approvals.governance.serialization`, so every
  recording too) or any statement other than a plain SELECT reaches a database, whoever sent it. A
  decision never rests on what was read before it locked its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import connections
from django.db.models import Model

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")

_answers: ContextVar[_Answers | None] = ContextVar("answers", default=None)


class _Answers(dict[Any, Any]):
    """Answers by question; once closed it stays empty."""

    closed = False

    def close(self) -> None:
        self.closed = True
        self.clear()

    def watch(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        """Close before the first statement that writes or locks."""
        if not self.closed and not _only_reads(sql):
            self.close()
        return execute(sql, params, many, context)


def _only_reads(sql: str) -> bool:
    text = sql.lstrip().upper()
    return text.startswith("SELECT") and " FOR UPDATE" not in text and " FOR NO KEY UPDATE" not in text


@contextmanager
def remembering() -> Iterator[None]:
    """Remember answers until the block ends or the first write. May be nested: the outermost counts."""
    if _answers.get() is not None:
        yield
        return
    answers = _Answers()
    token = _answers.set(answers)
    try:
        with ExitStack() as watches:
            for alias in connections:
                watches.enter_context(connections[alias].execute_wrapper(answers.watch))
            yield
    finally:
        _answers.reset(token)


def is_remembering() -> bool:
    answers = _answers.get()
    return answers is not None and not answers.closed


def forget() -> None:
    """From here on every question of this request is asked anew."""
    answers = _answers.get()
    if answers is not None:
        answers.close()


def begin_anew() -> None:
    """Forget everything and remember from here on, after a write that was over before the reading began.

    Only for whoever signs a request in: the day of a token's last use is written before anything else is asked.
    """
    answers = _answers.get()
    if answers is not None:
        answers.clear()
        answers.closed = False


def asked_once(question: Callable[Asked, Answer]) -> Callable[Asked, Answer]:
    """Mark a read whose answer depends on its arguments and the database alone.

    Arguments are saved models (told apart by their keys) and hashable values. The answer is shared by
    all who ask: it is a list, never a lazy query, and nobody alters it.
    """

    @wraps(question)
    def ask(*args: Asked.args, **kwargs: Asked.kwargs) -> Answer:
        answers = _answers.get()
        if answers is None or answers.closed:
            return question(*args, **kwargs)
        key = _key_of(ask, args, kwargs)
        if key in answers:
            known: Answer = answers[key]
            return known
        answer = question(*args, **kwargs)
        # A question that has written something has closed the memory.
        if not answers.closed:
            answers[key] = answer
        return answer

    return ask


def tell(question: Callable[..., Answer], *args: Any, answer: Answer) -> None:
    """Remember the answer of a question marked with :func:`asked_once` that another statement brought along."""
    answers = _answers.get()
    if answers is not None and not answers.closed:
        answers[_key_of(question, args, {})] = answer


def _key_of(question: Any, args: Any, kwargs: Any) -> Any:
    return (question, *map(_key, args), *((name, _key(kwargs[name])) for name in sorted(kwargs)))


def _key(argument: Any) -> Any:
    if isinstance(argument, Model):
        return (argument._meta.concrete_model, argument.pk)
    return argument
