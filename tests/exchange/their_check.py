"""Runs where the package `diplomacy` is installed: reads our games, plays them again, makes its own."""

import json
import random
import sys

from diplomacy import Game
from diplomacy.utils.export import from_saved_game_format, to_saved_game_format


def main() -> int:
    ours, theirs, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    wrong = phases = 0
    for number, line in enumerate(open(ours)):
        saved = json.loads(line)
        game = from_saved_game_format(saved)
        assert len(game.state_history) + 1 == len(saved["phases"]), "phases were lost"
        for before, after in zip(saved["phases"], saved["phases"][1:]):
            phases += 1
            wrong += not same(before, after, number)
    print(f"{phases} phases of our games played again by the package: {wrong} differ")
    with open(theirs, "w") as out:
        for seed in range(count):
            out.write(json.dumps(to_saved_game_format(random_game(seed))) + "\n")
    return 1 if wrong else 0


def same(before, after, number):
    game = from_saved_game_format(
        {"id": "x", "map": "standard", "rules": ["SOLITAIRE"], "phases": [before]}
    )
    for power, orders in before["orders"].items():
        game.set_orders(power, orders)
    game.process()
    told = after["state"]
    for name, found in (("units", game.get_units()), ("centers", game.get_centers())):
        for power, have in found.items():
            if sorted(have) != sorted(told[name][power]):
                print(
                    f"game {number} {before['name']} {power} {name}: {sorted(have)} != {sorted(told[name][power])}"
                )
                return False
    return True


def random_game(seed):
    chance = random.Random(seed)
    game = Game(game_id=f"random-{seed}", rules=["POWER_CHOICE"])
    while not game.is_game_done and int(game.get_current_phase()[1:5]) < 1907:
        options, places = game.get_all_possible_orders(), game.get_orderable_locations()
        for power in game.powers:
            chosen = [prefer(chance, options[place]) for place in places[power] if options[place]]
            game.set_orders(power, chosen)
        if chance.random() < 0.2:
            talk(game, chance)
        game.process()
    return game


def prefer(chance, orders):
    moves = [order for order in orders if " - " in order]
    return chance.choice(moves if moves and chance.random() < 0.7 else orders)


def talk(game, chance):
    from diplomacy.engine.message import Message

    sender, recipient = chance.sample(sorted(game.powers), 2)
    game.add_message(
        Message(
            sender=sender,
            recipient=recipient,
            phase=game.get_current_phase(),
            message="it's a deal",
        )
    )


if __name__ == "__main__":
    sys.exit(main())
