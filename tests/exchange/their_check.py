"""Runs where the package `diplomacy` is installed, and nothing of ours: `round_trip_long` starts it.

their_check.py replay OURS      reads our games, plays every phase again, and compares
their_check.py make THEIRS A B  plays games of its own, of random legal orders, with press, by the
                                seeds from A to B - 1
"""

import json
import random
import sys

from diplomacy import Game
from diplomacy.engine.message import Message
from diplomacy.utils.export import (
    from_saved_game_format,
    is_valid_saved_game,
    to_saved_game_format,
)

LAST_YEAR = 1907
SAMPLE = 10
"""One game in so many also goes through the package's own check, which plays all of it again."""
VOIDED = "supports of moves to where a unit of the same power leaves, which it may call void"
REFUSED = "convoys that no fleets could make, which the package refuses and we find nobody for"


def main():
    command, path, *rest = sys.argv[1:]
    return replay(path) if command == "replay" else make(path, range(*map(int, rest)))


# --- our games ------------------------------------------------------------------------------------


def replay(path):
    """Read every game as a whole, then play each of its phases again; print what is different."""
    wrong = phases = orders = messages = checked = invalid = 0
    known = {REFUSED: 0, VOIDED: 0}
    with open(path) as file:
        for number, line in enumerate(file):
            saved = json.loads(line)
            game = from_saved_game_format(saved)
            messages += told_alike(game, saved, number)
            refused = known[REFUSED]
            for before, after in zip(saved["phases"], saved["phases"][1:]):
                phases += 1
                orders += len(before["results"])
                for difference in differences(before, after):
                    reason = next((each for each in known if difference.endswith(each)), None)
                    if reason is None:
                        wrong += 1
                        print(f"game {number} {before['name']}: {difference}")
                    else:
                        known[reason] += 1
            if number % SAMPLE == 0 and known[REFUSED] == refused:
                checked += 1
                if not is_valid_saved_game(saved):
                    invalid += 1
                    print(f"game {number}: the package's own check takes it for invalid")
            progress("replayed", number + 1)
    print(
        f"{phases} phases and {orders} results of {number + 1} games, {messages} messages: "
        f"{wrong} different without a known reason; {', '.join(f'{n} {why}' for why, n in known.items())}"
    )
    print(f"{checked} games checked by is_valid_saved_game, {invalid} of them invalid")
    return 1 if wrong or invalid else 0


def told_alike(game, saved, number):
    """Check that nothing was lost on the way in; return how many messages there are."""
    assert len(game.state_history) + 1 == len(saved["phases"]), f"game {number}: phases were lost"
    read = to_saved_game_format(game)
    count = 0
    for mine, theirs in zip(saved["phases"], read["phases"]):
        assert mine["name"] == theirs["name"], (
            f"game {number}: {mine['name']} became {theirs['name']}"
        )
        # The package files messages by their time.
        key = lambda each: (each["time_sent"], each["sender"], each["recipient"], each["message"])
        sent = {key(each) for each in mine["messages"]}
        assert sent == {key(each) for each in theirs["messages"]}, (
            f"game {number}: {mine['name']}: messages"
        )
        if mine["name"] != "COMPLETED":
            assert mine["orders"] == theirs["orders"], f"game {number}: {mine['name']}: orders"
        count += len(sent)
    return count


def differences(before, after):
    game = from_saved_game_format(
        {"id": "x", "map": "standard", "rules": ["SOLITAIRE"], "phases": [before]}
    )
    for power, orders in before["orders"].items():
        game.set_orders(power, orders)
    taken = {order for orders in game.get_orders().values() for order in orders}
    game.process()
    told = after["state"]
    for name, found in (("units", game.get_units()), ("centers", game.get_centers())):
        for power, have in found.items():
            if sorted(have) != sorted(told[name][power]):
                yield f"{power} {name}: {sorted(have)} there, {sorted(told[name][power])} here"
    state = game.get_state()
    if after["name"] != "COMPLETED":
        if state["name"] != after["name"]:
            yield f"it goes on with {state['name']} there, with {after['name']} here"
        for power, places in state["retreats"].items():
            mine = {unit: sorted(goals) for unit, goals in told["retreats"][power].items()}
            if {unit: sorted(goals) for unit, goals in places.items()} != mine:
                yield f"{power} retreats: {places} there, {mine} here"
    results = game.result_history.last_value()
    for unit, words in before["results"].items():
        have = sorted(str(each) for each in results.get(unit, []) if str(each))
        if have != sorted(words):
            given = [o for os in before["orders"].values() for o in os if o.startswith(unit + " ")]
            order = given[0] if given else f"{unit} H"
            reason = why(order, have, words, before, taken)
            yield f"result of {order}: {have} there, {sorted(words)} here{reason}"


def why(order, have, words, before, taken):
    """Return one of the reasons that are known for another word on the same position."""
    parts = order.split()
    if order not in taken and parts[2] == "C" and set(words) - {"dislodged"} == {"void"}:
        return f": {REFUSED}"
    if parts[2] == "S" and "-" in parts and (have, words) == (["void"], []):
        mine = next(orders for orders in before["orders"].values() if order in orders)
        leaves = [each for each in mine if each[2:5] == parts[-1][:3] and each.split()[2] == "-"]
        if leaves:
            return f": {VOIDED}"
    return ""


# --- games of the package -------------------------------------------------------------------------


def make(path, seeds):
    with open(path, "w") as out:
        for number, seed in enumerate(seeds):
            out.write(json.dumps(to_saved_game_format(random_game(seed))) + "\n")
            progress("made", number + 1)
    return 0


def random_game(seed):
    chance = random.Random(seed)
    game = Game(game_id=f"random-{seed}", rules=["POWER_CHOICE"])
    clock = 1
    while not game.is_game_done and int(game.get_current_phase()[1:5]) < LAST_YEAR:
        # Sets of texts lie behind both: sorted, the same seed gives the same game.
        options = {
            place: sorted(orders) for place, orders in game.get_all_possible_orders().items()
        }
        places = {power: sorted(mine) for power, mine in game.get_orderable_locations().items()}
        for power, orders in chosen(chance, options, places).items():
            game.set_orders(power, orders)
        for _ in range(chance.choice([0, 0, 1, 3])):
            talk(game, chance, clock)
            clock += 1
        game.process()
    return game


def chosen(chance, options, places):
    """Choose moves by chance, then let many of the others help one of them."""
    orders = {
        place: prefer(chance, options[place])
        for mine in places.values()
        for place in mine
        if options[place]
    }
    wanted = {order.partition(" VIA")[0] for order in orders.values() if is_move(order)}
    for place in orders:
        helps = [each for each in options[place] if helped(each) in wanted]
        if helps and chance.random() < 0.5:
            orders[place] = chance.choice(helps)
    return {
        power: [orders[place] for place in mine if place in orders]
        for power, mine in places.items()
    }


def prefer(chance, orders):
    moves = [order for order in orders if is_move(order)]
    voyages = [order for order in moves if order.endswith("VIA")]
    if voyages and chance.random() < 0.3:
        return chance.choice(voyages)
    return chance.choice(moves if moves and chance.random() < 0.8 else orders)


def is_move(order):
    return order.split()[2:3] == ["-"]


def helped(order):
    words = order.split()
    return " ".join(words[3:]) if words[2:3] in (["S"], ["C"]) and "-" in words else None


def talk(game, chance, clock):
    sender, recipient = chance.sample(sorted(game.powers), 2)
    game.add_message(
        Message(
            sender=sender,
            recipient="GLOBAL" if chance.random() < 0.2 else recipient,
            phase=game.get_current_phase(),
            message=chance.choice(
                ["it's a deal", "PRP ( PCE ( FRA ENG ) )", "Gr\u00fc\u00dfe, \u2694", ""]
            ),
            time_sent=clock,
        )
    )


def progress(word, number):
    end = "" if sys.stderr.isatty() else "\n"
    if end == "" or number % 100 == 0:
        sys.stderr.write(f"\r{word} {number} games{end}")


if __name__ == "__main__":
    sys.exit(main())
