"""Spin wagers settled again, from the printed tables: who spins, what the wheel pays, what goes to the meter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.hands.poker import rank_five
from crossfelt.hands.rank import HandRank, name_of
from crossfelt.proof.resettle.round import Data, amounts_words, chosen, setting

SPIN: Final = "bonus_spin"
XTREME: Final = "bonus_spin_xtreme"
METERS: Final = {SPIN: "bonus_spin", XTREME: "xtreme"}

WHEELS: Final = {
    "3": (5, "0 2500 1000 500/100 350 200/50 250 75 25/15 70 60 50"),  # NJC-53
    "4": (1, "0 500 200 100/20 70 50/10 35 25 15/3 12 11 10"),  # NJC-54
    "5": (1, "0 500 250 100/20 70 50/10 35 25 15/3 12 11 10"),  # NJC-55
    "A": (1, "0 500 200 120/20 70 60/10 35 25 18/3 12 11 10"),  # MDC-41, MDC-48
    "B": (1, "0 500 250 120/25 60 50/10 30 20 18/3 13 12 10"),  # MDC-42
    "C": (5, "0 2500 1000 600/100 350 250/50 250 75 40/15 70 60 50"),  # MDC-43
    "D": (5, "0 2500 1000 600/100 350 250/50 250 75 40/15 70 60 50"),  # MDC-44
}
"""Stake and slices in dollars, the spinner's and after the stroke everybody else's; 0 is the top prize."""
HOT_SPOT: Final = {
    "A": "0 250 100 80 75 60 50 45 40", "B": "0 250 100 80 75 70 60 55 50", "C": "0 250 200 100 80 75 60 55 50",
    "D": "0 500 300 250 200 150 100 80 75", "E": "0 500 300 250 200 150 125 100 80",
    "F": "0 500 300 250 200 175 150 125 100", "G": "0 1000 600 500 400 350 300 250 200",
    "H": "0 1000 600 500 400 350 300 250 200", "I": "0 1000 750 600 500 400 300 250 200",
}  # fmt: skip
"""MDC-49."""
COMMUNITY: Final = {
    "A": "35 25 20 15 12 10 7 5", "B": "40 30 25 20 15 10 7 5", "C": "40 30 25 20 15 10 7 5",
    "D": "60 50 40 30 25 20 15 10", "E": "75 50 40 30 25 20 15 10", "F": "75 50 40 30 25 20 15 10",
    "G": "150 125 100 75 50 40 30 25", "H": "150 125 100 75 60 50 40 30", "I": "150 125 100 75 60 50 40 35",
}  # fmt: skip
"""MDC-51."""
EVENT: Final = ("pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house")
"""What the event may be set to; whatever ranks above it is the event as well."""
ABOVE: Final = ("four_of_a_kind", "straight_flush", "royal_flush")

Due = tuple[int, str]
"""Cents, and ``meter`` where the meter pays them."""


class WheelChecker:
    """Sees the events of a table and says what is wrong with its spins; `cut` is what a payout limit takes."""

    def __init__(self, game: Data, cut: Callable[[int, str, int], int]) -> None:
        self._game = game
        self._cut = cut
        self._letters = dict(self._letters_by_stake())
        self._start()

    def _start(self) -> None:
        self._stakes: dict[int, dict[str, int]] = {}
        """What may still win something; a light on the seat's sensor."""
        self._layout: dict[int, dict[str, int]] = {}
        self._collected: dict[int, dict[str, int]] = {}
        self._locked = False
        self._hole: dict[int, tuple[Card, ...]] = {}
        self._community: list[Card] = []
        self._fed: dict[str, int] = {}
        self._granted: dict[tuple[str, int], int] = {}
        self._won: dict[tuple[int, str], Due] = {}
        self._shared: dict[tuple[int, str], list[int]] = {}
        self._void = False
        self._community_spun = False

    def see(self, event: Data) -> Iterator[str]:
        rule = getattr(self, f"_{event['event']}", None) if event["event"] in _SEEN else None
        if rule is not None:
            yield from rule(event)

    # --- what was chosen --------------------------------------------------------------------------------------------

    def _choice(self, path: str) -> Any:
        return chosen(self._game, path)

    def _letters_by_stake(self) -> Iterator[tuple[tuple[str, int], str]]:
        """AMB-12, AMB-13: a letter for each stake."""
        for name in ("paytable", "paytable_other"):
            letter = self._choice(f"wagers.{SPIN}.{name}")
            if letter in WHEELS:
                literal = setting(self._game, "spin_stake_by_paytable") is False
                yield (SPIN, 5_00 if literal else WHEELS[letter][0] * 100), letter
        for stake in (1, 2, 5):
            letter = self._choice(f"wagers.{XTREME}.paytable_{stake}")
            if letter in HOT_SPOT:
                yield (XTREME, stake * 100), letter

    def _community_letter(self, wager: str, stake: int) -> str:
        """AMB-9b, AMB-13: the table that the operator designates for a stake, or that of its pay table."""
        named = self._choice(f"wagers.{wager}.community_paytable_{stake // 100}")
        return str(named) if named in WHEELS or named in COMMUNITY else self._letters[wager, stake]

    def _progressive(self, wager: str, letter: str) -> bool:
        if wager == SPIN and letter == "3":
            return bool(self._choice(f"wagers.{SPIN}.top_prize") == "progressive")
        return wager == XTREME or letter in "5BD"

    def _fixed_prize(self, letter: str) -> int:
        other = "other_" if self._choice(f"wagers.{SPIN}.paytable_other") == letter else ""
        return int(self._choice(f"wagers.{SPIN}.fixed_prize_{other}cents"))

    # --- the round --------------------------------------------------------------------------------------------------

    def _round_opened(self, event: Data) -> Iterator[str]:
        self._start()
        yield from ()

    def _wagers_placed(self, event: Data) -> Iterator[str]:
        mine = {wager: cents for wager, cents in event["wagers"].items() if wager in METERS}
        self._stakes[event["seat"]], self._layout[event["seat"]] = mine, dict(mine)
        for wager, cents in mine.items():
            if (wager, cents) not in self._letters:
                yield f"{wager} of {cents:,} cents: no pay table is for that stake"
        if self._locked:
            yield "a spin wager is placed after the lock"

    def _bets_locked(self, event: Data) -> Iterator[str]:
        self._locked = True
        yield from ()

    def _contribution_made(self, event: Data) -> Iterator[str]:
        """Exactly the rate of progression of what was staked on pay tables with a jackpot."""
        meter = event["meter"]
        if meter not in METERS.values():
            return
        due = self._to_feed(meter)
        if event["micros"] != due:
            yield f"{event['micros']:,} millionths of a cent go to {meter}; it should be {due:,}"
        self._fed[meter] = event["micros"]

    def _to_feed(self, meter: str) -> int:
        fed = sum(
            cents
            for wagers in self._stakes.values()
            for wager, cents in wagers.items()
            if METERS[wager] == meter and self._progressive(wager, self._letters[wager, cents])
        )
        return fed * int(self._choice(f"meters.{meter}.rate_per_million")) if fed else 0

    def _contribution_reversed(self, event: Data) -> Iterator[str]:
        """AMB-8c."""
        if not self._void or setting(self._game, "void_contributions") != "reversed":
            yield f"the contribution to {event['meter']} is taken back without ground"
        if event["micros"] != self._fed.pop(event["meter"], 0):
            yield f"{event['micros']:,} millionths are taken back from {event['meter']}, which is not what went in"

    def _cards_dealt(self, event: Data) -> Iterator[str]:
        for meter in METERS.values():
            if meter not in self._fed and self._to_feed(meter):
                yield f"cards are dealt, and nothing has gone to {meter}"
        for seat, _, text in event["cards"]:
            if seat == 0:
                self._community.append(Card(text))
            else:
                self._hole[seat] = (*self._hole.get(seat, ()), Card(text))

    def _community_cards_revealed(self, event: Data) -> Iterator[str]:
        """At a physical table the cards are known when they are turned up."""
        known = [card for card in self._community if card is not HIDDEN]
        turned = [card for card in map(Card, event["cards"]) if card not in known]
        self._community = known + turned + [HIDDEN] * (len(self._community) - len(known) - len(turned))
        yield from ()

    def _card_misnamed(self, event: Data) -> Iterator[str]:
        self._community = [HIDDEN if card == Card(event["card"]) else card for card in self._community]
        yield from ()

    def _hand_shown(self, event: Data) -> Iterator[str]:
        self._hole[event["seat"]] = tuple(map(Card, event["cards"]))
        yield from ()

    def _hand_folded(self, event: Data) -> Iterator[str]:
        """AMB-7: by the letter New Jersey's fold at down or middle gives the spin up, and no other; or as chosen."""
        rule = setting(self._game, "spin_after_fold")
        by_the_letter = self._game["rulebook"]["document"] != "NJC" or event["wager"] == "across"
        keeps = by_the_letter if rule == "by_the_letter" else rule == "kept"
        given_up = set(event["forfeits"]) & METERS.keys()
        if bool(given_up) == keeps and self._stakes.get(event["seat"]):
            yield "the fold gives up the spin wager" if keeps else "the fold keeps the spin wager"
        if given_up:
            self._stakes[event["seat"]] = {}

    def _fold_collected(self, event: Data) -> Iterator[str]:
        taken = _spins(event["wagers"])
        self._collected[event["seat"]] = taken
        yield from self._lift(event["seat"], taken, "collected")

    def _wagers_forfeited(self, event: Data) -> Iterator[str]:
        self._stakes.pop(event["seat"], None)
        yield from self._lift(event["seat"], _spins(event["wagers"]), "forfeited", whole=True)

    def _wagers_returned(self, event: Data) -> Iterator[str]:
        self._stakes.pop(event["seat"], None)
        yield from self._lift(event["seat"], _spins(event["wagers"]), "returned", whole=True)
        if _spins(event.get("forfeited", {})) != self._collected.pop(event["seat"], {}):
            yield "a spin wager that was collected is not given back"

    def _lift(self, seat: int, taken: dict[str, int], how: str, *, whole: bool = False) -> Iterator[str]:
        """Wagers leave the layout: all that lie there, or some of them."""
        lay = self._layout.get(seat, {})
        if (whole and taken != lay) or not taken.items() <= lay.items():
            yield f"{amounts_words(taken)} is {how}; {amounts_words(lay)} lay on the layout"
        self._layout[seat] = {wager: cents for wager, cents in lay.items() if wager not in taken}

    # --- wheels -----------------------------------------------------------------------------------------------------

    def _wheel_spun(self, event: Data) -> Iterator[str]:
        seat, cards = event["seat"], tuple(map(Card, event["cards"]))
        stake = self._stakes.get(seat, {}).get(SPIN)
        if stake is None:
            yield "spins without the wager"
            return
        if HIDDEN not in self._hole[seat] and cards != self._hole[seat]:
            yield "shows other cards than were dealt"
        if len(cards) != 2 or cards[0].rank != cards[1].rank:
            yield "spins without a pair"
        self._hole[seat] = cards
        letter = self._letters[SPIN, stake]
        own, _ = _slice(WHEELS[letter][1], event["index"])
        if letter == "B" and own == 120_00:
            own = int(setting(self._game, "spin_b_first_slice_cents"))
        self._won[seat, SPIN] = self._top(SPIN, letter, seat) if own == 0 else (own, "")
        for other, wagers in self._stakes.items():
            if other != seat and SPIN in wagers:
                _, community = _slice(WHEELS[self._community_letter(SPIN, wagers[SPIN])][1], event["index"])
                if community:
                    self._shared.setdefault((other, SPIN), []).append(community)

    def _xtreme_spun(self, event: Data) -> Iterator[str]:
        self._community_spun = True
        if not self._qualifies():
            yield f"the wheels are spun for {self._made().name}"
        among_bettors = setting(self._game, "xtreme_hot_spot_among") == "wagered_seats"
        if among_bettors and XTREME not in self._stakes.get(event["hot_spot"], {}):
            yield f"the hot spot falls on seat {event['hot_spot']}, which has no wager"
        for seat, wagers in self._stakes.items():
            if XTREME not in wagers:
                continue
            letter, hot = self._letters[XTREME, wagers[XTREME]], seat == event["hot_spot"]
            if hot:
                own, _ = _slice(HOT_SPOT[letter], event["prize"])
                self._won[seat, XTREME] = self._top(XTREME, letter, seat) if own == 0 else (own, "")
            if not hot or setting(self._game, "hot_spot_also_community"):
                shared = self._community_letter(XTREME, wagers[XTREME])
                self._shared[seat, XTREME] = [_slice(COMMUNITY[shared], event["community"])[0]]

    def _made(self) -> HandRank:
        return rank_five(self._community, ace_low_straight=bool(setting(self._game, "ace_low_straight")))

    def _qualifies(self) -> bool:
        """Whether the five community cards are the event."""
        least = EVENT.index(self._choice(f"wagers.{XTREME}.qualifying_hand"))
        return self._made().category in (*EVENT[least:], *ABOVE)

    def _top(self, wager: str, letter: str, seat: int) -> Due:
        """A jackpot is known once the meter has answered."""
        return (-1, "meter") if self._progressive(wager, letter) else (self._fixed_prize(letter), "")

    def _award_granted(self, event: Data) -> Iterator[str]:
        """What was paid and what is left is what was there and what the house put in."""
        paid = sum(cents for _, cents in event["shares"])
        if event["before_micros"] + event.get("seeded_micros", 0) != event["after_micros"] + paid * 1_000_000:
            yield f"award {event['number']} of {event['meter']} does not add up"
        if event["meter"] in METERS.values() and paid * 1_000_000 > event["before_micros"]:
            held = event["before_micros"] // 1_000_000
            yield f"the meter grants {paid:,} cents, and holds {held:,}"
        self._granted |= {(event["wager"], seat): cents for seat, cents in event["shares"]}

    # --- payments ---------------------------------------------------------------------------------------------------

    def _wager_settled(self, event: Data) -> Iterator[str]:
        seat, wager = event["seat"], event["wager"]
        if wager not in METERS:
            return
        stake = self._layout.get(seat, {}).pop(wager, None)
        if stake is None or event["stake"] != stake:
            yield f"{wager} of {event['stake']:,} cents is settled; {stake or 0:,} lay on the layout"
            return
        due = self._won.pop((seat, wager), None)
        hole = self._hole.get(seat, ())
        if due is None and wager == SPIN and HIDDEN not in hole and len(hole) == 2 and hole[0].rank == hole[1].rank:
            yield f"{wager} is lost with a pair"
        if wager == XTREME and not self._community_spun and HIDDEN not in self._community and self._qualifies():
            yield f"{wager} is settled for {self._made().name} without a spin"
        cents, source = due or (0, "")
        cents = self._granted.get((wager, seat), -1) if source else cents
        outside = source and not setting(self._game, "limit_covers_progressive")
        cut = 0 if outside else self._cut(seat, wager, cents)
        back = stake if due is not None and setting(self._game, "spin_stake_returned") else 0
        hand = name_of("pair", (hole[0].rank,)) if due is not None and wager == SPIN else ""
        numbers = {"paid": cents - cut, "returned": back, "limited": cut}
        wanted: dict[str, Any] = {"result": "win" if due else "lose", "hand": hand, "source": source, **numbers}
        for name, value in wanted.items():
            recorded = event.get(name, 0 if name in numbers else "")
            if recorded != value:
                yield f"{wager}: {name} is {recorded}; it should be {value}"

    def _award_paid(self, event: Data) -> Iterator[str]:
        wager = event.get("wager", "")
        if wager not in METERS:
            return
        due = self._shared.get((event["seat"], wager), [])
        cents = due.pop(0) if due else 0
        cut = self._cut(event["seat"], wager, cents)
        if event["cents"] != cents - cut or event.get("limited", 0) != cut:
            yield f"{event['award']} pays {event['cents']:,} cents; it should be {cents - cut:,}"

    def _round_voided(self, event: Data) -> Iterator[str]:
        self._void = True
        yield from ()

    def _round_closed(self, event: Data) -> Iterator[str]:
        for seat, left in self._layout.items():
            if left:
                yield f"the round is closed, and seat {seat} still has {amounts_words(left)} on the layout"
        if self._void and setting(self._game, "void_contributions") == "reversed":
            for meter in self._fed:
                yield f"the round is void, and {meter} keeps its contribution"
        for seat, wager in self._won:
            yield f"the round is closed, and seat {seat} was not paid for {wager}"
        for (seat, wager), due in self._shared.items():
            if due:
                yield f"the round is closed, and seat {seat} did not get the community pay of {wager}"


def _spins(wagers: Mapping[str, int]) -> dict[str, int]:
    return {wager: cents for wager, cents in wagers.items() if wager in METERS}


def _slice(text: str, index: int) -> tuple[int, int]:
    """The spinner's cents and everybody else's."""
    own, _, others = text.split()[index].partition("/")
    return int(own) * 100, int(others or 0) * 100


_SEEN: Final = frozenset(
    (
        *("round_opened", "wagers_placed", "bets_locked", "contribution_made", "contribution_reversed", "cards_dealt"),
        *(
            "community_cards_revealed",
            "card_misnamed",
            "hand_shown",
            "hand_folded",
            "fold_collected",
            "wagers_forfeited",
        ),
        *(
            "wagers_returned",
            "wheel_spun",
            "xtreme_spun",
            "award_granted",
            "wager_settled",
            "award_paid",
            "round_voided",
            "round_closed",
        ),
    )
)
