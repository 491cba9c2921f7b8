"""A person deals from a virtual deck: the dealer does every act, the server draws the cards."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from crossfelt.client import TableClient
from crossfelt.rulebooks.loader import rulebook_ids
from limits import WAIT_SECONDS
from server.served import Served, serving

ORDER = (
    *("shuffle_deck", "cut_deck", "load_deck", "choose_first_hand", "no_more_bets", "deal_cards", "count_stub"),
    *("discard_stub", "collect_folds", "turn_up", "set_dealer_hand", "expose_seat", "spin_wheel", "spin_xtreme"),
    *("pay_spin", "draw_awards", "settle_seat", "discard_cards", "complete_documents"),
)
"""A dealer's acts, in an order that always completes a round."""


def next_act(table: TableClient) -> dict[str, Any] | None:
    """Return the first act on the list that may be done now, without irregularities."""
    for command in ORDER:
        for option in table.allowed:
            if option["command"] == command:
                amounts = {name: limits["min"] for name, limits in option.get("ranges", {}).items()}
                words = {name: values[0] for name, values in option.get("choices", {}).items() if name == "hand"}
                if command == "count_stub":
                    amounts = {"count": table.view["stub_cards"]}
                seat = {"seat": option["seat"]} if "seat" in option else {}
                return {"command": command, **seat, **option.get("fields", {}), **amounts, **words}
    return None


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_dealer_in_training_deals_a_round_to_bots(rulebook: str, tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        guest = await served.guest("Dana")
        name = await guest.open_table(rulebook, pace="instant", dealt_by="dealer", bots=2)
        async with guest.table(name, "dealer") as table:
            number = table.view["round"]
            refused = []
            async with asyncio.timeout(WAIT_SECONDS):
                while not served.server.pit.find(name).memory.rounds:
                    asked = next_act(table)
                    if asked is None:
                        await asyncio.sleep(0.005)
                        continue
                    answer = await table.ask(asked)
                    if answer.problem is not None:
                        refused.append((asked, answer.problem))
                        assert len(refused) < 20, refused[-1]
            assert served.server.pit.find(name).memory.rounds[-1].outcome == "settled"
            assert served.server.pit.find(name).memory.rounds[-1].round >= max(1, number)

    async def run() -> None:
        async with serving(tmp_path) as served:
            await story(served)

    asyncio.run(run())
