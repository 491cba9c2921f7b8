"""The progressive wager of Pai Gow Poker (11.14A) settled again: draws, hands, claims on the meter, payments, papers.

Written in long-hand on purpose, from the clauses. What a meter shows is the meter's affair: that a grant is the part of
the pool that was claimed, and is divided as the licensee has chosen, is checked here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final

from crossfelt.cards.card import HIDDEN, JOKER, Card
from crossfelt.hands.pai_gow import rank_pai_gow_five, rank_progressive_seven
from crossfelt.hands.rank import HandRank
from crossfelt.proof.resettle.round import Data, amounts_words, choice, setting

PLAYER: Final = "progressive_player"
DEALER: Final = "progressive_dealer"
METER: Final = "pai_gow"
PERCENT: Final = {"seven_card_straight_flush": 100, "five_aces": 10}
"""PGP-16, PGP-23: of the meter, however many credits."""
ODDS: Final = {"royal_flush": 500, "straight_flush": 100, "four_of_a_kind": 75, "full_house": 4}
"""PGP-16, to one."""
AWARDS: Final = {
    "A": {"magic_card": 20, "lucky_player": 5, "lucky_dealer": 5},
    "B": {"lucky_player": 5, "lucky_dealer": 5},
    "C": {},
}
"""PGP-19, to one."""
RANDOM: Final = frozenset(AWARDS["A"])
LUCKY: Final = {PLAYER: "lucky_player", DEALER: "lucky_dealer"}
ACE: Final = 12


@dataclass
class Credits:
    """One seat in one round."""

    placed: dict[str, int] = field(default_factory=dict)
    """Cents."""
    layout: dict[str, int] = field(default_factory=dict)
    seven: tuple[Card, ...] = ()
    exposed: bool = False
    owed: dict[tuple[str, str], int] = field(default_factory=dict)
    """Random awards by wager and name, in cents, not paid yet; and those that were announced."""
    announced: set[tuple[str, str]] = field(default_factory=set)
    verified: dict[str, str] = field(default_factory=dict)
    """Who verified a wager, and who validated it."""
    validated: dict[str, str] = field(default_factory=dict)
    granted: dict[str, int] = field(default_factory=dict)


class CreditsChecker:
    """Sees the events of a table and says what is wrong with its progressive wagers."""

    def __init__(self, game: Data) -> None:
        self._letter = str(choice(game, "wagers.progressive.paytable"))
        self._credit = int(choice(game, "wagers.progressive.credit_cents"))
        self._rate = int(choice(game, f"meters.{METER}.rate_per_million"))
        self._bounds = {
            wager: range(
                int(choice(game, f"wagers.{wager}.min_credits")), int(choice(game, f"wagers.{wager}.max_credits")) + 1
            )
            for wager in LUCKY
        }
        self._from_meter = setting(game, "odds_paid_from") == "meter"
        self._to_one_returns = bool(setting(game, "credit_returned_on_win"))
        self._lucky_returns = not setting(game, "lucky_stake_follows_hand")
        self._all_seven = setting(game, "magic_card_in") == "all_seven"
        self._magic_from = int(setting(game, "magic_card_from"))
        self._lucky_anywhere = setting(game, "lucky_player_goes_to") == "all_seats"
        self._by_credits = {
            PLAYER: setting(game, "share_method") == "by_credits",
            DEALER: setting(game, "share_method_dealer") == "by_credits",
        }
        self._void_keeps = setting(game, "void_contributions") != "reversed"
        self._start()

    def _start(self) -> None:
        self._seats: dict[int, Credits] = {}
        self._dealer: tuple[Card, ...] = ()
        self._locked = self._void = False
        self._drawn: Data | None = None
        self._fed = 0
        self._claims: dict[int, Data] = {}
        self._papers: set[int] = set()

    def see(self, event: Data) -> Iterator[str]:
        rule = getattr(self, f"_{event['event']}", None) if event["event"] in _SEEN else None
        if rule is not None:
            yield from rule(event)

    def _seat(self, number: int) -> Credits:
        return self._seats.setdefault(number, Credits())

    def _bettors(self, wager: str) -> list[int]:
        """Who has credits on a hand, from the dealer's right."""
        return sorted((seat for seat, own in self._seats.items() if own.layout.get(wager)), reverse=True)

    # --- before the cards ---------------------------------------------------------------------------------------

    def _round_opened(self, event: Data) -> Iterator[str]:
        self._start()
        yield from ()

    def _wagers_placed(self, event: Data) -> Iterator[str]:
        """PGP-6: whole credits, with a main wager, before the lock."""
        mine = {wager: cents for wager, cents in event["wagers"].items() if wager in LUCKY}
        self._seats[event["seat"]] = Credits(placed=mine, layout=dict(mine))
        for wager, cents in mine.items():
            if cents % self._credit or cents // self._credit not in self._bounds[wager]:
                yield f"{wager} of {cents:,} cents is no number of credits that is allowed"
        if mine and ("main" not in event["wagers"] or self._locked):
            yield f"{amounts_words(mine)} {'after the lock' if self._locked else 'without a main wager'}"

    def _bets_locked(self, event: Data) -> Iterator[str]:
        self._locked = True
        yield from ()

    def _contribution_made(self, event: Data) -> Iterator[str]:
        """PGP-27."""
        if event["meter"] == METER:
            self._fed = event["micros"]
            if self._fed != self._to_feed:
                yield f"{self._fed:,} millionths of a cent go to {METER}; it should be {self._to_feed:,}"

    @property
    def _to_feed(self) -> int:
        return self._rate * sum(sum(own.placed.values()) for own in self._seats.values())

    def _contribution_reversed(self, event: Data) -> Iterator[str]:
        """AMB-8c."""
        if event["meter"] != METER:
            return
        if not self._void or self._void_keeps or event["micros"] != self._fed:
            yield f"{event['micros']:,} millionths are taken back from {METER} without ground"
        self._fed = 0

    def _awards_drawn(self, event: Data) -> Iterator[str]:
        """PGP-15, PGP-17, PGP-18, PGP-19: with the start button, of what the pay table has, on who has the wager."""
        awards, lucky, magic = AWARDS[self._letter], event.get("lucky_seat", 0), event.get("magic_card")
        if not self._locked or self._drawn is not None or self._dealer:
            yield "awards are drawn at another time than with the start button"
        if lucky and ("lucky_player" not in awards or not (self._lucky_anywhere or lucky in self._bettors(PLAYER))):
            yield f"seat {lucky} is drawn as the Lucky Player, and cannot be"
        if event.get("lucky_dealer") and ("lucky_dealer" not in awards or not self._bettors(DEALER)):
            yield "the Lucky Dealer is drawn for nobody"
        if magic is not None and ("magic_card" not in awards or Card(magic) >= self._magic_from):
            yield f"{magic} is drawn as the magic card, and cannot be"
        self._drawn = event

    def _cards_dealt(self, event: Data) -> Iterator[str]:
        bet = self._bettors(PLAYER) + self._bettors(DEALER)
        if bet and AWARDS[self._letter] and self._drawn is None:
            yield "cards are dealt, and the progressive system has not drawn"
        if self._to_feed and not self._fed:
            yield f"cards are dealt, and nothing has gone to {METER}"
        hands: dict[int, list[Card]] = {}
        for seat, _, text in event["cards"]:
            hands.setdefault(seat, []).append(Card(text))
        self._dealer = tuple(hands.pop(0, ()))
        for seat, cards in hands.items():
            self._seat(seat).seven = tuple(cards)

    def _dealer_hands_set(self, event: Data) -> Iterator[str]:
        self._dealer = tuple(map(Card, event["cards"]))
        yield from ()

    # --- what is won --------------------------------------------------------------------------------------------

    def _hand_surrendered(self, event: Data) -> Iterator[str]:
        """PGP-7, AMB-28."""
        if self._seat(event["seat"]).layout:
            yield "a surrender, which the progressive wager bars"

    def _hands_exposed(self, event: Data) -> Iterator[str]:
        """PGP-8: the wager is announced with the hand; random awards come with it."""
        number, own = event["seat"], self._seat(event["seat"])
        own.seven, own.exposed = tuple(map(Card, event["cards"])), True
        announced = {wager: result for wager, result in event["results"].items() if wager in LUCKY}
        due = {wager: self._result(number, wager) for wager in own.layout}
        if announced != due:
            yield f"the progressive wagers are announced as {announced}; they should be {due}"
        for wager, stake in own.layout.items():
            own.owed |= {(wager, name): stake * odds for name, odds in self._random(number, wager)}

    def _hand(self, number: int, wager: str) -> HandRank:
        return rank_progressive_seven(self._cards(number, wager))

    def _cards(self, number: int, wager: str) -> tuple[Card, ...]:
        return self._dealer if wager == DEALER else self._seats[number].seven

    def _is_lucky(self, number: int, wager: str) -> bool:
        if self._drawn is None:
            return False
        lucky = self._drawn.get("lucky_seat", 0) == number if wager == PLAYER else self._drawn.get("lucky_dealer")
        return bool(lucky)

    def _random(self, number: int, wager: str) -> Iterator[tuple[str, int]]:
        """AMB-29: they add up, and a magic card needs a hand that wins."""
        awards = AWARDS[self._letter]
        if self._is_lucky(number, wager):
            yield LUCKY[wager], awards[LUCKY[wager]]
        magic = self._drawn.get("magic_card") if self._drawn is not None else None
        rank, cards = self._hand(number, wager), self._cards(number, wager)
        wins = rank.category in PERCENT or rank.category in ODDS
        if magic is not None and wins and Card(magic) in (cards if self._all_seven else _making(cards, rank)):
            yield "magic_card", awards["magic_card"]

    def _result(self, number: int, wager: str) -> str:
        category = self._hand(number, wager).category
        if category in PERCENT or category in ODDS:
            return "win"
        return "push" if self._lucky_returns and self._is_lucky(number, wager) else "lose"

    def _award_won(self, event: Data) -> Iterator[str]:
        number, key = event["seat"], (event["wager"], event["award"])
        due = self._seat(number).owed.get(key)
        if due != event["cents"] or key in self._seat(number).announced:
            yield f"{event['award']} of {event['cents']:,} cents is announced; it should be {due or 0:,}"
        self._seat(number).announced.add(key)

    # --- checks and claims --------------------------------------------------------------------------------------

    def _award_verified(self, event: Data) -> Iterator[str]:
        """PGP-21: the dealer first."""
        own, wager = self._seat(event["seat"]), event["wager"]
        wins = own.layout.get(wager) and self._result(event["seat"], wager) == "win"
        if event.get("hand", "") != (self._hand(event["seat"], wager).name if wins else ""):
            yield f"{wager}: {event.get('hand') or 'no hand'} is verified"
        own.verified[wager] = event["by"]

    def _award_validated(self, event: Data) -> Iterator[str]:
        own, wager = self._seat(event["seat"]), event["wager"]
        if own.verified.get(wager) in (None, event["by"]):
            yield f"{wager} is validated by {event['by']}, but nobody else has verified it"
        own.validated[wager] = event["by"]

    def _award_claimed(self, event: Data) -> Iterator[str]:
        """PGP-24, PGP-25, PGP-26: validated first; a part of the meter for all who share it, odds for one."""
        self._claims[event["claim"]] = event
        if event["meter"] != METER:
            return
        wager, award, winners = event["wager"], event.get("award", ""), dict(event["winners"])
        first = next(iter(winners))
        if wager not in self._seat(first).validated:
            yield f"{wager} of seat {first} is claimed before it is validated"
        if award or not event.get("percent"):
            owed = self._seat(first).owed.get((wager, award), 0) if award else self._odds(first, wager)
            wanted: tuple[Any, ...] = (0, owed, {first: self._seat(first).placed[wager] // self._credit}, "equally")
        else:
            category = self._hand(first, wager).category
            shared = [seat for seat in self._bettors(wager) if self._hand(seat, wager).category == category]
            credits_by_seat = {seat: self._seat(seat).layout[wager] // self._credit for seat in shared}
            method = "by_credits" if self._by_credits[wager] else "equally"
            wanted = (PERCENT.get(category), 0, credits_by_seat, method)
        claimed = (event.get("percent", 0), event.get("cents", 0), winners, event.get("method", "equally"))
        if claimed != wanted:
            yield f"{wager}: {_claim_words(claimed)} is claimed; it should be {_claim_words(wanted)}"

    def _odds(self, number: int, wager: str) -> int:
        return ODDS.get(self._hand(number, wager).category, 0) * self._seat(number).layout.get(wager, 0)

    def _award_granted(self, event: Data) -> Iterator[str]:
        """AMB-27: what does not divide goes to the first from the right."""
        claim = self._claims.pop(event["claim"], None)
        if claim is None:
            yield f"claim {event['claim']} is granted, which nobody made"
            return
        if event["meter"] != METER:
            return
        paid, rest = sum(cents for _, cents in event["shares"]), event.get("from_inventory", 0)
        if event["before_micros"] + event.get("seeded_micros", 0) != event["after_micros"] + paid * 1_000_000:
            yield f"award {event['number']} of {METER} does not add up"
        due = claim.get("cents", 0) or event["before_micros"] * claim.get("percent", 0) // 100_000_000
        if not claim.get("percent"):
            yield from self._charged(event, due, paid, rest)
            due -= rest
        # A limit of the meter, which two people may change, keeps part of the pool back: that is in the meter's stream.
        if paid > due or (paid < due and not claim.get("percent")):
            yield f"the meter grants {paid:,} cents; it should be {due:,}"
        weights = {seat: held if claim.get("method") == "by_credits" else 1 for seat, held in claim["winners"]}
        shares = {seat: paid * weight // sum(weights.values()) for seat, weight in weights.items()}
        shares[next(iter(shares))] += paid - sum(shares.values())
        if dict(event["shares"]) != shares:
            yield f"{paid:,} cents are shared as {dict(event['shares'])}; it should be {shares}"
        for seat, cents in event["shares"]:
            self._seat(seat).granted[claim.get("award") or claim["wager"]] = cents

    def _charged(self, event: Data, due: int, paid: int, rest: int) -> Iterator[str]:
        """AMB-23: the pool pays what it holds above the reset amount, the table inventory the rest."""
        above = max(0, event["before_micros"] // 1_000_000 - event.get("reset_cents", 0))
        if (paid, rest) != (min(due, above), max(0, due - above)):
            yield f"of {due:,} cents the meter pays {paid:,} and the inventory {rest:,}; {above:,} are above the reset"

    # --- payments -----------------------------------------------------------------------------------------------

    def _wager_settled(self, event: Data) -> Iterator[str]:
        """PGP-16, PGP-22: by the seven cards alone, whatever became of the main wager."""
        number, wager = event["seat"], event["wager"]
        if wager not in LUCKY:
            return
        own = self._seat(number)
        stake, result = own.layout.get(wager, 0), self._result(number, wager)
        category = self._hand(number, wager).category
        back = stake if category in ODDS and self._to_one_returns else 0
        back = stake if self._lucky_returns and self._is_lucky(number, wager) else back
        claimed = result == "win" and (category in PERCENT or self._from_meter)
        granted = own.granted.pop(wager, -1) if claimed else 0
        from_meter = granted != 0
        paid = granted if category in PERCENT else self._odds(number, wager)
        wanted = {
            "stake": stake,
            "result": result,
            "returned": back,
            "paid": paid,
            "source": "meter" if from_meter else "",
            "from_inventory": paid - granted,
            "hand": self._hand(number, wager).name,
        }
        for name, value in wanted.items():
            recorded = event.get(name, "" if name in ("source", "hand") else 0)
            if recorded != value:
                yield f"{wager}: {name} is {recorded}; it should be {value}"
        if result != "lose":
            yield from self._paid(number, wager, from_meter=from_meter)
        own.layout.pop(wager, None)

    def _award_paid(self, event: Data) -> Iterator[str]:
        if event["award"] not in RANDOM:
            return
        number, wager, award = event["seat"], event.get("wager", ""), event["award"]
        own = self._seat(number)
        due = own.owed.pop((wager, award), 0)
        if (wager, award) not in own.announced:
            yield f"{award} is paid, and was not announced"
        granted = own.granted.pop(award, -1) if self._from_meter else 0
        if granted < 0:
            yield f"{award} is paid, and the meter has not answered for it"
        wanted = (due, "meter" if granted else "", due - granted)
        recorded = (event["cents"], event.get("source", ""), event.get("from_inventory", 0))
        if recorded != wanted:
            yield f"{award}: {_payment_words(recorded)} is paid; it should be {_payment_words(wanted)}"
        yield from self._paid(number, wager, from_meter=granted != 0)

    def _paid(self, number: int, wager: str, *, from_meter: bool) -> Iterator[str]:
        """PGP-10, PGP-12, PGP-21, AMB-25: when all hands are exposed and a supervisor has validated it."""
        if wager not in self._seat(number).validated:
            yield f"{wager} is paid before it is validated"
        if any(own.layout and not own.exposed for own in self._seats.values()):
            yield f"{wager} is paid before all hands are exposed"
        if wager == DEALER and self._bettors(PLAYER):
            yield f"{wager} is paid before all wagers on the players' hands"
        if from_meter:
            self._papers.add(number)

    # --- cards and papers ---------------------------------------------------------------------------------------

    def _seat_settled(self, event: Data) -> Iterator[str]:
        """PGP-20: paid before the cards go."""
        own = self._seat(event["seat"])
        if event.get("collects") and (own.owed or own.layout):
            yield "the cards are collected before the progressive wager is paid"

    def _documents_completed(self, event: Data) -> Iterator[str]:
        if event["seat"] not in self._papers or not event["document"]:
            yield "documents are completed for nothing"
        self._papers.discard(event["seat"])

    def _cards_discarded(self, event: Data) -> Iterator[str]:
        """PGP-12."""
        for seat in sorted(self._papers):
            yield f"the cards of seat {seat} go before the documents of its award are done"

    def _settlement_reversed(self, event: Data) -> Iterator[str]:
        settled = event["settled"]
        if settled["event"] == "wager_settled" and settled["wager"] in LUCKY:
            self._seat(event["seat"]).layout[settled["wager"]] = settled["stake"]
        yield from ()

    def _wagers_returned(self, event: Data) -> Iterator[str]:
        own = self._seat(event["seat"])
        back = {wager: cents for wager, cents in event["wagers"].items() if wager in LUCKY}
        if back != own.layout:
            yield f"{amounts_words(back)} is returned; {amounts_words(own.layout)} was staked in credits"
        own.layout, own.owed = {}, {}

    def _round_voided(self, event: Data) -> Iterator[str]:
        self._void = True
        for own in self._seats.values():
            own.owed = {}
        yield from ()

    _round_abandoned = _round_voided

    def _round_closed(self, event: Data) -> Iterator[str]:
        for seat, own in sorted(self._seats.items()):
            if own.layout:
                yield f"the round is closed, and seat {seat} still has {amounts_words(own.layout)} in credits"
            for _, award in own.owed:
                yield f"the round is closed, and seat {seat} was not paid its {award} award"
            for name, cents in own.granted.items():
                yield f"the round is closed, and seat {seat} was not paid {cents:,} cents granted for {name}"
        if self._claims:
            yield f"the round is closed, and claims {sorted(self._claims)} are open"
        if self._void and self._fed and not self._void_keeps:
            yield f"the round is void, and {METER} keeps its contribution"


def _making(seven: tuple[Card, ...], rank: HandRank) -> set[Card]:
    """AMB-29b, where the operator has it so: the cards without which the hand would not be what it is."""
    if rank.category == "seven_card_straight_flush":
        return set(seven)
    fives = [five for five in combinations(seven, 5) if _same(five, rank)]
    making = {card for five in fives for card in five}
    if rank.category != "four_of_a_kind":
        return making
    return {card for card in making if (ACE if card == JOKER else card.rank) == rank.ranks[0]}


def _same(five: tuple[Card, ...], rank: HandRank) -> bool:
    made = rank_pai_gow_five(five, wheel_second=False)
    return HIDDEN not in five and (made.category, made.ranks) == (rank.category, rank.ranks)


def _payment_words(payment: tuple[int, str, int]) -> str:
    cents, source, from_inventory = payment
    return f"{cents:,} cents from the {source or 'tray'}, {from_inventory:,} of it from the inventory"


def _claim_words(claim: tuple[Any, ...]) -> str:
    percent, cents, winners, method = claim
    return f"{f'{percent} percent' if percent else f'{cents:,} cents'} for {winners} {method}"


_SEEN: Final = frozenset(
    (
        *("round_opened", "wagers_placed", "bets_locked", "contribution_made", "contribution_reversed", "awards_drawn"),
        *("cards_dealt", "dealer_hands_set", "hand_surrendered", "hands_exposed", "award_won", "award_verified"),
        *("award_validated", "award_claimed", "award_granted", "wager_settled", "award_paid", "seat_settled"),
        *("documents_completed", "cards_discarded", "wagers_returned", "round_voided", "round_abandoned"),
        *("settlement_reversed", "round_closed"),
    )
)
