"""A query joins the released tables by their names."""

from __future__ import annotations

import pytest

from projects.core.enums import SharingType
from projects.enclave.selectors import sources_of
from projects.enclave.services import query_look
from tests.projects.datasets.tables.stories import JointStory, patients_csv

from .conftest import query, released

pytestmark = pytest.mark.django_db


class JointEnclave(JointStory):
    sharing = SharingType.ENCLAVE


def two_tables(people):
    return released(JointEnclave(vars(people), "Patients and visits", patients_csv(), documents=False))


START = two_tables


def test_tables_are_joined_by_their_names(enclave):
    assert {name: source.columns[0] for name, source in sources_of(enclave.release).items()} == {
        "患者表": "病历号",
        "就诊": "患者",
    }
    joined = (
        'SELECT count(*), count(DISTINCT p."病历号") FROM "患者表" p JOIN "就诊" v ON p."病历号" = v."患者"'
    )
    made = query(enclave, joined)
    found = query_look(made, by=enclave.people.recipient)
    assert made.tables == ["就诊", "患者表"]
    visits, patients = map(int, found["rows"][0])
    assert visits > patients > 0
