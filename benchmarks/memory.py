"""The memory of process trees over time, and the processor time that they use.

PSS: pages of its own plus the fair share of shared ones; summed over a tree it counts every page once.
RSS summed over a tree counts shared pages once a process and is shown as the upper bound.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass, field

import psutil

MB = 1024 * 1024


@dataclass
class Peak:
    """The highest sums over one tree seen so far, in bytes."""

    pss: int = 0
    rss: int = 0
    processes: int = 0

    def take(self, pss: int, rss: int, processes: int) -> None:
        self.pss, self.rss = max(self.pss, pss), max(self.rss, rss)
        self.processes = max(self.processes, processes)


@dataclass
class Watch:
    """Samples the trees below ``roots`` (name → process id); peaks since the last :meth:`stage`."""

    roots: dict[str, int]
    every: float = 0.5
    peaks: dict[str, Peak] = field(default_factory=dict)
    highest: dict[str, Peak] = field(default_factory=dict)
    single: dict[str, int] = field(default_factory=dict)
    samples: int = 0

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self.stage()
        self.highest = {name: Peak() for name in self.roots}
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stage(self) -> dict[str, Peak]:
        """End a stage: its peaks; the next one begins at once."""
        with self._lock:
            ended, self.peaks = self.peaks, {name: Peak() for name in self.roots}
        return ended

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.wait(self.every):
            self.sample()

    def sample(self) -> None:
        for name, pid in self.roots.items():
            pss = rss = processes = 0
            with suppress(psutil.NoSuchProcess):
                root = psutil.Process(pid)
                for process in [root, *root.children(recursive=True)]:
                    with suppress(psutil.Error):
                        memory = process.memory_full_info()
                        pss, rss, processes = pss + memory.pss, rss + memory.rss, processes + 1
                        self.single[name] = max(self.single.get(name, 0), high_water(process.pid))
            with self._lock:
                self.peaks[name].take(pss, rss, processes)
                self.highest[name].take(pss, rss, processes)
        self.samples += 1


def cpu_seconds(pid: int) -> float:
    """Processor time that a tree has used so far, user and system; that of ended children included."""
    total = 0.0
    with suppress(psutil.NoSuchProcess):
        root = psutil.Process(pid)
        total = root.cpu_times().children_user + root.cpu_times().children_system
        for process in [root, *root.children(recursive=True)]:
            with suppress(psutil.Error):
                times = process.cpu_times()
                total += times.user + times.system
    return total


def high_water(pid: int) -> int:
    """The kernel's own peak of one process (VmHWM), which no sampling can miss, in bytes."""
    with suppress(OSError), open(f"/proc/{pid}/status") as lines:
        for line in lines:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


def loaded(pid: int, *names: str) -> list[str]:
    """Which of the libraries ``names`` a process has mapped."""
    with suppress(OSError), open(f"/proc/{pid}/maps") as lines:
        text = lines.read()
        return [name for name in names if f"/{name}" in text]
    return []
