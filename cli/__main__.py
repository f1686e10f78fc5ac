"""Let `python -m cli` do what `daide` does."""

import sys

from cli.main import main

sys.exit(main())
