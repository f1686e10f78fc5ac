"""Let `python -m cli` do what `daide` does."""

import sys

from cli.children import follow_parent
from cli.main import main

sys.exit(main(is_child=follow_parent()))
