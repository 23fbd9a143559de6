"""A database with many projects: a few that were carried through the services, and copies of their rows past services and triggers.

What a copy has beyond its model: ids, people, title, number and days of its own, a source of its own (every fifth project has that of
another), and columns of its own family. The chain of the log does not hold, and no page that is measured looks at it.
"""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.apps import apps
from django.contrib.auth.hashers import make_password
from django.db import connection, models, transaction
from django.utils import timezone
from guardian.models import UserObjectPermission

from approvals.audit.models import AuditEvent
from deid_portal.accounts.models import User
from deid_portal.accounts.services import user_create
from deid_portal.demo.story import Story, csv_bytes
from deid_portal.organisation.services import ensure_defaults
from projects.core.models import Notification, Project
from projects.datasets.models import Dataset
from projects.findings.models import Finding
from projects.workflow import State
from projects.workflow.posts import AppointedPost, Post

SHARES = {
    State.OBJECTIVE_DRAFT: 10,
    State.PLAN_APPROVAL: 5,
    State.IDENTIFICATION: 10,
    State.PROCESSING: 10,
    State.VERIFICATION_REVIEW: 5,
    State.MONITORING: 30,
    State.CLOSED: 30,
}
"""Of a hundred projects, how many are in which state."""
TEAMS = {"planner": 200, "executor": 200, "supervisor": 100, "management": 20, "recipient": 500}
"""People of each role; a planner of 10,000 projects has 50 of them."""
POSTS = {"planner": Post.PLANNER, "recipient": Post.RECIPIENT, "auditor": Post.AUDITOR}
POSTS["administrator"] = Post.ADMINISTRATOR
APPOINTED = {"supervisor": (AppointedPost.SUPERVISOR,), "management": (AppointedPost.MANAGEMENT,)}
SUBJECTS = ("门诊就诊", "住院病案", "检验结果", "慢病随访", "疫苗接种", "出生登记", "医保结算", "急诊分诊")
AIMS = ("流行病学研究", "费用分析", "质量评价", "区域统计", "模型训练", "科研共享")
SURNAMES, GIVEN = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许", "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平"
DAYS = 3 * 365
# Not copied: what people have beside projects, and what is made for every project otherwise.
LEFT = (AuditEvent, Notification)


def fill(projects: int, events: int, say: Callable[[str], Any]) -> None:
    ensure_defaults()
    people = _people()
    stories = {state: _story(people, state, say) for state in SHARES}
    draw = random.Random(37964)
    team = _team(draw)
    say(f"{sum(map(len, team.values()))} people")
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA cache_size = -3000000")
    with transaction.atomic(), _without_triggers():
        made = _projects(projects, stories, team, draw, say)
        _write_rest(made, team, draw)
        say("notifications and findings")
        _events(made, events, stories[State.MONITORING], team, draw)
        say(f"{events:,} rows of the log")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE" if connection.vendor == "sqlite" else "VACUUM ANALYZE")


def _people() -> dict[str, User]:
    people = {}
    for name in (*TEAMS, *(post for post in POSTS if post not in TEAMS)):
        people[name] = User.objects.filter(username=name).first() or user_create(
            username=name,
            password=None,
            full_name=f"{name.title()} Person",
            department="信息中心",
            post=POSTS.get(name, Post.STAFF),
            appointed=APPOINTED.get(name, ()),
            by=None,
        )
    return people


def _story(people: dict[str, User], state: State, say: Callable[[str], Any]) -> Project:
    """What an earlier try has left is taken as it is."""
    title = f"Model {state}"
    if made := Project.objects.filter(title=title, state=state).first():
        return made
    story = Story(people, title, csv_bytes(400), documents=False)
    story.reach(state)
    if state == State.IDENTIFICATION:
        story.upload()
        story.scan()
    if state == State.MONITORING:
        story.fetch()
        story.look_back()
    say(f"model: {state}")
    return story.project


def _team(draw: random.Random) -> dict[str, list[User]]:
    """The people of each role, the first of them that of the stories."""
    password = make_password(None)
    team = {}
    for role, count in TEAMS.items():
        model = User.objects.get(username=role)
        more = []
        if User.objects.filter(username=f"{role}-1").exists():
            team[role] = [model, *User.objects.filter(username__startswith=f"{role}-").order_by("pk")]
            continue
        for n in range(1, count):
            name = draw.choice(SURNAMES) + draw.choice(GIVEN) + draw.choice(GIVEN)
            more.append(_copy(model, username=f"{role}-{n}", full_name=name, password=password))
        models.QuerySet(User).bulk_create(more)
        team[role] = [model, *User.objects.filter(username__startswith=f"{role}-").order_by("pk")]
        appointed = apps.get_model("accounts", "Appointment").objects.filter(account=model)
        for one in list(appointed):
            kind = type(one)
            models.QuerySet(kind).bulk_create(
                [
                    _copy(one, pk=uuid.uuid4() if _by_uuid(kind) else None, account=who)
                    for who in team[role][1:]
                ]
            )
    return team


def _copy(row: Any, **changes: Any) -> Any:
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    del values[row._meta.pk.attname]
    made = type(row)(**values)
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def _by_uuid(model: type[models.Model]) -> bool:
    return isinstance(model._meta.pk, models.UUIDField)


class _without_triggers:
    """The rules of the database let nobody write past the services; whoever measures takes them away and puts them back."""

    def __enter__(self) -> None:
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
                self.kept = cursor.fetchall()
                for name, _sql in self.kept:
                    cursor.execute(f'DROP TRIGGER "{name}"')
                cursor.execute("PRAGMA defer_foreign_keys = ON")
            else:
                cursor.execute("SET LOCAL session_replication_role = replica")

    def __exit__(self, *error: object) -> None:
        # With an error all is undone, the triggers as well.
        if any(error):
            return
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                for _name, sql in self.kept:
                    cursor.execute(sql)
            else:
                cursor.execute("SET LOCAL session_replication_role = origin")


# --- rows of a project ---


class _Table:
    """Rows of one model that belong to a project: as the database has them, with the columns that mean rows elsewhere."""

    def __init__(self, model: type[models.Model], keys: Sequence[Any]) -> None:
        meta: Any = model._meta
        self.model, self.columns = model, [field.column for field in meta.concrete_fields]
        self.place = {column: at for at, column in enumerate(self.columns)}
        self.key = self.place[meta.pk.column]
        self.is_numbered = isinstance(meta.pk, models.AutoField)
        # Column → the table that its value is a key of.
        self.refers = {
            self.place[field.column]: field.related_model._meta.db_table
            for field in meta.concrete_fields
            if field.is_relation
        }
        if "project_id" in self.place:
            self.refers[self.place["project_id"]] = Project._meta.db_table
        quoted = ", ".join(map(connection.ops.quote_name, self.columns))
        keys = [meta.pk.get_db_prep_value(key, connection) for key in keys]
        marks = ", ".join(["%s"] * len(keys))
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT {quoted} FROM {meta.db_table} WHERE {connection.ops.quote_name(meta.pk.column)} IN ({marks})",
                keys,
            )
            self.rows = cursor.fetchall()


def _belonging(project: Project) -> list[_Table]:
    """Every row that belongs to ``project``: that names it, that names such a row, or that one of them has for itself."""
    found: dict[type[models.Model], set[Any]] = {Project: {project.pk}}
    known = [model for model in apps.get_models() if model not in LEFT and model is not User]
    while True:
        before = sum(map(len, found.values()))
        for model in known:
            for field in model._meta.concrete_fields:
                if field.is_relation and field.related_model in found and field.related_model is not User:
                    rows = model._base_manager.filter(
                        **{f"{field.name}__in": list(found[field.related_model])}
                    )
                elif field.name == "project_id" and isinstance(field, models.UUIDField):
                    rows = model._base_manager.filter(project_id=project.pk)
                else:
                    continue
                if keys := set(rows.values_list("pk", flat=True)):
                    found.setdefault(model, set()).update(keys)
            for field in model._meta.concrete_fields:
                if model in found and field.one_to_one and field.related_model is not User:
                    keys = set(
                        model._base_manager.filter(pk__in=found[model]).values_list(field.attname, flat=True)
                    )
                    if keys := keys - {None}:
                        found.setdefault(field.related_model, set()).update(keys)
        if sum(map(len, found.values())) == before:
            return [_Table(model, list(keys)) for model, keys in found.items()]


def _projects(
    count: int,
    stories: dict[State, Project],
    team: dict[str, list[User]],
    draw: random.Random,
    say: Callable[[str], Any],
) -> list[tuple[Any, dict[str, User], datetime, State]]:
    """Each with its id, its people, when it was opened, and its state."""
    states = [state for state, share in SHARES.items() for _one in range(share)]
    tables = {state: _belonging(project) for state, project in stories.items()}
    next_key: dict[str, int] = {}
    now = timezone.now()
    made, waiting = [], dict[type[models.Model], list[list[Any]]]()
    columns = {table.model: table.columns for each in tables.values() for table in each}
    roles = list(team)
    for n in range(count):
        state = states[draw.randrange(100)]
        who = {role: team[role][n % len(team[role])] for role in roles}
        opened = now - timedelta(days=DAYS) * (count - n) / count
        own: dict[tuple[str, Any], Any] = {}
        texts: dict[Any, Any] = {}
        for role in roles:
            own[User._meta.db_table, team[role][0].pk] = who[role].pk
        rows = list(tables[state])
        for table in rows:
            name = table.model._meta.db_table
            for row in table.rows:
                key = row[table.key]
                if (name, key) in own:
                    continue
                if table.is_numbered:
                    if name not in next_key:
                        next_key[name] = 1 + max(table.model._base_manager.values_list("pk", flat=True))
                    own[name, key], next_key[name] = next_key[name], next_key[name] + 1
                elif table.key not in table.refers:
                    fresh = uuid.UUID(int=draw.getrandbits(128), version=4)
                    own[name, key] = fresh.hex if isinstance(key, str) else fresh
                    # Some columns hold an id and are no key of the database's.
                    texts[key] = own[name, key]
                    texts[str(uuid.UUID(key) if isinstance(key, str) else key)] = str(fresh)
        for table in rows:
            name = table.model._meta.db_table
            for row in table.rows:
                other = [
                    own.get((table.refers[at], value), value)
                    if at in table.refers
                    else texts.get(value, value)
                    if isinstance(value, (str, uuid.UUID))
                    else value
                    for at, value in enumerate(row)
                ]
                if table.key not in table.refers:
                    other[table.key] = own.get((name, row[table.key]), row[table.key])
                _own(table, other, n, opened, draw)
                waiting.setdefault(table.model, []).append(other)
        project = own[Project._meta.db_table, _stored(stories[state].pk)]
        made.append((uuid.UUID(project) if isinstance(project, str) else project, who, opened, state))
        if n % 1000 == 999 or n == count - 1:
            for model, rows_of in waiting.items():
                _insert(model._meta.db_table, columns[model], rows_of)
            waiting.clear()
            say(f"{n + 1:,} projects")
    for name in next_key:
        _go_on(name)
    return made


def _stored(key: uuid.UUID) -> Any:
    return key.hex if connection.vendor == "sqlite" else key


def _own(table: _Table, row: list[Any], n: int, opened: datetime, draw: random.Random) -> None:
    """What a copy has of its own beside ids."""
    place = table.place
    if table.model is Project:
        row[place["number"]] = f"{opened.year}-{10_000 + n}"
        row[place["title"]] = f"{draw.choice(SUBJECTS)}数据用于{draw.choice(AIMS)} {n}"
        row[place["created_at"]] = _moment(opened)
        row[place["state_since"]] = _moment(opened + timedelta(days=draw.randrange(60)))
    elif table.model is Dataset:
        # Every fifth project is about the source of the one before; a family has the same columns.
        row[place["sha256"]] = f"{n - (n % 5 == 4):064x}"
        row[place["columns"]] = json.dumps(
            [f"{one}_{n // 10}" for one in json.loads(row[place["columns"]])],
            ensure_ascii=connection.vendor != "sqlite",
        )
    elif {"name", "scope"} <= place.keys() and row[place["name"]]:
        row[place["name"]] = uuid.UUID(int=draw.getrandbits(128)).hex
    for name in ("released_at", "measured_at"):
        if name in place and row[place[name]] is not None:
            row[place[name]] = _moment(opened + timedelta(days=40, seconds=n))


def _moment(when: datetime) -> Any:
    return when.strftime("%Y-%m-%d %H:%M:%S.%f") if connection.vendor == "sqlite" else when


def _insert(table: str, columns: Sequence[str], rows: Iterator[list[Any]] | list[list[Any]]) -> None:
    quoted = ", ".join(map(connection.ops.quote_name, columns))
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            marks = ", ".join(["?"] * len(columns))
            connection.connection.executemany(f"INSERT INTO {table} ({quoted}) VALUES ({marks})", rows)
        else:
            with cursor.copy(f"COPY {table} ({quoted}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)


def _go_on(table: str) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}")


# --- what every project has, and the log ---


def _write_rest(made: Sequence[Any], team: dict[str, list[User]], draw: random.Random) -> None:
    """Rights to view, notifications, and findings that are open."""
    right = UserObjectPermission.objects.filter(permission__codename="view_project").values(
        "permission_id", "content_type_id"
    )[0]
    notes, rights, findings = [], [], []
    for n, (pk, who, opened, _state) in enumerate(made):
        for role in ("planner", "executor", "supervisor", "management"):
            rights.append(UserObjectPermission(user=who[role], object_pk=str(pk), **right))
            for days in (1, 20):
                note = Notification(
                    user=who[role], project_id=pk, action="project.created", actor=who["planner"].full_name
                )
                note.at = opened + timedelta(days=days)
                note.read_at = note.at if n % 10 else None
                notes.append(note)
        if n % 4 == 0:
            findings.append(
                Finding(
                    project_id=pk, number=1, source="other", stage="release", severity="minor", title="记录不全",
                    description="抽查记录缺少依据。", raised_by=who["supervisor"], raised_at=opened,
                    owner=who["executor"], due_on=(opened + timedelta(days=90)).date(),
                    status="open" if n % 8 == 0 else "acted",
                )
            )  # fmt: skip
    models.QuerySet(UserObjectPermission).bulk_create(rights, batch_size=2000)
    models.QuerySet(Notification).bulk_create(notes, batch_size=2000)
    models.QuerySet(Finding).bulk_create(findings, batch_size=2000)


def _events(
    made: Sequence[Any], count: int, project: Project, team: dict[str, list[User]], draw: random.Random
) -> None:
    """The events of the model again and again, of one project after the other as time goes on."""
    names = [field.column for field in AuditEvent._meta.concrete_fields]
    quoted = ", ".join(map(connection.ops.quote_name, names))
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {quoted} FROM audit_auditevent WHERE project_id = %s ORDER BY seq", [_stored(project.pk)]
        )
        story = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        cursor.execute("SELECT max(seq) FROM audit_auditevent")
        start = cursor.fetchone()[0] + 1
    roles = list(team)
    since = timezone.now() - timedelta(days=DAYS)

    def rows() -> Iterator[list[Any]]:
        for n in range(count):
            at = since + timedelta(days=DAYS * n / count)
            # Whatever was opened by then; the younger ones have most.
            known = max(1, len(made) * n // count)
            place = known - 1 - min(known - 1, int(draw.expovariate(3 / known)))
            pk, who, _opened, _state = made[place]
            model = story[0] if n % 100 == 0 else story[draw.randrange(len(story))]
            person = who[roles[n % 4]]
            act = uuid.UUID(int=draw.getrandbits(128), version=4)
            row = model | {
                "seq": start + n,
                "at": _moment(at),
                "act": _stored(act),
                "actor_id": str(person.pk),
                "actor": person.full_name,
                "project_id": _stored(pk),
                "hash": f"{n:064x}",
                "previous_hash": f"{n - 1:064x}" if n else "0" * 64,
            }
            yield [row[name] for name in names]

    _insert("audit_auditevent", names, rows())
