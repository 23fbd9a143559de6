"""A kept sentence is read in the language of whoever reads it, and is kept in none."""

from __future__ import annotations

import json

import pytest
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from approvals.sentences import Sentence
from projects.incidents.enums import IncidentKind

INCIDENT = Sentence(
    "Incident E%(number)s was confirmed: %(kind)s.",
    {"number": 3},
    {"kind": [IncidentKind.LEAK.label, _("Something else went wrong")]},
)
IN_WORDS = {
    "en": "Incident E3 was confirmed: Data leaked, were altered or lost, Something else went wrong.",
    "zh-hans": "事件E3经确认属实：数据泄露、被篡改或丢失、其他异常。",
}


@pytest.mark.parametrize("kept_in", ["en", "zh-hans"])
@pytest.mark.parametrize("read_in", ["en", "zh-hans"])
def test_each_reader_reads_it_in_their_language(kept_in, read_in):
    with translation.override(kept_in):
        kept = json.dumps(INCIDENT.as_json())
    with translation.override(read_in):
        assert str(Sentence(**json.loads(kept))) == IN_WORDS[read_in]


def test_a_name_is_left_as_it_is():
    named = Sentence("%(columns)s", {"columns": ["Description", "%(x)s"]})
    with translation.override("zh-hans"):
        assert str(Sentence(**named.as_json())) == "Description、%(x)s"
