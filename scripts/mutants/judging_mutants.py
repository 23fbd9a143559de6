"""Which mutants the tests notice, as a plugin of pytest; ``scripts/mutants`` draws them and starts it.

The tests of a part are run once, and what each reaches is noted. Then a fork of that process takes over each mutant's
code and runs the tests that reach it until one fails. What runs at the import (constants, SQL of triggers) is imported as
mutated in a process of its own. ``MUTANTS`` names the file of the task, ``MUTANT`` that of the one to import.
"""

from __future__ import annotations

import ast
import gc
import hashlib
import importlib
import importlib.machinery
import inspect
import json
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Collection, Iterator
from functools import _lru_cache_wrapper, partial
from itertools import accumulate
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from mutant import ROOT, TOOLS, Mutant
from pytest_django.plugin import blocking_manager_key
from trigger_mutants import put_in_place

QUICK = 0.5
"""Seconds of the processor up to which a test comes before those that take longer, however near they are."""
LONGEST_TEST, LONGEST_START, LONGEST_WAIT = 8, 60, 3600
LONGEST_MUTANT = int(os.environ.get("MUTANTS_SECONDS", "20"))
"""Seconds of the processor: a test that takes longer is left out, or has met a mutant that never ends; the first of a
file, which makes what the file shares; seconds by the clock after which a process is given up; seconds of the processor
after which a mutant has survived."""


if "MUTANTS_AS_PYTHON" in os.environ:
    # Loops of these modules are Python, which a mutant can take over; all others stay compiled, as Python's numbers and
    # NumPy's are not theirs.
    import numba

    made = numba.njit

    def njit(*args: Any, **options: Any) -> Any:
        as_python = tuple(os.environ["MUTANTS_AS_PYTHON"].split())
        return lambda function: (
            function if function.__module__.startswith(as_python) else made(*args, **options)(function)
        )

    numba.njit = njit


def pytest_configure() -> None:
    """Fields of a record are its attributes, as compiled code has them."""
    if "MUTANTS_AS_PYTHON" not in os.environ:
        return
    import numpy as np

    from techniques.models.conditions import values
    from techniques.models.local_recoding import shapes

    class Record(np.void):  # type: ignore[misc]
        def __getattribute__(self, name: str) -> Any:
            # NumPy has a size of its own.
            fields = np.void.__getattribute__(self, "dtype").names
            return self[name] if name in fields else np.void.__getattribute__(self, name)

    values.RECORD = np.dtype((Record, values.RECORD))
    shapes.COLUMN = np.dtype((Record, shapes.COLUMN))


if "MUTANT" in os.environ:
    imported = Mutant(*json.loads(Path(os.environ["MUTANT"]).read_text()))
    plain = importlib.machinery.SourceFileLoader.get_code

    def get_code(self: Any, name: str) -> Any:
        if self.path == str(ROOT / imported.path):
            return compile(imported.source, self.path, "exec")
        return plain(self, name)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]


def pytest_runtestloop(session: Any) -> bool | None:
    if "MUTANTS" not in os.environ:
        return None
    task = json.loads(Path(os.environ["MUTANTS"]).read_text())
    mutants = [Mutant(*one) for one in task["mutants"]]
    items = list(session.items)
    first = next((item for item in items if "db" in item.fixturenames), items[0])
    for path in {mutant.path for mutant in mutants}:
        importlib.import_module(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    run(session, first, session)  # makes the database, once
    reached, seconds = known_reach(session, items, Path(task["reached"]), task["modules"])
    left_out = [item.nodeid for item in items if item.nodeid not in seconds]
    Path(task["left_out"]).write_text("\n".join(left_out), encoding="utf-8")
    late = {item.path for item in items if seconds.get(item.nodeid, 0) > LONGEST_TEST}
    soon = [item for item in items if item.path not in late]
    sound = in_order(soon, sorted(seconds, key=lambda test: seconds[test])[:30], seconds, "")
    if (found := forked(lambda: first_failing(session, sound, seconds))) != "":
        raise RuntimeError(f"fails where nothing was changed: {found}")
    judged = []
    for mutant in mutants:
        began = time.monotonic()
        killer = judge(session, soon, mutant, reached.get(mutant.path, {}), seconds)
        judged.append([*mutant, killer, round(time.monotonic() - began, 1)])
        keep(judged, Path(task["results"]))
    for path in late:
        own = [item for item in items if item.path == path and item.nodeid in seconds]
        left = [Mutant(*one[:5]) if not one[5] else None for one in judged]
        killers = forked(partial(judge_after_start, session, own, left, reached, seconds))
        for one, killer in zip(judged, killers, strict=True):
            one[5] = one[5] or killer
        keep(judged, Path(task["results"]))
    return True


def keep(judged: list[list[Any]], results: Path) -> None:
    results.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in judged))


def judge_after_start(
    session: Any,
    own: list[Any],
    mutants: list[Mutant | None],
    reached: dict[str, Any],
    seconds: dict[str, float],
) -> list[str]:
    """As :func:`judge`, by the tests of one file, after what they share was made once for all mutants, without one."""
    run(session, own[0], own[-1])
    killers = []
    for mutant in mutants:
        replaced = changed(mutant) if mutant and mutant.kind != "TRIGGER" else None
        killer = ""
        if mutant and replaced:
            order = in_order(own, reaching(mutant, reached.get(mutant.path, {})), seconds, mutant.path)
            take = partial(take_over, replaced)
            killer = ended(forked(partial(until_one_fails, session, order, seconds, take)))
        killers.append(killer)
    return killers


def reaching(mutant: Mutant, lines: dict[str, Any]) -> set[str]:
    """The tests that run the mutant's statement."""
    within = statement(mutant)
    return {test for line, found in lines.items() if int(line) in within for test in found}


def run(session: Any, item: Any, following: Any) -> bool:
    """Whether a test passes; the fixtures that it shares with ``following`` stay, of the session those of the session."""
    before = session.testsfailed
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    return bool(session.testsfailed == before)


def known_reach(
    session: Any, items: list[Any], kept: Path, modules: list[str]
) -> tuple[dict[str, Any], dict[str, float]]:
    """As :func:`reach`; of a file of tests that is as it was, as are the modules that it reached, what was noted the last time."""
    of_modules = {path: mark([(ROOT / path).read_bytes()]) for path in modules}
    known = json.loads(kept.read_text()) if kept.exists() else {}
    known = {
        path: one for path, one in known.items() if one.get("reached", {"": ""}).items() <= of_modules.items()
    }
    this = Path(__file__).read_bytes()
    marks = {str(path): mark([this, path.read_bytes()]) for path in {item.path for item in items}}
    for path in dict.fromkeys(str(item.path) for item in items):
        if known.get(path, {}).get("mark") == marks[path]:
            continue
        lines, seconds = forked(
            partial(reach, session, [item for item in items if str(item.path) == path], set(modules))
        )
        known[path] = {
            "mark": marks[path],
            "reached": {path: of_modules[path] for path, found in lines.items() if any(found.values())},
            "seconds": seconds,
            "lines": [
                (module, line, sorted(tests))
                for module, found in lines.items()
                for line, tests in found.items()
                if tests
            ],
        }
        kept.write_text(json.dumps(known))
    reached: dict[str, Any] = {}
    for path in marks:
        for module, line, tests in known[path]["lines"]:
            reached.setdefault(module, {}).setdefault(line, []).extend(tests)
    return reached, {name: taken for path in marks for name, taken in known[path]["seconds"].items()}


def mark(texts: list[bytes]) -> str:
    return hashlib.sha256(b"".join(texts)).hexdigest()


def reach(session: Any, items: list[Any], paths: set[str]) -> tuple[dict[str, Any], dict[str, float]]:
    """By module and line the tests that run it, and how long each test takes; those that fail are left out."""
    sys.path.append(os.environ["MUTANTS_TOOLS"])
    from coverage import Coverage  # type: ignore[import-not-found]  # of an environment of its own

    cover = Coverage(data_file=None, include=[str(ROOT / path) for path in paths], config_file=False)
    cover.start()
    signal.signal(signal.SIGPROF, too_long)
    seconds: dict[str, float] = {}
    remembered = alive(_lru_cache_wrapper)
    for item, following in zip(items, [*items[1:], session], strict=True):
        for function in remembered:
            function.cache_clear()
        cover.switch_context(item.nodeid)
        began = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, LONGEST_START if item is items[0] else LONGEST_TEST)
        passed = run(session, item, following)
        signal.setitimer(signal.ITIMER_PROF, 0)  # never within what coverage does
        if passed:
            seconds[item.nodeid] = time.process_time() - began
    cover.stop()
    data = cover.get_data()
    return {
        path: {
            line: [test for test in tests if test in seconds]
            for line, tests in data.contexts_by_lineno(str(ROOT / path)).items()
        }
        for path in paths
    }, seconds


def too_long(_: int, frame: Any) -> None:
    """Within what coverage does, a little later: its lock would stay closed for ever."""
    while frame is not None:
        if "/coverage/" in frame.f_code.co_filename:
            signal.setitimer(signal.ITIMER_PROF, 0.05)
            return
        frame = frame.f_back
    raise TimeoutError


def judge(
    session: Any, items: list[Any], mutant: Mutant, lines: dict[str, Any], seconds: dict[str, float]
) -> str:
    """The test that the mutant fails; empty where all that reach it pass."""
    folder = f"tests/{Path(mutant.path).parent}/"
    if mutant.kind == "TRIGGER":
        # A case that is called by the trigger asks about it alone.
        names = tuple(f"[{mutant.code.split()[0]}{end}" for end in "-]")
        about = {test for test in seconds if any(name in test for name in names)}
        near = {test for test in seconds if test.startswith(folder)} - about
        far = seconds.keys() - near - about
        order = [one for tests in (about, near, far) for one in in_order(items, tests, seconds, mutant.path)]
        return ended(
            forked(partial(until_one_fails, session, order, seconds, partial(altered, session, mutant)))
        )
    replaced = changed(mutant)
    if replaced is None:
        # What is defined there is seen by tests that call nothing of it: those of its folder and of the folders above.
        tests = {test for found in lines.values() for test in found}
        tests |= {test for test in seconds if folder.startswith(f"{Path(test.partition('::')[0]).parent}/")}
    else:
        tests = reaching(mutant, lines)
    order = in_order(items, tests, seconds, mutant.path)
    if replaced is None:
        if not forked(partial(can_be_imported, mutant)):
            return "it cannot be imported"
        if name := constant(mutant):
            put = partial(put_constant, mutant, name)
            if killer := ended(forked(partial(until_one_fails, session, order, seconds, put))):
                return killer
        spent = accumulate(seconds[item.nodeid] for item in order)
        return imported_apart(
            mutant,
            [item.nodeid for item, so_far in zip(order, spent, strict=True) if so_far < LONGEST_MUTANT],
        )

    return ended(forked(partial(until_one_fails, session, order, seconds, partial(take_over, replaced))))


def until_one_fails(
    session: Any, order: list[Any], seconds: dict[str, float], make: Callable[[], None]
) -> str:
    make()
    return first_failing(session, order, seconds)


def ended(found: str | None) -> str:
    return "it never ends" if found is None else found


def altered(session: Any, mutant: Mutant) -> None:
    """The database of the tests has the altered trigger."""
    with session.config.stash[blocking_manager_key].unblock():
        put_in_place(*json.loads(mutant.source))


def in_order(items: list[Any], tests: Collection[str], seconds: dict[str, float], path: str) -> list[Any]:
    """The quick tests, then the others; of both file by file, which share what is made for them: that of the module at ``path``
    first, then those of its folder, then the rest, each time the file whose tests take the shortest together."""
    chosen = sorted((item for item in items if item.nodeid in tests), key=lambda item: seconds[item.nodeid])
    whole: dict[tuple[Path, bool], float] = {}
    for item in chosen:
        part = item.path, seconds[item.nodeid] > QUICK
        whole[part] = whole.get(part, 0.0) + seconds[item.nodeid]
    folder, name = ROOT / "tests" / Path(path).parent, f"test_{Path(path).name}"

    def place(item: Any) -> tuple[bool, bool, bool, float, str]:
        slow, far = seconds[item.nodeid] > QUICK, item.path.parent != folder
        return slow, far, far or item.path.name != name, whole[item.path, slow], str(item.path)

    return sorted(chosen, key=place)


def first_failing(session: Any, order: list[Any], seconds: dict[str, float]) -> str:
    signal.signal(signal.SIGPROF, lambda *_: os._exit(9))
    began = time.process_time()
    for item, following in zip(order, [*order[1:], session], strict=False):
        if time.process_time() - began > LONGEST_MUTANT:
            break
        signal.setitimer(
            signal.ITIMER_PROF, LONGEST_TEST + 5 * min(seconds[item.nodeid], LONGEST_TEST)
        )  # it may make what a file shares
        if not run(session, item, following):
            return str(item.nodeid)
    return ""


def statement(mutant: Mutant) -> range:
    """The lines of the smallest statement that the mutant's line is part of."""
    spans = [
        range(node.lineno, (node.end_lineno or node.lineno) + 1)
        for node in ast.walk(ast.parse((ROOT / mutant.path).read_text(encoding="utf-8")))
        if isinstance(node, ast.stmt) and node.lineno <= mutant.line <= (node.end_lineno or node.lineno)
    ]
    return min(spans, key=len, default=range(mutant.line, mutant.line + 1))


def codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def changed(mutant: Mutant) -> list[CodeType] | None:
    """The code of the functions that the mutant changes; None where it changes what runs at the import."""
    path = str(ROOT / mutant.path)
    before = Path(path).read_text(encoding="utf-8")
    old, new = (list(codes(compile(source, path, "exec"))) for source in (before, mutant.source))

    def own(code: CodeType) -> Any:
        constants = [one for one in code.co_consts if not isinstance(one, CodeType)]
        return code.co_code, repr(constants), code.co_names, code.co_varnames

    pairs = list(zip(old, new, strict=False))
    imported = (own(one) != own(other) for one, other in pairs if not one.co_flags & inspect.CO_NEWLOCALS)
    if len(old) != len(new) or any(imported):
        return None
    # Whatever holds a changed part is changed: a function has the code of its comprehensions as a constant.
    return [
        other
        for one, other in pairs
        if one.co_flags & inspect.CO_NEWLOCALS and [*map(own, codes(one))] != [*map(own, codes(other))]
    ]


def take_over(replaced: list[CodeType]) -> None:
    """Every function that is alive runs the new code, and nothing is remembered of the old."""
    wanted = {(code.co_filename, code.co_qualname, code.co_firstlineno): code for code in replaced}
    for one in alive(FunctionType):
        code = one.__code__
        new = wanted.get((code.co_filename, code.co_qualname, code.co_firstlineno))
        if new is not None and new.co_freevars == code.co_freevars:
            one.__code__ = new
    for one in alive(_lru_cache_wrapper):
        one.cache_clear()


def alive(kind: type) -> list[Any]:
    """The objects of a kind that are the product's."""
    gc.unfreeze()  # tests/conftest.py froze what was there
    found = [one for one in gc.get_objects() if type(one) is kind and one.__module__]
    return [one for one in found if (ROOT / one.__module__.partition(".")[0]).is_dir()]


def executed(path: str, source: str) -> dict[str, Any]:
    """What a module of that source has, beside the one that is imported."""
    name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    anew = ModuleType(name)
    package = name if path.endswith("__init__.py") else name.rpartition(".")[0]
    anew.__dict__.update(__package__=package, __file__=str(ROOT / path))
    exec(compile(source, str(ROOT / path), "exec"), anew.__dict__)  # noqa: S102
    return anew.__dict__


def can_be_imported(mutant: Mutant) -> bool:
    """False where the module runs once more as it is, and not as mutated."""
    try:
        executed(mutant.path, (ROOT / mutant.path).read_text(encoding="utf-8"))
    except Exception:  # noqa: BLE001 - what may run once only is judged apart
        return True
    try:
        executed(mutant.path, mutant.source)
    except Exception:  # noqa: BLE001 - whatever it raises
        return False
    return True


def constant(mutant: Mutant) -> str:
    """The name that the mutant gives another value, where nothing else of the module's import rests on it; else empty."""
    before = (ROOT / mutant.path).read_text(encoding="utf-8")
    old, new = (ast.parse(source).body for source in (before, mutant.source))
    other = [one for one, after in zip(old, new, strict=False) if ast.dump(one) != ast.dump(after)]
    match other if len(old) == len(new) else []:
        case [ast.Assign(targets=[ast.Name(id=name)]) as made] | [
            ast.AnnAssign(target=ast.Name(id=name)) as made
        ]:
            rest = (node for one in old if one is not made for node in at_import(one))
            return "" if any(isinstance(node, ast.Name) and node.id == name for node in rest) else name
    return ""


def at_import(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when the module is imported: no bodies of functions."""
    yield node
    body = node.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) else []
    for child in ast.iter_child_nodes(node):
        if child is not body and not (isinstance(body, list) and child in body):
            yield from at_import(child)


def put_constant(mutant: Mutant, name: str) -> None:
    """Every module of the product that has the constant has the mutant's; nothing is remembered of the old."""
    module = sys.modules[mutant.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")]
    old, new = vars(module)[name], executed(mutant.path, mutant.source)[name]
    for one in list(sys.modules.values()):
        held = getattr(one, "__dict__", {}).get(name)
        if held is old and (ROOT / one.__name__.partition(".")[0]).is_dir():
            vars(one)[name] = new
    for one in alive(_lru_cache_wrapper):
        one.cache_clear()


def imported_apart(mutant: Mutant, tests: list[str]) -> str:
    """As :func:`judge`, in a process of its own that imports the mutant."""
    if not tests:
        return ""
    kept = TOOLS / f"{os.getpid()}.mutant"
    kept.write_text(json.dumps(mutant))
    environment = {name: value for name, value in os.environ.items() if name != "MUTANTS"}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "judging_mutants",
        "-p",
        "no:cacheprovider",
        *tests,
    ]
    try:
        done = subprocess.run(
            command, cwd=ROOT, env={**environment, "MUTANT": str(kept)}, capture_output=True, text=True,
            timeout=LONGEST_WAIT, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return ""
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return (failed or ["it cannot be imported"])[0] if done.returncode else ""


def forked(act: Callable[[], Any]) -> Any:
    """What ``act`` gives in a fork of this process; None where it takes too long or dies."""
    kept = TOOLS / f"{os.getpid()}.json"
    kept.unlink(missing_ok=True)
    child = os.fork()
    if not child:
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        try:
            kept.write_text(json.dumps(act()))
        except BaseException:  # noqa: BLE001 - the parent raises it
            kept.with_suffix(".failed").write_text(traceback.format_exc())
            os._exit(70)
        os._exit(0)
    end = time.monotonic() + LONGEST_WAIT
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended and os.waitstatus_to_exitcode(status) == 70:
            raise RuntimeError(kept.with_suffix(".failed").read_text())
        if ended:
            return json.loads(kept.read_text()) if kept.exists() else None
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None
