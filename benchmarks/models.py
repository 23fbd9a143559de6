"""Search, local recoding and risk side by side with published figures of their peers: ``make bench-models``.

Processor seconds, the best of several runs, everything compiled beforehand; of full domain and
local recoding: the search alone, the report's ``search_seconds``. Peers' figures are those of ARX 3.9.2 (warm) and
anonypy on the same data; they are not run here. The tables lie in the real data directory; without it only the growth
curve is printed, on random data. ``--rows`` ends the curve (10^6; 2·10^7 takes some minutes and 4 GB).
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from techniques.anonymization.release import anonymize
from techniques.anonymization.settings import search_settings
from techniques.catalogue.models import Conditions
from techniques.disclosure_risk.classes import group, row_keys
from techniques.disclosure_risk.diversity import diversity
from techniques.disclosure_risk.entropy import entropy_risk
from techniques.disclosure_risk.persons import Memberships
from techniques.disclosure_risk.report import Figures
from techniques.disclosure_risk.subsets import of_codes
from techniques.hierarchies.definitions import Table, parse_table
from techniques.tables.dictionary import EncodedColumn, dictionary_encode

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
Q7 = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]
Q9 = [*Q7, "occupation", "salary-class"]
Q8 = [*Q7, "salary-class"]
QF = ["age", "workclass", "education", "native-country", "marital-status", "race", "sex"]
Columns = dict[str, EncodedColumn]


def cpu(work: Callable[[], Any], repeat: int) -> tuple[float, Any]:
    """(CPU seconds of the best of ``repeat`` runs, what the last one returned)."""
    best, made = float("inf"), work()
    for _ in range(repeat):
        started = time.process_time()
        made = work()
        best = min(best, time.process_time() - started)
    return best, made


def read(name: str, delimiter: str) -> Columns:
    parse = pyarrow.csv.ParseOptions(delimiter=delimiter)
    head = pyarrow.csv.open_csv(DATA / name, parse_options=parse).schema.names
    convert = pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(head, pa.string()))
    table = pyarrow.csv.read_csv(DATA / name, parse_options=parse, convert_options=convert)
    return {column: dictionary_encode(table.column(column)) for column in head}


def hierarchies(names: Sequence[str]) -> dict[str, Table]:
    files = {name: DATA / f"hierarchies/adult_hierarchy_{name}.csv" for name in names}
    return {n: Table(kind="table", rows=parse_table(f.read_bytes(), n)) for n, f in files.items()}


def line(*cells: object) -> None:
    widths = (40, 12, 10, 9, 7, 12, 10, 12, 10, 8)
    print("".join(f"{cell!s:<{width}}" for cell, width in zip(cells, widths, strict=False)).rstrip())


def verdict(good: bool) -> str:
    return "ok" if good else "MISSED"


def full_domain(adult: Columns, repeat: int) -> None:
    line(
        "full domain, k=5",
        "levels",
        "suppr.",
        "classes",
        "min",
        "granularity",
        "loss",
        "CPU s",
        "ARX",
        "wanted",
    )

    def close(**conditions: Any) -> dict[str, Any]:
        return {"sensitive": {"occupation": Conditions(**conditions)}}

    tree = close(t=0.2, distance="hierarchical", hierarchy=hierarchies(["occupation"])["occupation"])
    rows: list[tuple[str, list[str], float, dict[str, Any], str, float, float]] = [
        ("q7, limit 0 %", Q7, 0.0, {}, "0401322", 0.034, 5),
        ("q9, limit 4 %", Q9, 0.04, {}, "030111120", 1.14, 5),
        ("q9, limit 100 %", Q9, 1.0, {}, "030021110", 3.24, 10),
        ("q9, discernibility, 4 %", Q9, 0.04, {"loss": "discernibility"}, "001232211", 1.15, 10),
        ("q8, distinct 3, 4 %", Q8, 0.04, close(distinct=3), "03012110", 0.55, 5),
        ("q8, 0.2-closeness, 4 %", Q8, 0.04, close(t=0.2), "14113121", 0.93, 5),
        ("q8, 0.2-closeness, 100 %", Q8, 1.0, close(t=0.2), "12003021", 1.93, 10),
        ("q8, 0.2-closeness by a tree, 4 %", Q8, 0.04, tree, "14003221", 1.04, 10),
        ("q8, 0.2-closeness by a tree, 100 %", Q8, 1.0, tree, "03003021", 2.2, 10),
    ]
    for title, names, limit, settings, levels, peer, factor in rows:
        request = search_settings(
            names, k=5, suppression_limit=limit, hierarchies=hierarchies(names), **settings
        )
        quasi, judged = {n: adult[n] for n in names}, {n: adult[n] for n in settings.get("sensitive", ())}
        runs = [anonymize(quasi, judged, request).report for _ in range(repeat + 1)]
        best, report = min(run["search_seconds"] for run in runs[1:]), runs[-1]
        found = "".join(str(report["levels"][name]) for name in names)
        good = found == levels and best <= peer / factor
        line(
            title, found, report["suppressed"], report["classes"], report["min_class"],
            f"{report['granularity']:.4f}", f"{report['loss']:.4f}", f"{best:.4f}", peer,
            f"1/{factor:g} {verdict(good)}",
        )  # fmt: skip


def visits(rows: int, seed: int = 1) -> Any:
    """Whose each of ``rows`` rows is: 1.6 rows a person on average, in no order."""
    draw = np.random.default_rng(seed)
    who = np.repeat(np.arange(rows, dtype=np.int32), draw.geometric(1 / 1.6, rows))[:rows]
    draw.shuffle(who)
    return who


def persons(adult: Columns | None, rows: int, repeat: int) -> None:
    """k of rows beside k of persons; at most twice the time is wanted."""
    print()
    line(
        "k of persons, 1.6 rows a person",
        "rows: s",
        "suppr.",
        "classes",
        "min",
        "persons: s",
        "suppr.",
        "classes",
        "min",
        "times",
    )
    runs: list[tuple[str, Columns, list[str], float, bool]] = []
    if adult is not None:
        runs += [
            ("full domain, q7, limit 0 %", adult, Q7, 0.0, False),
            ("full domain, q9, limit 4 %", adult, Q9, 0.04, False),
            ("full domain, q9, limit 100 %", adult, Q9, 1.0, False),
            ("local, q9, limit 4 %", adult, Q9, 0.04, True),
        ]
    many = drawn(rows, adult)
    runs += [
        (f"full domain, {rows:,} rows, 4 %", many, Q9, 0.04, False),
        (f"local, {rows:,} rows", many, Q9, 0.0, True),
    ]
    for title, table, names, limit, locally in runs:
        request = search_settings(
            names, k=5, suppression_limit=limit, hierarchies=hierarchies(names) if adult else None,
            recoding="local" if locally else "full_domain",
        )  # fmt: skip
        quasi = {name: table[name] for name in names}
        whose = visits(len(table[names[0]]))
        # By turns, so that what else the machine does falls on both alike.
        times, cells = {"rows": float("inf"), "persons": float("inf")}, {}
        for _ in range(repeat if len(whose) < rows else 2):
            for kind, subjects in (("rows", None), ("persons", whose)):
                spent, made = cpu(lambda q=quasi, r=request, s=subjects: anonymize(q, {}, r, subjects=s), 1)
                times[kind] = min(times[kind], spent)
                cells[kind] = [made.report[name] for name in ("suppressed", "classes", "min_class")]
        ratio = times["persons"] / times["rows"]
        line(
            title,
            f"{times['rows']:.4f}",
            *cells["rows"],
            f"{times['persons']:.4f}",
            *cells["persons"],
            f"{ratio:.2f} {verdict(ratio <= 2)}",
        )
    codes = [many[name].codes + 1 for name in Q9]
    sizes = [len(many[name].values) + 1 for name in Q9]
    plain, _ = cpu(lambda: int(group(row_keys(codes, sizes, rows))[1].min()), repeat)
    counted, _ = cpu(
        lambda: int(Memberships.of_keys(row_keys(codes, sizes, rows), whose)[1].sizes.min()), repeat
    )
    line(
        f"risk, {rows:,} rows",
        f"{plain:.4f}",
        "",
        "",
        "",
        f"{counted:.4f}",
        "",
        "",
        "",
        f"{counted / plain:.2f} {verdict(counted <= 2 * plain)}",
    )


def local(adult: Columns, repeat: int) -> None:
    print()
    line(
        "local recoding, k=5",
        "",
        "suppr.",
        "classes",
        "min",
        "granularity",
        "ARX",
        "CPU s",
        "ARX",
        "wanted",
    )
    rows: list[tuple[str, list[str], dict[str, Conditions], float, float, float]] = [
        ("q7", Q7, {}, 0.966, 0.43, 0.043),
        ("q9", Q9, {}, 0.932, 3.26, 0.326),
        ("q8, distinct 3", Q8, {"occupation": Conditions(distinct=3)}, 0.957, 1.09, 0.109),
        ("q8, 0.2-closeness", Q8, {"occupation": Conditions(t=0.2)}, 0.559, 48.9, 5.0),
    ]
    for title, names, sensitive, peer, seconds, wanted in rows:
        request = search_settings(
            names,
            k=5,
            sensitive=sensitive,
            suppression_limit=0.04,
            hierarchies=hierarchies(names),
            recoding="local",
        )
        quasi, judged = {n: adult[n] for n in names}, {n: adult[n] for n in sensitive}
        runs = [anonymize(quasi, judged, request).report for _ in range(repeat + 1)]
        best, report = min(run["search_seconds"] for run in runs[1:]), runs[-1]
        good = report["granularity"] > peer and best <= wanted
        line(
            title, "", report["suppressed"], report["classes"], report["min_class"],
            f"{report['granularity']:.4f}", peer, f"{best:.4f}", seconds, f"{wanted} {verdict(good)}",
        )  # fmt: skip


def free_sets(repeat: int) -> None:
    table = read("adult_full.csv", ",")
    print()
    line(
        "free sets and intervals",
        "",
        "suppr.",
        "classes",
        "min",
        "NCP",
        "anonypy",
        "CPU s",
        "anonypy",
        "wanted",
    )
    for k, peer, seconds in ((5, 0.0289, 24), (10, 0.0544, 14)):
        best, made = cpu(
            lambda k=k: anonymize({n: table[n] for n in QF}, {}, search_settings(QF, k=k, recoding="local")),
            repeat,
        )
        report = made.report
        good = report["ncp"] < peer and best < 1
        line(
            f"k={k}", "", report["suppressed"], report["classes"], report["min_class"], f"{report['ncp']:.4f}", peer,
            f"{best:.4f}", seconds, f"1 {verdict(good)}",
        )  # fmt: skip


def drawn(rows: int, adult: Columns | None, seed: int = 1) -> Columns:
    """Rows drawn from Adult, one cell in twenty drawn anew, so that new combinations come about; random without it."""
    draw = np.random.default_rng(seed)
    made = {}
    place = draw.integers(0, 30162, rows)
    for number, name in enumerate(Q9):
        if adult is None:
            size = (2, 72, 5, 7, 16, 41, 8, 14, 2)[number]
            codes = np.minimum(draw.geometric(min(0.9, 3 / size), rows), size).astype(np.int32) - np.int32(1)
            made[name] = EncodedColumn(codes, pa.array([str(17 + v) for v in range(size)], pa.string()))
            continue
        codes = adult[name].codes[place]
        anew = np.flatnonzero(draw.random(rows) < 0.05)
        codes[anew] = adult[name].codes[draw.integers(0, 30162, len(anew))]
        made[name] = EncodedColumn(codes, adult[name].values)
    return made


def large(adult: Columns | None, rows: int) -> None:
    print()
    line(
        f"growth, {len(Q9)} quasi-identifiers",
        "risk",
        "subsets",
        "l,t,β,δ",
        "",
        "full 4 %",
        "local",
        "ns/row·log",
        "MB",
    )
    size = 10_000
    while size <= rows:
        table = drawn(size, adult)
        codes = np.array([column.codes + 1 for column in table.values()], dtype=np.int32)
        cardinality = [len(column.values) + 1 for column in table.values()]
        risk, _ = cpu(lambda c=codes, s=cardinality, n=size: Figures.of(group(row_keys(c, s, n))[1]), 5)
        every = (
            cpu(lambda c=codes, s=cardinality: of_codes(c, s, tuple(Q9)), 1)[0] if size <= 1_000_000 else None
        )
        known = cpu(lambda t=table: variety(t), 1)[0] if size <= 1_000_000 else None
        full = part = None
        if size <= 1_000_000:
            known_trees = hierarchies(Q9) if adult else None
            full, _ = cpu(
                lambda t=table, h=known_trees: anonymize(
                    t, {}, search_settings(t, k=5, suppression_limit=0.04, hierarchies=h)
                ),
                1,
            )
            part, _ = cpu(
                lambda t=table, h=known_trees: anonymize(
                    t, {}, search_settings(t, k=5, hierarchies=h, recoding="local")
                ),
                1,
            )
        per = risk / size / np.log2(size) * 1e9
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        line(
            f"{size:,} rows",
            *(_seconds(x) for x in (risk, every, known)),
            "",
            _seconds(full),
            _seconds(part),
            f"{per:.2f}",
            f"{peak:.0f}",
        )
        size *= 10 if size < 10_000_000 else 2
    print(
        "wanted at 1,000,000 rows: risk 0.05, subsets 3, l,t,β,δ 2, full 1.5, local 3 (ARX 0.271, 28.8, -, 7.5, 12.7)"
    )


def variety(table: Columns) -> Any:
    keys = row_keys(
        [table[n].codes + 1 for n in Q8], [len(table[n].values) + 1 for n in Q8], len(table["sex"])
    )
    return diversity(keys, table["occupation"].codes)


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def entropy(rows: int) -> None:
    """Risk by information entropy over fifteen columns, fourteen quasi-identifiers and a sensitive attribute, by the fast method."""
    draw = np.random.default_rng(15)
    names = [f"c{number}" for number in range(15)]
    sizes = [2, 3, 5, 8, 10, 16, 20, 40, 73, 100, 200, 365, 1000, 3000, 12]
    codes = {
        name: pa.DictionaryArray.from_arrays(
            pa.array(draw.integers(0, size, rows, np.int32)), pa.array([str(one) for one in range(size)])
        ).cast(pa.string())
        for name, size in zip(names, sizes, strict=True)
    }
    batches = pa.table(codes).to_batches(max_chunksize=65_536)
    started = time.perf_counter()
    entropy_risk(batches, names[:-1], names[-1:])
    clock = time.perf_counter() - started
    print()
    line("entropy, fast method, 15 columns", "", "", "", "", "s", "wanted")
    line(f"{rows:,} rows", "", "", "", "", f"{clock:.2f}", f"10 {verdict(clock < 10)}")


def parquet(adult: Columns | None, rows: int) -> None:
    """``deid risk`` on a Parquet file in a process of its own: time from start to end, and its peak memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.parquet"
        names = pa.schema([(name, pa.string()) for name in Q9])
        with pq.ParquetWriter(path, names) as writer:
            for start in range(0, rows, 1_000_000):
                table = drawn(min(1_000_000, rows - start), adult, seed=start + 1)
                cells = [column.to_arrow() for column in table.values()]
                writer.write_table(pa.table(cells, schema=names))
        command = [
            sys.executable,
            "-m",
            "techniques.cli.main",
            "risk",
            str(path),
            "--qi",
            ",".join(Q9),
            "--json",
        ]
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert process.stdout is not None
        output = process.stdout.read().decode()
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        peak = used.ru_maxrss / 1024
        spent = used.ru_utime + used.ru_stime
        good = status == 0 and seconds < 60 and peak < 4096
        print(
            f"\nrisk of {rows:,} rows from Parquet: {seconds:.1f} s ({spent:.1f} s CPU), {peak:.0f} MB, wanted 60 s, 4096 MB: {verdict(good)}"
        )
        print(output[:200])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="end of the growth curve")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument(
        "--parquet", type=int, default=0, metavar="ROWS", help="also deid risk on a Parquet file"
    )
    parser.add_argument(
        "--only", choices=["tables", "persons", "growth", "entropy", "parquet"], help="a part of it"
    )
    options = parser.parse_args()
    adult = read("adult_arx.csv", ";") if DATA.is_dir() else None
    if adult is not None and options.only in (None, "tables"):
        full_domain(adult, options.repeat)
        local(adult, options.repeat)
        free_sets(2)
    if options.only in (None, "persons"):
        persons(adult, min(options.rows, 1_000_000), options.repeat)
    if options.only in (None, "growth"):
        large(adult, options.rows)
    if options.only in (None, "entropy"):
        entropy(min(options.rows, 1_000_000))
    if options.parquet:
        parquet(adult, options.parquet)


if __name__ == "__main__":
    main()
