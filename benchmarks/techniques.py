"""Techniques side by side with their peers, on one core: ``python -m benchmarks.techniques [--values 1000000]``.

CPU time, the best of several runs. FF1's peer is ``fastfpe``, the fastest FF1 package on the index; where it
is not installed its line has no ratio. Peers that take one value at a time run on a part of the values.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from benchmarks import column_memory
from techniques import catalogue
from techniques.core.operations import Context, Whole
from techniques.core.secrets import Secrets
from techniques.engines.columns import Column, recoding
from techniques.engines.kernels import count_changes
from techniques.families.randomization.microaggregation import group_rows

SECRETS = Secrets(key=b"k" * 32, seed=1)


def cpu(work: Callable[[], Any], repeat: int) -> float:
    """CPU seconds, the best of ``repeat`` runs."""
    best = float("inf")
    for _ in range(repeat):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def operation(key: str, rows: int, **parameters: Any) -> Any:
    read = catalogue.get(key).settings.model_validate(parameters)
    return catalogue.implementation(key)(read, Context(0, ("c",), rows, SECRETS))


def line(name: str, ours: float, peer: tuple[str, float] | None, wanted: float) -> None:
    """Values per second, ours and the peer's, and whether the ratio is what was asked for."""
    if peer is None:
        print(f"{name:<34}{ours:>14,.0f}   {'no peer installed':<46}")
        return
    ratio = ours / peer[1]
    verdict = "ok" if ratio >= wanted else "MISSED"
    print(
        f"{name:<34}{ours:>14,.0f}   {peer[0]:<30}{peer[1]:>14,.0f}{ratio:>9.2f} (wanted {wanted:g}) {verdict}"
    )


def ff1(count: int, repeat: int) -> None:
    draws = np.random.default_rng(1).integers(0, 10, (count, 18)).astype(np.uint8) + 48
    values = pa.array([row.tobytes().decode() for row in draws])
    some = values.slice(0, count // 20).to_pylist()
    peer = None
    try:
        encrypt = import_module("fastfpe").ff1.encrypt
    except ImportError:
        pass
    else:
        key = "00" * 32
        spent = cpu(lambda: [encrypt(key, "", "0123456789", value) for value in some], repeat)
        peer = ("fastfpe, AES-256", len(some) / spent)
    for name in ("ff1-aes", "ff1-sm4"):
        made = operation("encryption.format_preserving", count, algorithm=name)
        made.apply(values.slice(0, 100))
        line(
            f"{name}, 18 digits",
            count / cpu(lambda m=made: m.apply(values), repeat),
            peer,
            10 if name == "ff1-aes" else 0,
        )


def encryption(count: int, repeat: int) -> None:
    values = pa.array([f"11010119900101{i:06}" for i in range(count)])
    data = [value.encode() for value in values.to_pylist()]
    siv = AESSIV(bytes(range(64)))
    alone = count / cpu(lambda: [siv.encrypt(value, None) for value in data], repeat)
    for name in ("aes-siv", "sm4-siv"):
        made = operation("encryption.deterministic", count, algorithm=name)
        line(
            f"deterministic, {name}",
            count / cpu(lambda m=made: m.apply(values), repeat),
            ("AESSIV, bare", alone),
            0.5,
        )
    for name, digest in (("hmac-sm3", hashes.SM3), ("hmac-sha256", hashes.SHA256)):
        start = hmac.HMAC(bytes(32), digest())

        def each(start: Any = start) -> list[bytes]:
            found = []
            for value in data:
                state = start.copy()
                state.update(value)
                found.append(state.finalize())
            return found

        alone = count / cpu(each, repeat)
        made = operation("pseudonymization.keyed_hash", count, algorithm=name)
        line(
            f"keyed hash, {name}",
            count / cpu(lambda m=made: m.apply(values), repeat),
            ("the hash, bare", alone),
            0.5,
        )


def columns(repeat: int) -> None:
    """A column of ten million rows with 100,000 distinct values; pandas maps the distinct values alone.

    Ours is what a run does to the column: it treats the distinct values, leaves the rows' codes, and counts the
    cells that changed. The cells are looked up when the result is written, with or without a step.
    """
    distinct = pa.array([f"{i * 37 % 1_000_000 / 100:.2f}" for i in range(100_000)])
    codes = np.random.default_rng(2).integers(0, len(distinct), 10_000_000, dtype=np.int32)
    keep = np.ones(len(codes), dtype=bool)
    series = pd.Series(distinct.to_pylist())
    cases: list[tuple[str, str, dict[str, Any], Callable[[str], str]]] = [
        ("mask", "suppression.mask", {"keep_left": 2}, lambda x: x[:2] + "*" * (len(x) - 2)),
        ("rounding", "generalization.rounding", {"base": 10.0}, lambda x: str(round(float(x) / 10) * 10)),
        ("top coding", "generalization.top_bottom_coding", {"top": 7000.0}, lambda x: ">=7000" if float(x) >= 7000 else x),
        ("hierarchy, masks", "generalization.hierarchy", {"hierarchy": {"kind": "mask", "characters": [2, 4]}, "level": 1}, lambda x: x[:-2] + "**"),
        ("intervals", "generalization.intervals", {"width": 10.0}, lambda x: f"[{float(x) // 10 * 10:g},{float(x) // 10 * 10 + 10:g})"),
    ]  # fmt: skip
    for name, key, parameters, plain in cases:
        made = operation(key, len(codes), **parameters)

        def ours(made: Any = made) -> Any:
            known = recoding(distinct, made.apply(distinct).values)
            column = Column(codes, known.values, True, known)
            return column, count_changes(column.codes, keep, known.change)

        ours()  # compiled and in memory
        peer = cpu(lambda plain=plain: series.map(plain), repeat)
        line(
            f"{name}, 10 M rows",
            len(distinct) / cpu(ours, repeat),
            ("pandas map of the distinct", len(distinct) / peer),
            1,
        )


def plain_mdav(points: np.ndarray, k: int) -> list[np.ndarray]:
    """MDAV as one would write it in NumPy, every distance worked out anew."""
    left, groups = np.arange(len(points)), []

    def take(place: int) -> None:
        nonlocal left
        order = np.argsort(((points[left] - points[place]) ** 2).sum(axis=1))
        groups.append(left[order[:k]])
        left = np.delete(left, order[:k])

    while len(left) >= 3 * k:
        first = left[((points[left] - points[left].mean(axis=0)) ** 2).sum(axis=1).argmax()]
        second = left[((points[left] - points[first]) ** 2).sum(axis=1).argmax()]
        take(first)
        take(second)
    return [*groups, left]


def microaggregation(rows: int) -> None:
    points = np.random.default_rng(3).normal(size=(rows, 5))
    group_rows(points[:100], 5, standardise=True)
    ours = rows / cpu(lambda: group_rows(points, 5, standardise=True), 1)
    peer = rows / cpu(lambda: plain_mdav(points, 5), 1)
    line(f"MDAV, {rows:,} rows × 5, k = 5", ours, ("plain NumPy", peer), 10)


def synthesis(rows: int) -> None:
    """Made-up rows for ten columns, the test of closeness included: seconds, there being no peer."""
    draw = np.random.default_rng(5)
    group = draw.integers(0, 8, rows)
    columns = [
        *(group * 10 + draw.integers(0, 12, rows) for _ in range(5)),
        *((group + draw.integers(0, 3, rows)) % 9 for _ in range(5)),
    ]
    encoded = [pa.array(column.astype(str)).dictionary_encode() for column in columns]
    table = Whole([c.dictionary for c in encoded], [np.asarray(c.indices).astype(np.int32) for c in encoded])
    names = tuple(f"c{i}" for i in range(len(columns)))
    for key in ("synthesis.sequential", "synthesis.private"):
        read = catalogue.get(key).settings.model_validate({})
        made = catalogue.implementation(key)(read, Context(0, names, rows, SECRETS))
        made.treat(table, lambda share: None)
        spent = cpu(lambda made=made: made.treat(table, lambda share: None), 1)
        print(f"{f'{key}, {rows:,} rows × 10':<44}{spent:>6.2f} s of CPU time")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--values", type=int, default=1_000_000)
    parser.add_argument(
        "--rows", type=int, default=100_000, help="of microaggregation; its peer takes minutes"
    )
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    print(
        f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores; values per second of CPU time, best of {options.repeat}"
    )
    ff1(options.values, options.repeat)
    encryption(options.values, options.repeat)
    columns(options.repeat)
    microaggregation(options.rows)
    synthesis(100_000)
    column_memory.report(options.values, 3)


if __name__ == "__main__":
    main()
