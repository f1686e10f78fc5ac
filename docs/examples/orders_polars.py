"""How often each bot's orders succeed, and why its moves do not, with polars.

daide tournament run quick --out results/quick --records
daide tables results/quick --out results/quick/tables --format parquet
python orders_polars.py results/quick/tables
"""

import sys
from pathlib import Path

import polars as pl

folder = Path(sys.argv[1])
seats = pl.read_parquet(folder / "seats.parquet").select("game", "power", "bot")
orders = pl.read_parquet(folder / "orders.parquet").join(seats, on=["game", "power"])

given = orders.filter(~pl.col("automatic"))
print(
    given.group_by("bot")
    .agg(
        orders=pl.len(),
        succeeded=(pl.col("result") == "SUC").mean().round(3),
        dislodged=pl.col("dislodged").sum(),
    )
    .sort("bot")
)
bounced = given.filter(pl.col("result") == "BNC")
print(bounced.group_by("reason").len().sort("len", "reason", descending=[True, False]).head(5))
