"""A log that was replaced as a whole is sound; a row that was written down outside tells."""

from __future__ import annotations

import io
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import ClassVar

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from approvals.audit import checks
from approvals.audit.anchors import Anchor, anchor_now, anchor_read, anchors_send, stored_faults
from approvals.audit.models import AuditCheck, AuditEvent, AuditHead
from approvals.audit.readers.export import json_lines
from approvals.audit.tasks import anchor as anchor_task
from approvals.audit.verify import Finding, stored_head, verify
from projects.core.services import project_edit
from tests.approvals.governance.test_governance import raw_sql, without_triggers

pytestmark = pytest.mark.django_db
BACKEND = "deid_portal.accounts.backends.AccountBackend"


def some_acts(project, people, count=3):
    for number in range(count):
        project_edit(project, title=f"Title {number}", summary="", by=people.planner)


def end_now():
    """The end of the log as a backup of this moment holds it."""
    return AuditHead.objects.values("seq", "hash", "seal", "state", "state_seal").get(pk=1)


def older_copy(head):
    """What an older backup of the database holds: fewer rows, with the sealed end of then."""
    without_triggers()
    raw_sql("DELETE FROM audit_auditevent WHERE seq > %s", head["seq"])
    AuditHead.objects.filter(pk=1).update(**head)


def run(*args):
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("audit_verify", *args, stdout=out, stderr=err)
    except SystemExit as end:
        return end.code, err.getvalue()
    return 0, out.getvalue()


def test_an_older_copy_is_sound_and_found_by_its_anchor(project, people):
    before = end_now()
    some_acts(project, people)
    anchor = anchor_now()
    expected = (f"--expect-seq={anchor.seq}", f"--expect-hash={anchor.hash}")
    assert run(*expected)[0] == 0
    older_copy(before)
    assert verify().sound
    assert run()[0] == 0
    code, text = run(*expected)
    assert code == 1
    assert str(anchor.seq) in text
    assert [fault.kind for fault in stored_faults([anchor])] == [Finding.SHORTER]
    # Those who replaced it went on working: the row is there again, and is another.
    some_acts(project, people)
    assert anchor_now().seq == anchor.seq
    assert verify().sound
    assert run(*expected)[0] == 1
    assert [fault.kind for fault in stored_faults([anchor])] == [Finding.ANOTHER]


def test_an_export_is_compared_as_well(project, people, tmp_path):
    some_acts(project, people)
    first = AuditEvent.objects.order_by("seq").first()
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json_lines(stored_head())), encoding="utf-8")
    assert run(f"--file={path}", f"--expect-seq={first.seq}", f"--expect-hash={first.hash}")[0] == 0
    assert run(f"--file={path}", f"--expect-seq={first.seq}", f"--expect-hash={'0' * 64}")[0] == 1
    assert run(f"--file={path}", f"--expect-seq={first.seq + 999}", f"--expect-hash={first.hash}")[0] == 1


@pytest.mark.parametrize(
    ("seq", "digits"),
    [(None, "a" * 64), (5, ""), (0, "a" * 64), (-1, "a" * 64), (5, "a" * 15), (5, "g" * 64)],
)
def test_what_is_no_anchor(seq, digits):
    with pytest.raises(ValueError, match=r"."):
        anchor_read(seq, digits)


def test_an_anchor_as_people_type_it():
    assert anchor_read(None, " ") is None
    assert anchor_read(7, "ABCD ef01 2345 6789\n") == Anchor(7, "abcdef0123456789")


def test_the_command_wants_both():
    with pytest.raises(CommandError):
        run("--expect-seq=4")


def test_an_auditor_types_the_two(project, people, client):
    client.force_login(people.auditor, backend=BACKEND)
    anchor = anchor_now()
    address = reverse("audit:verify")
    assert client.get(address).status_code == 200
    good = client.post(address, {"expect_seq": anchor.seq, "expect_hash": anchor.hash[:16].upper()})
    assert good.status_code == 302
    check = AuditCheck.objects.get()
    assert (check.expected_seq, check.faults) == (anchor.seq, [])
    assert AuditEvent.objects.get(action="audit.verified").facts["expected"] == anchor.seq
    bad = client.post(address, {"expect_seq": anchor.seq, "expect_hash": "0" * 64})
    page = client.get(bad.url).content.decode()
    assert "verdict--fail" in page
    for wrong in ({"expect_seq": "5"}, {"expect_hash": "a" * 64}, {"expect_seq": "x", "expect_hash": "y"}):
        assert client.post(address, wrong).status_code == 422
    assert AuditCheck.objects.count() == 2
    made = client.post(
        "/api/audit/checks/",
        {"expect_seq": anchor.seq, "expect_hash": anchor.hash},
        content_type="application/json",
    )
    assert (made.status_code, made.json()["faults"]) == (201, [])
    assert client.post("/api/audit/checks/", {}, content_type="application/json").status_code == 201
    wrong = client.post("/api/audit/checks/", {"expect_seq": 5}, content_type="application/json")
    assert wrong.status_code == 400


def test_a_check_in_slices_compares_at_its_end(project, people):
    check = checks.check_start(by=people.auditor, anchor=Anchor(10**6, "a" * 64))
    check = checks.check_continue(check, by=people.auditor)
    assert [fault["kind"] for fault in check.faults] == ["shorter"]


class Hook(BaseHTTPRequestHandler):
    """Takes what is posted to it."""

    taken: ClassVar[list[dict[str, str]]] = []

    def do_POST(self):
        self.taken.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *args):
        pass


def test_anchors_leave_by_themselves(project, people, settings, tmp_path, mailoutbox):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    server = HTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=server.handle_request, daemon=True).start()
    hook = f"http://127.0.0.1:{server.server_port}/anchor"
    settings.DEID_ANCHORS = [str(folder), "mailto:auditor@example.org", hook, str(tmp_path / "away")]
    head = end_now()
    assert anchors_send() == [str(tmp_path / "away")], "one place that is away keeps the others from nothing"
    server.server_close()
    kept = [json.loads(path.read_text()) for path in folder.iterdir()]
    assert kept == Hook.taken == [json.loads(mailoutbox[0].body)]
    assert (kept[0]["seq"], kept[0]["hash"]) == (head["seq"], head["hash"])
    assert mailoutbox[0].to == ["auditor@example.org"]
    settings.DEID_ANCHORS = [str(folder)]
    call_command("audit_anchor")
    assert len(list(folder.iterdir())) == 1, "what is there is not written again"
    some_acts(project, people)
    anchor_task()
    assert run("--anchors", str(folder))[0] == 0
    older_copy(head)
    code, text = run("--anchors", str(folder))
    assert code == 1
    assert str(head["seq"] + 3) in text
    check = checks.check_continue(checks.check_start(by=people.auditor), by=people.auditor)
    assert [fault["kind"] for fault in check.faults] == ["shorter"], "the page compares as well"
    (folder / "note.json").write_text("{}")
    with pytest.raises(CommandError):
        run("--anchors", str(folder))


def test_of_a_log_that_does_not_hold_no_anchor_is_sent(project, settings, tmp_path):
    settings.DEID_ANCHORS = [str(tmp_path)]
    AuditHead.objects.filter(pk=1).update(seal="0" * 64)
    with pytest.raises(CommandError):
        call_command("audit_anchor")
    assert not list(tmp_path.iterdir())
