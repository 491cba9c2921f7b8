"""The consistency of a rulebook that has the right shape; every problem is reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import pairwise
from typing import Any, Final

from crossfelt.cards.card import RANKS
from crossfelt.errors import Problem, unknown
from crossfelt.hands.kinds import KINDS, HandKind
from crossfelt.rulebooks import choices
from crossfelt.rulebooks import clauses as law
from crossfelt.rulebooks.citations import citation_problems
from crossfelt.rulebooks.forms import forms_of
from crossfelt.rulebooks.hand_checks import dealt_problems, group_problems, hand_problems, settle_problems
from crossfelt.rulebooks.irregularities import missing_irregularities, unknown_irregularities
from crossfelt.rulebooks.model import PayLine, PayTable, Rulebook, Stake, Wager, Wheel
from crossfelt.rulebooks.orders import kinds_of, order_problems
from crossfelt.rulebooks.rehearsal import rehearse
from crossfelt.rulebooks.settings import setting_rules
from crossfelt.rulebooks.usual_choices import choices_needed

AWARD_KIND = "random_award"
"""Pay tables of this kind list awards that a device gives at random, in any order and under any name."""


ORDERED: Final = "higher odds above, or in_order = false if the game means it so"
WHOLE: Final = "a line for it, or in_order = false if the game means it so"

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
    kinds = kinds_of(book)
    used = {name for wager in book.wagers for name in (*wager.tables, *wager.also_pays, *(b.pay for b in wager.bonus))}
    used |= {table.instead.pay for table in book.paytables if table.instead is not None and table.instead.pay}
    for name in dict.fromkeys(table.id for table in book.paytables if table.id not in used):
        yield Problem.at(f"paytable ({name})", "paytable.unused", "no wager is paid by this pay table")
    for table in book.paytables:
        if not table.in_order:
            continue
        order = kinds[table.order].categories if table.order in kinds else ()
        ranked = [line for line in table.lines if line.odds is not None and line.hand in order]
        ranked.sort(key=lambda line: (order.index(line.hand), -_top_rank(table, line)))
        for above, below in pairwise(ranked):
            if above.odds is not None and below.odds is not None and above.odds < below.odds:
                yield Problem.at(
                    f"paytable ({table.name})",
                    "paytable.order",
                    f"{below.name} ranks below {above.name} but pays more",
                    f"{below.odds} against {above.odds}",
                    ORDERED,
                )


def _top_rank(table: PayTable, line: PayLine) -> int:
    """Return the highest leading rank that a line pays and no line above it."""
    above = table.lines[: table.lines.index(line)]
    paid = {rank for other in above if other.hand == line.hand and not other.ranks for rank in _leading(other)}
    return max((rank for rank in _leading(line) if rank not in paid), default=0)


def _leading(line: PayLine) -> range:
    return range(RANKS.find(line.low or RANKS[0]), RANKS.find(line.high or RANKS[-1]) + 1)


def _extends(book: Rulebook) -> Iterator[Problem]:
    """Report an extension that was not carried out, and a drop without one."""
    if book.extends:
        what = "only a file can extend a rulebook; here the whole is needed"
        yield Problem.at("extends", "extends.data", what, book.extends)
    elif book.drop:
        yield Problem.at(
            "drop", "drop.alone", "only a rulebook that extends another can drop something", None, "extends"
        )


def _stated(section: str) -> Check:
    """Make a check that a document of the package has a section; any other may leave it to the defaults."""

    def check(book: Rulebook) -> Iterator[Problem]:
        found = book.opening.steps if section == "opening" else getattr(book, section)
        if book.document in law.CODES and not found:
            yield Problem.at("choice" if section == "choices" else section, "key.missing", "missing")

    return check


def _titles(book: Rulebook) -> Iterator[Problem]:
    """Report wagers, pay tables and meters of a document of the package that have no title."""
    titled: dict[str, tuple[Any, ...]] = {"wager": book.wagers, "paytable": book.paytables, "meter": book.meters}
    for name, items in titled.items() if book.document in law.CODES else ():
        for item in items:
            if not item.title:
                yield Problem.at(f"{name} ({getattr(item, 'name', item.id)}).title", "key.missing", "missing")


def _unique(book: Rulebook) -> Iterator[Problem]:
    for what in ("group", "order", "hand", "wager", "meter"):
        yield from _repeated(what, (item.id for item in getattr(book, f"{what}s")))
    yield from _repeated("paytable", (table.name for table in book.paytables))
    yield from _repeated("wheel", (wheel.name for wheel in book.wheels))
    yield from _repeated("choice", (choice.path for choice in book.choices))
    yield from _repeated("clause", (clause.id for clause in book.own_clauses))
    for clause in book.own_clauses:
        if clause.id in law.clauses():
            yield Problem.at("clause", "clause.shipped", "the package already has this clause", clause.id)


def _repeated(what: str, names: Iterable[str]) -> Iterator[Problem]:
    for name, times in Counter(names).items():
        if times > 1:
            yield Problem.at(what, f"{what}.repeated", f"appears {times} times", name)


def _wagers(book: Rulebook) -> Iterator[Problem]:
    tables = {table.id for table in book.paytables}
    targets = {wager.id for wager in book.wagers} | {wager.group for wager in book.wagers if wager.group}
    for wager in book.wagers:
        where = f"wager ({wager.id})"
        yield from unknown(wager.also_pays, tables, where, "wager.pays", "no such pay table")
        bases = [name for name in (wager.stake.of, *wager.needs) if name is not None]
        yield from unknown(bases, targets, where, "wager.of", "no such wager or group")
        yield from _stake(wager.stake, where)
        yield from _on_itself(book, wager, where)
        has_wheel = any(wheel.wager == wager.id for wheel in book.wheels)
        if wager.spins and not has_wheel:
            yield Problem.at(where, "wager.wheel", "is paid by a wheel, but has no wheel")
        if wager.stake.by_paytable and not has_wheel:
            yield Problem.at(where, "stake.form", "takes its stake from a wheel, but has no wheel")


def _stake(stake: Stake, where: str) -> Iterator[Problem]:
    forms = [stake.posted is not None, stake.of is not None, bool(stake.cents), stake.by_paytable]
    if sum(forms) != 1:
        what = "needs exactly one form of stake"
        yield Problem.at(where, "stake.form", what, allowed="posted, of, cents, by_paytable")
    if (stake.whole or stake.times) and stake.of is None:
        yield Problem.at(where, "stake.form", "only a multiple of another wager has whole or times", allowed="of")
    if list(stake.times) != sorted(set(stake.times)):
        yield Problem.at(where, "stake.times", "not in rising order, each once", str(list(stake.times)))
    if stake.min > stake.max:
        what = "the smallest multiple is above the largest"
        yield Problem.at(where, "stake.bounds", what, f"{stake.min} > {stake.max}")


def _on_itself(book: Rulebook, wager: Wager, where: str) -> Iterator[Problem]:
    """Report a wager whose stake depends on itself, or that needs itself."""
    wagers = {each.id: each for each in book.wagers}
    chain = [wager.id]
    while (of := wagers[chain[-1]].stake.of) in wagers and of not in chain:
        chain.append(str(of))
    if of == wager.id:
        yield Problem.at(where, "stake.of", "the stake is a multiple of itself", " of ".join([*chain, wager.id]))
    if wager.id in wager.needs:
        yield Problem.at(where, "wager.needs", "needs itself", wager.id)


def _paytables(book: Rulebook) -> Iterator[Problem]:
    kinds = kinds_of(book)
    for table in book.paytables:
        where = f"paytable ({table.name})"
        if not table.lines and table.order != AWARD_KIND:
            yield Problem.at(f"{where}.lines", "paytable.lines", "a pay table needs a line")
        for name, times in Counter(line.name for line in table.lines).items():
            if times > 1:
                yield Problem.at(where, "payline.repeated", f"{times} pay lines have this name; give each an id", name)
        for line in table.lines:
            if [line.odds, line.meter_percent, line.amount_cents].count(None) != 2:
                what = "needs exactly one of odds, meter_percent, amount_cents"
                yield Problem.at(f"{where}.{line.name}", "payline.pays", what)
        if table.order in kinds:
            yield from _pay_hands(kinds[table.order], table, where)
        elif table.order != AWARD_KIND:
            yield Problem.at(where, "paytable.hand", "no such order of hands", table.order, (*kinds, AWARD_KIND))


def _pay_hands(kind: HandKind, table: PayTable, where: str) -> Iterator[Problem]:
    """Report unknown hands, lines that can never pay, and gaps: an unpaid hand above a paid one."""
    covered: set[tuple[str, int]] = set()
    for line in table.lines:
        if line.hand not in kind.categories:
            yield Problem.at(f"{where}.{line.name}", "payline.hand", "unknown hand", line.hand, kind.categories)
            continue
        low, high = RANKS.find(line.low or RANKS[0]), RANKS.find(line.high or RANKS[-1])
        if not 0 <= low <= high:
            given, allowed = f"{line.low} to {line.high}", "two ranks 2 … A, lowest first"
            yield Problem.at(f"{where}.{line.name}", "payline.ranks", "not a range of ranks", given, allowed)
            continue
        of_line = {(line.hand, rank) for rank in range(low, high + 1)}
        ranged = line.low is not None or line.high is not None
        if of_line <= covered or (ranged and of_line & covered):
            what = f"a line above pays {'these' if of_line <= covered else 'some of these'} hands already"
            yield Problem.at(f"{where}.{line.name}", "payline.doubled", what, line.hand)
        if not line.ranks:
            covered |= of_line
    yield from _gaps(kind, table, where, covered)


def _gaps(kind: HandKind, table: PayTable, where: str, covered: set[tuple[str, int]]) -> Iterator[Problem]:
    if not table.in_order or any(line.ranks or line.hand not in kind.categories for line in table.lines):
        return  # ranks pay single hands, not all from one upward; an unknown hand is reported already
    order = [
        (hand, rank)
        for hand in kind.categories
        for rank in (range(len(RANKS) - 1, -1, -1) if hand == "pair" else (len(RANKS) - 1,))
    ]
    lowest = max((place for place, hand in enumerate(order) if hand in covered), default=0)
    for hand, rank in order[:lowest]:
        if (hand, rank) not in covered:
            name = f"{hand} of {RANKS[rank]}" if hand == "pair" else hand
            yield Problem.at(where, "payline.missing", "this hand has no line, but lower hands pay", name, WHOLE)


def _other_readings(book: Rulebook) -> Iterator[Problem]:
    """Report readings that name an unknown setting or pay table."""
    tables = {table.id for table in book.paytables}
    both: list[PayTable | Wheel] = [*book.paytables, *book.wheels]
    for datum in both:
        where = f"{'wheel' if isinstance(datum, Wheel) else 'paytable'} ({datum.name}).instead"
        if datum.instead is None:
            continue
        for name in datum.instead.where:
            if name not in book.settings:
                yield Problem.at(where, "instead.setting", "no such setting", name)
        if datum.instead.pay is not None:
            yield from unknown([datum.instead.pay], tables, where, "instead.pay", "no such pay table")
    for wheel in book.wheels:
        for slice_ in wheel.slices:
            if slice_.amount_setting is not None and slice_.amount_setting not in book.settings:
                yield Problem.at(f"wheel ({wheel.name})", "slice.setting", "no such setting", slice_.amount_setting)


def _wheels(book: Rulebook) -> Iterator[Problem]:
    for place, wheel in enumerate(book.wheels):
        yield from _wheel(book, wheel, f"wheel[{place}] ({wheel.name})")


def _wheel(book: Rulebook, wheel: Wheel, where: str) -> Iterator[Problem]:
    wagers = {wager.id for wager in book.wagers if wager.spins}
    yield from unknown([wheel.wager], wagers, where, "wheel.wager", "a wheel does not pay this wager")
    weights, slices = len(wheel.illustrative_weights), len(wheel.slices)
    if weights and weights != slices:
        yield Problem.at(where, "wheel.weights", "weights and slices differ in number", weights, str(slices))
    community = sum(group.cards for group in book.groups if group.owner == "community")
    if wheel.ring == "hot_spot" and community != KINDS[choices.COMMUNITY_HAND].cards:
        what, wanted = "a hot spot wheel is spun for a hand of the community cards", KINDS[choices.COMMUNITY_HAND].cards
        yield Problem.at(where, "wheel.ring", what, community, f"{wanted} community cards")
    tops = sum(slice_.pays_cents is None for slice_ in wheel.slices)
    if tops != (0 if wheel.top == "none" else 1):
        allowed = "none" if wheel.top == "none" else "one"
        yield Problem.at(where, "wheel.top", "wrong number of slices without an amount", tops, allowed)
    positions = [s.position for s in wheel.slices if s.position is not None]
    if positions and sorted(positions) != list(range(slices)):
        allowed = f"each of 0 … {slices - 1} once"
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
    wagers, meters = {wager.id for wager in book.wagers}, {meter.id for meter in book.meters}
    fed = {wager for meter in book.meters for wager in meter.fed_by}
    for meter in book.meters:
        yield from unknown(meter.fed_by, wagers, f"meter ({meter.id})", "meter.wager", "no such wager")
    for table in book.paytables:
        for line in table.lines:
            where = f"paytable ({table.name}).{line.name}.meter"
            if line.meter is not None and line.meter_percent is None:
                yield Problem.at(where, "payline.meter", "names a meter, but pays no share of it", line.meter)
            elif line.meter is not None and line.meter not in meters:
                yield Problem.at(where, "payline.meter", "no such meter", line.meter, meters)
        shares = any(line.meter_percent is not None for line in table.lines)
        for wager in book.wagers if shares else ():
            if table.id in wager.tables and wager.id not in fed:
                what = "is paid a share of a meter, but feeds none"
                yield Problem.at(f"wager ({wager.id})", "meter.wager", what, wager.id, fed)


def _layout(book: Rulebook) -> Iterator[Problem]:
    wagers = {wager.id for wager in book.wagers}
    layout = book.table.layout
    areas = [area for row in (*layout.rows, layout.optional) for area in row]
    yield from unknown(areas, wagers, "table.layout", "layout.area", "no such wager")
    for wager in sorted(wagers.difference(areas)):
        yield Problem.at("table.layout", "layout.area", "wager without a betting area", wager)


def _opening(book: Rulebook) -> Iterator[Problem]:
    done: list[str] = []
    for step in book.opening.steps:
        if step.other_than is not None and step.other_than not in done:
            what = "a second person checks an earlier step"
            yield Problem.at(f"opening.{step.step}.other_than", "opening.other_than", what, step.other_than, done)
        done.append(step.step)
    if (fixtures := book.table.fixtures) is not None:
        where, what = "table.fixtures.variance", "the table has no such fixture"
        yield from unknown(fixtures.variance, set(fixtures.items), where, "fixtures.variance", what)


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
    rules, forms = setting_rules(), forms_of(book)
    wagers = [wager.id for wager in book.wagers]
    for name, setting in book.settings.items():
        rule = rules.get(name)
        if rule is None:
            yield Problem.at("settings", "setting.unknown", "unknown setting", name, rules)
        elif not rule.belongs_to(forms):
            yield Problem.at("settings", "setting.game", "not a setting of this game", name)
        else:
            yield from rule.problems_with(setting.value, f"settings.{name}", wagers)


def _settings_missing(book: Rulebook) -> Iterator[Problem]:
    if not book.settings:
        return  # reported as a whole
    forms = forms_of(book)
    for rule in setting_rules().values():
        if rule.belongs_to(forms) and rule.default is not None and rule.id not in book.settings:
            yield Problem.at("settings", "setting.missing", "missing setting", rule.id)


FORMS: Final = frozenset({"deck", "groups", "hands", "splits", "wagers", "wheels", "meters", "payout_limits", "script"})
"""The sections from which the forms of a game follow."""
CHECKS: Final[tuple[tuple[Check, frozenset[str]], ...]] = (
    (_extends, frozenset()),
    *((_stated(name), frozenset({"document", name})) for name in ("settings", "irregularities", "opening", "choices")),
    (_titles, frozenset({"document"})),
    (_unique, frozenset()),
    (group_problems, frozenset()),
    (dealt_problems, frozenset({"script"})),
    (order_problems, frozenset()),
    (hand_problems, frozenset({"deck", "groups", "hands", "orders", "splits"})),
    (_wagers, frozenset({"wagers", "paytables", "wheels"})),
    (settle_problems, frozenset({"hands", "orders", "wagers", "paytables", "settings"})),
    (_paytables, frozenset({"orders"})),
    (_wheels, frozenset({"wagers"})),
    (_other_readings, frozenset({"paytables", "wheels", "settings"})),
    (_community, frozenset({"wheels", "community_pays"})),
    (_meters, frozenset({"wagers", "paytables", "meters"})),
    (_layout, frozenset({"table", "wagers"})),
    (_opening, frozenset({"table", "opening"})),
    (_limits, frozenset({"wagers"})),
    (_settings, FORMS),
    (_settings_missing, FORMS | {"settings"}),
    (unknown_irregularities, FORMS | {"choices"}),
    (missing_irregularities, FORMS | {"choices", "irregularities"}),
    (choices.choice_problems, frozenset()),
    (choices.weight_problems, frozenset({"wheels"})),
    (choices.requirement_problems, frozenset({"choices", "settings"})),
    (choices_needed, FORMS | {"choices", "requirements"}),
    (choices.wheels_chosen, frozenset({"choices", "wheels"})),
    (rehearse, frozenset({"deck", "table", "groups", "hands", "wagers", "script"})),
    (citation_problems, frozenset({"own_clauses"})),
)
"""Every check, with the sections that it needs whole."""
