"""The DAIDE wire format and the client library."""

__version__ = "0.1.0"
