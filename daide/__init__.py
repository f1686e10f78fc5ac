"""The DAIDE wire format and the client library."""
