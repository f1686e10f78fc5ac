import json

import pytest

from benchmarks.cli import PARTS, Figure, installed_peers, main, measured_peer, show
from rules.errors import BadInputError


def test_a_part_is_measured_and_told_as_one_document(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.cli.SECONDS", 0.01)  # figures that nobody will quote
    assert main(["language", "--json"]) == 0
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert err == "language ...\n"
    assert set(told["peers"]) == {"diplomacy", "pydip"}
    assert {each["part"] for each in told["figures"]} == {"language"}
    assert all(each["value"] > 0 and each["times"]["lark"] > 0 for each in told["figures"])


def test_a_figure_is_a_line_with_its_ratios(capsys: pytest.CaptureFixture[str]) -> None:
    show(Figure("rules", "adjudication", 1.25, "us", {"diplomacy": 1200.0}))
    assert capsys.readouterr().out.split() == [
        "rules", "adjudication", "1.25", "us", "1,200.0", "x", "diplomacy",
    ]  # fmt: skip


def test_a_part_that_is_none_is_named() -> None:
    with pytest.raises(BadInputError, match=f"'speed'; name some of {', '.join(PARTS)}"):
        main(["speed"])


def test_a_peer_that_is_not_here_is_not_measured() -> None:
    for name in {"diplomacy", "pydip"} - {*installed_peers()}:
        with pytest.raises(BadInputError, match=f"'{name}' cannot be measured"):
            measured_peer(name)
