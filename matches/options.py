"""What is to be played, and how that is told to the processes that play it."""

from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from rules.places import Power


@frozen
class PlayOptions:
    """What is to be played."""

    players: Mapping[Power, str]
    variant: str = "standard"
    press_level: int = 20
    press_rounds: int = 6
    last_year: int | None = None
    seed: int = 0
    think: float | None = None
    record: Path | None = None
    mqtt: str | None = None
    """The broker that the server publishes the game at."""


def bot_arguments(options: PlayOptions, power: Power, bot: str, port: int) -> list[str]:
    """Return the command line of one bot; its name asks the server for the power."""
    seed = options.seed * 100 + list(options.players).index(power)
    arguments = ["bot", bot, "--port", str(port), "--seed", str(seed)]
    arguments += ["--quiet", "--name", f"{power.name}:{bot}"]
    if options.think is not None:
        arguments += ["--think", str(options.think)]
    return arguments
