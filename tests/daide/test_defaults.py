import ast
from pathlib import Path

from daide import DEFAULT_PORT
from tests.test_architecture import PACKAGES, ROOT, modules_of


def test_the_port_of_daide_is_a_number_in_one_module_only() -> None:
    def writes_it(path: Path) -> bool:
        nodes = ast.walk(ast.parse(path.read_text()))
        return any(isinstance(node, ast.Constant) and node.value == DEFAULT_PORT for node in nodes)

    found = [path for package in PACKAGES for path in modules_of(package) if writes_it(path)]
    assert found == [ROOT / "daide" / "__init__.py"]
