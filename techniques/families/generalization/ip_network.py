"""IP addresses to networks (GB/T 37964 A.5.1; IP addresses are direct identifiers by 3.7)."""

from __future__ import annotations

from ipaddress import IPv4Address, ip_address, ip_network

import numpy as np
import pyarrow as pa

from techniques.catalogue.generalization import IpNetworkSettings
from techniques.core.messages import _
from techniques.core.operations import Outcome, StringArray, UnfitText, ValueOperation

NOT_AN_IP_ADDRESS = UnfitText(
    "values_not_ip_addresses", _("Column %(column)s: %(count)d rows hold no IP address (rows %(rows)s).")
)


class IpNetwork(ValueOperation):
    """The network of each address, by the number of leading bits that stay."""

    unfit_text = NOT_AN_IP_ADDRESS
    settings: IpNetworkSettings

    def apply(self, values: StringArray) -> Outcome:
        """Networks in their canonical form (RFC 5952 for IPv6)."""
        networks = [self._network(text.strip()) for text in values.to_pylist()]
        unfit = np.array([network is None for network in networks], dtype=bool)
        return Outcome(pa.array(networks, pa.string()), unfit)

    def _network(self, text: str) -> str | None:
        try:
            address = ip_address(text)
        except ValueError:
            return None
        if "%" in text:
            # A zone names an interface of one machine: it is no part of the network.
            return None
        bits = self.settings.ipv4_bits if isinstance(address, IPv4Address) else self.settings.ipv6_bits
        network = ip_network((address, bits), strict=False)
        return str(network if self.settings.result == "network" else network.network_address)
