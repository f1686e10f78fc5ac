"""Addresses of clients: which of them one person can easily have, and which are this machine."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from daide import LOOPBACK


@lru_cache(1024)
def network_of(address: str) -> str:
    """Return what is counted as one: an address, or a /64 of IPv6, which any home has."""
    parsed = _parsed(address)
    if isinstance(parsed, IPv6Address):
        return str(ip_network((int(parsed), 64), strict=False))
    return address if parsed is None else str(parsed)


@lru_cache(1024)
def is_local(address: str) -> bool:
    """Tell whether it is this machine, as it is where a socket has no address at all."""
    parsed = _parsed(address)
    return parsed is None or parsed.is_loopback


def reached_at(host: str) -> str:
    """Return where this machine finds a server that listens there."""
    return {"0.0.0.0": LOOPBACK, "::": "::1", "": LOOPBACK}.get(host, host)  # noqa: S104 - compared only


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    """Read an address; one of IPv4 in the clothes of IPv6 is taken for what it is."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return None
    return (parsed.ipv4_mapped or parsed) if isinstance(parsed, IPv6Address) else parsed
