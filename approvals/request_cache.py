"""While a request only reads, each query is sent to the database once, and all answer as of one moment.

A page is put together by parts that know nothing of each other: rules, evidence, selectors and templates
all ask which data set is the current one. Within :func:`caching_reads` the first result of a function
marked with :func:`cached_read` serves them all; what no part of a page asks for is not read.

The first of these reads begins a transaction that only reads. So all that follows sees the database as it was then, and
what a page says of a project was true at one moment, however late a part of it was read.

What keeps a result from growing stale:

* Only the middleware opens the cache, for GET and HEAD; it ends with the request. Services, workers
  and commands never have one: there a marked read, and a question marked with :func:`one_reading`, keeps what
  its own parts read until it has its answer, and the next question reads anew.
* It closes for the rest of the request, and its transaction ends, as soon as an act begins (:mod:`approvals.governance.serialization`,
  so every recording too) or any statement other than a plain SELECT reaches a database, whoever sent it. A
  decision never rests on what was read before it locked its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.models import Model

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_cache: ContextVar[_Cache | None] = ContextVar("cache", default=None)

# A transaction that only reads, whatever the settings say about transactions that write.
_BEGIN_READING = {"postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "sqlite": "BEGIN DEFERRED"}
_END_READING = "COMMIT"


class _Cache(dict[Any, Any]):
    """Results by function and arguments; once closed it stays empty."""

    closed = False
    # Whether its transaction is open.
    in_one_state = False

    def __init__(self, *, of_a_request: bool) -> None:
        super().__init__()
        self.of_a_request = of_a_request

    def begin_one_state(self) -> None:
        """All statements from here on see the database at one moment.

        Within a transaction nothing is begun: that one decides what its statements see.
        """
        connection = connections[DEFAULT_DB_ALIAS]
        if self.of_a_request and not self.in_one_state and not connection.in_atomic_block:
            with connection.cursor() as cursor:
                cursor.execute(_BEGIN_READING[connection.vendor])
            self.in_one_state = True

    def end_one_state(self) -> None:
        if self.in_one_state:
            self.in_one_state = False
            with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
                cursor.execute(_END_READING)

    def close(self) -> None:
        self.closed = True
        self.clear()
        self.end_one_state()

    def watch(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        """Close before the first statement that writes or locks, and after one that failed: PostgreSQL answers
        nothing more in its transaction."""
        if not self.closed and not _only_reads(sql):
            self.close()
        try:
            return execute(sql, params, many, context)
        except DatabaseError:
            self.close()
            raise


def _only_reads(sql: str) -> bool:
    if sql in (*_BEGIN_READING.values(), _END_READING):
        return True
    # PostgreSQL is sent the parts of a union in brackets.
    text = sql.lstrip(" \n\t(").upper()
    return text.startswith("SELECT") and " FOR UPDATE" not in text and " FOR NO KEY UPDATE" not in text


@contextmanager
def caching_reads() -> Iterator[None]:
    """Keep results until the block ends or the first write. May be nested: the outermost counts."""
    if _cache.get() is not None:
        yield
        return
    with _open(_Cache(of_a_request=True)):
        yield


@contextmanager
def _open(cache: _Cache) -> Iterator[None]:
    token = _cache.set(cache)
    try:
        with ExitStack() as watches:
            for alias in connections:
                watches.enter_context(connections[alias].execute_wrapper(cache.watch))
            try:
                yield
            finally:
                cache.end_one_state()
    finally:
        _cache.reset(token)


def is_caching() -> bool:
    cache = _cache.get()
    return cache is not None and not cache.closed


def close_cache() -> None:
    """From here on this request reads everything anew."""
    cache = _cache.get()
    if cache is not None:
        cache.close()


def restart_cache() -> None:
    """Drop every result and cache again from here on, after a write that was over before the reading began.

    Only for whoever signs a request in: the day of a token's last use is written before anything else is read.
    """
    cache = _cache.get()
    if cache is not None:
        cache.close()
        cache.closed = False


def one_reading(ask: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Mark a question that only reads and is put together of marked reads: what several of them read is read once,
    until it has its answer. Rules and hashes ask so within an act."""

    @wraps(ask)
    def answered(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        if is_caching():
            return ask(*args, **kwargs)
        with _open(_Cache(of_a_request=False)):
            return ask(*args, **kwargs)

    return answered


def cached_read(read: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Mark a read whose result depends on its arguments and the database alone.

    Arguments are saved models (told apart by their keys) and hashable values. The result is shared by
    all callers: it is a list, never a lazy query, and nobody alters it.
    """

    alone = one_reading(read)

    @wraps(read)
    def cached(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        cache = _cache.get()
        if cache is None or cache.closed:
            return alone(*args, **kwargs)
        key = _key_of(cached, args, kwargs)
        if key in cache:
            known: Result = cache[key]
            return known
        cache.begin_one_state()
        result = read(*args, **kwargs)
        # A read that has written something has closed the cache.
        if not cache.closed:
            cache[key] = result
        return result

    return cached


def prime(read: Callable[..., Result], *args: Any, result: Result) -> None:
    """Put into the cache what another statement brought along for a function marked with :func:`cached_read`."""
    cache = _cache.get()
    if cache is not None and not cache.closed:
        cache[_key_of(read, args, {})] = result


def known(read: Callable[..., Result], *args: Any) -> Result | None:
    """What a marked read has answered in this request; None where nobody has asked it, and nothing is read."""
    cache = _cache.get()
    return None if cache is None or cache.closed else cache.get(_key_of(read, args, {}))


def _key_of(read: Any, args: Any, kwargs: Any) -> Any:
    return (read, *map(_key, args), *((name, _key(kwargs[name])) for name in sorted(kwargs)))


def _key(argument: Any) -> Any:
    if isinstance(argument, Model):
        return (argument._meta.concrete_model, argument.pk)
    return argument
