"""Promises by pair of bots, and the score of those who keep them, with pandas.

daide tournament run quick --out results/quick --records
daide tables results/quick --out results/quick/tables
python promises_pandas.py results/quick/tables
"""

import sys
from pathlib import Path

import pandas as pd

folder = Path(sys.argv[1])
seats = pd.read_csv(folder / "seats.csv")
promises = pd.read_csv(folder / "promises.csv")

# A promise to several powers is one to each of them.
promises["to"] = promises["to"].str.split()
towards = promises.explode("to")
bots = seats[["game", "power", "bot"]]
pairs = (
    towards.merge(bots.rename(columns={"power": "maker", "bot": "by"}), on=["game", "maker"])
    .merge(bots.rename(columns={"power": "to", "bot": "towards"}), on=["game", "to"])
    .pivot_table(
        index=["by", "towards"], columns="verdict", values="number", aggfunc="count", fill_value=0
    )
)
print(pairs.to_string())

judged = promises[promises["verdict"].isin(["kept", "broken"])]
honesty = (
    judged.assign(kept=judged["verdict"] == "kept")
    .groupby(["game", "maker"])["kept"]
    .mean()
    .rename("honesty")
    .reset_index()
)
scored = honesty.merge(seats, left_on=["game", "maker"], right_on=["game", "power"])
print(scored.groupby("bot")[["honesty", "sum_of_squares"]].mean().round(3).to_string())
