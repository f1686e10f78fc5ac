"""The DAIDE wire format and the client library."""

__version__ = "0.1.0"

DEFAULT_PORT = 16713
"""Where DAIDE servers have always listened."""
LOOPBACK = "127.0.0.1"
"""This machine, and nobody else: where everything listens unless it is told otherwise."""
