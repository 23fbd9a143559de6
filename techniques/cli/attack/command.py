"""The command ``attack``: insider linkage, singling out, linkability and inference, each beside what it is measured against."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from techniques.cli import subjects
from techniques.cli.places.staging import TableIn
from techniques.cli.tables import add_reading, opened, quasi_identifiers
from techniques.core import faults
from techniques.core.messages import EngineError, _

if TYPE_CHECKING:
    from techniques.disclosure_risk.attacks.attempt import Attacks

LIKE, ORDER, NOBODY = "like", "order", "nobody"


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the command ``attack``."""
    parser = new_command(
        "attack",
        help="attack a result: whom an insider finds, whom a predicate singles out, what is inferred",
        description="Success rates with their intervals, beside an attack by chance and one on persons who are not in the result "
        "(GB/T 37964 5.5.2 d, e; Giomi et al. 2023).",
    )
    parser.add_argument("source", type=TableIn, metavar="SOURCE", help="CSV, XLSX or Parquet file")
    parser.add_argument("result", type=TableIn, metavar="RESULT", help="the result made of it")
    parser.add_argument("--known", required=True, metavar="A,B", help="what the attacker knows of a person")
    parser.add_argument("--secret", default="", metavar="C,D", help="what the attacker wants to learn")
    parser.add_argument(
        "--noise",
        default="",
        metavar="C=N,…",
        help="how far off at most the attacker's number of a column is",
    )
    parser.add_argument(
        "--wrong", type=float, default=0.0, metavar="SHARE", help="share of other cells that the attacker is mistaken in (0)"
    )  # fmt: skip
    parser.add_argument(
        "--own", default=LIKE, metavar="HOW",
        help="whose the records of the result are: order (they stand as in the source), a column that both have, nobody "
        "(they were made up), or like: the record that reads most like a person's row is that person's (like)",
    )  # fmt: skip
    parser.add_argument(
        "--control", type=TableIn, metavar="FILE", help="persons of the same kind who are not in the source"
    )
    parser.add_argument(
        "--hierarchies", type=Path, metavar="DIR", help="folder of <column>.csv: what labels stand for"
    )
    subjects.add_argument(parser)
    parser.add_argument(
        "--attempts", type=int, default=2000, metavar="N", help="persons and predicates (2000)"
    )
    parser.add_argument("--seed", type=int, default=0, help="draw the same persons and predicates again (0)")
    parser.add_argument(
        "--at-most",
        type=float,
        metavar="SHARE",
        help="exit code 1 where an attack does better than this against its control",
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    add_reading(parser, "source", "SOURCE")
    parser.set_defaults(handler=run)


def run(options: argparse.Namespace) -> int:
    """Attack and print; exit code 1 where an attack does better than it may."""
    from techniques.cli.releases.command import noise
    from techniques.core.validation import validated
    from techniques.data_utility.covering import labels_above
    from techniques.disclosure_risk.attacks.attempt import AttackRequest, attack
    from techniques.disclosure_risk.attacks.explain import attack_statements
    from techniques.disclosure_risk.attacks.targets import Tables, numbered
    from techniques.hierarchies.folder import hierarchy_files, read_hierarchies
    from techniques.tables.dictionary import encode_columns

    header, before = opened(options.source, options, ())
    written, after = opened(options.result, options, header)
    known = quasi_identifiers(options.known, header)
    secrets = quasi_identifiers(options.secret, header) if options.secret else []
    given = {
        "known": tuple(known),
        "secrets": tuple(secrets),
        "noise": noise(options.noise, header),
        "wrong": options.wrong,
        "attempts": options.attempts,
        "seed": options.seed,
    }
    request = validated(AttackRequest, given, "attack")
    owners = subjects.subjects(options, header, before, set(known))
    shared = [name for name in header if name in written]
    source, result = encode_columns(before(), shared), encode_columns(after(), shared)
    rows = _rows(source)
    who = numbered(owners, rows)
    folder = options.hierarchies
    trees = labels_above(read_hierarchies(hierarchy_files(folder, shared))) if folder else {}
    tables = Tables.of_columns(
        source, result, who, _whose(options.own, source, result, who),
        made_up=options.own == NOBODY, hierarchies=trees,
    )  # fmt: skip
    control = None
    if options.control:
        names, others = opened(options.control, options, header)
        held = encode_columns(others(), [name for name in shared if name in names])
        control = Tables.of_columns(
            held, {name: result[name] for name in held}, numbered(_same_key(options, names, others), _rows(held)),
            hierarchies=trees,
        )  # fmt: skip
    found = attack(tables, request, control)
    said = [str(one) for one in attack_statements(found)]
    if options.json:
        print(json.dumps({**found.model_dump(mode="json"), "statements": said}, ensure_ascii=False, indent=1))
    else:
        print("\n".join(f"- {one}" for one in said))
    return int(options.at_most is not None and worst(found) > options.at_most)


def worst(found: Attacks) -> float:
    """The greatest derived risk of all attacks."""
    return max((one.value for one in found.risks), default=0.0)


def _rows(columns: dict[str, Any]) -> int:
    rows = len(next(iter(columns.values()))) if columns else 0
    if not rows:
        raise faults.nothing_to_count()
    return rows


def _same_key(options: argparse.Namespace, names: list[str], batches: Any) -> Any:
    """Whose the rows of the control group are: by the same key, where it has that."""
    from techniques.tables.subjects import read_subjects

    key = subjects.named(options, names) if options.subject else []
    return read_subjects(batches(), key)


def _whose(own: str, source: dict[str, Any], result: dict[str, Any], who: Any) -> Any:
    """The person of each record of the result, None where only likeness tells."""
    import numpy as np
    import pyarrow.compute as pc

    if own in (LIKE, NOBODY):
        return None
    if own == ORDER:
        if _rows(result) != len(who):
            text = _("The result has %(found)d rows, the source %(rows)d: they do not correspond row by row.")
            raise EngineError("rows_differ", text, found=_rows(result), rows=len(who))
        return who
    if own not in source or own not in result:
        raise faults.column_missing(own)
    column, written = source[own], result[own]
    person = np.full(len(column.values) + 1, -1, dtype=np.int64)
    said = column.codes >= 0
    person[column.codes[said]] = who[said]
    if (person[column.codes[said]] != who[said]).any():
        text = _(
            "Column %(column)s has one value for several persons, so it does not identify whose a record is."
        )
        raise EngineError("own_shared", text, column=own)
    place = pc.fill_null(pc.index_in(written.values, value_set=column.values), -1).to_numpy()
    return np.where(written.codes >= 0, person[np.append(place, -1)[written.codes]], -1)
