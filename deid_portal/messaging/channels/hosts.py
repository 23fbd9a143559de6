"""Which hosts a robot's address may name, and a connection that goes to no other.

By https to a host on the internet; to a host inside, or without https, only where ``DEID_WEBHOOK_HOSTS`` names it. What a name
stands for is asked once, when the message goes out, and the connection goes to that very address: a name that answers differently
the second time leads nowhere else. Redirects are not followed, and no proxy of the environment is used.
"""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv6Address, IPv6Network, ip_address
from threading import Event, Timer
from time import monotonic
from urllib.parse import urlsplit

from django.conf import settings

from .failures import ForbiddenHost, Unreachable

TIMEOUT = 10.0
MOST_READ = 64 * 1024
# Translates to IPv4 addresses, inside ones too.
_NAT64 = IPv6Network("64:ff9b::/96")


@dataclass(frozen=True)
class Place:
    """An address in its parts; ``permitted``: named by the settings."""

    host: str
    port: int
    path: str
    secure: bool
    permitted: bool


def place_of(url: str) -> Place:
    """Raises ``ForbiddenHost`` where nothing is sent to such an address."""
    if not url.isascii() or not url.isprintable() or " " in url:
        raise ForbiddenHost
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ForbiddenHost from None
    if parts.scheme not in ("https", "http") or not host or parts.username is not None or parts.fragment:
        raise ForbiddenHost
    secure = parts.scheme == "https"
    port = port or (443 if secure else 80)
    permitted = bool({host, f"{host}:{port}"} & {one.lower() for one in settings.DEID_WEBHOOK_HOSTS})
    if not permitted and (not secure or (_is_number(host) and not is_outside(host))):
        raise ForbiddenHost
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Place(host, port, path, secure, permitted)


def address_problem(url: str) -> bool:
    """Whether a robot with this address would never be written to, as far as the address alone says it."""
    try:
        place_of(url)
    except ForbiddenHost:
        return True
    return False


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def is_outside(number: str) -> bool:
    """Whether the IP address is one of the internet, and no way round to one inside."""
    found = ip_address(number.partition("%")[0])
    if isinstance(found, IPv6Address):
        if found in _NAT64 or found.sixtofour is not None or found.teredo is not None:
            return False
        if found.ipv4_mapped is not None:
            return is_outside(str(found.ipv4_mapped))
    return found.is_global and not found.is_multicast


def _addresses(place: Place) -> list[str]:
    try:
        found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unreachable from None
    numbers = list(dict.fromkeys(str(row[4][0]) for row in found))
    # One inside is enough to forbid the name: somebody points at it.
    if not place.permitted and not all(map(is_outside, numbers)):
        raise ForbiddenHost
    return numbers


class _Connection(HTTPConnection):
    """To one of the addresses that were looked at, under the name that the certificate has to bear."""

    def __init__(self, place: Place, number: str) -> None:
        super().__init__(place.host, place.port, timeout=TIMEOUT)
        self._number = number
        self._context = ssl.create_default_context() if place.secure else None

    def connect(self) -> None:
        self.sock = socket.create_connection((self._number, self.port), self.timeout)
        if self._context is not None:
            self.sock = self._context.wrap_socket(self.sock, server_hostname=self.host)


def post_json(url: str, body: bytes) -> tuple[int, bytes]:
    """Status and beginning of the answer. Raises ``ForbiddenHost`` or ``Unreachable``."""
    place = place_of(url)
    connection = _connected(place)
    # Who answers one byte at a time is cut off.
    over = Event()
    end = Timer(TIMEOUT, _cut_off, (connection.sock, over))
    end.daemon = True
    end.start()
    try:
        connection.request("POST", place.path, body, {"Content-Type": "application/json; charset=utf-8"})
        answer = connection.getresponse()
        said = answer.read(MOST_READ)
        if over.is_set():
            raise Unreachable
        return answer.status, said
    except (OSError, HTTPException, ValueError):
        # It may have arrived; no other address is tried.
        raise Unreachable from None
    finally:
        end.cancel()
        connection.close()


def _cut_off(sock: socket.socket, over: Event) -> None:
    over.set()
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)


def _connected(place: Place) -> _Connection:
    until = monotonic() + TIMEOUT
    for number in _addresses(place):
        connection = _Connection(place, number)
        try:
            connection.connect()
        except OSError:
            connection.close()
            if monotonic() > until:
                break
        else:
            return connection
    raise Unreachable
