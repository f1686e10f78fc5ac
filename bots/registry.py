"""The bots we ship by name, and how to find one of the user's own.

Only what is asked for is imported: the list of bots needs neither the rules nor the language.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from inspect import isabstract, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from bots.bot_text import BotText, fill_parameters, read_bot_text, take_convoys
from rules.errors import BadInputError

if TYPE_CHECKING:
    from bots.strategy import Bot


@frozen(kw_only=True)
class Entry:
    """A bot that we ship."""

    name: str
    title: str
    """What it calls itself to a server."""
    source: str
    """`module:name` of what makes it."""
    level: int
    """The highest press level that it makes use of."""
    summary: str
    variants: tuple[str, ...] = ()
    """The first one is the default."""


_ENTRIES = (
    Entry(
        name="dumbbot",
        title="DumbBot",
        source="bots.dumbbot.tactic:DumbBot",
        level=0,
        summary="David Norman's bot of 2002, the yardstick of all DAIDE bots",
        variants=("classic", "wide", "port83", "bandana"),
    ),
    Entry(
        name="dbrane",
        title="D-Brane",
        source="bots.dbrane.tactic:DBrane",
        level=0,
        summary="secures the centers that no single opponent can deny it; after D-Brane",
        variants=("ours", "paper"),
    ),
    Entry(
        name="holdbot",
        title="HoldBot",
        source="bots.holdbot:HoldBot",
        level=0,
        summary="holds and waives, always",
    ),
    Entry(
        name="randombot",
        title="RandomBot",
        source="bots.randombot.offers:randombot",
        level=20,
        summary="goes anywhere it legally can, and offers and accepts deals, by lot",
    ),
    Entry(
        name="mcts",
        title="MCTS",
        source="bots.search.mcts:mcts",
        level=0,
        summary="searches with simulations; v1 to v8 are the versions of a paper of 2020",
        variants=("best", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8"),
    ),
    Entry(
        name="montecarlo",
        title="MonteCarlo",
        source="bots.search.montecarlo:montecarlo",
        level=0,
        summary="plays many order sets out, dropping what is surely worse than the best",
        variants=("pruning", "plain", "knowledge", "paper", "paper-pruning"),
    ),
    Entry(
        name="searchbot",
        title="SearchBot",
        source="bots.searchbot.tactic:searchbot",
        level=0,
        summary="searches the orders of all powers at once, with a value learned in its own games",
    ),
    Entry(
        name="brbot",
        title="BRBot",
        source="bots.searchbot.tactic:brbot",
        level=0,
        summary="answers best to what is usual, with the parts of searchbot",
    ),
    Entry(
        name="patternweights",
        title="PatternWeights",
        source="bots.patterns.tactic:PatternWeights",
        level=0,
        summary="plays by what it has learned of orders in games against itself",
    ),
    Entry(
        name="blabbot",
        title="BlabBot",
        source="bots.blabbot:blabbot",
        level=10,
        summary="DumbBot that makes peace; left with friends only, it stabs or draws",
        variants=("mac", "joe"),
    ),
    Entry(
        name="diplominator",
        title="Diplominator",
        source="bots.diplominator.diplominator:diplominator",
        level=10,
        summary="makes peace, remembers who breaks it, and stabs when it is the largest",
        variants=("ours", "report", "0.2"),
    ),
    Entry(
        name="banker",
        title="Banker",
        source="bots.banker.banker:banker",
        level=20,
        summary="keeps peace, trades support for credit, and answers best to what it foresees",
        variants=("normalised", "raw"),
    ),
    Entry(
        name="market",
        title="Market",
        source="bots.banker.market:market",
        level=20,
        summary="auctions support, pays with IOUs, and keeps its word as long as that pays",
        variants=("normalised", "raw"),
    ),
    Entry(
        name="talleyrand",
        title="Talleyrand",
        source="bots.talleyrand.talleyrand:talleyrand",
        level=20,
        summary="searches for orders and for deals; keeps peace until a stab brings much more",
    ),
    Entry(
        name="tactician",
        title="Tactician",
        source="bots.tactician.tactic:Tactician",
        level=0,
        summary="guesses what the others may order, and answers best",
    ),
    Entry(
        name="project20m",
        title="Project20M",
        source="bots.project20m.tactic:Project20M",
        level=0,
        summary="DumbBot's values, and units that work together; after Project20M of 2006",
    ),
    Entry(
        name="probable",
        title="Probable",
        source="bots.probable.tactic:Probable",
        level=0,
        summary="weighs orders by their chances to succeed, for all powers in turn; Albert's idea",
    ),
    Entry(
        name="bordeaux",
        title="Bordeaux",
        source="bots.bordeaux.bordeaux:bordeaux",
        level=20,
        summary="seven searches that answer each other, and talk by liking and trust",
    ),
    Entry(
        name="diplomat",
        title="Diplomat",
        source="bots.diplomat.diplomat:diplomat",
        level=20,
        summary="joins the best plans of clusters of units, and trades supports for IOUs",
    ),
)
ENTRIES = {entry.name: entry for entry in _ENTRIES}


def title_of(text: str) -> str:
    """Return what a bot is called at the table."""
    name = text.partition("/")[0].partition("+")[0]
    if name in ENTRIES:
        return ENTRIES[name].title
    return name.rpartition(":")[2]


def make_bot(text: str, *, variant: str | None = None) -> "Bot":
    """Return the bot of that text, as `bots/bot_text.py` describes it.

    A name with a colon is `module:name` of what makes one that we do not ship. Raises
    `BadInputError` if there is none, or none of that variant or with those parameters.
    """
    from bots.strategy import Bot  # noqa: PLC0415 - see above

    orders, plus, talk = text.partition("+")
    made = _made_alone(orders, variant)
    if not plus:
        return made
    return Bot(made.tactic, _made_alone(talk, None).negotiator)


def check_bot(text: str) -> None:
    """Raise BadInputError unless the text names bots that can be made; none is imported here."""
    asked = [take_convoys(read_bot_text(part))[0] for part in text.split("+")]
    for each in asked:
        _source_of(each)
    if any(each.name not in ENTRIES for each in asked):
        from cli.children import why_no_bot  # noqa: PLC0415 - see above

        if problem := why_no_bot(text):
            raise BadInputError(problem)


def _made_alone(text: str, variant: str | None) -> "Bot":
    asked, convoys = take_convoys(read_bot_text(text))
    if variant is not None:
        asked = evolve(asked, variant=variant)
    source = _source_of(asked)
    if asked.name not in ENTRIES:
        from cli.children import find_users_modules  # noqa: PLC0415 - see above

        find_users_modules()
    made = _made(source, asked)
    if convoys:
        return made
    from bots.without_convoys import without_convoys  # noqa: PLC0415 - see above

    return without_convoys(made)


def _source_of(asked: BotText) -> str:
    entry = ENTRIES.get(asked.name)
    if entry is not None:
        if asked.variant is not None and asked.variant not in entry.variants:
            raise BadInputError(_no_such_variant(entry, asked.variant))
        return entry.source
    module, colon, attribute = asked.name.partition(":")
    if not (module.replace(".", "").isidentifier() and colon and attribute.isidentifier()):
        from cli.parsing import suggestion  # noqa: PLC0415 - only for names that are none

        known, meant = ", ".join(sorted(ENTRIES)), suggestion(asked.name, ENTRIES)
        raise BadInputError(
            f"no such bot: {asked.name!r}{meant}; the bots are {known}, or write module:Class "
            "for your own"
        )
    return asked.name


def _no_such_variant(entry: Entry, variant: str) -> str:
    if not entry.variants:
        return f"{entry.name} has no variants, so {variant!r} is none"
    known = ", ".join(entry.variants)
    return f"no such variant of {entry.name}: {variant!r}; choose one of {known}"


def _called(factory: Callable[..., object], parameters: dict[str, Any], source: str) -> object:
    """Make a bot; what is no maker of bots, such as a function that wants something, is refused."""
    if isabstract(factory):
        raise BadInputError(f"{source} makes no bot: it has no method choose_orders")
    try:
        signature(factory).bind(**parameters)
    except (TypeError, ValueError) as error:
        raise BadInputError(
            f"{source} makes no bot: it cannot be called without more: {error}"
        ) from None
    return factory(**parameters)


@contextmanager
def _no_traceback_for(name: str, module: str) -> Iterator[None]:
    """Turn what goes wrong in the user's own code into a sentence that says where."""
    try:
        yield
    except (BadInputError, KeyboardInterrupt):
        raise
    except BaseException as error:
        if name in ENTRIES:
            raise
        if isinstance(error, ModuleNotFoundError) and f"{module}.".startswith(f"{error.name}."):
            raise BadInputError(f"no such module: {module!r} (for the bot {name!r})") from None
        raise BadInputError(f"the bot {name!r} cannot be made: {_said_of(error)}") from None


def _said_of(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return f"{Path(error.filename or '?').name}, line {error.lineno}: {error.msg}"
    import traceback  # noqa: PLC0415 - only for bots that fail

    last = traceback.extract_tb(error.__traceback__)[-1]
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return f"{what} ({Path(last.filename).name}, line {last.lineno})"


def _made(source: str, asked: BotText) -> "Bot":
    from bots.contract import check_contract  # noqa: PLC0415 - see above
    from bots.strategy import Bot, Tactic, as_bot  # noqa: PLC0415 - see above

    module, _, attribute = source.partition(":")
    with _no_traceback_for(asked.name, module):
        factory = getattr(import_module(module), attribute, None)
        if not callable(factory):
            raise BadInputError(f"the module {module!r} has no class {attribute!r}")
        # What is written in C, or beside annotations that are none, may have no signature.
        if asked.variant is not None and "variant" not in signature(factory).parameters:
            raise BadInputError(f"{source} has no variants, so {asked.variant!r} is none")
        parameters = fill_parameters(factory, asked.parameters, asked.name)
        if asked.variant is not None:
            parameters["variant"] = asked.variant
        made = _called(factory, parameters, source)
        if not isinstance(made, Bot | Tactic):
            raise BadInputError(f"{source} makes no bot: it must be a Tactic or give a Bot")
        bot = as_bot(made)
        check_contract(bot, source)
    return bot
