"""A large CSV from upload to verified result and download, in a portal of its own, over real HTTP.

    python -m benchmarks.portal_million [--rows 1000000] [--encoding gb18030] [--until scan]

Six people sign in and do what their roles ask; the time of every stage, the processor time and the peak
memory of the web server's and the worker's process trees are printed as a table. See README.md for what is measured.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks import inputs, memory
from benchmarks.client import Client, Refusal
from benchmarks.installation import Installation, installation

ROOT = Path(__file__).resolve().parents[1]
WEB_LIMIT_MB, WORKER_LIMIT_MB = 300, 2000
REASON = "人工分析：结合业务含义、取值分布与可公开获得的外部信息判定，详见数据字典与本轮扫描结果。"


class Story:
    """One project through the portal, stage by stage, with a line of the table for each."""

    def __init__(self, portal: Installation, file: Path, options: argparse.Namespace) -> None:
        self.portal, self.file, self.options = portal, file, options
        self.people: dict[str, Client] = {}
        self.lines: list[tuple[str, float, dict[str, float], dict[str, memory.Peak]]] = []
        self.watch = memory.Watch(portal.processes)
        self.base = self.page = ""

    def of(self, role: str) -> Client:
        if role not in self.people:
            client = Client(self.portal.address)
            client.sign_in(*self.portal.people[role][:2])
            self.people[role] = client
        return self.people[role]

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage and take its peaks; says so at once, for whoever waits."""
        self.watch.stage()
        used, began = self.used(), time.perf_counter()
        yield
        seconds = time.perf_counter() - began
        self.watch.sample()
        spent = {part: after - used[part] for part, after in self.used().items()}
        self.lines.append((name, seconds, spent, self.watch.stage()))
        print(f"  {name}: {seconds:.1f} s", file=sys.stderr, flush=True)

    def used(self) -> dict[str, float]:
        return {part: memory.cpu_seconds(pid) for part, pid in self.portal.processes.items()}

    def job(self, role: str, job: str) -> None:
        self.of(role).wait(job)

    # -- the steps ----------------------------------------------------------------------------

    def objective(self) -> None:
        written = self.portal.objective
        planner = self.of("planner")
        project = planner.api("POST", "/projects/", {"title": "门诊就诊记录", "summary": "疾病谱研究"})
        self.base, self.page = f"/projects/{project['id']}", f"/projects/{project['id']}/"
        for role in ("executor", "supervisor", "management", "recipient"):
            name = self.portal.people[role][0]
            planner.api("POST", f"{self.base}/members/", {"username": name, "role": role})
        put = f"{self.base}/objective"
        planner.api("PUT", f"{put}/sharing/", {"sharing_type": "controlled"})
        planner.api("PUT", f"{put}/scope/", written["scope"])
        planner.api("PUT", f"{put}/factors/", written["factors"])
        suggested = planner.api("GET", f"{put}/defaults/")
        planner.api("PUT", f"{put}/risk/", suggested["risk"])
        utility = [t for t in written["utility"] if t.get("column", "诊断") in inputs.HOSPITAL_COLUMNS]
        planner.api("PUT", f"{put}/utility/", utility)
        plan = planner.api("GET", f"{put}/defaults/")["plan"]
        unprepared = {
            "steps": [],
            "explanation": "各列只有一种书写形式，无须规范化；研究需要全部记录，故不抽样。",
        }
        planner.api("PUT", f"{put}/plan/", plan | {"preparation": unprepared})
        planner.look(f"{self.page}objective/", f"{self.page}objective/plan/")
        self.move("planner", "submit_objective")
        self.review()
        self.of("management").look(f"{self.page}objective/decide/")
        decision = {"decision": "approved", "reason": "目标与用途相称，同意实施。"}
        self.of("management").api("POST", f"{put}/decision/", decision | self.secret("management"))

    def secret(self, role: str) -> dict[str, str]:
        """What a signature asks for again: the password of who signs."""
        return {"secret": self.portal.people[role][1]}

    def move(self, role: str, move: str) -> None:
        self.of(role).api("POST", f"{self.base}/moves/{move}/", {"reason": "按计划进入下一步。"})

    def review(self) -> None:
        supervisor = self.of("supervisor")
        supervisor.look(f"{self.page}monitoring/review/")
        subject = supervisor.api("GET", f"{self.base}/monitoring/reviews/subject/")
        supervisor.api(
            "POST",
            f"{self.base}/monitoring/reviews/",
            {
                "content": subject["content"],
                "object": subject["name"],
                "time": datetime.now(UTC).isoformat(),
                "process": "逐项核对文档与系统记录，抽查依据。",
                "result": "材料齐全，与目标一致。",
                "measures": "无需整改；按计划进入下一步。",
                "outcome": "passed",
            },
        )

    def upload(self) -> str:
        self.of("executor").look(f"{self.page}data/")
        self.wait_for_documents()
        with self.stage("upload"):
            dataset = self.of("executor").upload(f"{self.base}/data/", self.file)
        with self.stage("detect the format"):
            self.job("executor", dataset["job"])
        self.of("executor").look(f"{self.page}data/")
        return f"{self.base}/data/{dataset['id']}/"

    def check(self, dataset: str) -> dict[str, Any]:
        executor = self.of("executor")
        with self.stage("check every row"):
            executor.api("POST", f"{dataset}confirm/", {})
            try:
                self.job("executor", executor.api("GET", dataset)["job"])
            except Refusal:
                if not self.options.ragged:
                    raise
        executor.look(f"{self.page}data/", f"{self.page}history/")
        found: dict[str, Any] = executor.api("GET", dataset)
        return found

    def scan(self) -> None:
        executor = self.of("executor")
        with self.stage("scan for identifiers"):
            self.job("executor", executor.api("POST", f"{self.base}/identification/scans/")["job"])
        executor.look(f"{self.page}identification/", f"{self.page}identification/report/")

    def judge(self) -> None:
        executor = self.of("executor")
        state = executor.api("GET", f"{self.base}/identification/")
        given = [
            {"column": column, "role": role, "kind": kind, "reason": REASON}
            for column, (role, kind) in inputs.VERDICTS.items()
            if column in state["columns"]
        ]
        content = {"round": state["round"]["id"], "verdicts": given}
        with self.stage("verdicts, reviewed"):
            executor.api("PUT", f"{self.base}/identification/verdicts/", content)
            persons = executor.api("GET", f"{self.base}/identification/persons/")
            if persons["asked"]:
                key = {"columns": persons["candidates"][0]["columns"], "reason": REASON}
                executor.api(
                    "PUT", f"{self.base}/identification/persons/", {"round": content["round"], **key}
                )
            self.move("executor", "submit_identification")
            self.review()

    def process(self) -> None:
        executor = self.of("executor")
        self.wait_for_documents()
        suggested = executor.api("GET", f"{self.base}/processing/suggestion/")
        content = inputs.recipe(suggested.get("content", suggested), self.options.suppression)
        executor.api("POST", f"{self.base}/processing/recipes/", {"content": content, "note": "首版方案"})
        executor.look(f"{self.page}processing/", f"{self.page}processing/recipe/")
        with self.stage("run the recipe"):
            self.job("executor", executor.api("POST", f"{self.base}/processing/runs/")["job"])
        executor.look(f"{self.page}processing/", f"{self.page}processing/report/")
        with self.stage("recipe and run, reviewed"):
            self.move("executor", "submit_processing")
            self.review()

    def verify(self) -> dict[str, Any]:
        executor = self.of("executor")
        self.wait_for_documents()
        with self.stage("verify the result"):
            started = executor.api("POST", f"{self.base}/verification/")
            self.job("executor", started["job_id"])
        executor.look(f"{self.page}verification/")
        found: dict[str, Any] = executor.api("GET", f"{self.base}/verification/{started['id']}/")
        return found

    def release(self, verification: dict[str, Any]) -> None:
        """To the recipient's download, for whoever wants the whole way."""
        self.move("executor", "submit_verification")
        self.review()
        self.wait_for_documents()
        management, planner, recipient = (self.of(r) for r in ("management", "planner", "recipient"))
        management.look(f"{self.page}verification/decide/")
        decision = {
            "decision": "approved",
            "reason": "各项指标达标。",
            "content_hash": verification["content_hash"],
        }
        management.api("POST", f"{self.base}/verification/decision/", decision | self.secret("management"))
        today = datetime.now(UTC).date()
        planner.upload(
            f"{self.base}/release/agreements/", inputs.scan(self.portal.folder), "image/png",
            recipient=self.portal.people["recipient"][0], organisation="医学院", country="CN",
            purpose="区域疾病谱研究", prohibits_reidentification="true", prohibits_linkage="true",
            prohibits_onward_sharing="true", signed_by="李研究",
            signed_on=(today - timedelta(days=1)).isoformat(),
            valid_until=(today + timedelta(days=365)).isoformat(),
        )  # fmt: skip
        planner.api("POST", f"{self.base}/release/", {})
        self.wait_for_documents()
        released = recipient.api("GET", "/receive/")
        released = released["results"] if isinstance(released, dict) else released
        recipient.api("POST", f"/receive/{released[0]['id']}/accept/", {"accepted": True})
        with self.stage("verify the seal"):
            delivery = recipient.api("POST", f"/receive/{released[0]['id']}/request/", {"notice_read": True})
            while delivery["status"] not in ("ready",):
                time.sleep(0.5)
                delivery = recipient.api("GET", f"/receive/deliveries/{delivery['id']}/")
                if delivery["status"] in ("refused", "expired"):
                    raise Refusal(422, "seal", str(delivery))
        with self.stage("download"):
            recipient.download(
                f"/receive/deliveries/{delivery['id']}/download/", self.portal.folder / "result"
            )
        self.of("auditor").look("/audit/", self.page)

    def wait_for_documents(self) -> None:
        """Printing of the stage before must not be counted into the next measurement."""
        executor = self.of("executor")
        project = self.base.split("/")[-1]
        while any(
            job["status"] in ("queued", "running")
            for job in executor.api("GET", f"/jobs/?project={project}")["results"]
        ):
            time.sleep(0.5)

    # -- the outcome --------------------------------------------------------------------------

    def table(self) -> str:
        rows = [
            "| Stage | Seconds | Web, CPU s | Worker, CPU s | Web, peak MB | Worker, peak MB |",
            "|---|---:|---:|---:|---:|---:|",
        ]
        together = {"web": 0.0, "worker": 0.0}
        for name, seconds, spent, peaks in self.lines:
            web, worker = (f"{peaks[part].pss / memory.MB:.0f}" for part in together)
            rows.append(
                f"| {name} | {seconds:.1f} | {spent['web']:.1f} | {spent['worker']:.1f} | {web} | {worker} |"
            )
            together = {part: sum_ + spent[part] for part, sum_ in together.items()}
        total = sum(seconds for _name, seconds, _spent, _peaks in self.lines)
        highest = [f"{self.watch.highest[part].pss / memory.MB:.0f}" for part in together]
        figures = [f"{total:.1f}", *(f"{value:.1f}" for value in together.values()), *highest]
        rows.append(f"| **together / highest** | {' | '.join(figures)} |")
        rows.append("")
        for part, peak in self.watch.highest.items():
            rows.append(
                f"{part}: at most {peak.processes} processes, PSS {peak.pss / memory.MB:.0f} MB, "
                f"sum of RSS {peak.rss / memory.MB:.0f} MB, "
                f"largest single process (VmHWM) {self.watch.single.get(part, 0) / memory.MB:.0f} MB"
            )
        pages = sorted((p for client in self.people.values() for p in client.pages), key=lambda p: -p[1])
        slow = ", ".join(f"{path.rpartition(self.page)[2] or path} {s:.2f} s" for path, s in pages[:3])
        rows.append(f"pages: {len(pages)} read, slowest {slow}")
        return "\n".join(rows)

    def web_libraries(self) -> list[str]:
        import psutil

        web = psutil.Process(self.portal.processes["web"])
        found: set[str] = set()
        for process in [web, *web.children(recursive=True)]:
            found |= set(memory.loaded(process.pid, "numpy", "pyarrow", "numba", "llvmlite", "pandas"))
        return sorted(found)


def carry(story: Story, until: str) -> bool:
    """Go as far as ``until``; True when what was verified passed, or was not asked for."""
    story.objective()
    dataset = story.upload()
    checked = story.check(dataset)
    if checked["status"] != "ready":
        print(f"  {checked['status']}: {checked['refused']['reason']}")
        return bool(story.options.ragged)
    if until == "check":
        return True
    story.scan()
    if until == "scan":
        return True
    story.judge()
    story.process()
    verification = story.verify()
    for check in verification["gate"]:
        print(f"  {check['kind']}: target {check['target']} measured {check['measured']} {check['passed']}")
    if verification["passed"] and until == "download":
        story.release(verification)
    return bool(verification["passed"])


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--encoding", choices=["utf-8", "gb18030"], default="gb18030")
    parser.add_argument("--table", choices=sorted(inputs.TABLES), default="hospital")
    parser.add_argument(
        "--ragged", action="store_true", help="add ragged rows at the end; the check must refuse"
    )
    parser.add_argument("--until", choices=["check", "scan", "verify", "download"], default="download")
    parser.add_argument("--suppression", type=float, help="suppression limit of the recipe")
    parser.add_argument("--folder", type=Path, help="keep file, portal and logs here")
    options = parser.parse_args()
    # Whoever ends the measurement ends the portal with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = Path(tempfile.mkdtemp(prefix="portal-million-")) if options.folder is None else options.folder
    folder.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(folder / "var", ignore_errors=True)
    sys.path.insert(0, str(ROOT))
    try:
        file, generated = inputs.make(options, folder)
        print(f"{options.rows:,} rows, {options.encoding}, {file.stat().st_size / 1e6:.0f} MB, "
              f"made in {generated:.1f} s; load average {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")  # fmt: skip
        with installation(folder) as portal:
            story = Story(portal, file, options)
            passed = carry(story, options.until)
            story.watch.stop()
            libraries = story.web_libraries()
            print(story.table())
            print(f"engine's libraries in the web process: {', '.join(libraries) or 'none'}")
            print(f"samples {story.watch.samples}, load average at the end {os.getloadavg()[0]:.1f}")
        within = (
            story.watch.highest["web"].pss < WEB_LIMIT_MB * memory.MB
            and story.watch.highest["worker"].pss < WORKER_LIMIT_MB * memory.MB
        )
        print(f"passed: {passed}; within {WEB_LIMIT_MB} and {WORKER_LIMIT_MB} MB: {within}")
        return 0 if passed and within else 1
    finally:
        if options.folder is None:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    raise SystemExit(main())
