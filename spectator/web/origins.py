"""Who may ask: names under which we are reached, and pages whose requests we believe.

A page of another site can make a browser send requests to us, and a name of another site can be
made to point to us. So a request must be addressed to an address, to `localhost`, or to a name
that we were told to answer to; and what changes something, or stays open, must come from a page of
that same place. Every answer tells browsers what they may do with it. Sans-I/O.
"""

import ipaddress
from collections.abc import Collection
from urllib.parse import urlsplit

from attrs import frozen

LOCAL = "localhost"


@frozen
class Origins:
    """The names that we answer to."""

    names: Collection[str] = ()

    def is_ours(self, host: str) -> bool:
        """Whether the Host of a request may be us."""
        name = _name(host)
        return name is not None and (name == LOCAL or name in self.names or _is_address(name))

    def is_same(self, origin: str | None, host: str) -> bool:
        """Whether a page of ours sends a request to this Host."""
        if origin is None:
            return False
        parts = urlsplit(origin)
        return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def _name(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def answer_headers(host: str) -> list[tuple[bytes, bytes]]:
    """Return what stands above every answer; `host` is where it was asked for, if that is us."""
    # Older Safari does not take 'self' for sockets.
    named = "".join(each for each in host if each.isascii() and (each.isalnum() or each in ".:-[]"))
    sockets = f" ws://{named} wss://{named}" if named else ""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        f"connect-src 'self'{sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return [
        (b"content-security-policy", policy.encode()),
        (b"cache-control", b"no-store"),
        (b"referrer-policy", b"no-referrer"),
        (b"x-content-type-options", b"nosniff"),
        (b"x-frame-options", b"DENY"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"same-origin"),
    ]
