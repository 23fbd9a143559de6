"""People who come in by a table: every row is checked and shown, and all of them are made together, or nobody."""

from __future__ import annotations

import io
import re
from datetime import timedelta

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.audit.verify import verify
from approvals.governance.verdict import Refused
from deid_portal.accounts.appointments.services import appointment_decide, appointment_give
from deid_portal.accounts.intake.plan import Action
from deid_portal.accounts.intake.services import intake_carry_out, intake_look
from deid_portal.accounts.leaving.services import leaving_record
from deid_portal.accounts.models import Appointment, User
from deid_portal.accounts.services import user_create, user_edit
from deid_portal.organisation.exchange import BadTable
from projects.workflow.posts import AppointedPost, Post
from tests.deid_portal.accounts.test_accounts import BACKEND

pytestmark = pytest.mark.django_db
HEADING = "username,full_name,department,email,post,access_until,appointed_to\n"
PEOPLE = (
    HEADING
    + "li.lei,李雷,信息科,li.lei@example.org,staff,,supervisor；management\n"
    + "han.meimei,韩梅梅,质控科,,planner,,\n"
)


@pytest.fixture
def administrator(people):
    return people.administrator


def look(text, by):
    return intake_look(text if isinstance(text, bytes) else text.encode(), by=by)


def take_in(text, by, reason="list 7 of the personnel office"):
    return intake_carry_out(text.encode(), fingerprint=look(text, by).fingerprint, reason=reason, by=by)


def problems(text, by):
    return [(one.row, one.column) for one in look(text, by).problems]


def in_file(text, by):
    with pytest.raises(BadTable) as bad:
        look(text, by)
    return [(one.row, one.column) for one in bad.value.problems]


def code(act):
    with pytest.raises(Refused) as refusal:
        act()
    return refusal.value.verdict.code


def test_people_are_made_with_passwords_of_their_own_and_posts_wait_for_a_second_administrator(administrator):
    before = AuditEvent.objects.count()
    plan = look(PEOPLE, administrator)
    assert (plan.created, plan.changed, plan.kept, plan.proposed) == (2, 0, 0, 3)
    assert not User.objects.filter(username="li.lei").exists()
    assert AuditEvent.objects.count() == before
    made = take_in(PEOPLE, administrator)
    (lei, first), (meimei, second) = made
    assert (lei.username, lei.full_name, lei.department, lei.post) == ("li.lei", "李雷", "信息科", Post.STAFF)
    assert lei.must_change_password
    assert first != second
    assert User.objects.get(pk=lei.pk).check_password(first)
    assert User.objects.get(pk=meimei.pk).check_password(second)
    assert lei.origin == (administrator.origin or administrator)
    assert set(
        Appointment.objects.filter(account__in=(lei, meimei)).values_list("account", "post", "status")
    ) == {
        (lei.pk, "supervisor", "waits"),
        (lei.pk, "management", "waits"),
        (meimei.pk, "planner", "waits"),
    }
    assert not lei.holds(AppointedPost.SUPERVISOR)
    said = AuditEvent.objects.get(action="user.taken_in")
    assert (said.facts["created"], said.facts["proposed"], said.reason) == (
        2,
        3,
        "list 7 of the personnel office",
    )
    assert AuditEvent.objects.filter(seq__gt=said.seq, action="user.created").count() == 2
    assert verify().sound


def test_an_account_that_is_there_is_changed_where_the_table_says_something_else(administrator):
    take_in(PEOPLE, administrator)
    again = look(PEOPLE, administrator)
    assert (again.created, again.changed, again.kept, again.does_something) == (0, 0, 2, False)
    assert code(lambda: take_in(PEOPLE, administrator)) == "nothing_to_take_in"
    text = "用户名,姓名,部门,岗位\nli.lei,李雷,护理部,staff\nhan.meimei,韩梅梅,,\n".replace("staff", "staff")
    plan = look(text, administrator)
    assert [
        (row.action, [(one.name, one.before, one.after) for one in row.changes]) for row in plan.rows
    ] == [
        (Action.CHANGE, [("department", "信息科", "护理部")]),
        (Action.KEEP, []),
    ]
    assert take_in(text, administrator) == []
    assert User.objects.get(username="li.lei").department == "护理部"
    assert User.objects.get(username="han.meimei").department == "质控科"
    assert User.objects.get(username="li.lei").email == "li.lei@example.org"


def test_a_post_that_is_held_is_not_proposed_again(administrator):
    take_in(PEOPLE, administrator)
    second = user_create(username="two", password=None, full_name="Two", post=Post.ADMINISTRATOR, by=None)
    for one in Appointment.objects.filter(status="waits"):
        appointment_decide(one, confirm=True, by=second)
    assert look(PEOPLE, administrator).proposed == 0


def test_what_was_not_looked_at_is_not_made(administrator):
    seen = look(PEOPLE, administrator).fingerprint
    other = PEOPLE.replace("staff", "recipient").replace("supervisor；management", "")
    act = {"fingerprint": seen, "reason": "list", "by": administrator}
    assert code(lambda: intake_carry_out(other.encode(), **act)) == "people_changed"
    user_create(username="li.lei", password=None, full_name="李蕾", by=administrator)
    assert code(lambda: intake_carry_out(PEOPLE.encode(), **act)) == "people_changed"
    assert not User.objects.filter(username="han.meimei").exists()


def test_nobody_is_made_where_one_row_fails(administrator, people):
    text = HEADING + "li.lei,李雷,,,staff,,\nnobody,,,,staff,,\n"
    with pytest.raises(BadTable):
        take_in(text, administrator)
    assert code(lambda: take_in(PEOPLE, administrator, reason=" ")) == "intake_reason_needed"
    assert code(lambda: look(PEOPLE, people.planner)) == "not_an_administrator"
    assert not User.objects.filter(username="li.lei").exists()


@pytest.mark.parametrize(
    ("row", "column"),
    [
        (",李雷,,,staff,,", "username"),
        ("li lei,李雷,,,staff,,", "username"),
        ("EXECUTOR,李雷,,,staff,,", "username"),
        ("li.lei,=1+1,,,staff,,", "full_name"),
        ("li.lei,@SUM(A1),,,staff,,", "full_name"),
        ("li.lei,'=1+1,,,staff,,", "full_name"),
        ("li.lei,李\u202e雷,,,staff,,", "full_name"),
        ("li.lei,李\u200b雷,,,staff,,", "full_name"),
        ("li.lei," + "长" * 81 + ",,,staff,,", "full_name"),
        ("li.lei,李雷,,not an address,staff,,", "email"),
        ("li.lei,李雷,,,king,,", "post"),
        ("executor,,,,planner,,", "post"),
        ("li.lei,李雷,,,staff,2027-02-30,", "access_until"),
        ("li.lei,李雷,,,staff,2020-01-01,", "access_until"),
        ("li.lei,李雷,,,assessor,,", "access_until"),
        ("li.lei,李雷,,,staff,,planner", "appointed_to"),
        ("li.lei,李雷,,,recipient,,supervisor", "appointed_to"),
        ("administrator,,,,,,administrator;auditor", "appointed_to"),
    ],
)
def test_each_cell_is_checked(administrator, row, column):
    found = problems(HEADING + row + "\n", administrator)
    assert found == [(2, column)]


def test_the_same_user_name_twice_is_refused_and_namesakes_are_pointed_out(administrator, people):
    text = (
        HEADING + f"a.b,{people.executor.full_name},,,,,\nA.B,Other,,,,,\nｃ.d,Other,,,,,\nc.d,Third,,,,,\n"
    )
    plan = look(text, administrator)
    assert [(one.row, one.column) for one in plan.problems] == [(3, "username"), (5, "username")]
    assert "executor" in plan.rows[0].notes[0]
    assert plan.rows[1].notes
    assert not plan.rows[3].notes


def test_who_has_left_does_not_come_back_under_the_same_name(administrator, people):
    leaving_record(people.outsider, reason="moved", agreed="silent", by=administrator)
    assert problems(HEADING + f"{people.outsider.username},,,,,,\n", administrator) == [(2, "username")]


def test_a_file_says_what_is_wrong_with_it(administrator):
    assert in_file("username\nli.lei\n", administrator) == [(1, "full_name")]
    assert in_file("username,full_name,salary\nli.lei,李雷,1\n", administrator) == [(1, "salary")]
    assert in_file("username,full_name,姓名\nli.lei,李雷,1\n", administrator) == [(1, "full_name")]
    assert in_file("username,full_name\nli.lei,李雷,1\nx,y\nz\n", administrator) == [(2, ""), (4, "")]
    assert in_file("username,full_name\n", administrator) == [(2, "")]
    assert in_file("", administrator) == [(1, "")]
    assert in_file(b"\xd0\xcf\x11\xe0 old", administrator) == [(1, "")]
    assert in_file(b"PK\x03\x04 no workbook", administrator) == [(1, "")]
    assert in_file("username,full_name\n" + "a,b\n" * 201, administrator) == [(202, "")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_any_usual_encoding_is_read(administrator, encoding):
    text = "用户名;姓名;部门\nli.lei;李雷;信息科\n\nhan.meimei;韩梅梅;质控科\n"
    plan = look(text.encode(encoding), administrator)
    assert [(row.place, row.full_name) for row in plan.rows] == [(2, "李雷"), (4, "韩梅梅")]


def workbook(*rows):
    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def test_a_workbook_is_read_with_its_days_and_numbers(administrator):
    until = timezone.localdate() + timedelta(days=30)
    content = workbook(["用户名", "姓名", "岗位", "访问截止日期"], [10023, "李雷", "外部评估人员", until])
    plan = look(content, administrator)
    assert plan.problems == []
    (row,) = plan.rows
    assert (row.username, row.full_name, row.post, row.access_until) == (
        "10023",
        "李雷",
        Post.ASSESSOR,
        until,
    )


def sign_in(person):
    client = Client(headers={"accept-language": "en"})
    client.force_login(person, backend=BACKEND)
    return client


def upload(text):
    return SimpleUploadedFile("people.csv", text.encode())


def test_the_page_shows_what_would_be_done_then_does_it_and_shows_passwords_once(administrator):
    client, address = sign_in(administrator), reverse("accounts:intake")
    shown = client.post(address, {"file": upload(PEOPLE)}).content.decode()
    assert "Accounts to be created: 2" in shown
    hidden = dict(re.findall(r'name="(table|fingerprint)" value="([^"]*)"', shown))
    assert client.post(address, hidden).status_code == 422
    assert not User.objects.filter(username="li.lei").exists()
    done = client.post(address, hidden | {"reason": "list 7"})
    (password,) = re.findall(r"li\.lei</td>.*?<code>(.*?)</code>", done.content.decode(), re.S)[:1]
    assert User.objects.get(username="li.lei").check_password(password)
    again = client.post(address, hidden | {"reason": "list 7"}).content.decode()
    assert password not in again
    assert "already as the table says" in again


def test_the_page_names_each_problem_by_row_and_column(administrator):
    shown = sign_in(administrator).post(
        reverse("accounts:intake"), {"file": upload(HEADING + "li.lei,=1,,,king,,\n")}
    )
    assert shown.status_code == 422
    text = shown.content.decode()
    assert "Nobody was taken in: 2 problems" in text
    assert "takes for a formula" in text
    assert "Not a post" in text


def test_the_api_previews_and_carries_out_by_the_fingerprint(administrator):
    client, address = sign_in(administrator), reverse("api:account-intake")
    plan = client.post(address, {"file": upload(PEOPLE)}).json()
    assert (plan["created"], plan["rows"][0]["proposed"]) == (2, ["supervisor", "management"])
    wrong = client.post(address, {"file": upload(PEOPLE), "fingerprint": "0" * 64, "reason": "list"})
    assert (wrong.status_code, wrong.json()["code"]) == (403, "people_changed")
    made = client.post(
        address, {"file": upload(PEOPLE), "fingerprint": plan["fingerprint"], "reason": "list"}
    )
    assert made.status_code == 201
    assert User.objects.get(username="li.lei").check_password(made.json()[0]["one_time_password"])
    bad = client.post(address, {"file": upload(HEADING + ",,,,,,x\n")})
    assert (bad.status_code, bad.json()["problems"][0]["row"]) == (400, 2)


def test_an_appointment_that_is_refused_undoes_everything(administrator, people):
    """What is given by somebody else between preview and act changes the plan, and nothing of it is made."""
    text = HEADING + f"{people.executor.username},,新部门,,,,management\n"
    seen = look(text, administrator).fingerprint
    appointment_give(
        people.executor,
        post=AppointedPost.MANAGEMENT,
        starts_on=timezone.localdate(),
        reason="meanwhile",
        by=administrator,
    )
    act = {"fingerprint": seen, "reason": "list", "by": administrator}
    assert code(lambda: intake_carry_out(text.encode(), **act)) == "people_changed"
    assert User.objects.get(pk=people.executor.pk).department != "新部门"


def test_a_day_of_access_that_is_not_named_stays(administrator, people):
    until = timezone.localdate() + timedelta(days=9)
    user_edit(
        people.executor, full_name="Executor", department="", email="", access_until=until, by=administrator
    )
    take_in(HEADING + "executor,Renamed,,,,,\n", administrator)
    assert User.objects.get(username="executor").access_until == until
