"""The search: who finds what, that what is hidden stays hidden, and what it costs."""

from __future__ import annotations

import json
import logging
from html import escape

import pytest
from django.db import connection, models
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from approvals.audit.models import AuditEvent
from deid_portal.search.enums import Group
from deid_portal.search.presentation import search
from deid_portal.search.selectors import MOST
from projects.core.models import Membership, Project
from projects.core.selectors import visible_projects
from projects.core.services import member_end, project_create
from projects.datasets.models import Dataset, Table
from projects.datasets.tables.columns import columns_named
from projects.releases.models import Release
from tests.access.test_many_rows import clone
from tests.fixtures import make_project
from tests.projects.releases import stories
from tests.projects.releases.relatives.outside.steps import recorded

START = stories.released
BACKEND = "deid_portal.accounts.backends.AccountBackend"
PAGE, API = reverse("search:page"), reverse("api:search")
pytestmark = pytest.mark.django_db


@pytest.fixture
def released(own_start):
    return own_start.story.project


@pytest.fixture
def hidden(people, released):
    """A project of other people, whose data set has a column of its own beside those of the released one."""
    project = project_create(title="Visits of elsewhere", by=people.outsider)
    source = Dataset.objects.filter(project=released).first()
    table = Table.objects.get(project=project)
    stored = clone(source.stored, name="", scope="")
    columns = [*source.columns, "secret_marker"]
    clone(source, project=project, table=table, stored=stored, sample=None, columns=columns, replaces=None)
    return project


def found(user, query, group):
    with translation.override("en"):
        return next((hits for hits in search(user, query) if hits.group == group), None)


def texts(user, query, group):
    hits = found(user, query, group)
    return [hit.text for hit in hits.hits] if hits else []


def shown(client, user, query, language="en"):
    client.force_login(user, backend=BACKEND)
    return client.post(PAGE, {"query": query}, headers={"accept-language": language})


class TestOutside:
    def test_who_reads_the_entries_finds_them_by_name_source_recipient_or_mark(self, people, released):
        entry = recorded(people, name="Cards of a ward", source="The ward's own book")
        for query in ("cards", "own book", "City health", entry.mark):
            assert texts(people.planner, query, Group.OUTSIDE) == [str(entry)], query
            assert texts(people.auditor, query, Group.OUTSIDE) == [str(entry)], query
        for who in (people.executor, people.recipient, people.administrator, people.superuser):
            assert texts(who, "cards", Group.OUTSIDE) == []
        (hit,) = found(people.planner, "cards", Group.OUTSIDE).hits
        assert hit.detail == f"The ward's own book · {entry.released_on.isoformat()} · In force"


class TestProjects:
    def test_by_number_or_title_those_that_one_may_see(self, people, released, hidden):
        for query in (released.number, "visits"):
            assert texts(people.executor, query, Group.PROJECTS) == [str(released)]
        assert texts(people.outsider, "visits", Group.PROJECTS) == [str(hidden)]
        assert texts(people.auditor, "visits", Group.PROJECTS) == [str(hidden), str(released)]
        for who in (people.administrator, people.superuser, people.recipient):
            assert texts(who, "visits", Group.PROJECTS) == []

    def test_a_wildcard_is_a_sign_like_others(self, people, released):
        for query in ("%", "_", "V%s", "\\", "v_sits"):
            assert texts(people.planner, query, Group.PROJECTS) == []
        other = make_project(people, "100% of a_b\\c")
        for query in ("%", "a_b", "\\", "0% o"):
            assert texts(people.planner, query, Group.PROJECTS) == [str(other)]

    def test_ten_are_shown_and_only_an_eleventh_is_more(self, people, released):
        for number in range(MOST - 1):
            make_project(people, f"Visits {number}")
        ten = found(people.planner, "visits", Group.PROJECTS)
        assert (len(ten.hits), ten.more) == (MOST, False)
        make_project(people, "Visits once more")
        assert found(people.planner, "visits", Group.PROJECTS).more
        assert len(found(people.planner, "visits", Group.PROJECTS).hits) == MOST


class TestReleases:
    def test_a_recipient_finds_what_was_released_to_them_alone(self, people, released, hidden):
        (hit,) = found(people.recipient, "visits", Group.RELEASES).hits
        release = Release.objects.get()
        assert (hit.text, hit.url) == (str(released), reverse("recipient:detail", args=[release.pk]))
        assert hit.project is None
        assert [hits.group for hits in search(people.recipient, "visits")] == [Group.RELEASES]
        assert found(people.planner, "visits", Group.RELEASES) is None

    def test_a_former_recipient_finds_nothing(self, people, released):
        member_end(Membership.objects.get(project=released, user=people.recipient), by=people.planner)
        assert search(people.recipient, "visits") == []


class TestColumns:
    def test_of_the_current_data_set_with_the_way_to_its_identification(self, people, released, hidden):
        column = Dataset.objects.filter(project=released).first().columns[0]
        hits = found(people.executor, column, Group.COLUMNS)
        url = reverse("identification:page", args=[released.pk])
        assert [(hit.text, hit.detail, hit.url) for hit in hits.hits if hit.text == column] == [
            (column, str(released), url)
        ]
        assert {hit.project for hit in hits.hits} == {released.pk}

    def test_another_projects_column_never_appears(self, client, people, hidden):
        for who in ("planner", "executor", "recipient", "administrator", "superuser"):
            assert texts(getattr(people, who), "secret_marker", Group.COLUMNS) == []
            # The page repeats what was searched for, and that alone.
            assert (
                shown(client, getattr(people, who), "secret_m").content.decode().count("secret_marker") == 0
            )
        for who in (people.outsider, people.auditor):
            assert texts(who, "secret_m", Group.COLUMNS) == ["secret_marker"]

    def test_one_of_an_earlier_data_set_is_none(self, people, hidden):
        now = Dataset.objects.get(project=hidden)
        stored = clone(now.stored, name="", scope="")
        clone(now, stored=stored, columns=["other"], replaces=now)
        assert texts(people.outsider, "secret_m", Group.COLUMNS) == []
        assert texts(people.outsider, "othe", Group.COLUMNS) == ["other"]

    def test_signs_of_the_stored_list_are_no_column(self, people, hidden):
        """The list of names is stored with quotation marks, commas and escapes; none of them is found."""
        now = Dataset.objects.get(project=hidden)
        stored = clone(now.stored, name="", scope="")
        clone(now, stored=stored, columns=["plain", "姓名", 'of "x", \\y', "100%"], replaces=now)

        def labels(text):
            return [one.label for one in columns_named(visible_projects(people.outsider), text, most=9)]

        assert labels("[") == labels("u5") == labels("_") == []
        assert labels(",") == labels('"x') == labels("\\") == ['of "x", \\y']
        assert labels("名") == ["姓名"]
        assert labels("PLAIN") == ["plain"]
        assert labels("%") == ["100%"]

    def test_portions_that_only_look_alike_do_not_end_it(self, people, hidden, monkeypatch):
        """The database leaves out what has no such signs; what has them between two names is read and left."""
        monkeypatch.setattr("projects.datasets.tables.columns.PORTION", 1)
        first = Table.objects.get(project=hidden)
        now = Dataset.objects.get(project=hidden)
        clone(now, stored=clone(now.stored, name="", scope=""), columns=["a", "b"], replaces=now)
        for position, columns in ((1, ["c", "d"]), (2, ['has ", "'])):
            table = clone(first, name=f"table {position}", position=position)
            clone(now, table=table, stored=clone(now.stored, name="", scope=""), columns=columns)
        (one,) = columns_named(visible_projects(people.outsider), '"', most=9)
        assert one.label == 'table 2.has ", "'

    def test_of_two_of_one_moment_one_counts(self, people, hidden):
        now = Dataset.objects.get(project=hidden)
        for name in ("twin_a", "twin_b"):
            clone(now, stored=clone(now.stored, name="", scope=""), columns=[name], replaces=now)
        models.QuerySet(Dataset).update(uploaded_at=now.uploaded_at)
        greatest = max(Dataset.objects.filter(project=hidden), key=lambda one: one.pk)
        every = [*now.columns, "twin_a", "twin_b"]
        found = [one for name in every for one in texts(people.outsider, name, Group.COLUMNS)]
        assert sorted(set(found)) == sorted(greatest.columns)

    def test_of_several_tables_it_has_the_name_of_its_own(self, people, hidden):
        first = Table.objects.get(project=hidden)
        second = clone(first, name="visits", position=1)
        now = Dataset.objects.get(project=hidden)
        clone(now, table=second, stored=clone(now.stored, name="", scope=""), columns=["second_marker"])
        (hit,) = found(people.outsider, "second_m", Group.COLUMNS).hits
        assert hit.text == "visits.second_marker"
        assert hit.url.endswith(f"?table={second.pk}")


class TestPeople:
    def test_of_ones_own_projects(self, people, released, hidden):
        (hit,) = found(people.planner, "executor", Group.PEOPLE).hits
        assert hit.text == str(people.executor)
        assert hit.url == reverse("core:members", args=[released.pk])
        assert str(released) in hit.detail
        assert texts(people.planner, "outsider", Group.PEOPLE) == []
        assert texts(people.outsider, "person", Group.PEOPLE) == [str(people.outsider)]
        assert texts(people.auditor, "outsider", Group.PEOPLE) == [str(people.outsider)]
        assert texts(people.recipient, "person", Group.PEOPLE) == []

    def test_everybody_for_an_administrator_with_their_account(self, people, released):
        (hit,) = found(people.administrator, "outsider", Group.PEOPLE).hits
        assert hit.url == reverse("accounts:account", args=[people.outsider.pk])
        assert texts(people.superuser, "outsider", Group.PEOPLE) == []


class TestEvents:
    def test_by_number(self, people, released, hidden):
        mine = AuditEvent.objects.filter(project_id=released.pk).latest("seq")
        other = AuditEvent.objects.filter(project_id=hidden.pk).latest("seq")
        for user, event, url in (
            (people.planner, mine, reverse("core:history", args=[released.pk])),
            (people.auditor, mine, reverse("audit:event", args=[mine.seq])),
            (people.auditor, other, reverse("audit:event", args=[other.seq])),
        ):
            hits = found(user, str(event.seq), Group.EVENTS).hits
            assert [hit.url for hit in hits if f"#{event.seq} " in hit.detail] == [url]
        assert found(people.planner, str(other.seq), Group.EVENTS) is None

    def test_a_number_that_no_event_can_have(self, people):
        for query in ("9" * 30, "٣", "-1", "²"):
            assert found(people.auditor, query, Group.EVENTS) is None

    def test_by_the_words_of_its_kind_in_the_readers_language(self, people, released):
        event = AuditEvent.objects.get(action="project.created", project_id=released.pk)
        hits = found(people.planner, "opened the project", Group.EVENTS).hits
        assert [hit.detail for hit in hits if f"#{event.seq} " in hit.detail]
        with translation.override("zh-hans"):
            assert search(people.planner, "opened the project") == []

    def test_by_the_number_of_its_project_the_youngest_first(self, people, released, hidden):
        hits = found(people.auditor, released.number, Group.EVENTS)
        youngest = AuditEvent.objects.filter(project_id=released.pk).order_by("-seq")[:MOST]
        assert [hit.url for hit in hits.hits] == [reverse("audit:event", args=[one.seq]) for one in youngest]
        assert hits.more
        assert found(people.planner, hidden.number, Group.EVENTS) is None

    def test_reasons_and_names_in_events_are_not_searched(self, people, released):
        event = AuditEvent.objects.filter(project_id=released.pk).exclude(reason="").latest("seq")
        assert found(people.auditor, event.reason, Group.EVENTS) is None


class TestPage:
    def test_what_is_searched_for_stands_in_no_address_no_log_and_no_event(
        self, client, people, released, caplog, monkeypatch
    ):
        # Its lines end with its own handler.
        monkeypatch.setattr(logging.getLogger("django"), "propagate", True)
        client.force_login(people.planner, backend=BACKEND)
        before = AuditEvent.objects.count()
        with caplog.at_level(logging.DEBUG):
            page = client.post(PAGE, {"query": "Zhangsan 11010119"}, headers={"accept-language": "en"})
            client.post(API, json.dumps({"query": "Zhangsan 11010119"}), content_type="application/json")
            client.post(API, json.dumps({"query": "Zhangsan" * 80}), content_type="application/json")
        assert page.status_code == 200
        assert [line for line in caplog.messages if line == f"Bad Request: {API}"]
        assert "Nothing found" in page.content.decode()
        assert not [line for line in caplog.messages if "Zhangsan" in line]
        assert AuditEvent.objects.count() == before
        assert shown(client, people.planner, "x").headers["Cache-Control"] == "no-store, private"
        # An address that holds it finds nothing.
        assert str(released) not in client.get(PAGE, {"query": "visits"}).content.decode()

    def test_an_empty_query_is_explained(self, client, people):
        assert shown(client, people.planner, "  ").status_code == 422
        answer = client.post(API, "{}", content_type="application/json")
        assert answer.status_code == 400

    @pytest.mark.parametrize("language", ["en", "zh-hans"])
    def test_the_endpoint_says_what_the_page_says(self, client, people, released, hidden, language):
        said = shown(client, people.auditor, "visits", language).content.decode()
        groups = client.post(
            API,
            json.dumps({"query": "visits"}),
            content_type="application/json",
            headers={"accept-language": language},
        ).json()
        assert {group["group"] for group in groups} == {"projects"}
        for group in groups:
            for hit in group["hits"]:
                assert escape(hit["text"]) in said
                assert f'href="{escape(hit["url"])}"' in said
        (projects,) = groups
        assert (projects["more"], len(projects["hits"])) == (False, 2)

    def test_every_page_opens_it(self, client, people):
        client.force_login(people.planner, backend=BACKEND)
        page = client.get(reverse("core:home")).content.decode()
        assert f'href="{PAGE}"' in page
        assert 'id="search-dialog"' in page

    @pytest.mark.parametrize("who", ["planner", "auditor", "administrator", "recipient"])
    def test_it_sends_as_many_statements_however_much_it_finds(self, client, people, released, who):
        """Few first: a second project of the same people; then many of everything."""

        def statements():
            client.force_login(getattr(people, who), backend=BACKEND)
            with CaptureQueriesContext(connection) as sent:
                assert client.post(PAGE, {"query": "e"}).status_code == 200
            return len(sent)

        make_project(people, "one more visit")
        statements()
        few = statements()
        for number in range(12):
            project = make_project(people, f"Visits e {number}")
            source = Dataset.objects.filter(project=released).first()
            table, stored = Table.objects.get(project=project), clone(source.stored, name="", scope="")
            clone(source, project=project, table=table, stored=stored, sample=None, replaces=None)
        assert statements() <= few <= 25
        assert Project.objects.count() > 12
