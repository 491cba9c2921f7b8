"""The consistency of a rulebook that has the right shape; every problem is reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Final

from crossfelt.cards.card import RANKS
from crossfelt.errors import Problem
from crossfelt.hands.kinds import KINDS
from crossfelt.rulebooks import choices
from crossfelt.rulebooks import clauses as law
from crossfelt.rulebooks.citations import citation_problems
from crossfelt.rulebooks.irregularities import missing_irregularities, unknown_irregularities
from crossfelt.rulebooks.model import PayLine, PayTable, Rulebook, Stake, Wager, Wheel
from crossfelt.rulebooks.rehearsal import rehearse
from crossfelt.rulebooks.script import Deal, Decide
from crossfelt.rulebooks.settings import setting_rules

AWARD_KIND = "random_award"
"""Pay tables of this kind list awards that a device gives at random, in any order and under any name."""


Check = Callable[[Rulebook], Iterator[Problem]]


def problems(book: Rulebook, broken: Collection[str] = ()) -> Iterator[Problem]:
    """Report everything that makes a rulebook unusable.

    The sections in `broken` hold only their sound items: checks that need a whole section are skipped.
    """
    for check, needs in CHECKS:
        if not needs & frozenset(broken):
            yield from check(book)


def warnings(book: Rulebook) -> Iterator[Problem]:
    """Report data that are allowed but suspicious."""
    yield from _pairs_unpaid(book)
    for table in book.paytables:
        order = KINDS[table.hand].categories if table.hand in KINDS else ()
        ranked = [line for line in table.lines if line.odds is not None and line.hand in order]
        ranked.sort(key=lambda line: (order.index(line.hand), -RANKS.find(line.high or "A")))
        for above, below in pairwise(ranked):
            if above.odds is not None and below.odds is not None and above.odds < below.odds:
                yield Problem.at(
                    f"paytable ({table.name})",
                    "paytable.order",
                    f"{below.name} ranks below {above.name} but pays more",
                    f"{below.odds} against {above.odds}",
                )


def _pairs_unpaid(book: Rulebook) -> Iterator[Problem]:
    """Report bets of Criss Cross that lose on every pair: allowed, but in no document."""
    decided = [step.wager for step in book.script if isinstance(step, Decide)] if book.game == "criss_cross" else []
    for name in dict.fromkeys(wager.pays for wager in book.wagers if wager.id in decided):
        for table in book.paytables:
            if table.id == name and not any(line.hand in PAIRS for line in table.lines):
                yield Problem.at(f"paytable ({table.name})", "paytable.lowest", "pays no pair")


def _unique(book: Rulebook) -> Iterator[Problem]:
    yield from _repeated("line", (line.id for line in book.lines))
    yield from _repeated("wager", (wager.id for wager in book.wagers))
    yield from _repeated("paytable", (table.name for table in book.paytables))
    yield from _repeated("wheel", (wheel.name for wheel in book.wheels))
    yield from _repeated("meter", (meter.id for meter in book.meters))
    yield from _repeated("choice", (choice.path for choice in book.choices))
    yield from _repeated("clause", (clause.id for clause in book.own_clauses))
    for clause in book.own_clauses:
        if clause.id in law.clauses():
            yield Problem.at("clause", "clause.shipped", "the package already has this clause", clause.id)


def _repeated(what: str, names: Iterable[str]) -> Iterator[Problem]:
    for name, times in Counter(names).items():
        if times > 1:
            yield Problem.at(what, f"{what}.repeated", f"appears {times} times", name)


def _lines(book: Rulebook) -> Iterator[Problem]:
    for line in book.lines:
        where = f"line ({line.id})"
        if line.hand not in KINDS:
            yield Problem.at(where, "line.hand", "unknown kind of hand", line.hand, KINDS)
        elif len(line.places) != KINDS[line.hand].cards:
            yield Problem.at(
                where,
                "line.places",
                "wrong number of places",
                len(line.places),
                f"{KINDS[line.hand].cards} for {line.hand}",
            )
        for place, times in Counter(line.places).items():
            if times > 1:
                yield Problem.at(where, "line.places", f"names a card {times} times", place)


def _lines_dealt(book: Rulebook) -> Iterator[Problem]:
    """Report cards of a line that are dealt neither to the player nor to the layout.

    A delivery that names a place twice may have lost another one; that is reported elsewhere.
    """
    deliveries = [d for step in book.script if isinstance(step, Deal) for d in step.deliver if d.to != "dealer"]
    if any(len(set(delivery.places)) < len(delivery.places) for delivery in deliveries):
        return
    dealt = {place for delivery in deliveries for place in delivery.places}
    for line in book.lines:
        for place in dict.fromkeys(line.places):
            if place not in dealt:
                yield Problem.at(f"line ({line.id})", "line.places", "no card is dealt to this place", place, dealt)


def _deck(book: Rulebook) -> Iterator[Problem]:
    """Report kinds of hand that need another deck, with the joker or without."""
    named = [(f"line ({line.id})", line.hand) for line in book.lines]
    named += [(f"paytable ({table.name})", table.hand) for table in book.paytables]
    for where, hand in named:
        if hand in KINDS and KINDS[hand].deck != book.deck.cards:
            what, allowed = f"{hand} hands need another deck", f"{KINDS[hand].deck} cards"
            yield Problem.at(where, "deck.hand", what, book.deck.cards, allowed)


LINES: Final[Mapping[str, tuple[str, ...]]] = {
    "criss_cross": ("across", "down"),
    "double_cross": ("vertical", "horizontal"),
    "pai_gow": (),
}
"""The lines of each game."""


def _lines_needed(book: Rulebook) -> Iterator[Problem]:
    for name in LINES[book.game]:
        if name not in {line.id for line in book.lines}:
            yield Problem.at("line", "line.missing", f"{book.game} needs this line", name)


def _on_lines(book: Rulebook) -> Iterator[Problem]:
    """Report wagers on the cross without a line for their pay table, unless the player's choice names the line."""
    if book.game == "pai_gow":
        return
    chosen = {step.wager for step in book.script if isinstance(step, Decide) and "vertical" in step.options}
    hands = {line.id: line.hand for line in book.lines if line.hand in KINDS}
    kinds = {table.id: table.hand for table in book.paytables if table.hand in KINDS}
    for wager in book.wagers:
        where, lines = f"wager ({wager.id})", [*filter(None, [wager.line]), *wager.better_of]
        if wager.pays and not lines and wager.id not in chosen:
            yield Problem.at(where, "wager.line", "has a pay table, but no line", allowed=", ".join(hands))
        if wager.odds is not None and wager.pays is None and book.game == "criss_cross":
            yield Problem.at(where, "wager.pays", "needs a pay table, as the dealer has no hand")
        for line in lines:
            if wager.pays in kinds and hands.get(line, kinds[wager.pays]) != kinds[wager.pays]:
                what = f"its pay table is for {kinds[wager.pays]}, but its line makes {hands[line]}"
                yield Problem.at(where, "wager.line", what, line)


def _every_hand_paid(book: Rulebook) -> Iterator[Problem]:
    """Report a raise of Double Cross that does not pay the lowest hand, which may beat the dealer's too."""
    if book.game != "double_cross":
        return
    chosen = {step.wager for step in book.script if isinstance(step, Decide) and "vertical" in step.options}
    paying = {wager.pays for wager in book.wagers if wager.id in chosen}
    for table in book.paytables:
        if table.id in paying and table.hand in KINDS:
            lowest = KINDS[table.hand].categories[-1]
            if not any(line.hand == lowest for line in table.lines):
                what = "no pay line for a hand that may beat the dealer's"
                yield Problem.at(f"paytable ({table.name})", "payline.missing", what, lowest)


def _wagers(book: Rulebook) -> Iterator[Problem]:
    lines = {line.id for line in book.lines}
    tables = {table.id for table in book.paytables}
    targets = {wager.id for wager in book.wagers} | {wager.group for wager in book.wagers if wager.group}
    for wager in book.wagers:
        where = f"wager ({wager.id})"
        for line in (wager.line, *wager.better_of):
            if line is not None and line not in lines:
                yield Problem.at(where, "wager.line", "no such line", line, lines)
        for table in (wager.pays, *wager.also_pays):
            if table is not None and table not in tables:
                yield Problem.at(where, "wager.pays", "no such pay table", table, tables)
        if sum([wager.pays is not None, wager.odds is not None, wager.paid_by == "wheel"]) != 1:
            what = "needs exactly one form of payment"
            yield Problem.at(where, "wager.pays", what, allowed='pays, odds, paid_by = "wheel"')
        for other in (wager.stake.of, *wager.needs):
            if other is not None and other not in targets:
                yield Problem.at(where, "wager.of", "no such wager or group", other, targets)
        yield from _stake(wager.stake, where)
        yield from _wheels_of(book, wager, where)


def _stake(stake: Stake, where: str) -> Iterator[Problem]:
    forms = [stake.posted is not None, stake.of is not None, bool(stake.cents), stake.by_paytable]
    if sum(forms) != 1:
        what = "needs exactly one form of stake"
        yield Problem.at(where, "stake.form", what, allowed="posted, of, cents, by_paytable")
    if stake.min > stake.max:
        yield Problem.at(
            where, "stake.bounds", "the smallest multiple is above the largest", f"{stake.min} > {stake.max}"
        )


def _wheels_of(book: Rulebook, wager: Wager, where: str) -> Iterator[Problem]:
    has_wheel = any(wheel.wager == wager.id for wheel in book.wheels)
    if wager.paid_by == "wheel" and not has_wheel:
        yield Problem.at(where, "wager.wheel", "is paid by a wheel, but has no wheel")
    if wager.stake.by_paytable and not has_wheel:
        yield Problem.at(where, "stake.form", "takes its stake from a wheel, but has no wheel")


def _paytables(book: Rulebook) -> Iterator[Problem]:
    for table in book.paytables:
        yield from _paytable(table)


def _paytable(table: PayTable) -> Iterator[Problem]:
    where = f"paytable ({table.name})"
    yield from _repeated_lines(table, where)
    for line in table.lines:
        given = [line.odds, line.meter_percent, line.amount_cents]
        if sum(value is not None for value in given) != 1:
            what = "needs exactly one of odds, meter_percent, amount_cents"
            yield Problem.at(f"{where}.{line.name}", "payline.pays", what)
    if table.hand == AWARD_KIND:
        return
    if table.hand not in KINDS:
        yield Problem.at(where, "paytable.hand", "unknown kind of hand", table.hand, (*KINDS, AWARD_KIND))
        return
    yield from _pay_hands(table, where)


def _repeated_lines(table: PayTable, where: str) -> Iterator[Problem]:
    for name, times in Counter(line.name for line in table.lines).items():
        if times > 1:
            yield Problem.at(where, "payline.repeated", f"the pay line appears {times} times", name)


def _pay_hands(table: PayTable, where: str) -> Iterator[Problem]:
    """Report unknown hands, hands paid twice, and gaps: an unpaid hand above a paid one."""
    kind = KINDS[table.hand]
    paid: Counter[tuple[str, int]] = Counter()
    for line in table.lines:
        if line.hand not in kind.categories:
            yield Problem.at(f"{where}.{line.name}", "payline.hand", "unknown hand", line.hand, kind.categories)
            continue
        ranks = _ranks_of(line)
        if ranks is None:
            given, allowed = f"{line.low} to {line.high}", "two ranks 2 … A of a pair, lowest first"
            yield Problem.at(f"{where}.{line.name}", "payline.ranks", "not a range of ranks", given, allowed)
            continue
        paid.update((line.hand, rank) for rank in ranks)
    for (hand, rank), times in paid.items():
        if times > 1:
            name = f"{hand} of {RANKS[rank]}" if hand in PAIRS else hand
            if rank == 0 or hand in PAIRS:
                yield Problem.at(where, "payline.doubled", f"paid by {times} lines", name)
    yield from _gaps(table, where, paid)


PAIRS = ("pair", "one_pair")


def _ranks_of(line: PayLine) -> range | None:
    """Return the ranks a line covers: all, unless it names some pairs only."""
    if line.low is None and line.high is None:
        return range(len(RANKS))
    ranks = tuple(RANKS)
    if line.hand not in PAIRS or line.low not in ranks or line.high not in ranks:
        return None
    low, high = ranks.index(line.low), ranks.index(line.high)
    return range(low, high + 1) if low <= high else None


def _gaps(table: PayTable, where: str, paid: Counter[tuple[str, int]]) -> Iterator[Problem]:
    order = [
        (hand, rank)
        for hand in KINDS[table.hand].categories
        for rank in (range(len(RANKS) - 1, -1, -1) if hand in PAIRS else (0,))
    ]
    lowest = max((place for place, hand in enumerate(order) if paid[hand]), default=-1)
    for hand, rank in order[:lowest]:
        if not paid[hand, rank]:
            name = f"{hand} of {RANKS[rank]}" if hand in PAIRS else hand
            yield Problem.at(where, "payline.missing", "missing pay line above one that pays", name)


def _wheels(book: Rulebook) -> Iterator[Problem]:
    for place, wheel in enumerate(book.wheels):
        yield from _wheel(book, wheel, f"wheel[{place}] ({wheel.name})")


def _wheel(book: Rulebook, wheel: Wheel, where: str) -> Iterator[Problem]:
    wagers = [wager.id for wager in book.wagers if wager.paid_by == "wheel"]
    if wheel.wager not in wagers:
        yield Problem.at(where, "wheel.wager", "a wheel does not pay this wager", wheel.wager, wagers)
    if wheel.illustrative_weights and len(wheel.illustrative_weights) != len(wheel.slices):
        yield Problem.at(
            where,
            "wheel.weights",
            "weights and slices differ in number",
            len(wheel.illustrative_weights),
            str(len(wheel.slices)),
        )
    tops = sum(slice_.pays_cents is None for slice_ in wheel.slices)
    if tops != (0 if wheel.top == "none" else 1):
        allowed = "none" if wheel.top == "none" else "one"
        yield Problem.at(where, "wheel.top", "wrong number of slices without an amount", tops, allowed)
    positions = [s.position for s in wheel.slices if s.position is not None]
    if positions and sorted(positions) != list(range(len(wheel.slices))):
        allowed = f"each of 0 … {len(wheel.slices) - 1} once"
        yield Problem.at(where, "wheel.position", "wrong positions of the slices", str(positions), allowed)
    orders = [s.community for s in wheel.slices if s.community]
    if orders != list(range(1, len(orders) + 1)):
        yield Problem.at(where, "wheel.community", "community slices are not numbered 1, 2, 3 in order", str(orders))


def _community(book: Rulebook) -> Iterator[Problem]:
    """Report wheels whose community slices differ in number from the amounts of their community pay table."""
    amounts = {(pay.wager, pay.letter): len(pay.amounts_cents) for pay in book.community_pays}
    for wheel in book.wheels:
        slices = sum(1 for slice_ in wheel.slices if slice_.community)
        printed = amounts.get((wheel.wager, wheel.letter), 0)
        if slices != printed and wheel.ring == "spin":
            what = "community slices and amounts differ in number"
            yield Problem.at(f"wheel ({wheel.name})", "wheel.community", what, slices, str(printed))


def _meters(book: Rulebook) -> Iterator[Problem]:
    wagers = {wager.id for wager in book.wagers}
    for meter in book.meters:
        for wager in (meter.wager, *meter.also):
            if wager not in wagers:
                yield Problem.at(f"meter ({meter.id})", "meter.wager", "no such wager", wager, wagers)


def _layout(book: Rulebook) -> Iterator[Problem]:
    wagers = {wager.id for wager in book.wagers}
    layout = book.table.layout
    areas = [area for row in layout.rows for area in row] + list(layout.optional)
    for area in areas:
        if area not in wagers:
            yield Problem.at("table.layout", "layout.area", "no such wager", area, wagers)
    for wager in sorted(wagers.difference(areas)):
        yield Problem.at("table.layout", "layout.area", "wager without a betting area", wager)


def _opening(book: Rulebook) -> Iterator[Problem]:
    done: list[str] = []
    for step in book.opening.steps:
        if step.other_than is not None and step.other_than not in done:
            what = "a second person checks an earlier step"
            yield Problem.at(f"opening.{step.step}.other_than", "opening.other_than", what, step.other_than, done)
        done.append(step.step)
    fixtures = book.table.fixtures
    for item in fixtures.variance if fixtures else ():
        if fixtures and item not in fixtures.items:
            what = "the table has no such fixture"
            yield Problem.at("table.fixtures.variance", "fixtures.variance", what, item, fixtures.items)


def _limits(book: Rulebook) -> Iterator[Problem]:
    wagers = {wager.id for wager in book.wagers}
    for place, limit in enumerate(book.payout_limits):
        where = f"payout_limit[{place}]"
        for wager, times in Counter((*limit.covers, *limit.outside)).items():
            if wager not in wagers:
                yield Problem.at(where, "limit.wager", "no such wager", wager, wagers)
            elif times > 1:
                yield Problem.at(where, "limit.wager", "both inside and outside the limit", wager)
        for wager in sorted(wagers.difference(limit.covers, limit.outside)):
            yield Problem.at(where, "limit.wager", "neither inside nor outside the limit", wager)


def _settings(book: Rulebook) -> Iterator[Problem]:
    rules = setting_rules()
    for name, setting in book.settings.items():
        rule = rules.get(name)
        if rule is None:
            yield Problem.at("settings", "setting.unknown", "unknown setting", name, rules)
        elif not rule.belongs_to(book.game):
            yield Problem.at("settings", "setting.game", f"not a setting of {book.game}", name)
        else:
            yield from rule.problems_with(setting.value, f"settings.{name}")


def _settings_missing(book: Rulebook) -> Iterator[Problem]:
    for rule in setting_rules().values():
        if rule.belongs_to(book.game) and rule.always and rule.id not in book.settings:
            yield Problem.at("settings", "setting.missing", "missing setting", rule.id)


CHECKS: Final[tuple[tuple[Check, frozenset[str]], ...]] = (
    (_unique, frozenset()),
    (_lines, frozenset()),
    (_lines_dealt, frozenset({"script"})),
    (_lines_needed, frozenset({"game", "lines"})),
    (_deck, frozenset({"deck"})),
    (_wagers, frozenset({"lines", "wagers", "paytables", "wheels"})),
    (_on_lines, frozenset({"game", "script", "lines"})),
    (_paytables, frozenset()),
    (_every_hand_paid, frozenset({"game", "script", "wagers"})),
    (_wheels, frozenset({"wagers"})),
    (_community, frozenset({"wheels", "community_pays"})),
    (_meters, frozenset({"wagers"})),
    (_layout, frozenset({"table", "wagers"})),
    (_opening, frozenset({"table", "opening"})),
    (_limits, frozenset({"wagers"})),
    (_settings, frozenset({"game"})),
    (_settings_missing, frozenset({"game", "settings"})),
    (unknown_irregularities, frozenset({"game"})),
    (missing_irregularities, frozenset({"game", "irregularities"})),
    (choices.choice_problems, frozenset()),
    (choices.weight_problems, frozenset({"wheels"})),
    (choices.requirement_problems, frozenset({"choices", "settings"})),
    (choices.choices_needed, frozenset({"game", "choices", "requirements"})),
    (choices.wheels_chosen, frozenset({"choices", "wheels"})),
    (rehearse, frozenset({"game", "deck", "table", "lines", "wagers", "script"})),
    (citation_problems, frozenset({"own_clauses"})),
)
"""Every check, with the sections that it needs whole."""
