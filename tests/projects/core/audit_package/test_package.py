"""The audit package of a released project: what is in it, who takes it, and that its check finds what was touched."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import zipfile

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import translation

from approvals.audit.models import AuditEvent
from approvals.audit.readers.export import json_lines
from approvals.audit.verify import stored_head
from approvals.decisions.models import SignOff
from approvals.documents.models import Document
from projects.core.audit_package.checking import package_check
from projects.core.audit_package.contents import _free
from projects.core.audit_package.services import package_take
from projects.core.audit_package.writing import pieces_of
from projects.core.services import project_create
from projects.datasets.store.holdings import holdings_of
from projects.objective.enums import PLAN_JOB
from tests.approvals.documents.printed import print_waiting
from tests.approvals.governance.test_governance import raw_sql
from tests.projects.releases import stories

pytestmark = pytest.mark.django_db
BACKEND = "deid_portal.accounts.backends.AccountBackend"


def START(people):
    """Released to the recipient under a signed agreement, with its plan printed."""
    story = stories.released(people)
    print_waiting(PLAN_JOB)
    return story


@pytest.fixture
def released(own_start):
    return own_start.story.project


def bytes_of(package):
    return b"".join(pieces_of(package))


@pytest.fixture
def taken(released, people):
    return bytes_of(package_take(released, by=people.supervisor))


def members(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def packed(files, *, sums=True):
    """``files`` as a package; with the sums of what they are now, as somebody would make them who alters it."""
    files = dict(files)
    if sums:
        lines = (
            f"{hashlib.sha256(one).hexdigest()}  {name}\n"
            for name, one in files.items()
            if name != "SHA256SUMS"
        )
        files["SHA256SUMS"] = "".join(lines).encode()
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        for name, one in files.items():
            archive.writestr(name, one)
    return io.BytesIO(sink.getvalue())


def checked(content, **more):
    return package_check(io.BytesIO(content), **more)


def test_it_holds_documents_log_decisions_attachments_and_what_was_signed(taken, released):
    files = members(taken)
    documents = Document.objects.filter(project_id=released.pk)
    assert documents.count() == 2  # the plan in two languages
    shas = {hashlib.sha256(one).hexdigest() for one in files.values()}
    assert {one.sha256 for one in documents} <= shas
    held = holdings_of(released, evidence=True)
    assert held
    assert {one.stored.sha256 for one in held} <= shas
    rows = [json.loads(line) for line in files["log/events.jsonl"].splitlines()]
    stored = list(
        AuditEvent.objects.filter(project_id=released.pk).order_by("seq").values_list("seq", "hash")
    )
    assert [(row["seq"], row["hash"]) for row in rows] == stored
    assert rows[-1]["action"] == "project.audit_package_taken"
    assert files["log/events.csv"].decode("utf-8-sig").count("\r\n") == len(rows) + 1
    decisions = json.loads(files["decisions.json"])
    assert len(decisions["sign_offs"]) == SignOff.objects.filter(project_id=released.pk).count() == 2
    for signoff in decisions["sign_offs"]:
        assert signoff["decision"] == "approved"
        assert signoff["subject"]["hash"] in shas, "what was signed is in it, to the byte"


def test_nothing_of_another_project_and_no_data_are_in_it(taken, released, people):
    other = project_create(title="Quite another", by=people.outsider)
    files = members(bytes_of(package_take(released, by=people.planner)))
    whole = b"".join(one for name, one in files.items() if not name.endswith(".pdf"))
    assert str(other.pk).encode() not in whole
    assert b"Quite another" not in whole
    people_in_it = csv.DictReader(io.StringIO(stories.data().decode("gb18030")))
    cells = (row[name] for row in people_in_it for name in ("病历号", "身份证号", "手机号"))
    values = [cell.encode() for cell in cells if cell]
    assert len(values) > 2 * stories.ROWS
    assert not [value for value in values if value in whole]


def test_the_readme_says_in_both_languages_what_was_counted(taken, released):
    said = members(taken)["README.txt"].decode()
    head = stored_head()
    for words in ("Documents: 2", "Attachments: 1", "文档：2", f"hash {head['hash']}", released.number):
        assert words in said, words
    chinese, english = re.split(r"\n-{72}\n", said)
    assert "sha256sum -c SHA256SUMS" in chinese
    assert "sha256sum -c SHA256SUMS" in english
    assert not re.search(r"[一-鿿]", re.sub(r"“[^”]*”", "", english))


def test_a_sound_package_passes_with_the_exported_log_and_the_key(taken, settings):
    lines = list(json_lines(stored_head()))
    found = checked(taken, log=lines, key=settings.DEID_MASTER_KEY)
    assert found.faults == []
    assert (found.documents, found.lost) == (2, [])
    assert found.rows > 20
    assert found.files == len(members(taken)) - 1


def faults(source, **more):
    with translation.override("en"):
        return package_check(source, **more).faults


def test_what_was_altered_added_or_taken_out_is_named(taken):
    files = members(taken)
    name = next(name for name in files if name.startswith("documents/"))
    altered = {**files, name: files[name] + b" "}
    assert faults(packed(altered, sums=False)) == [
        f"{name} was altered: it no longer has the SHA-256 in SHA256SUMS."
    ]
    without = {key: one for key, one in files.items() if key != name}
    assert f"{name} is in SHA256SUMS and not in the file." in faults(packed(without, sums=False))
    added = {**files, "documents/new.pdf": b"%PDF-"}
    assert faults(packed(added, sums=False)) == ["documents/new.pdf is in the file and not in SHA256SUMS."]


def test_who_makes_the_sums_anew_is_found_by_the_rows(taken, settings):
    """Without the key a row cannot be sealed, and the hash of a document stands in a row."""
    files = members(taken)
    name = next(name for name in files if name.startswith("documents/"))
    forged = files[name] + b" "
    about = json.loads(files["package.json"])
    for one in about["documents"]:
        if one["file"] == name:
            one["sha256"] = hashlib.sha256(forged).hexdigest()
    another = {**files, name: forged, "package.json": json.dumps(about).encode()}
    assert faults(packed(another)) == [f"No row of the log says that {name} was made."]

    rows = [json.loads(line) for line in files["log/events.jsonl"].splitlines()]

    def with_rows(rows):
        return packed({**files, "log/events.jsonl": "\n".join(map(json.dumps, rows)).encode()})

    seq = rows[5]["seq"]
    said = [{**row, "actor": "Somebody"} if row["seq"] == seq else row for row in rows]
    assert faults(with_rows(said)) == [
        f"Row {seq} of the log was altered: its content no longer gives its hash."
    ]
    unsealed = [{**row, "seal": "0" * 64} if row["seq"] == seq else row for row in rows]
    assert faults(with_rows(unsealed)) == []
    assert faults(with_rows(unsealed), key=settings.DEID_MASTER_KEY) == [
        f"Row {seq} of the log has no seal of this portal."
    ]
    turned = [*rows[:5], rows[6], rows[5], *rows[7:]]
    assert f"Row {seq} of the log does not follow the row before it." in faults(with_rows(turned))
    made = next(row for row in rows if row["action"] == "document.created")
    gone = [row for row in rows if row is not made]
    assert [one for one in faults(with_rows(gone)) if one.startswith("No row of the log says that")]


def test_a_document_that_is_left_out_is_missed(taken):
    files = members(taken)
    name = next(name for name in files if name.startswith("documents/"))
    about = json.loads(files["package.json"])
    about["documents"] = [one for one in about["documents"] if one["file"] != name]
    files = {**files, "package.json": json.dumps(about).encode()}
    del files[name]
    (only,) = faults(packed(files))
    assert only.endswith("was made, and it is not here.")


def test_another_content_than_was_signed_is_named(taken):
    files = members(taken)
    names = [name for name in files if name.startswith("content/")]
    assert sorted(name.partition("-")[0] for name in names) == ["content/plan", "content/verification"]
    for name in names:
        assert faults(packed({**files, name: files[name] + b" "})) == [f"No decision is about {name}."]


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("reviews", "outcome", "returned"),
        ("reviews", "reviewed_by", {"id": "1", "name": "Somebody"}),
        ("sign_offs", "decision", "rejected"),
        ("sign_offs", "reason", "of another mind"),
        ("sign_offs", "decided_by", {"id": "1", "name": "Somebody"}),
    ],
)
def test_a_decision_that_is_stated_otherwise_is_named(taken, kind, field, value):
    files = members(taken)
    decisions = json.loads(files["decisions.json"])
    before = decisions[kind][0][field]
    assert before != value
    decisions[kind][0][field] = value
    files["decisions.json"] = json.dumps(decisions).encode()
    (only,) = faults(packed(files))
    who = (
        value
        if isinstance(value, dict)
        else decisions[kind][0]["reviewed_by" if kind == "reviews" else "decided_by"]
    )
    assert only.startswith(f"No row of the log tells of the decision of {who['name']} at 20")


def test_rows_of_another_log_are_found_by_the_exported_one(taken):
    lines = list(json_lines(stored_head()))
    with translation.override("en"):
        short = faults(io.BytesIO(taken), log=lines[:-3] + lines[-1:])
    assert any(one.startswith("The exported log is not sound: ") for one in short)
    last = json.loads(lines[-2])["seq"]
    assert f"Row {last} is not that of the exported log." in short


@pytest.mark.parametrize("content", [b"", b"PK\x05\x06" + b"\0" * 18, b"no zip at all"])
def test_what_is_no_package_is_said(content):
    (only,) = faults(io.BytesIO(content))
    assert only.startswith("This file is no audit package that can be read: ")


def test_a_document_that_cannot_be_read_is_named_and_the_rest_is_there(released, people):
    broken = Document.objects.filter(project_id=released.pk).first()
    raw_sql(
        "UPDATE documents_document SET size = 1, sealed = %s WHERE id = %s",
        b"\x01" + b"0" * 60,
        broken.pk.hex,
    )
    files = members(bytes_of(package_take(released, by=people.auditor)))
    lost = [f"documents/{broken.filename}"]
    assert json.loads(files["package.json"])["lost"] == [{"file": lost[0], "id": str(broken.pk)}]
    assert lost[0] in files["README.txt"].decode()
    found = package_check(packed(files))
    assert (found.faults, found.lost, found.documents) == ([], lost, 1)
    assert "document.seal_broken" in files["log/events.jsonl"].decode()


def test_what_is_lost_excuses_no_other_document(released, people, taken):
    files = members(taken)
    about = json.loads(files["package.json"])
    gone, said = about["documents"]
    about["documents"], about["lost"] = [said], [{"file": "documents/other.pdf", "id": said["id"]}]
    files = {**files, "package.json": json.dumps(about).encode()}
    del files[gone["file"]]
    (only,) = faults(packed(files))
    assert only.endswith("was made, and it is not here.")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("package.json", b"[]"),
        ("decisions.json", b"[]"),
        ("decisions.json", b"{"),
        ("log/events.jsonl", b"1\n"),
    ],
)
def test_texts_of_another_shape_are_no_package(taken, name, content):
    (only,) = faults(packed({**members(taken), name: content}))
    assert only.startswith("This file is no audit package that can be read: ")


def test_damaged_bytes_are_no_package(taken):
    place = taken.index(b"events.jsonl") + 400
    (only,) = faults(io.BytesIO(taken[:place] + b"\xff" * 200 + taken[place + 200 :]))
    assert only.startswith("This file is no audit package that can be read: ")


def test_what_happens_after_it_was_taken_is_not_in_it(released, people):
    package = package_take(released, by=people.auditor)
    before = AuditEvent.objects.count()
    package_take(released, by=people.supervisor)
    content = bytes_of(package)
    rows = [json.loads(line) for line in members(content)["log/events.jsonl"].splitlines()]
    assert AuditEvent.objects.count() == before + 1
    assert rows[-1]["seq"] == package.end.seq < AuditEvent.objects.latest("seq").seq
    assert checked(content).faults == []


def test_a_name_that_is_taken_gets_a_number():
    assert _free("a/b.pdf", {"a/b.pdf", "a/b-2.pdf"}) == "a/b-3.pdf"
    assert _free("a/change-1", {"a/change-1"}) == "a/change-1-2"


def test_two_files_of_one_name_are_both_in_it(released, people, monkeypatch):
    monkeypatch.setattr(Document, "filename", "plan.pdf")
    names = [
        name
        for name in members(bytes_of(package_take(released, by=people.auditor)))
        if name.startswith("documents/")
    ]
    assert names == ["documents/plan.pdf", "documents/plan-2.pdf"]


def test_who_audits_plans_supervises_or_signs_takes_it(client, released, people):
    for who, status in {
        "planner": 200,
        "supervisor": 200,
        "management": 200,
        "auditor": 200,
        "executor": 403,
        "recipient": 404,
        "outsider": 404,
        "administrator": 404,
    }.items():
        client.force_login(getattr(people, who), backend=BACKEND)
        before = AuditEvent.objects.filter(action="project.audit_package_taken").count()
        answers = [
            client.post(reverse("core:audit_package", args=[released.pk])),
            client.post(f"/api/projects/{released.pk}/audit-package/"),
        ]
        assert [one.status_code for one in answers] == [status, status], who
        if status == 200:
            for one in answers:
                assert one["Content-Type"] == "application/zip"
                assert checked(b"".join(one.streaming_content)).faults == []
        assert AuditEvent.objects.filter(action="project.audit_package_taken").count() == before + 2 * (
            status == 200
        )
        history = client.get(reverse("core:history", args=[released.pk]))
        if history.status_code == 200:
            offered = reverse("core:audit_package", args=[released.pk]) in history.content.decode()
            assert offered is (status == 200), who


def test_the_command_checks_it_without_a_database(taken, tmp_path, capsys, django_db_blocker):
    path, chain = tmp_path / "package.zip", tmp_path / "chain.jsonl"
    path.write_bytes(taken)
    chain.write_text("".join(json_lines(stored_head())), encoding="utf-8")
    with django_db_blocker.block():
        call_command("audit_package_verify", str(path), log=chain)
    said = capsys.readouterr().out
    assert "2 documents" in said
    assert "every row stands in the exported log" in said
    path.write_bytes(packed({**members(taken), "more.txt": b""}, sums=False).getvalue())
    with pytest.raises(SystemExit) as ended:
        call_command("audit_package_verify", str(path))
    assert ended.value.code == 1
    assert "more.txt" in capsys.readouterr().err


def test_it_is_made_as_it_is_read(released, people):
    """No more is held at a time than one part and what follows it."""
    package = package_take(released, by=people.auditor)
    pieces = [len(piece) for piece in pieces_of(package)]
    largest = max(one.size for one in Document.objects.filter(project_id=released.pk))
    assert max(pieces) <= largest + (1 << 17)
