"""The demo's masking policy: one version in force, the next one waiting, by two people."""

import pytest

from deid_portal.demo import accounts, masking
from deid_portal.masking.models import MaskingPolicy
from deid_portal.organisation.proposals.models import ProposalStatus


@pytest.mark.django_db
def test_one_in_force_and_one_waiting():
    masking.agree(accounts.ensure_people())
    found = {policy.number: policy for policy in MaskingPolicy.objects.all()}
    assert [found[n].status for n in (1, 2)] == [ProposalStatus.IN_FORCE, ProposalStatus.PROPOSED]
    assert found[1].made_by != found[1].decided_by
