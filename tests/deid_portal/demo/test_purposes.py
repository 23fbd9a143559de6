"""Each of the demo's projects says what it is for itself, and something that its table can serve."""

from __future__ import annotations

from dataclasses import fields

from deid_portal.demo.hospital import COLUMNS
from deid_portal.demo.loading import STAGE_PURPOSES
from deid_portal.demo.purposes import Purpose


def test_no_two_projects_share_title_use_or_recipient():
    found = [purpose for _state, purpose in STAGE_PURPOSES]
    for name in (field.name for field in fields(Purpose) if field.name not in {"summary", "agreed"}):
        values = [getattr(purpose, name) for purpose in found]
        assert len(set(values)) == len(values), name
    assert len({purpose.summary_text for purpose in found}) == len({one.agreed_text for one in found}) == 7


def test_what_they_are_for_is_in_the_table():
    """Outpatient visits of all departments: no check-ups, prescriptions, wards."""
    assert {"科室", "诊断", "费用", "就诊日期"} <= set(COLUMNS)
    for _state, purpose in STAGE_PURPOSES:
        assert "门诊" in purpose.title
        said = purpose.title + purpose.use + purpose.use_after
        assert not any(word in said for word in ("处方", "住院", "体检", "急诊", "儿科", "用药"))
