"""The consistency of groups, hands and settlements; every problem is reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from crossfelt.errors import Problem, unknown
from crossfelt.hands.kinds import HandKind
from crossfelt.rulebooks.hand_forms import Group, Hand, Mark, side_of
from crossfelt.rulebooks.model import Rulebook
from crossfelt.rulebooks.orders import kinds_of
from crossfelt.rulebooks.script import Deal
from crossfelt.rulebooks.settle_forms import Bonus, PayOn, Rule

FORMS: Final = "odds, pay, versus, versus_each, pays, spin"
SHAPES: Final = {"cross": 5}
"""The number of cards of a shape, where it is fixed."""


def group_problems(book: Rulebook) -> Iterator[Problem]:
    """Report groups whose places do not fit their cards, and places that two groups share."""
    places = Counter(place for group in book.groups for place in group.names)
    for group in book.groups:
        where = f"group ({group.id})"
        if len(group.names) != group.cards:
            what = "names another number of places"
            yield Problem.at(where, "group.places", what, len(group.names), str(group.cards))
        if SHAPES.get(group.shape, group.cards) != group.cards:
            yield Problem.at(where, "group.shape", f"a {group.shape} has another number of cards", group.cards, "5")
        if group.labels and len(group.labels) != group.cards:
            what = "labels another number of cards"
            yield Problem.at(where, "group.labels", what, len(group.labels), str(group.cards))
        for place in group.names:
            if places[place] > 1:
                yield Problem.at(where, "group.places", f"is named {places[place]} times", place)


def dealt_problems(book: Rulebook) -> Iterator[Problem]:
    """Report groups that no step deals."""
    dealt = {delivery.to for step in book.script if isinstance(step, Deal) for delivery in step.deliver}
    for group in book.groups:
        if group.id not in dealt:
            yield Problem.at(f"group ({group.id})", "group.dealt", "no card is dealt to this group", group.id)


def hand_problems(book: Rulebook) -> Iterator[Problem]:
    """Report hands that cannot be formed."""
    groups = {group.id: group for group in book.groups}
    hands = {hand.id: hand for hand in book.hands}
    for hand in book.hands:
        where = f"hand ({hand.id})"
        forms = (hand.of, hand.highest_of, hand.lowest_of, hand.chosen_of, hand.split)
        if sum(map(bool, forms)) != 1:
            allowed = "of, highest_of, lowest_of, chosen_of, split"
            yield Problem.at(where, "hand.form", "needs exactly one form", allowed=allowed)
        elif hand.parts:
            yield from _one_of_several(hand, hands, where)
        elif hand.order not in kinds_of(book):
            yield Problem.at(where, "hand.order", "unknown order of hands", hand.order, ", ".join(kinds_of(book)))
        else:
            yield from _cards(book, hand, groups, where)
        for name, mark in hand.marks.items():
            yield from _mark(kinds_of(book), _order_of(hands, hand.id), mark, f"{where}.marks.{name}")
    yield from _splits(book)


def _one_of_several(hand: Hand, hands: Mapping[str, Hand], where: str) -> Iterator[Problem]:
    for part in hand.parts:
        if part not in hands or hands[part].parts:
            known = [other.id for other in hands.values() if not other.parts]
            yield Problem.at(where, "hand.of", "no such hand", part, ", ".join(known))
    if len(hand.parts) < 2 or hand.best is not None:
        yield Problem.at(where, "hand.of", "is one of at least two whole hands", len(hand.parts))
    if len({hands[part].order for part in hand.parts if part in hands}) > 1:
        yield Problem.at(where, "hand.order", "compares hands of different orders")


def _cards(book: Rulebook, hand: Hand, groups: Mapping[str, Group], where: str) -> Iterator[Problem]:
    kind = kinds_of(book)[hand.order or ""]
    places = {place for group in book.groups for place in group.names}
    for name in hand.of:
        side, own = side_of(name)
        if own not in groups and own not in places:
            yield Problem.at(where, "hand.of", "no such group or place", name, ", ".join([*groups, *sorted(places)]))
        elif side and not any(
            own in (group.id, *group.names) and group.owner in ("positions", "dealer") for group in book.groups
        ):
            yield Problem.at(where, "hand.of", "the dealer has no such cards", name)
    held: Counter[tuple[str, str]] = Counter()
    for name in hand.of:
        side, own = side_of(name)
        held.update((side, place) for place in (groups[own].names if own in groups else (own,)))
    for (_, place), times in held.items():
        if times > 1:
            yield Problem.at(where, "hand.of", f"names a card {times} times", place)
    if hand.of and (hand.best or held.total()) != kind.cards:
        allowed = f"{kind.cards} for {kind.id}"
        yield Problem.at(where, "hand.cards", "wrong number of cards", hand.best or held.total(), allowed)
    if book.deck.cards == 53 and kind.deck == 52:
        yield Problem.at(where, "deck.hand", f"{kind.id} hands have no joker", book.deck.cards, "52 cards")


def _mark(kinds: Mapping[str, HandKind], order: str | None, mark: Mark, where: str) -> Iterator[Problem]:
    if (mark.is_ is None) == (mark.at_least is None):
        yield Problem.at(where, "mark.form", "needs exactly one of is and at_least")
        return
    categories = kinds[order].categories if order and order in kinds else ()
    named = [match.hand for match in (mark.is_, mark.at_least) if match is not None]
    yield from unknown(named, categories, where, "mark.hand", "unknown hand")


def _splits(book: Rulebook) -> Iterator[Problem]:
    groups = {group.id: group for group in book.groups}
    hands = {hand.id: hand for hand in book.hands}
    for split in book.splits:
        where = f"split ({split.id})"
        yield from unknown([split.of], groups, where, "split.of", "no such group")
        for name in split.into:
            if name not in hands or hands[name].split != split.id:
                yield Problem.at(where, "split.into", "no such hand of this split", name)
    for hand in book.hands:
        if hand.split is not None and not any(hand.id in split.into for split in book.splits if split.id == hand.split):
            yield Problem.at(f"hand ({hand.id})", "hand.split", "no split makes this hand", hand.split)


def settle_problems(book: Rulebook) -> Iterator[Problem]:
    """Report rules of settlement that name what does not exist, or that leave a winning hand unpaid."""
    hands = {hand.id: hand for hand in book.hands}
    for wager in book.wagers:
        if not wager.settle:
            yield Problem.at(f"wager ({wager.id}).settle", "settle.missing", "needs at least one rule")
        for place, rule in enumerate(wager.settle):
            yield from _rule(book, rule, f"wager ({wager.id}).settle[{place}]")
            if any(map(_always, wager.settle[:place])):
                what = "a rule above applies always, so that this one never does"
                yield Problem.at(f"wager ({wager.id}).settle[{place}]", "settle.order", what)
        for place, bonus in enumerate(wager.bonus):
            where = f"wager ({wager.id}).bonus[{place}]"
            yield from _conditions(book, (bonus.on, *bonus.when, *bonus.unless), bonus, where)
            yield from _paid(book, hands, PayOn(pay=bonus.pay, on=bonus.on), where)


def _always(rule: Rule) -> bool:
    """Say if a rule decides every time, whatever the hands and the settings are."""
    return not (rule.when or rule.unless or rule.where or rule.only or rule.spin or rule.else_ == "next")


def _rule(book: Rulebook, rule: Rule, where: str) -> Iterator[Problem]:
    hands = {hand.id: hand for hand in book.hands}
    if len(rule.forms) != 1:
        yield Problem.at(where, "settle.form", "needs exactly one form", ", ".join(rule.forms) or None, FORMS)
    if (rule.pay is None) != (rule.on is None):
        yield Problem.at(where, "settle.pay", "a pay table needs the hand that it pays", allowed="pay and on")
    yield from _conditions(book, rule.hands, rule, where)
    yield from unknown(rule.where, book.settings, f"{where}.where", "settle.setting", "no such setting")
    for paid in rule.paid:
        yield from _paid(book, hands, paid, where)
    if rule.versus_each and len(rule.by_wins) != len(rule.versus_each) + 1:
        what, allowed = "needs a result for each number of hands won", f"{len(rule.versus_each) + 1} results"
        yield Problem.at(f"{where}.by_wins", "settle.results", what, len(rule.by_wins), allowed)
    for own, other in (*rule.versus_each, *((rule.versus,) if rule.versus else ())):
        if own == other:
            yield Problem.at(where, "settle.hand", "compares a hand with itself", own)
    if rule.versus is not None and rule.win is None:
        yield Problem.at(where, "settle.results", "a comparison needs the result of a win", allowed="win")
    if rule.take == "best":
        yield from _best_of(book, rule, f"{where}.take")
    if rule.versus is None:
        for name in ("win", "tie", "lose"):
            if getattr(rule, name) is not None:
                yield Problem.at(f"{where}.{name}", "settle.results", "only a comparison has this", allowed="versus")
    if rule.versus is not None and isinstance(rule.win, PayOn) and rule.win.else_ is None:
        yield from _every_hand_paid(book, rule.win, where)


def _best_of(book: Rulebook, rule: Rule, where: str) -> Iterator[Problem]:
    """Report a choice among pay tables where there is nothing to choose from, or no amount to compare."""
    if len(rule.pays) < 2:
        yield Problem.at(where, "settle.take", "chooses among several pay tables", allowed="pays")
    named = {paid.pay for paid in rule.pays}
    for table in book.paytables:
        if table.id in named and any(line.meter_percent for line in table.lines):
            what = "cannot compare a share of a meter with what another pay table pays"
            yield Problem.at(where, "settle.take", what, table.name, "all")


def _conditions(book: Rulebook, named: Iterable[str], rule: Rule | Bonus, where: str) -> Iterator[Problem]:
    """Report hands and marks that a rule names and that do not exist."""
    hands = {hand.id: hand for hand in book.hands}
    for name in named:
        side, own = side_of(name)
        if own not in hands:
            yield Problem.at(where, "settle.hand", "no such hand", name, ", ".join(hands))
        elif side and not any(group.owner in ("positions", "dealer") for group in book.groups):
            yield Problem.at(where, "settle.hand", "the dealer has no hand", name)
    for name, mark in (*rule.when.items(), *rule.unless.items()):
        marks = hands[side_of(name)[1]].marks if side_of(name)[1] in hands else {mark: None}
        if mark not in marks:
            yield Problem.at(where, "settle.mark", f"{name} has no such mark", mark, ", ".join(marks) or "none")


def _paid(book: Rulebook, hands: Mapping[str, Hand], paid: PayOn, where: str) -> Iterator[Problem]:
    orders = {table.id: table.order for table in book.paytables}
    if paid.pay not in orders:
        yield Problem.at(where, "settle.pay", "no such pay table", paid.pay, ", ".join(orders))
        return
    order = _order_of(hands, side_of(paid.on)[1])
    if order is not None and order != orders[paid.pay]:
        what = f"the pay table is for {orders[paid.pay]}, but the hand is {order}"
        yield Problem.at(where, "settle.order", what, paid.pay)


def _order_of(hands: Mapping[str, Hand], name: str) -> str | None:
    hand = hands.get(name)
    if hand is not None and hand.parts:
        hand = hands.get(hand.parts[0])
    return hand.order if hand is not None else None


def _every_hand_paid(book: Rulebook, paid: PayOn, where: str) -> Iterator[Problem]:
    """Report a hand that may beat the dealer's and has no pay line, if the rule does not say what it then brings."""
    for table in book.paytables:
        if table.id == paid.pay and table.order in kinds_of(book):
            lowest = kinds_of(book)[table.order].categories[-1]
            if not any(line.hand == lowest for line in table.lines):
                what = "no pay line for a hand that may beat the dealer's, and no else"
                yield Problem.at(f"{where}: paytable ({table.name})", "payline.missing", what, lowest)
