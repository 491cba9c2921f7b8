"""An example of each table and form of a rulebook file; the tests check each against the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from crossfelt.rulebooks import hand_forms, model, script, settle_forms

EXAMPLES: Final[Mapping[type[Any], str]] = {
    model.OwnDocument: """
title = "River Stud"
jurisdiction = "North"
authority = "Gaming Board"
citation = "Rule 7"
""",
    model.OwnClause: """
id = "RS-1"
citation = "Rule 7(1)"
says = "The raise is one to three times the ante."
""",
    model.OwnReading: """
id = "RSR-1"
about = "The rules do not say who keeps an odd cent."
reading = "The house keeps it."
""",
    model.OwnTopic: """
id = "R1"
title = "Ties"
says = "Equal hands push."
""",
    model.Deck: "cards = 52",
    model.TableEquipment: "seats = 6",
    model.Layout: 'rows = [["pair_plus"], ["ante"], ["raise"]]',
    model.Fixtures: 'items = ["drop_box", "tip_box"]',
    hand_forms.Group: """
id = "board"
owner = "community"
cards = 3
shape = "row"
labels = ["First", "Second", "Third"]
""",
    hand_forms.OrderRule: """
id = "four_card"
cards = 4
categories = ["four_of_a_kind", "straight_flush", "three_of_a_kind", "flush", "straight", "pair", "high_card"]
""",
    hand_forms.Hand: """
id = "final"
of = ["hole", "board"]
best = 5
order = "five_card"
marks = { qualifies = { at_least = { hand = "pair" } } }
""",
    hand_forms.Mark: '{ at_least = { hand = "high_card", ranks = ["AK"] } }',
    hand_forms.Match: '{ hand = "pair", low = "6", high = "T" }',
    hand_forms.Split: """
id = "two_hands"
of = "hole"
into = ["high", "low"]
house_way = "house_way"
""",
    model.Wager: """
id = "ante"
required = true
stake = { posted = "ante" }
settle = [{ pay = "main", on = "final" }]
""",
    model.Stake: '{ of = "ante", min = 1, max = 3, whole = true }',
    settle_forms.Rule: '{ unless = { "dealer.final" = "qualifies" }, odds = "push" }',
    settle_forms.PayOn: '{ pay = "blind", on = "final", else = "push" }',
    settle_forms.Bonus: '{ pay = "ante_bonus", on = "final" }',
    settle_forms.Commission: "{ where = { house_variation = false } }",
    model.PayTable: """
id = "ante_bonus"
order = "three_card"
lines = [
    { hand = "straight_flush", odds = "5 to 1" },
    { hand = "three_of_a_kind", odds = "4 to 1" },
    { hand = "straight", odds = "1 to 1" },
]
""",
    model.PayLine: '{ id = "jacks_or_better", hand = "pair", low = "J", odds = "1 to 1" }',
    model.Wheel: """
wager = "lucky_spin"
letter = "A"
stake_cents = 100
top = "fixed"
slices = [{}, { pays_cents = 10000 }, { pays_cents = 2500 }]
illustrative_weights = [1, 4, 15]
""",
    model.Slice: "{ pays_cents = 10000 }",
    model.MeterRule: """
id = "jackpot"
fed_by = ["progressive"]
""",
    model.PayoutLimit: """
rule = "at_least"
optional = true
amount_cents = 5000000
covers = ["ante", "raise"]
""",
    model.Setting: "cut_min_cards = { value = 10 }",
    model.Irregularity: 'face_up_card.one = { then = ["discard_card", "continue"] }',
    model.Opening: 'steps = [{ step = "receive", by = "dealer" }, { step = "inspect", by = "dealer" }]',
    script.OpeningStep: '{ step = "verify", by = "floor", other_than = "inspect" }',
    model.Choice: """
path = "wagers.ante.max_cents"
title = "Largest ante"
kind = "cents"
default = 50000
""",
    model.Requirement: """
says = "a second deck needs a shuffler"
when = { "dealing.second_deck" = [true] }
must = { "dealing.shuffler" = { in = ["automatic", "counting"] } }
""",
    model.Must: '{ in = ["automatic", "counting"] }',
    script.OfferBank: 'id = "offer_bank"',
    script.OpenBets: """
id = "open_bets"
wagers = ["ante", "pair_plus"]
""",
    script.Lock: """
id = "no_more_bets"
announces = "no more bets"
""",
    script.FirstHand: 'id = "first_hand"',
    script.Deal: """
id = "deal"
deliver = [{ to = "hole" }, { to = "board", at_a_time = 3 }]
""",
    script.Delivery: '{ to = "hole", at_a_time = 2 }',
    script.Stub: 'id = "stub"',
    script.Decide: """
id = "raise_or_fold"
actions = [{ bet = "raise" }, { fold = true, forfeits = ["ante"], keeps = ["pair_plus"] }]
""",
    script.Action: '{ bet = "play", times = [3, 4] }',
    script.Ceiling: '{ when = { final = "aces" }, times = 3 }',
    script.Reveal: """
id = "reveal_board"
cards = ["board", "dealer.hole"]
""",
    script.SetHands: """
id = "players_set"
who = "players"
""",
    script.Compare: """
id = "compare"
wagers = ["main"]
""",
    script.Settle: """
id = "settle"
wagers = ["pair_plus", "ante", "raise"]
""",
    script.Spin: """
id = "spins"
wagers = ["lucky_spin"]
""",
    script.Discard: 'id = "discard"',
    script.Shuffle: 'id = "shuffle"',
}
