"""The plan as a document: made by a job, in both languages, once, and safe with hostile text."""

from __future__ import annotations

import re
import subprocess

import pytest

from approvals.documents.models import Document
from approvals.documents.services import document_open
from deid_portal.accounts.services import user_create
from projects.core.services import member_add, project_edit, project_move
from projects.datasets.store.store import store_write
from projects.jobs.models import Job
from projects.jobs.services import job_run
from projects.objective import services
from projects.objective.models import PlanVersion
from projects.objective.notice.services import notice_keep
from projects.objective.plan.documents import plan_document_start
from projects.objective.selectors import plan_document, plan_documents, plan_latest
from projects.objective.targets.reading import factors_read, scope_read, utility_read
from projects.workflow import Move, Role
from projects.workflow.posts import AppointedPost
from tests.approvals.documents.printed import anchored_after, needs_poppler, text_of
from tests.projects.objective.steps import (
    FACTORS,
    SCOPE,
    approved,
    decide,
    fill,
    fresh,
    review,
    submit,
    write_plan,
)

pytestmark = [pytest.mark.django_db, needs_poppler]
HOSTILE = (
    '</p></table><script>alert(1)</script><img src="file:///etc/passwd"><style>*{display:none}</style>'
    "{{ settings.SECRET_KEY }}{% include 'x' %} & \"' \x07 <a rel=attachment href=file:///etc/hostname>标记</a>"
)


def run_jobs() -> None:
    for job in Job.objects.filter(status="queued"):
        job_run(job.pk)
        job.refresh_from_db()
        assert job.status == "succeeded", (job.error_code, job.error_message, job.error_params)


def test_submission_writes_the_plan_in_both_languages(project, people, tmp_path):
    project = fill(project, people)
    submit(project, people)
    assert Job.objects.get(kind="objective.plan_pdf").status == "queued"
    run_jobs()
    version = PlanVersion.objects.get(project=project)
    documents = {d.language: d for d in Document.objects.filter(kind="plan")}
    assert set(documents) == {"zh-hans", "en"}
    for document in documents.values():
        assert document.subject_hash == version.content_hash
        text = text_of(document, tmp_path)
        for wanted in (version.content_hash, SCOPE["source"], "≥ 5", "5.2.2 f", "Planner Person"):
            assert wanted in text, wanted
    english = text_of(documents["en"], tmp_path)
    for wanted in ("Implementation team", "Contingency measures", "Signature", "Page 1 of", "(Seal)"):
        assert wanted in english
    assert plan_document(project, "en") == documents["en"]
    # A second start, and a job that runs again after its worker was lost, make nothing new.
    assert plan_document_start(version, by=people.planner) is None
    assert Document.objects.count() == 2


def test_the_approved_plan_names_its_decisions(project, people, tmp_path):
    approved(project, people)
    run_jobs()
    document = plan_document(fresh(project), "en")
    assert document is not None
    assert document.kind == "plan_approval"
    text = text_of(document, tmp_path)
    for wanted in ("Approved", "Management Person", "风险与用途相称", "Supervisor Person", "逐节核对"):
        assert wanted in text, wanted
    # An anchor of the audit log goes out of the house with the document.
    assert anchored_after("objective.decided", text)


def test_a_second_approval_has_a_document_of_its_own(project, people, tmp_path):
    """Taken up again and submitted unchanged: the document names who decides now, not who did before."""
    approved(project, people)
    run_jobs()
    first = plan_document(fresh(project), "en")
    project_move(fresh(project), move=Move.REVISE_OBJECTIVE, by=people.planner, reason="Looked at again.")
    submit(project, people)
    review(project, people)
    assert plan_document(fresh(project), "en").kind == "plan"  # nothing is approved meanwhile
    people.management = user_create(
        username="successor",
        password="correct-horse-battery",
        full_name="Successor Person",
        appointed=(AppointedPost.MANAGEMENT,),
        by=None,
    )
    member_add(fresh(project), user=people.management, role=Role.MANAGEMENT, by=people.planner)
    decide(project, people)
    run_jobs()
    assert PlanVersion.objects.filter(project=project).count() == 1
    second = plan_document(fresh(project), "en")
    assert second.number == first.number.removesuffix("1") + "2"
    text = text_of(second, tmp_path)
    assert "Successor Person" in text
    # The plan's text names its team; the signatures are what counts.
    signatures = text[text.rindex("Submitted") :]
    assert "Successor Person" in signatures
    assert "Management Person" not in signatures
    assert [d.number for d in plan_documents(plan_latest(fresh(project))) if d.kind != "plan"] == [
        second.number
    ] * 2
    # The earlier one is kept as it was made.
    assert "Management Person" in text_of(first, tmp_path)


def test_hostile_text_in_every_field(project, people, tmp_path):
    by = people.planner
    project = project_edit(project, title=HOSTILE[:110].replace("\x07", ""), summary=HOSTILE, by=by)
    project = fill(project, people)
    for name, content, read, save in (
        ("scope", SCOPE, scope_read, services.scope_save),
        ("factors", FACTORS, factors_read, services.factors_save),
    ):
        hostile = {k: HOSTILE if isinstance(v, str) and len(v) > 12 else v for k, v in content.items()}
        save(project, **{name: read(hostile)}, by=by)
    services.utility_save(
        project,
        targets=utility_read([{"kind": "mean_change", "column": HOSTILE[:190], "bound": 0.1}]),
        by=by,
    )
    sections = (
        "purpose",
        "goals",
        "data_objects",
        "team",
        "scheme",
        "stakeholders",
        "contingency",
        "schedule",
    )
    write_plan(project, people, **dict.fromkeys(sections, HOSTILE))
    submit(project, people)
    run_jobs()
    for document in Document.objects.filter(kind="plan"):
        pdf = document_open(document)
        text = text_of(document, tmp_path)
        assert "<script>alert(1)</script>" in text.replace("\n", "")
        assert "root:" not in text
        assert "/EmbeddedFile" not in pdf.decode("latin-1")
        assert "{{ settings.SECRET_KEY }}" in text
        assert "Signature" in text or "签" in text


def test_the_plan_names_the_privacy_notice(project, people, tmp_path):
    project = fill(project, people)
    with store_write("privacy_notice") as writer:
        writer.write("我们如何使用您的信息。".encode("gb18030"))
    name = f"{{{{ x }}}}<script>alert(1)</script>\u202e\x07告知书{'长' * 200}.txt"
    notice = notice_keep(project, stored=writer.stored, name=name, by=people.planner)
    write_plan(fresh(project), people)
    submit(project, people)
    run_jobs()
    for document in Document.objects.filter(kind="plan"):
        text = "".join(text_of(document, tmp_path).split())
        # A long hash breaks into lines beside other columns: its two ends are enough.
        assert notice.sha256[:16] in text
        assert notice.sha256[-8:] in text
        # "/script>alert…" is a folder to whoever sends it, so only the last part of the name is left.
        assert "script>alert(1)" not in text
        assert "script>告知书长长" in text
        assert "\u202e" not in text


def test_long_text_stays_on_the_page(project, people, tmp_path):
    project = fill(project, people)
    write_plan(project, people, scheme="甲" * 4000, team="W" * 4000)
    submit(project, people)
    run_jobs()
    document = plan_document(fresh(project), "zh-hans")
    assert document is not None
    path = tmp_path / "plan.pdf"
    path.write_bytes(document_open(document))
    boxes = subprocess.run(
        ["pdftotext", "-bbox", str(path), "-"], capture_output=True, check=True, text=True
    ).stdout
    ends = [float(found) for found in re.findall(r'<word [^>]*xMax="([\d.]+)"', boxes)]
    assert ends
    # A4 is 595 points wide, its right margin 57.
    assert max(ends) <= 595 - 56
    assert text_of(document, tmp_path).count("甲") == 4000
