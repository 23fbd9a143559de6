"""The metadata table: versions, rules, import and export."""

from __future__ import annotations

import io

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.governed import GovernanceBypassed
from approvals.governance.verdict import Refused
from deid_portal.organisation import exchange, selectors, services
from deid_portal.organisation.library import library
from deid_portal.organisation.models import MetadataEntry, MetadataVersion
from deid_portal.organisation.views import PAGE_ROWS
from projects.identification.enums import ColumnRole
from projects.identification.lookup import metadata_table
from techniques.identification.metadata.lookup import DEFAULT_METADATA_TABLE, lookup
from techniques.identification.rules import find_in_text
from tests.pages import sent_nowhere

NEW = {
    "name": "借阅证号",
    "meaning": "Number of a library card",
    "format": "8 digits",
    "data_types": ["CHAR"],
    "field_names": ["借阅证号", "library_card", "jyzh"],
    "role": ColumnRole.DIRECT,
}


def test_table_is_as_shipped_until_somebody_edits_it(people):
    assert selectors.current_version() == selectors.SHIPPED
    assert len(selectors.metadata_entries()) == len(DEFAULT_METADATA_TABLE)
    assert metadata_table().version == "shipped"


def test_ensure_defaults_twice_makes_one_version(db):
    call_command("ensure_defaults", stdout=io.StringIO())
    call_command("ensure_defaults", stdout=io.StringIO())
    assert MetadataVersion.objects.count() == 1
    assert MetadataEntry.objects.count() == len(DEFAULT_METADATA_TABLE)


def test_an_own_identifier_is_looked_up_at_once(people):
    entry = services.entry_add(**NEW, reason="new source", by=people.administrator)
    assert entry.kind.startswith("own_")
    found = lookup(["Library_Card", "诊断"], metadata_table().rows)
    assert found["Library_Card"].kind == entry.kind
    assert found["Library_Card"].role == "direct_identifier"
    assert metadata_table().version == "2"
    assert metadata_table().names == {entry.kind: "借阅证号"}


def test_every_version_can_still_be_read(people):
    entry = services.entry_add(**NEW, reason="new source", by=people.planner)
    services.entry_edit(entry.kind, reason="typo", by=people.planner, format="9 digits")
    services.entry_remove(entry.kind, reason="source gone", by=people.planner)
    kinds = [{e.kind: e.format for e in selectors.metadata_entries(v)}.get(entry.kind) for v in (1, 2, 3, 4)]
    assert kinds == [None, "8 digits", "9 digits", None]
    (change,) = selectors.version_changes(3)
    assert (change.before.format, change.after.format) == ("8 digits", "9 digits")
    facts = [e.facts for e in AuditEvent.objects.filter(action="metadata.changed").order_by("seq")]
    assert [(f["added"], f["changed"], f["removed"]) for f in facts] == [(1, 0, 0), (0, 1, 0), (0, 0, 1)]


@pytest.mark.parametrize("who", ["executor", "supervisor", "management", "recipient", "auditor", "superuser"])
def test_who_may_not_edit(people, who):
    with pytest.raises(Refused) as refused:
        services.entry_add(**NEW, reason="x", by=getattr(people, who))
    assert refused.value.verdict.code == "not_an_editor"
    assert not MetadataVersion.objects.exists()
    assert not AuditEvent.objects.filter(action__startswith="metadata.").exists()


def test_a_field_name_belongs_to_one_identifier(people):
    with pytest.raises(ValidationError):
        services.entry_add(**{**NEW, "field_names": ["ID Card"]}, reason="x", by=people.planner)
    assert not MetadataVersion.objects.exists()


def test_nothing_changed_and_no_reason_are_refused(people):
    services.ensure_defaults()
    with pytest.raises(Refused) as refused:
        services.entry_edit("age", reason="none", by=people.planner)
    assert refused.value.verdict.code == "nothing_changed"
    with pytest.raises(Refused):
        services.entry_edit("age", reason=" ", by=people.planner, format="0 to 130")


def test_entries_cannot_be_written_past_the_services(db):
    services.ensure_defaults()
    with pytest.raises(GovernanceBypassed):
        MetadataEntry.objects.update(name="x")
    with pytest.raises(GovernanceBypassed):
        MetadataEntry.objects.first().delete()


# -- import and export ------------------------------------------------------------------------------


def test_export_comes_back_unchanged(people):
    text = exchange.table_write(selectors.metadata_entries())
    for content in (text.encode("utf-8-sig"), text.encode("gb18030"), text.encode("utf-16")):
        read = exchange.table_read(content)
        assert [e.content for e in read] == [e.content for e in selectors.metadata_entries()]
    with pytest.raises(Refused) as refused:
        services.table_replace(read, reason="same", by=people.planner)
    assert refused.value.verdict.code == "nothing_changed"


def test_formulas_are_neutralised_and_restored(people):
    services.entry_add(**{**NEW, "meaning": "=cmd|x"}, reason="x", by=people.planner)
    text = exchange.table_write(selectors.metadata_entries())
    assert "'=cmd|x" in text
    assert ",=cmd" not in text
    assert exchange.table_read(text.encode())[-1].meaning == "=cmd|x"


HEAD = "kind,name,meaning,format,data_types,field_names,role\n"


@pytest.mark.parametrize(
    ("body", "row", "column"),
    [
        (",甲,a,b,,x1,direct\n,乙,a,b,,x2,boss\n", 3, "role"),
        (",甲,a,b,,x1,direct\n,,a,b,,x2,other\n", 3, "name"),
        (",甲,a,b,,x1,direct\n,乙,a,b,,X-1,other\n", 3, "field_names"),
        (",甲,a,b,,x1,direct\n,乙,a,b,other\n", 3, ""),
        (",甲,a,b,,,direct\n", 2, "field_names"),
        ("nonsense,甲,a,b,,x1,direct\n", 2, "kind"),
        (",甲,a,b,,x1,direct\n,甲,a,b,,x2,direct\n", 3, "kind"),
        ("", 2, ""),
    ],
)
def test_a_bad_file_names_row_and_column_and_changes_nothing(people, client, body, row, column):
    with pytest.raises(exchange.BadTable) as bad:
        exchange.table_read((HEAD + body).encode())
    assert (bad.value.problems[0].row, bad.value.problems[0].column) == (row, column)
    client.force_login(people.planner)
    upload = SimpleUploadedFile("t.csv", (HEAD + body).encode() or b"x", content_type="text/csv")
    response = client.post(reverse("organisation:metadata_import"), {"file": upload, "reason": "new table"})
    assert response.status_code == 422
    assert response.context["problems"]
    assert not MetadataVersion.objects.exists()


def test_headings_and_encoding_of_a_bad_file():
    for content, column in ((b"kind,name\n", "meaning"), (HEAD.encode()[:-1] + b",extra\n", "extra")):
        with pytest.raises(exchange.BadTable) as bad:
            exchange.table_read(content)
        assert column in [problem.column for problem in bad.value.problems]
    for content in (b"", b"\xff\xfe\x00", b"\x81", b'name,"a\n', b"PK\x03\x04\x00\x00"):
        with pytest.raises(exchange.BadTable):
            exchange.table_read(content)


def test_import_replaces_the_table(people, client):
    client.force_login(people.administrator)
    body = HEAD + "id_number,身份证,a,b,CHAR,身份证号;sfz,direct\n,工牌,c,d,,badge,direct\n"
    upload = SimpleUploadedFile("t.csv", body.encode("gb18030"))
    response = client.post(reverse("organisation:metadata_import"), {"file": upload, "reason": "our own"})
    assert response.status_code == 302
    assert [e.name for e in selectors.metadata_entries()] == ["身份证", "工牌"]
    assert len(selectors.metadata_entries(1)) == len(DEFAULT_METADATA_TABLE)


# -- pages and API ----------------------------------------------------------------------------------

PAGES = ["page", "metadata", "metadata_versions", "metadata_export", "rules"]


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("who", ["planner", "executor", "auditor", "assessor", "administrator", "superuser"])
def test_everybody_inside_reads(people, client, name, who):
    client.force_login(getattr(people, who))
    assert client.get(reverse(f"organisation:{name}")).status_code == 200


@pytest.mark.parametrize("name", PAGES)
def test_recipients_and_strangers_do_not_read(people, client, name):
    assert client.get(reverse(f"organisation:{name}")).status_code == 302
    client.force_login(people.recipient)
    assert client.get(reverse(f"organisation:{name}")).status_code == 403


def test_pages_add_change_and_remove(people, client):
    client.force_login(people.executor)
    assert client.get(reverse("organisation:metadata_add")).status_code == 403
    client.force_login(people.planner)
    form = {
        **NEW,
        "data_types": "CHAR",
        "field_names": "借阅证号； library_card",
        "kind": "",
        "reason": "new",
    }
    assert client.post(reverse("organisation:metadata_add"), {**form, "name": ""}).status_code == 422
    assert client.post(reverse("organisation:metadata_add"), form).status_code == 302
    kind = services.own_kind(NEW["name"])
    edit = reverse("organisation:metadata_edit", kwargs={"kind": kind})
    assert client.get(edit).status_code == 200
    assert client.post(edit, form).status_code == 422
    assert client.post(edit, {**form, "format": "9 digits"}).status_code == 302
    assert client.get(reverse("organisation:metadata_version", kwargs={"number": 3})).status_code == 200
    old = client.get(reverse("organisation:metadata") + "?version=2")
    assert old.context["shown"] == 2
    assert not old.context["is_current"]
    remove = reverse("organisation:metadata_remove", kwargs={"kind": kind})
    assert client.get(remove).status_code == 405
    mute = client.post(remove, {"remove-reason": " "})
    assert mute.status_code == 422
    assert 'href="#id_remove-reason"' in mute.content.decode()
    assert sent_nowhere(mute.content.decode()) == []
    assert selectors.metadata_entry(kind).format == "9 digits"
    assert client.post(remove, {"remove-reason": "gone"}).status_code == 302
    assert client.get(edit).status_code == 404


def test_a_shipped_text_that_was_not_touched_stays_translatable(people, client):
    client.force_login(people.planner)
    edit = reverse("organisation:metadata_edit", kwargs={"kind": "age"})
    shipped = selectors.metadata_entry("age")
    initial = client.get(edit).context["form"].initial
    client.post(edit, {**initial, "format": "0 to 150", "reason": "old people"})
    assert selectors.metadata_entry("age").meaning == shipped.meaning
    assert selectors.metadata_entry("age").format == "0 to 150"


def test_every_rule_of_the_library_finds_its_own_example():
    for line in library():
        if line.strength:
            assert line.kind in [kind for kind, _start, _end in find_in_text(line.example)], line.kind


def test_a_rule_on_values_stands_in_the_table_its_versions_its_file_and_the_library(people, client):
    before = services.ensure_defaults(by=people.planner)
    shipped = selectors.metadata_entries()
    assert not [entry for entry in shipped if "value_form" in entry.content], "their hashes stay"
    entry = services.entry_add(**NEW, value_form="[0-9]{8}", reason="values too", by=people.planner)
    assert metadata_table().rows[-1].value_form == "[0-9]{8}"
    exported = exchange.table_read(exchange.table_write(selectors.metadata_entries()).encode())
    assert [one.content for one in exported] == [one.content for one in selectors.metadata_entries()]
    changed = selectors.version_changes(before.number + 1)[0].rows
    assert [row[1:] for row in changed if row[2] == "[0-9]{8}"] == [("", "[0-9]{8}")]
    client.force_login(people.auditor)
    for name in ("metadata", "rules"):
        assert "[0-9]{8}" in client.get(reverse(f"organisation:{name}") + "?q=借阅").content.decode()
    rules = client.get(reverse("api:organisation-rules")).json()
    assert [one["role"] for one in rules if one["kind"] == entry.kind] == [str(ColumnRole.DIRECT.label)]
    services.entry_edit(entry.kind, value_form="", reason="names alone", by=people.planner)
    assert not [row for row in metadata_table().rows if row.value_form]


@pytest.mark.parametrize("form", ["(", ".*", r"(a)\1"])
def test_a_form_that_says_nothing_is_refused_at_its_field_in_a_file_and_by_the_api(people, client, form):
    client.force_login(people.planner)
    said = {
        **NEW,
        "data_types": "CHAR",
        "field_names": "借阅证号",
        "kind": "",
        "value_form": form,
        "reason": "new",
    }
    page = client.post(reverse("organisation:metadata_add"), said)
    assert page.status_code == 422
    assert list(page.context["form"].errors) == ["value_form"]
    given = {**NEW, "role": "direct", "value_form": form, "reason": "new"}
    answer = client.post(reverse("api:organisation-metadata"), given, content_type="application/json")
    assert answer.status_code == 400, answer.content
    body = HEAD[:-1] + f",value_form\n,甲,a,b,,x1,direct,{form}\n"
    with pytest.raises(exchange.BadTable) as bad:
        exchange.table_read(body.encode())
    assert [(one.row, one.column) for one in bad.value.problems] == [(2, "value_form")]
    assert not MetadataVersion.objects.exists()


def test_filter(people, client):
    client.force_login(people.executor)
    url = reverse("organisation:metadata")
    assert [e.kind for e in client.get(url + "?q=SFZH").context["entries"]] == ["id_number"]
    sensitive = client.get(url + "?role=sensitive&page=1").context["entries"]
    assert sensitive
    assert {e.role for e in sensitive} == {"sensitive"}
    assert client.get(url + "?version=9").status_code == 404


def test_pages_hold_every_identifier_once_and_keep_what_was_searched_for(people, client):
    client.force_login(people.executor)
    url = reverse("organisation:metadata")
    first = client.get(url)
    pages = [client.get(f"{url}?page={number}") for number in first.context["entries"].paginator.page_range]
    kinds = [entry.kind for page in pages for entry in page.context["entries"]]
    assert sorted(kinds) == sorted(entry.kind for entry in DEFAULT_METADATA_TABLE)
    assert len(first.context["entries"]) == PAGE_ROWS < len(kinds)
    # What a phone folds away stands in the line below the name.
    assert first.content.decode().count('<details class="disclosure"') >= PAGE_ROWS
    narrowed = client.get(url + "?role=direct").content.decode()
    assert "?role=direct&amp;page=2" in narrowed


def test_api(people, client):
    client.force_login(people.planner)
    url = reverse("api:organisation-metadata")
    body = {**NEW, "role": "direct", "reason": "new"}
    created = client.post(url, body, content_type="application/json")
    assert created.status_code == 201
    kind = created.json()["kind"]
    assert len(client.get(url).json()) == len(DEFAULT_METADATA_TABLE) + 1
    assert len(client.get(url + "?version=1").json()) == len(DEFAULT_METADATA_TABLE)
    detail = reverse("api:organisation-metadata-detail", kwargs={"kind": kind})
    changed = client.put(detail, {**body, "format": "9"}, content_type="application/json")
    assert changed.json()["format"] == "9"
    again = client.put(detail, {**body, "format": "9"}, content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (403, "nothing_changed")
    bad = SimpleUploadedFile("t.csv", (HEAD + ",甲,a,b,,x1,boss\n").encode())
    response = client.post(reverse("api:organisation-metadata-file"), {"file": bad, "reason": "x"})
    assert response.json()["problems"][0]["row"] == 2
    assert client.delete(detail, {"reason": "gone"}, content_type="application/json").status_code == 204
    assert client.get(detail).status_code == 404
    assert len(client.get(reverse("api:organisation-metadata-versions")).json()) == 4
    assert client.get(reverse("api:organisation-rules")).json()[0]["kind"] == "id_number"
    client.force_login(people.executor)
    assert client.post(url, body, content_type="application/json").json()["code"] == "not_an_editor"
    client.force_login(people.recipient)
    assert client.get(url).status_code == 403
