"""All that a browser loads is small, and comes from us."""

import re

from spectator.drawings import PAGE

MOST_BYTES = 300_000
FILES = [path for path in PAGE.rglob("*") if path.is_file()]


def test_the_whole_page_is_light() -> None:
    sizes = {path.name: path.stat().st_size for path in FILES}
    assert {"draw.js", "map.css", "standard.json"} <= sizes.keys()
    assert sum(sizes.values()) < MOST_BYTES, sorted(sizes.items(), key=lambda item: -item[1])


def test_nothing_comes_from_another_host() -> None:
    for path in FILES:
        for address in re.findall(r"(?:https?:|wss?:)?//[\w.-]+\.\w{2,}", path.read_text()):
            assert address == "http://www.w3.org", (path.name, address)
