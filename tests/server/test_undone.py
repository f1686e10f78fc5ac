"""The list of repairs that can be undone: it must fit the code, or it proves nothing."""

import re

import pytest

from tests.server.undone import ROOT, Undo, undos


@pytest.mark.parametrize("undo", undos(), ids=lambda undo: undo.what)
def test_every_repair_can_be_undone_and_its_tests_are_there(undo: Undo) -> None:
    edited = undo.edited(ROOT)
    if undo.file.endswith(".py"):
        compile(edited, undo.file, "exec")
    for test in undo.tests:
        file, _, name = test.partition("::")
        text = (ROOT / file).read_text()
        assert not name or re.search(rf"^(async )?def {name}\(", text, re.MULTILINE), test


def test_an_edit_that_no_longer_fits_is_said() -> None:
    stale = Undo("1", "x", "server/gate.py", "no such text", "", ())
    with pytest.raises(ValueError, match="not there exactly once"):
        stale.edited(ROOT)
