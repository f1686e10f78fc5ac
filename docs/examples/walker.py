"""A bot without any package: every unit goes to a neighbouring province by chance, or holds.

daide bot --exec "python3 walker.py"
"""

import random
import re
import sys

power, borders = "", {}
for line in sys.stdin:
    words = line.split()
    if words[0] == "MDF":
        # ( PAR ( AMY PIC BUR ... ) ): where armies and fleets may go from each province.
        for place, lists in re.findall(r"\( (\w{3}) ((?:\( (?:AMY|FLT) [A-Z ]+\) ?)+)\)", line):
            for kind, goals in re.findall(r"\( (AMY|FLT) ([A-Z ]+)\)", lists):
                borders[kind, place] = goals.split()
    elif words[0] == "HLO":
        power = words[2]
    elif words[0] == "NOW" and words[2] in ("SPR", "FAL"):
        orders = []
        # A fleet on one of several coasts is ( RUS FLT ( STP SCS ) ); such ones hold here.
        here = rf"\( {power} (AMY|FLT) (\w{{3}}|\( \w{{3}} \w{{3}} \)) \)"
        for kind, place in re.findall(here, line):
            unit = f"( {power} {kind} {place} )"
            goal = random.choice([*borders.get((kind, place), []), ""])
            orders.append(f"( {unit} MTO {goal} )" if goal else f"( {unit} HLD )")
        if orders:
            print("SUB", *orders, flush=True)
    elif words[0] == "NOW":
        print("GOF", flush=True)  # retreats and builds: whatever is harmless
