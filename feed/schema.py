"""The JSON Schema of all events: `python -m feed.schema > docs/events.schema.json`."""

import json
import sys
from typing import Any

from feed.events import ENVELOPE, EVENTS
from feed.shapes import hints_of, object_schema

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def event_schema() -> dict[str, Any]:
    """Return the schema of what is published about games: one of several kinds of objects."""
    kinds = []
    for event in EVENTS:
        schema = object_schema({**ENVELOPE, **hints_of(event)})
        schema["title"] = event.kind
        schema["description"] = (event.__doc__ or "").partition("\n")[0]
        schema["properties"] = {"event": {"const": event.kind}, **schema["properties"]}
        schema["required"] = ["event", *schema["required"]]
        kinds.append(schema)
    return {"$schema": DRAFT, "title": "Events of a DAIDE server, version 1", "oneOf": kinds}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(event_schema(), indent=2) + "\n")
