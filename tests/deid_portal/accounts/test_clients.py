"""What the deployment check says of proxies."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from deid_portal.accounts.clients import proxies_are_named

HTTPS = ("HTTP_X_FORWARDED_PROTO", "https")


@pytest.mark.parametrize(
    ("header", "proxies", "said"),
    [
        (None, [], []),
        (HTTPS, [], ["accounts.W001"]),
        (HTTPS, [ip_network("10.0.0.5/32")], []),
    ],
)
def test_a_proxy_that_is_not_named_is_a_warning(settings, header, proxies, said):
    settings.SECURE_PROXY_SSL_HEADER, settings.DEID_TRUSTED_PROXIES = header, proxies
    assert [one.id for one in proxies_are_named(None)] == said
