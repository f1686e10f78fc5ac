"""How commands read their arguments: with an example in their help, and nothing abbreviated.

Like `cli.children` this needs nothing of ours, and every package but the rules may import it.
"""

import argparse


def command_parser(name: str, purpose: str, example: str) -> argparse.ArgumentParser:
    """Return a parser for `daide NAME`; the example is printed as it stands."""
    return argparse.ArgumentParser(
        prog=f"daide {name}",
        description=purpose,
        epilog=example,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        # An abbreviation that works today may mean two options tomorrow.
        allow_abbrev=False,
    )
