"""IP addresses to networks: each address lies in its network, and nothing finer than the network stays."""

from __future__ import annotations

import random
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from techniques.catalogue.generalization import IpNetworkSettings
from tests.techniques.apply import apply

KEY = "generalization.ip_network"


def address(draw: random.Random) -> str:
    return f"10.{draw.randrange(3)}.{draw.randrange(256)}.{draw.randrange(256)}"


CLAIM_CASES = {KEY: [(address, 1, {"ipv4_bits": 20}), (address, 1, {"result": "address", "ipv4_bits": 16})]}
ADDRESSES = st.one_of(st.integers(0, 2**32 - 1).map(IPv4Address), st.integers(0, 2**128 - 1).map(IPv6Address))


def test_addresses_become_their_networks() -> None:
    values = [
        "192.0.2.17",
        " 192.0.2.254 ",
        "2001:db8:1:2::7",
        "2001:0DB8:0001::",
        "192.0.2.300",
        "老王",
        "fe80::1%eth0",
    ]
    assert apply(KEY, values) == [
        "192.0.2.0/24", "192.0.2.0/24", "2001:db8:1::/48", "2001:db8:1::/48", "!", "!", "!",
    ]  # fmt: skip
    assert apply(KEY, ["192.0.2.17"], ipv4_bits=16, result="address") == ["192.0.0.0"]


@given(
    addresses=st.lists(ADDRESSES, min_size=1, max_size=20),
    short=st.integers(8, 31),
    long=st.integers(16, 127),
)
def test_an_address_lies_in_its_network_and_nothing_finer_stays(
    addresses: list[IPv4Address | IPv6Address], short: int, long: int
) -> None:
    made = apply(KEY, [str(one) for one in addresses], ipv4_bits=short, ipv6_bits=long)
    for one, text in zip(addresses, made, strict=True):
        network = ip_network(str(text))
        assert one in network
        assert network.prefixlen == (short if one.version == 4 else long)
    first = ip_network(str(made[0]))
    # Any other address of the network gives the same result: which one it was is gone.
    other = ip_address(int(first.network_address) + first.num_addresses - 1)
    if other.version == first.version:
        assert apply(KEY, [str(other)], ipv4_bits=short, ipv6_bits=long) == [made[0]]


@given(one=ADDRESSES, bits=st.integers(16, 31))
def test_written_as_an_address_a_second_time_changes_nothing(
    one: IPv4Address | IPv6Address, bits: int
) -> None:
    chosen = {"ipv4_bits": bits, "ipv6_bits": bits, "result": "address"}
    [once] = apply(KEY, [str(one)], **chosen)
    assert apply(KEY, [str(once)], **chosen) == [once]


@pytest.mark.parametrize(
    "wrong", [{"ipv4_bits": 32}, {"ipv4_bits": 7}, {"ipv6_bits": 128}, {"result": "name"}]
)
def test_a_whole_address_is_no_network(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        IpNetworkSettings.model_validate(wrong)
