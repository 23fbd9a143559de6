"""What a table of people would do: every row checked against the accounts that there are, before anything is made."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from datetime import date

from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from approvals.governance.person import Person
from approvals.passages import passage
from deid_portal.organisation.exchange import Problem, list_read
from projects.workflow.posts import COMES_WITH, LIMITED, OPEN_TO, AppointedPost, Post, TenureKind

from ..appointments.rules import may_appoint
from ..models import Leaving, User
from .files import Cells

_FORMULA = ("=", "+", "-", "@", "'")
_DAY = re.compile(r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?(?:[ T]00:00(?::00(?:\.0+)?)?)?")
# Controls, what turns the direction of writing, what is not seen, halves of pairs, line separators.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_PLAIN = ("full_name", "department", "email")


class Action(models.TextChoices):
    """What becomes of the account of a row."""

    CREATE = "create", gettext_lazy("To be created")
    CHANGE = "change", gettext_lazy("To be changed")
    KEEP = "keep", gettext_lazy("Left as it is")


@dataclass(frozen=True)
class Change:
    """One field of an account, before and after, as text."""

    name: str
    before: str
    after: str

    @property
    def label(self) -> str:
        return str(User._meta.get_field(self.name).verbose_name)  # type: ignore[union-attr]


@dataclass
class Row:
    """What one row would do; ``values`` are what the account is given."""

    place: int
    username: str
    values: dict[str, str] = field(default_factory=dict)
    post: str = ""
    action: Action = Action.KEEP
    changes: list[Change] = field(default_factory=list)
    posts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def full_name(self) -> str:
        return self.values["full_name"]

    @property
    def post_label(self) -> str:
        return str(Post(self.post).label)

    @property
    def proposed(self) -> list[str]:
        """What waits for a second administrator afterwards: the posts asked for, and the one that a new account is made for."""
        own = COMES_WITH.get(Post(self.post)) if self.action == Action.CREATE else None
        return [*([own.value] if own else []), *self.posts]

    @property
    def proposed_labels(self) -> list[str]:
        return [str(AppointedPost(one).label) for one in self.proposed]

    @property
    def access_until(self) -> date | None:
        return date.fromisoformat(self.values["access_until"]) if self.values["access_until"] else None


@dataclass
class Plan:
    """All rows, and what stands in the way: with one problem nothing of the table is made."""

    rows: list[Row]
    problems: list[Problem]

    def count(self, action: Action) -> int:
        return sum(row.action == action for row in self.rows)

    @property
    def created(self) -> int:
        return self.count(Action.CREATE)

    @property
    def changed(self) -> int:
        return self.count(Action.CHANGE)

    @property
    def kept(self) -> int:
        return self.count(Action.KEEP) - sum(
            row.action == Action.KEEP and bool(row.posts) for row in self.rows
        )

    @property
    def proposed(self) -> int:
        """Posts that wait for a second administrator afterwards."""
        return sum(len(row.proposed) for row in self.rows)

    @property
    def does_something(self) -> bool:
        return bool(self.created or self.changed or self.proposed)

    @property
    def fingerprint(self) -> str:
        """Of all that would be done: what is carried out is what was looked at, or nothing."""
        said = [{**asdict(row), "notes": None} for row in self.rows]
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def plan_of(table: list[Cells], *, by: Person) -> Plan:
    """What ``by`` would do with the table now."""
    accounts = {user.username: user for user in User.objects.prefetch_related("appointments")}
    known = {user.username.casefold(): user for user in accounts.values()} | accounts
    left = set(Leaving.objects.values_list("account", flat=True))
    names: dict[str, list[str]] = {}
    for user in accounts.values():
        names.setdefault(user.full_name.casefold(), []).append(user.username)
    problems: list[Problem] = []
    rows: list[Row] = []
    places: dict[str, int] = {}
    for cells in table:
        found: list[Problem] = []
        row = _row(cells, known, left, by, found)
        first = places.setdefault(row.username.casefold(), row.place)
        if first != row.place and row.username:
            text = _("The same user name is in row %(row)s already. Keep one of the two rows.")
            found.append(Problem(row.place, "username", text % {"row": first}))
        rows.append(row)
        problems += found
    for row in rows:
        if row.action == Action.CREATE:
            _note_namesakes(row, rows, names)
    return Plan(rows, sorted(problems, key=lambda one: one.row))


Wrong = Callable[[str, str], None]


def _row(cells: Cells, known: dict[str, User], left: set[int], by: Person, problems: list[Problem]) -> Row:
    given = {name: unicodedata.normalize("NFC", text) for name, text in cells.of.items()}
    # As the form of an account does: what looks alike is one name.
    given["username"] = unicodedata.normalize("NFKC", given["username"])
    row = Row(cells.place, given["username"])

    def wrong(column: str, text: str) -> None:
        problems.append(Problem(cells.place, column, text))

    for name, text in given.items():
        _harmless(name, text, wrong)
    account = known.get(row.username) or known.get(row.username.casefold())
    if not row.username:
        wrong("username", _("This cell is empty. Give a user name."))
    elif account is not None and account.username != row.username:
        text = _(
            "There is an account %(known)s, which differs in capital letters alone. Write it that way, or choose another name."
        )
        wrong("username", text % {"known": account.username})
    elif account is not None and account.pk in left:
        wrong(
            "username",
            _("This person has left; who comes back gets a new account. Choose another user name."),
        )
    post = _post_of(given.get("post", ""), account, wrong)
    until = _day_of(given.get("access_until", ""), wrong)
    if account is None:
        values = {name: given.get(name, "") for name in _PLAIN} | {"access_until": until}
    else:
        stored = {name: str(getattr(account, name) or "") for name in (*_PLAIN, "access_until")}
        sent = {name: given.get(name, "") for name in _PLAIN} | {"access_until": until}
        # An empty cell, like a column that is not there, leaves what is known.
        values = {name: sent[name] or stored[name] for name in stored}
        row.changes = [
            Change(name, stored[name], values[name]) for name in stored if values[name] != stored[name]
        ]
    row.values, row.post = values, post.value
    row.action = Action.CREATE if account is None else Action.CHANGE if row.changes else Action.KEEP
    if post in LIMITED and not values["access_until"]:
        needed = _("External assessors and invited testers need an end date. Give the last day of access.")
        wrong("access_until", needed)
    _as_the_account_says(row, wrong)
    row.posts = [one.value for one in _posts_of(given.get("appointed_to", ""), account, post, by, wrong)]
    return row


def _harmless(name: str, text: str, wrong: Wrong) -> None:
    unseen = [sign for sign in text if unicodedata.category(sign) in _UNSEEN]
    if unseen:
        said = _("Holds a sign that cannot be seen (U+%(code)s). Type the text anew.")
        wrong(name, said % {"code": f"{ord(unseen[0]):04X}"})
    if text.startswith(_FORMULA):
        said = _("Begins with “%(sign)s”, which a spreadsheet takes for a formula. Write it without.")
        wrong(name, said % {"sign": text[0]})


def _post_of(text: str, account: User | None, wrong: Wrong) -> Post:
    """What kind of account it is; said for a new one, and never another one afterwards."""
    own = Post(account.post) if account is not None else None
    if not text:
        return own or Post.STAFF
    chosen = _choice(Post, text)
    if chosen is None:
        wrong("post", _("Not a post; possible are: %(posts)s.") % {"posts": _(", ").join(Post.values)})
    elif own is not None and chosen != own:
        said = _(
            "This account is %(post)s for good; who changes post gets a new account under another user name."
        )
        wrong("post", said % {"post": own.label})
    return own or (Post(chosen) if chosen is not None else Post.STAFF)


def _choice(vocabulary: type[models.TextChoices], text: str) -> str | None:
    """The value that ``text`` is, or of which it is the label in one of the portal's languages, whole or without its brackets."""
    wanted = text.casefold()
    for language in ("zh-hans", "en"):
        with translation.override(language):
            for one in vocabulary:
                label = str(one.label).casefold()
                if wanted in (one.value, label, re.split(r"\s*[(（]", label)[0]):
                    return str(one.value)
    return None


def _day_of(text: str, wrong: Wrong) -> str:
    if not text:
        return ""
    written = _DAY.fullmatch(text)
    try:
        day = date(*map(int, written.groups())) if written else None
    except ValueError:
        day = None
    if day is None:
        wrong("access_until", _("Not a day. Write it as 2027-12-31."))
        return ""
    if day < timezone.localdate():
        wrong(
            "access_until",
            _("This day is over. Give a later one; who is to lose access now is deactivated on their page."),
        )
    return day.isoformat()


def _as_the_account_says(row: Row, wrong: Wrong) -> None:
    """The fields by the rules of the account itself: lengths, signs, the form of an address."""
    filled = [name for name in ("username", *_PLAIN) if {"username": row.username, **row.values}[name]]
    account = User(username=row.username, **{name: row.values[name] for name in _PLAIN}, post=row.post)
    others = [one.name for one in User._meta.fields if one.name not in filled]
    try:
        account.clean_fields(exclude=others)
    except ValidationError as error:
        for name, messages in error.message_dict.items():
            wrong(name, passage(messages))
    if not row.full_name:
        wrong("full_name", _("This cell is empty. Give the person's name."))


def _posts_of(
    text: str, account: User | None, post: Post, by: Person, wrong: Wrong
) -> Iterable[AppointedPost]:
    """The posts to propose: those that the account neither holds nor waits for."""
    today = timezone.localdate()
    for part in list_read(text):
        value = _choice(AppointedPost, part)
        chosen = AppointedPost(value) if value is not None else None
        if chosen is None or chosen not in OPEN_TO[post]:
            open_to = _(", ").join(one.value for one in OPEN_TO[post]) or "–"
            said = _("An account of this kind is not appointed to “%(part)s”; possible are: %(posts)s.")
            wrong("appointed_to", said % {"part": part, "posts": open_to})
        elif account is None:
            if COMES_WITH.get(post) != chosen:
                yield chosen
        elif account.tenure(chosen).kind in (TenureKind.NONE, TenureKind.OVER):
            verdict = may_appoint(by, account, chosen, starts_on=today, ends_on=None)
            if verdict:
                yield chosen
            else:
                wrong("appointed_to", str(verdict.text))


def _note_namesakes(row: Row, rows: list[Row], names: dict[str, list[str]]) -> None:
    others = [*names.get(row.full_name.casefold(), ())]
    others += [one.username for one in rows if one is not row and one.full_name == row.full_name]
    if others and row.full_name:
        text = _(
            "Has the name of %(others)s. If that is the same person, remove this row, or link the accounts on the person's page."
        )
        row.notes.append(text % {"others": _(", ").join(sorted(set(others)))})
