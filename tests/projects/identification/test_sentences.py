"""Why a verdict was given is read in the language of who reads it, as far as the portal wrote it."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from django.urls import reverse
from django.utils import translation

from projects.core.sentences import as_read
from projects.identification import wording
from projects.identification.persons.forms import PersonKeyForm
from projects.identification.reports import columns_of
from projects.identification.sentences import reason_read
from projects.identification.services import Given, accepted, confirmed, verdicts_give

from .conftest import at_verdicts

pytestmark = pytest.mark.django_db
START = at_verdicts
LANGUAGES = tuple(permutations(("zh-hans", "en")))
OWN = "as agreed (with the clinic) on 2 May\n在第二行"


def again(verdict: Any, reason: str, language: str) -> Any:
    """The verdict given anew after a scan, as it would be written in ``language``."""
    with translation.override(language):
        verdict.reason = confirmed(verdict, reason).reason
    return verdict


@pytest.mark.parametrize("own", ["", OWN], ids=["suggestion", "with words of one's own"])
@pytest.mark.parametrize(("writer", "reader"), LANGUAGES)
def test_an_accepted_suggestion_is_read_in_the_language_of_the_reader(scanned, people, writer, reader, own):
    reports = [one for one in columns_of(scanned).values() if one.suggestion is not None]
    with translation.override(writer):
        given = [accepted(one, own) for one in reports]
        written = verdicts_give(scanned, given, by=people.executor)
    assert len(written) > 3
    with translation.override(reader):
        for verdict, report in zip(written, reports, strict=True):
            wanted = accepted(report, own).reason
            assert wanted != verdict.reason
            assert reason_read(verdict) == wanted
            assert wording.recorded(report) in reason_read(verdict)
    for verdict, one in zip(written, given, strict=True):
        verdict.refresh_from_db()
        assert verdict.reason == one.reason, "what is kept and hashed stays"
    for verdict in written:
        before = verdict.reason
        with translation.override(reader):
            wanted = reason_read(verdict)
        for reason in ("", OWN):
            verdict.reason = before
            again(verdict, reason, writer)
            with translation.override(reader):
                said = reason_read(verdict)
                verdict.reason = wanted
                assert said == again(verdict, reason, reader).reason


def test_words_of_ones_own_stay(scanned, people):
    typed = "Known from the data dictionary (page 4)."
    (verdict,) = verdicts_give(scanned, [Given("性别", "quasi", reason=typed)], by=people.executor)
    for language in ("zh-hans", "en"):
        with translation.override(language):
            assert reason_read(verdict) == typed


def test_pages_show_it(client, scanned, ready_project, people):
    (report, *_rest) = [one for one in columns_of(scanned).values() if one.suggestion is not None]
    with translation.override("zh-hans"):
        verdicts_give(scanned, [accepted(report, OWN)], by=people.executor)
        chinese = wording.reasons(report)[0]
    with translation.override("en"):
        english = wording.reasons(report)[0]
    client.force_login(people.executor)
    page = reverse("identification:column", args=[ready_project.pk, report.position])
    shown = client.get(page, headers={"accept-language": "en"}).content.decode()
    assert english in shown
    assert chinese not in shown


@pytest.mark.parametrize(("writer", "reader"), LANGUAGES)
def test_what_is_offered_for_whose_rows_they_are(writer, reader):
    for several in PersonKeyForm.offers.values():
        for one in several:
            with translation.override(writer):
                kept = f"{one}\nby the key of visits"
            with translation.override(reader):
                assert as_read(kept) == f"{one}\nby the key of visits"
