"""Faults to plant in the plain data of New Jersey's Criss Cross rulebook, and what must be said of each."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any, NamedTuple

from crossfelt.money.odds import ALLOWED
from crossfelt.rulebooks.loader import as_data, load

Data = dict[str, Any]
BOOK = "nj-criss-cross"


class Fault(NamedTuple):
    plant: Callable[[Data], object]
    says: tuple[str, ...]
    """The printed start of each problem, from its path on; one fault may cause several."""


def sound_data(book: str = BOOK) -> Data:
    """Return a fresh copy of the plain data of a rulebook, as in a JSON file."""
    data: Data = json.loads(json.dumps(as_data(load(book))))
    return data


def one(items: list[Data], **fields: object) -> Data:
    return next(item for item in items if fields.items() <= item.items())


def _step(data: Data, step: str) -> Data:
    return one(data["script"], id=step)


def _fold(data: Data, bet: str) -> Data:
    return one(_step(data, f"decide_{bet}")["actions"], fold=True)


def _choice(data: Data, path: str) -> Data:
    return one(data["choice"], path=path)


def _wager(data: Data, wager: str) -> Data:
    return one(data["wager"], id=wager)


def _lines(data: Data) -> list[Data]:
    found: list[Data] = one(data["paytable"], id="bets")["lines"]
    return found


def _flush(data: Data) -> Data:
    return one(_lines(data), hand="flush")


def _pair(data: Data, name: str) -> Data:
    return one(_lines(data), id=name)


def _move(items: list[Data], to: int, of: int) -> None:
    items.insert(to, items.pop(of))


SIXES_TO_TENS = "pair_6s_through_10s"
RANKS = "not a range of ranks"
STEPS = (
    "offer_bank, open_bets, lock, first_hand, deal, stub, decide, reveal, set_hands, compare, settle, spin, discard, "
    "shuffle"
)

SHAPE = {
    "an unknown key": Fault(lambda d: d["table"].update(chairs=6), ("table.chairs: unknown key (allowed: ",)),
    "an unknown key at the top": Fault(
        lambda d: d.update(wagers=[]), ("wagers: unknown key; did you mean wager? (allowed: schema, id, ",)
    ),
    "a missing key": Fault(lambda d: d["deck"].pop("cards"), ("deck.cards: missing",)),
    "a missing table": Fault(lambda d: d.pop("settings"), ("settings: missing",)),
    "text for a number": Fault(lambda d: d["table"].update(seats="six"), ("table.seats: not a whole number: 'six'",)),
    "a flag for a number": Fault(lambda d: d["table"].update(seats=True), ("table.seats: not a whole number: ",)),
    "a fraction for a number": Fault(lambda d: d["table"].update(seats=6.0), ("table.seats: not a whole number: 6.0",)),
    "a number for a flag": Fault(
        lambda d: _wager(d, "ante_down").update(required=1), ("wager (ante_down).required: not true or false: 1",)
    ),
    "a number for text": Fault(lambda d: d.update(title=5), ("title: not text: 5",)),
    "nothing for text": Fault(lambda d: d.update(title=""), ("title: empty",)),
    "a list for a table": Fault(lambda d: d.update(deck=[52]), ("deck: not a table: '[52]'",)),
    "a table for a list": Fault(lambda d: d.update(script={}), ("script: not a list: '{}'",)),
    "three amounts for two": Fault(
        lambda d: d["community_pay"][0].update(amounts_cents=[[1, 2, 3]]),
        ("community_pay[0].amounts_cents[0]: wrong number of values: 3 (allowed: 2)",),
    ),
    "too many seats": Fault(lambda d: d["table"].update(seats=8), ("table.seats: too large: 8 (allowed: at most 7)",)),
    "no seats": Fault(lambda d: d["table"].update(seats=0), ("table.seats: too small: 0 (allowed: at least 1)",)),
    "a deck of 54": Fault(lambda d: d["deck"].update(cards=54), ("deck.cards: unknown value: 54 (allowed: 52, 53)",)),
    "a deck of 52.0": Fault(
        lambda d: d["deck"].update(cards=52.0), ("deck.cards: unknown value: 52.0 (allowed: 52, 53)",)
    ),
    "an id with a space": Fault(
        lambda d: d.update(id="NJ Criss"), ("id: not allowed: 'NJ Criss' (allowed: small letters",)
    ),
    "a version of two numbers": Fault(
        lambda d: d.update(version="1.0"), ("version: not allowed: '1.0' (allowed: three numbers",)
    ),
    "an unknown outcome": Fault(
        lambda d: d["irregularities"]["card_in_error"]["any"].update(then=["burn"]),
        ("irregularities.card_in_error.any.then[0]: unknown value: 'burn' (allowed: continue, ",),
    ),
    "a setting that is a fraction": Fault(
        lambda d: d["settings"]["cut_min_cards"].update(value=1.5),
        ("settings.cut_min_cards.value: not allowed: 1.5 (allowed: true or false, or a whole",),
    ),
    "an unknown step": Fault(
        lambda d: _step(d, "stub").update(step="burn"),
        (f"script (stub).step: unknown value: 'burn' (allowed: {STEPS})",),
    ),
    "a step without a kind": Fault(
        lambda d: _step(d, "stub").pop("step"), (f"script (stub).step: missing (allowed: {STEPS})",)
    ),
    "a step that is no table": Fault(
        lambda d: d["script"].append("shuffle"), ("script[15]: not allowed: 'shuffle' (allowed: { step = … })",)
    ),
    "no cards at a time": Fault(
        lambda d: _step(d, "deal")["deliver"][1].update(at_a_time=0),
        ("script (deal).deliver[1].at_a_time: too small: 0 (allowed: at least 1)",),
    ),
    "a choice with a space": Fault(
        lambda d: d["choice"][0].update(path="Operator Name"),
        ("choice[0].path: not allowed: 'Operator Name' (allowed: names with dots",),
    ),
    "odds in another form": Fault(
        lambda d: _flush(d).update(odds="8:1"),
        (f"paytable (bets).lines[4].odds: not odds: '8:1' (allowed: {ALLOWED})",),
    ),
    "odds of nothing": Fault(
        lambda d: _flush(d).update(odds="0 to 1"),
        (f"paytable (bets).lines[4].odds: not odds: '0 to 1' (allowed: {ALLOWED})",),
    ),
    "odds as a number": Fault(lambda d: _flush(d).update(odds=8), ("paytable (bets).lines[4].odds: not odds: 8",)),
}
"""The data have the wrong shape."""

PAY_LINES = {
    "an unknown pay line": Fault(
        lambda d: _flush(d).update(hand="flash"),
        ("paytable (bets).flash: unknown hand: 'flash' (allowed: flush, four_of_a_kind, full_house, high_card, ",),
    ),
    "a missing pay line": Fault(
        lambda d: _lines(d).remove(_flush(d)), ("paytable (bets): this hand has no line, but lower hands pay: 'flush'",)
    ),
    "a missing pair": Fault(
        lambda d: _pair(d, "pair_jacks_or_better").update(low="Q"),
        ("paytable (bets): this hand has no line, but lower hands pay: 'pair of J'",),
    ),
    "a doubled pair": Fault(
        lambda d: _pair(d, SIXES_TO_TENS).update(high="J"),
        (f"paytable (bets).{SIXES_TO_TENS}: a line above pays some of these hands already: 'pair'",),
    ),
    "a doubled pay line": Fault(
        lambda d: _lines(d).append({"id": "again", "hand": "flush", "odds": "9 to 1"}),
        ("paytable (bets).again: a line above pays these hands already: 'flush'",),
    ),
    "a repeated pay line": Fault(
        lambda d: _lines(d).append({"hand": "flush", "odds": "9 to 1"}),
        (
            "paytable (bets): 2 pay lines have this name; give each an id: 'flush'",
            "paytable (bets).flush: a line above pays these",
        ),
    ),
    "a line paid in two ways": Fault(
        lambda d: _flush(d).update(meter_percent=10),
        ("paytable (bets).flush: needs exactly one of odds, meter_percent, amount_cents",),
    ),
    "a line paid in no way": Fault(
        lambda d: _flush(d).pop("odds"),
        ("paytable (bets).flush: needs exactly one of odds, meter_percent, amount_cents",),
    ),
    "ranks from high to low": Fault(
        lambda d: _pair(d, SIXES_TO_TENS).update(low="T", high="6"),
        (f"paytable (bets).{SIXES_TO_TENS}: {RANKS}: 'T to 6'",),
    ),
    "a rank of two letters": Fault(
        lambda d: _pair(d, SIXES_TO_TENS).update(low="67"),
        ("paytable (bets).lines (pair_6s_through_10s).low: not allowed: '67' (allowed: one of 2 ",),
    ),
    "an open range of ranks": Fault(
        lambda d: _pair(d, SIXES_TO_TENS).pop("high"),
        (f"paytable (bets).{SIXES_TO_TENS}: a line above pays some of these hands already: 'pair'",),
    ),
    "ranks of a flush": Fault(
        lambda d: _flush(d).update(low="6", high="T"),
        ("paytable (bets): this hand has no line, but lower hands pay: 'flush'",),
    ),
    "a pay table for an unknown hand": Fault(
        lambda d: one(d["paytable"], id="bets").update(order="six_card"),
        ("paytable (bets): no such order of hands: 'six_card' (allowed: five_card, joker_five, ",),
    ),
    "a pay table twice": Fault(
        lambda d: d["paytable"].append(copy.deepcopy(d["paytable"][1])),
        ("paytable: appears 2 times: 'bets'",),
    ),
}

CITATIONS = {
    "an unknown clause": Fault(lambda d: d["deck"].update(clauses=["NJC-99"]), ("deck: no such clause: 'NJC-99'",)),
    "an unknown clause of a pay line": Fault(
        lambda d: _flush(d).update(clauses=["NJC-99"]), ("paytable (bets).lines[4]: no such clause: 'NJC-99'",)
    ),
    "an unknown reading": Fault(lambda d: d["deck"].update(readings=["AMB-99"]), ("deck: no such reading: 'AMB-99'",)),
    "an unknown reading of a slice": Fault(
        lambda d: d["wheel"][0]["slices"][0].update(readings=["AMB-99"]),
        ("wheel[0].slices[0]: no such reading: 'AMB-99'",),
    ),
    "an unknown topic": Fault(lambda d: d["deck"].update(topic="D99"), ("deck: no such topic: 'D99'",)),
    "a datum without a citation": Fault(
        lambda d: d["deck"].pop("clauses"), ("deck: cites neither a clause nor a reading nor a house rule",)
    ),
}

WAGERS = {
    "a hand of too few cards": Fault(
        lambda d: d["hand"][0]["of"].pop(), ("hand (across): wrong number of cards: 4 (allowed: 5 for five_card)",)
    ),
    "a hand of an unknown order": Fault(
        lambda d: one(d["hand"], id="hole_cards").update(order="six_card", marks={}),
        (
            "hand (hole_cards): unknown order of hands: 'six_card' (allowed: five_card, ",
            "wager (bonus_spin).settle[0]: hole_cards has no such mark: 'pair' (allowed: none)",
        ),
    ),
    "a group of too few places": Fault(
        lambda d: one(d["group"], id="cross").update(cards=6),
        (
            "group (cross): names another number of places: 5 (allowed: 6)",
            "group (cross): a cross has another number of cards: 6 (allowed: 5)",
        ),
    ),
    "a hand twice": Fault(
        lambda d: d["hand"].append(copy.deepcopy(d["hand"][0])), ("hand: appears 2 times: 'across'",)
    ),
    "a wager twice": Fault(
        lambda d: d["wager"].append(copy.deepcopy(d["wager"][0])), ("wager: appears 2 times: 'ante_across'",)
    ),
    "a wager on an unknown hand": Fault(
        lambda d: _wager(d, "across")["settle"][0].update(on="diagonal"),
        ("wager (across).settle[0]: no such hand: 'diagonal' (allowed: across, down, community, better, hole_cards)",),
    ),
    "the better of unknown hands": Fault(
        lambda d: one(d["hand"], id="better").update(highest_of=["across", "diagonal"]),
        ("hand (better): no such hand: 'diagonal' (allowed: across, down, community, hole_cards)",),
    ),
    "the better of itself": Fault(
        lambda d: one(d["hand"], id="better").update(highest_of=["better", "across"]),
        (
            "hand (better): no such hand: 'better' (allowed: across, down, community, hole_cards)",
            "hand (better): compares hands of different orders",
        ),
    ),
    "a wager paid by an unknown table": Fault(
        lambda d: _wager(d, "across")["settle"][0].update(pay="betz"),
        ("wager (across).settle[0]: no such pay table: 'betz' (allowed: ante, bets, five_card_bonus)",),
    ),
    "a wager paid in two ways": Fault(
        lambda d: _wager(d, "across")["settle"][0].update(odds="1 to 1"),
        ("wager (across).settle[0]: needs exactly one form: 'odds, pay' (allowed: odds, pay, versus, versus_each, ",),
    ),
    "a wager that is never settled": Fault(
        lambda d: _wager(d, "across").update(settle=[]), ("wager (across).settle: needs at least one rule",)
    ),
    "an unknown mark": Fault(
        lambda d: _wager(d, "bonus_spin")["settle"][0].update(when={"hole_cards": "suited"}),
        ("wager (bonus_spin).settle[0]: hole_cards has no such mark: 'suited' (allowed: pair)",),
    ),
    "a hand of the dealer, who has none": Fault(
        lambda d: _wager(d, "across")["settle"][0].update(on="dealer.across"),
        ("wager (across).settle[0]: the dealer has no hand: 'dealer.across'",),
    ),
    "another order's pay table": Fault(
        lambda d: _wager(d, "across")["settle"][0].update(on="hole_cards"),
        ("wager (across).settle[0]: the pay table is for five_card, but the hand is two_card: 'bets'",),
    ),
    "a rule for an unknown setting": Fault(
        lambda d: _wager(d, "across")["settle"][0].update(where={"weather": "fine"}),
        ("wager (across).settle[0].where: no such setting: 'weather' (allowed: ",),
    ),
    "a multiple of an unknown wager": Fault(
        lambda d: _wager(d, "across")["stake"].update(of="antes"),
        ("wager (across): no such wager or group: 'antes' (allowed: across, ante, ante_across, ",),
    ),
    "a wager that needs an unknown one": Fault(
        lambda d: _wager(d, "five_card_bonus").update(needs=["main"]),
        ("wager (five_card_bonus): no such wager or group: 'main' (allowed: across, ",),
    ),
    "a stake in two forms": Fault(
        lambda d: _wager(d, "across")["stake"].update(posted="ante"),
        ("wager (across): needs exactly one form of stake (allowed: posted, of, cents, by_paytable)",),
    ),
    "a stake in no form": Fault(
        lambda d: _wager(d, "across")["stake"].pop("of"),
        ("wager (across): needs exactly one form of stake (allowed: posted, of, cents, by_paytable)",),
    ),
    "a least stake above the greatest": Fault(
        lambda d: _wager(d, "across")["stake"].update(min=4),
        ("wager (across): the smallest multiple is above the largest: '4 > 3'",),
    ),
    "an unknown wager feeding a meter": Fault(
        lambda d: d["meter"][0].update(fed_by=["spin"]),
        ("meter (bonus_spin): no such wager: 'spin' (allowed: across, ",),
    ),
    "an area for an unknown wager": Fault(
        lambda d: d["table"]["layout"].update(optional=["spin"]),
        (
            "table.layout: no such wager: 'spin' (allowed: across, ",
            "table.layout: wager without a betting area: 'bonus_spin'",
        ),
    ),
}

WHEELS = {
    "a wager without its wheel": Fault(
        lambda d: _wager(d, "five_card_bonus").update(settle=[{"spin": "own", "clauses": ["NJC-52"]}]),
        ("wager (five_card_bonus): is paid by a wheel, but has no wheel",),
    ),
    "a stake from a wheel that is not there": Fault(
        lambda d: _wager(d, "five_card_bonus").update(stake={"by_paytable": True}),
        ("wager (five_card_bonus): takes its stake from a wheel, but has no wheel",),
    ),
    "a wheel for a wager that none pays": Fault(
        lambda d: d["wheel"][0].update(wager="across"),
        (
            "wheel[0] (across.3): a wheel does not pay this wager: 'across' (allowed: bonus_spin)",
            "wheel (across.3): community slices and amounts differ in number: 3",
        ),
    ),
    "too few weights": Fault(
        lambda d: d["wheel"][0].update(illustrative_weights=[1, 2]),
        ("wheel[0] (bonus_spin.3): weights and slices differ in number: 2 (allowed: 12)",),
    ),
    "two top prizes": Fault(
        lambda d: d["wheel"][0]["slices"][1].pop("pays_cents"),
        ("wheel[0] (bonus_spin.3): wrong number of slices without an amount: 2 (allowed: one)",),
    ),
    "a top prize where there is none": Fault(
        lambda d: d["wheel"][0].pop("top"),
        ("wheel[0] (bonus_spin.3): wrong number of slices without an amount: 1 (allowed: none)",),
    ),
    "a position twice": Fault(
        lambda d: d["wheel"][0]["slices"][1].update(position=3),
        ("wheel[0] (bonus_spin.3): wrong positions of the slices: '[0, 3, 8, 3, 7, 6, 10, 11, 9, 5, 4, 1]' (all",),
    ),
    "community slices out of order": Fault(
        lambda d: d["wheel"][0]["slices"][3].update(community=2),
        ("wheel[0] (bonus_spin.3): community slices are not numbered 1, 2, 3 in order: '[2, 2, 3]'",),
    ),
    "too few community amounts": Fault(
        lambda d: d["community_pay"][0].update(amounts_cents=[[1, 2]]),
        ("wheel (bonus_spin.3): community slices and amounts differ in number: 3",),
    ),
    "a wheel twice": Fault(
        lambda d: d["wheel"].append(copy.deepcopy(d["wheel"][0])), ("wheel: appears 2 times: 'bonus_spin.3'",)
    ),
}

LIMITS = {
    "a limit on an unknown wager": Fault(
        lambda d: d["payout_limit"][0]["covers"].append("main"),
        ("payout_limit[0]: no such wager: 'main' (allowed: across, ",),
    ),
    "a wager inside and outside the limit": Fault(
        lambda d: d["payout_limit"][0].update(outside=["across"]),
        ("payout_limit[0]: both inside and outside the limit: 'across'",),
    ),
    "a wager neither inside nor outside the limit": Fault(
        lambda d: d["payout_limit"][0]["covers"].remove("across"),
        ("payout_limit[0]: neither inside nor outside the limit: 'across'",),
    ),
}

SETTINGS = {
    "an unknown setting": Fault(
        lambda d: d["settings"].update(cut_depth={"value": 3, "house_rule": "ours"}),
        ("settings: unknown setting: 'cut_depth' (allowed: ",),
    ),
    "a missing setting": Fault(
        lambda d: d["settings"].pop("cut_min_cards"), ("settings: missing setting: 'cut_min_cards'",)
    ),
    "an unknown value": Fault(
        lambda d: d["settings"]["cut_method"].update(value="riffle"),
        ("settings.cut_method: value not allowed: 'riffle' (allowed: lift_onto_cover_card, insert_cover_card)",),
    ),
    "text for the number of a setting": Fault(
        lambda d: d["settings"]["cut_min_cards"].update(value="ten"),
        ("settings.cut_min_cards: value not allowed: 'ten' (allowed: a whole number of cards)",),
    ),
    "less than none": Fault(
        lambda d: d["settings"]["cut_min_cards"].update(value=-1),
        ("settings.cut_min_cards: value not allowed: -1 (allowed: a whole number of cards)",),
    ),
    "a number that makes no sense": Fault(
        lambda d: d["settings"]["minimum_wager_bets_at"].update(value=4),
        ("settings.minimum_wager_bets_at: value not allowed: 4 (allowed: 1, 2, 3)",),
    ),
    "a number for the flag of a setting": Fault(
        lambda d: d["settings"]["ace_low_straight"].update(value=1),
        ("settings.ace_low_straight: value not allowed: 1 (allowed: true, false)",),
    ),
    "the same thing twice in a list": Fault(
        lambda d: d["settings"]["cut_after"].update(value=["manual", "manual"]),
        ("settings.cut_after: value not allowed: \"('manual', 'manual')\" (allowed: a list of any of manual",),
    ),
    "a setting of another game": Fault(
        lambda d: d["settings"].update(joker_is={"value": "ace_or_completes", "house_rule": "ours"}),
        ("settings: not a setting of this game: 'joker_is'",),
    ),
}

CHOICES = {
    "a default out of bounds": Fault(
        lambda d: _choice(d, "dealing.decks").update(default=3),
        ("choice (dealing.decks): out of bounds: 3 (allowed: a whole number, at least 1, at most 2) [NJC-13, NJC-14]",),
    ),
    "a default of another kind": Fault(
        lambda d: _choice(d, "wagers.ante.min_cents").update(default="five"),
        ("choice (wagers.ante.min_cents): not a whole number: 'five' (allowed: an amount in cents, at least 1",),
    ),
    "a default that is not one of the choices": Fault(
        lambda d: _choice(d, "dealing.method").update(default="chute"),
        ("choice (dealing.method): not one of the choices: 'chute' (allowed: manual_shoe, hand, automated_shoe) [",),
    ),
    "weights that are all nothing": Fault(
        lambda d: _choice(d, "wagers.bonus_spin.weights").update(default=[0, 0]),
        ("choice (wagers.bonus_spin.weights): not a list of weights: '(0, 0)' (allowed: whole numbers, one for each ",),
    ),
    "a choice that hangs on an unknown one": Fault(
        lambda d: _choice(d, "wagers.bonus_spin.paytable").update(only_if={"wagers.spin.offered": True}),
        ("choice (wagers.bonus_spin.paytable): no such choice: 'wagers.spin.offered' (allowed: ",),
    ),
    "a choice twice": Fault(
        lambda d: d["choice"].append(copy.deepcopy(d["choice"][0])), ("choice: appears 2 times: 'status'",)
    ),
    "a requirement for an unknown choice that is stated": Fault(
        lambda d: d["requirement"][0].update(when_stated=["payout_limit.sum"]),
        ("requirement[0]: no such choice: 'payout_limit.sum' (allowed: ",),
    ),
    "a requirement on an unknown choice": Fault(
        lambda d: d["requirement"][0].update(when={"dealing.way": ["hand"]}),
        ("requirement[0]: no such choice: 'dealing.way' (allowed: ",),
    ),
    "a requirement of an unknown choice": Fault(
        lambda d: d["requirement"][0].update(must={"dealing.shufler": {"stated": True}}),
        ("requirement[0]: no such choice: 'dealing.shufler' (allowed: ",),
    ),
}

SILENT = "a fold neither forfeits nor keeps this wager"
NOT_TURNED_UP = "is settled before this card is turned up: 'middle'"
SCRIPT = {
    "two steps of one id": Fault(
        lambda d: _step(d, "stub").update(id="deal"), ("script[3] (deal): two steps have this id: 'deal'",)
    ),
    "bets that close before they open": Fault(
        lambda d: _move(d["script"], 0, 1), ("script[0] (no_more_bets): the bets close before they open",)
    ),
    "cards before the bets close": Fault(
        lambda d: _move(d["script"], 1, 2), ("script[1] (deal): cards are dealt before the bets close",)
    ),
    "bets that never close": Fault(
        lambda d: d["script"].remove(_step(d, "no_more_bets")),
        (
            "script[1] (deal): cards are dealt before the bets close",
            "script[2] (stub): this step comes before the bets close",
            "script: wrong number of steps 'lock': 0",
        ),
    ),
    "a stub before the bets close": Fault(
        lambda d: _move(d["script"], 0, 3), ("script[0] (stub): this step comes before the bets close",)
    ),
    "dealing methods that differ": Fault(
        lambda d: _step(d, "deal")["deliver"].pop(3),
        ("script[2] (deal): dealing methods deal different groups: 'manual_shoe: cross, hole; hand: cross, hole; ",),
    ),
    "a place dealt to twice": Fault(
        lambda d: _step(d, "deal")["deliver"][3].update(places=["hole_1", "hole_1"]),
        ("script[2] (deal).deliver[3].places: does not list the places of the group, each once: ",),
    ),
    "a group dealt to twice": Fault(
        lambda d: _step(d, "deal")["deliver"].append({"to": "cross", "clauses": ["NJC-32"]}),
        tuple(
            f"script[2] (deal): a group is dealt to twice: '{method}'"
            for method in ("manual_shoe", "hand", "automated_shoe")
        ),
    ),
    "cards for an unknown group": Fault(
        lambda d: _step(d, "deal")["deliver"][3].update(to="street"),
        ("script[2] (deal).deliver[3].to: no such group: 'street' (allowed: hole, cross)",),
    ),
    "stacks that do not come out even": Fault(
        lambda d: _step(d, "deal")["deliver"][1].update(at_a_time=2),
        ("script[2] (deal).deliver[1].at_a_time: the number of cards is not a multiple of at_a_time: 2",),
    ),
    "more cards than the deck has": Fault(
        lambda d: one(d["group"], id="hole").update(cards=8, places=[f"hole_{number}" for number in range(1, 9)]),
        ("script[2] (deal): a full table needs too many cards: 53 (allowed: at most 52)",) * 3,
    ),
    "two deals": Fault(
        lambda d: d["script"].insert(3, {**copy.deepcopy(_step(d, "deal")), "id": "again"}),
        ("script: wrong number of steps 'deal': 2",),
    ),
    "a decision before the cards": Fault(
        lambda d: _move(d["script"], 2, 4), ("script[2] (decide_across): a decision comes before the cards are dealt",)
    ),
    "a fold that forfeits what is not there": Fault(
        lambda d: _fold(d, "across")["forfeits"].append("down"),
        ("script[4] (decide_across).actions[1]: a fold names a wager that is not on the table: 'down' (allowed: ",),
    ),
    "a fold that forfeits and keeps": Fault(
        lambda d: _fold(d, "across")["keeps"].append("ante_down"),
        ("script[4] (decide_across).actions[1]: a fold names a wager twice: 'ante_down'",) * 2,
    ),
    "a fold that says nothing of a wager": Fault(
        lambda d: _fold(d, "across")["keeps"].remove("bonus_spin"),
        (f"script[4] (decide_across).actions[1]: {SILENT}: 'bonus_spin'",),
    ),
    "a decision without actions": Fault(
        lambda d: _step(d, "decide_middle").update(actions=[]),
        (
            "script[8] (decide_middle).actions: a decision without actions",
            "script[10] (settle).wagers: settled but never placed: 'middle'",
            "script: no step places this wager: 'middle'",
        ),
    ),
    "an action in two forms": Fault(
        lambda d: _fold(d, "down").update(check=True),
        ("script[6] (decide_down).actions[1]: needs exactly one form: 'check, fold' (allowed: bet, check, fold, ",),
    ),
    "a bet on an unknown wager": Fault(
        lambda d: one(_step(d, "decide_down")["actions"], bet="down").update(bet="up"),
        (
            "script[6] (decide_down).actions[0]: no such wager: 'up' (allowed: ante_across, ",
            "script[8] (decide_middle).actions[1]: a fold names a wager that is not on the table: 'down'",
            "script[10] (settle).wagers: settled but never placed: 'down'",
            "script: no step places this wager: 'down'",
        ),
    ),
    "a bet for which no hand is named": Fault(
        lambda d: one(_step(d, "decide_down")["actions"], bet="down").update(choose="better"),
        ("script[6] (decide_down).actions[0].choose: no hand that a player names: 'better'",),
    ),
    "multiples out of order": Fault(
        lambda d: one(_step(d, "decide_down")["actions"], bet="down").update(times=[3, 1]),
        ("script[6] (decide_down).actions[0].times: not in rising order, each once: '[3, 1]'",),
    ),
    "a bet that may be placed twice": Fault(
        lambda d: one(_step(d, "decide_down")["actions"], bet="down").update(bet="across"),
        (
            "script[6] (decide_down).actions[0]: may be placed twice, as players who have it decide again: 'across'",
            "script[8] (decide_middle).actions[1]: a fold names a wager that is not on the table: 'down'",
            "script[10] (settle).wagers: settled but never placed: 'down'",
            "script: no step places this wager: 'down'",
        ),
    ),
    "an unknown wager in the script": Fault(
        lambda d: _step(d, "open_bets")["wagers"].append("main"),
        ("script[0] (open_bets).wagers: no such wager: 'main' (allowed: ante_across, ante_down, across, ",),
    ),
    "a wager placed twice": Fault(
        lambda d: _step(d, "open_bets")["wagers"].append("ante_down"),
        ("script[0] (open_bets).wagers: placed twice: 'ante_down'",),
    ),
    "a wager never placed": Fault(
        lambda d: (
            _step(d, "open_bets")["wagers"].remove("five_card_bonus"),
            [_fold(d, name)["keeps"].remove("five_card_bonus") for name in ("across", "down", "middle")],
        ),
        (
            "script[11] (settle_bonus).wagers: settled but never placed: 'five_card_bonus'",
            "script: no step places this wager: 'five_card_bonus'",
        ),
    ),
    "a card turned up that is not dealt": Fault(
        lambda d: _step(d, "reveal_middle")["cards"].append("centre"),
        ("script[9] (reveal_middle).cards: no card is dealt to this place: 'centre' (allowed: across_left, ",),
    ),
    "a card turned up twice": Fault(
        lambda d: _step(d, "reveal_middle")["cards"].append("down_far"),
        ("script[9] (reveal_middle).cards: turned up twice: 'down_far'",),
    ),
    "a wager settled twice": Fault(
        lambda d: _step(d, "settle_bonus")["wagers"].append("across"),
        ("script[11] (settle_bonus).wagers: settled twice: 'across'",),
    ),
    "a wager never settled": Fault(
        lambda d: _step(d, "settle_bonus").update(wagers=[]),
        ("script: no step settles this wager: 'five_card_bonus'",),
    ),
    "hands settled before all cards are up": Fault(
        lambda d: _move(d["script"], 9, 10),
        tuple(
            f"script[9] (settle): {wager} {NOT_TURNED_UP}"
            for wager in ("ante_across", "across", "ante_down", "down", "middle")
        ),
    ),
    "no shuffle": Fault(
        lambda d: d["script"].pop(),
        (
            "script: wrong number of steps 'shuffle': 0",
            "script: the script must end with the shuffle: 'discard'",
        ),
    ),
    "a shuffle before the discard": Fault(
        lambda d: _move(d["script"], 13, 14), ("script: the script must end with the shuffle: 'discard'",)
    ),
}
"""The script could not run."""

SENSE = PAY_LINES | CITATIONS | WAGERS | WHEELS | LIMITS | SETTINGS | CHOICES | SCRIPT
"""The data have the right shape and make no sense."""
