"""Where a broker is: `mqtt://user@host:1883`, `mqtts://host`, or just `host`.

The password comes from DAIDE_MQTT_PASSWORD, or stands in the address, where every user of the
machine can read it if the address stands on a command line. Raises BadInputError.
"""

import os
from collections.abc import Mapping
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from attrs import field, frozen

from rules.errors import BadInputError

PASSWORD = "DAIDE_MQTT_PASSWORD"  # noqa: S105 - the name of a variable, not a password
PORTS = {"mqtt": 1883, "mqtts": 8883}


@frozen
class BrokerAddress:
    """A broker, and as whom to speak to it."""

    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    has_tls: bool = False
    ca_file: str | None = None
    """The certificate of an authority of one's own: `mqtts://host?ca=FILE`."""
    is_old: bool = False
    """Whether it is spoken to in MQTT 3.1.1 at once: `mqtt://host?version=3`."""

    @property
    def url(self) -> str:
        """The address with everything but the password."""
        options = {"ca": self.ca_file, "version": "3" if self.is_old else None}
        given = urlencode({name: value for name, value in options.items() if value})
        return f"{self}?{given}" if given else str(self)

    def __str__(self) -> str:
        """Return the address as people should see it."""
        user = f"{quote(self.user, safe='')}@" if self.user else ""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'mqtts' if self.has_tls else 'mqtt'}://{user}{host}:{self.port}"


def read_address(text: str, environment: Mapping[str, str] = os.environ) -> BrokerAddress:
    """Read an address."""
    example = "write it as mqtt://host:1883 or mqtts://user@host:8883"
    try:
        parts = urlsplit(text if "://" in text else f"mqtt://{text}")
    except ValueError:  # of brackets, which are for numbers of IPv6
        raise BadInputError(f"--mqtt: {text!r} is no address; {example}") from None
    if parts.scheme not in PORTS:
        raise BadInputError(f"--mqtt: no such scheme: {parts.scheme!r}; {example}")
    try:
        port = parts.port
    except ValueError:
        raise BadInputError(f"--mqtt: not a port in {parts.hostname}; {example}") from None
    if not parts.hostname or parts.path.strip("/"):
        raise BadInputError(f"--mqtt: the address names no broker; {example}")
    options = dict(parse_qsl(parts.query))
    for name, value in options.items():
        if name not in ("ca", "version"):
            raise BadInputError(f"--mqtt: no such option: {name!r}; there are ca and version")
        if name == "version" and value not in ("3", "5"):
            raise BadInputError(f"--mqtt: version {value!r} is not one of 3, 5")
    password = unquote(parts.password) if parts.password else environment.get(PASSWORD)
    return BrokerAddress(
        host=parts.hostname,
        port=port or PORTS[parts.scheme],
        user=unquote(parts.username) if parts.username else None,
        password=password or None,
        has_tls=parts.scheme == "mqtts",
        ca_file=options.get("ca"),
        is_old=options.get("version") == "3",
    )
