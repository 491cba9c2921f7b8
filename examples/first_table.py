"""Play a round of Criss Cross Poker by best play, and verify the history of the table."""

from __future__ import annotations

import tempfile
from pathlib import Path

import crossfelt as cf

table = cf.Table("md-criss-cross", seed=7)
table.sit(1, "Ann", cents=100_000)
table.sit(2, "Bob", bot="always-1:25")

table.act(1, "ante 10")
print(table.deal())
while table.rounds == 0:
    advice = table.advise(1)
    print(advice)
    print(table.act(1, advice.best))
print(table.last_result)

with tempfile.TemporaryDirectory() as folder:
    history = table.save(Path(folder) / "table.jsonl")
    print(cf.verify(history))
