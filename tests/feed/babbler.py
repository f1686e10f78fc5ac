"""A process that says what nobody asked for, and then something that is to be heard."""

import json
import sys

sys.stdin.readline()
for line in (
    "seat lost game=game-1",
    "\x80",
    "[]",
    "[" * 100_000,
    '{"boom": 1}',
    json.dumps({"heard": 1}),
):
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
sys.stdin.read()
