"""A regulation as data: the shape of a rulebook file.

Everything that a regulator could vary is here, with its clause. A datum cites what its nearest enclosing table
cites: ``clauses`` of the document, adopted ``readings`` of its gaps, or a ``house_rule`` where no document has one.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, field

from crossfelt.money import Odds
from crossfelt.rulebooks.citations import Cited, Name, Text
from crossfelt.rulebooks.hand_forms import Group, Hand, Match, OrderRule, Split
from crossfelt.rulebooks.script import DealingMethod, OpeningStep, Step
from crossfelt.rulebooks.settle_forms import Bonus, Commission, Rule, Scalar, pay_tables

Count = Annotated[int, Meta(ge=1, le=100_000_000_000)]
Times = Annotated[int, Meta(ge=1, le=1000)]
SettingValue = bool | int | str | tuple[str, ...]


class Deck(Cited, frozen=True, kw_only=True):
    cards: Literal[52, 53]
    """53 is the 52 cards and one joker."""
    second_rule: Cited | None = None
    """The rule of a second deck, where it is not that of the first."""


class Layout(Cited, frozen=True, kw_only=True):
    """The betting areas of one seat, nearest the dealer first, and the required markings."""

    rows: tuple[tuple[Name, ...], ...] = ()
    optional: tuple[Name, ...] = ()
    """Areas present only where the wager is offered."""
    community_labels: tuple[str, ...] = ()
    shows: tuple[Name, ...] = ()


class Fixtures(Cited, frozen=True, kw_only=True):
    """Fixtures of the table, which the floor checks before its first round."""

    items: tuple[Name, ...]
    variance: tuple[Name, ...] = ()
    """Items for which another place may be approved."""


class TableEquipment(Cited, frozen=True, kw_only=True):
    seats: Annotated[int, Meta(ge=1, le=7)]
    layout: Layout = field(default_factory=Layout)
    fixtures: Fixtures | None = None


class Line(Cited, frozen=True, kw_only=True):
    """A hand of fixed places: all of its cards, in one order of hands."""

    id: str
    title: str
    hand: str
    """The kind of hand, from `crossfelt.hands.kinds`."""
    places: tuple[str, ...]


class Stake(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The permitted stake: within posted limits, a multiple of another wager, listed amounts, or the amount of the
    chosen pay table."""

    posted: Name | None = None
    """The submission's ``wagers.NAME`` has the limits."""
    of: Name | None = None
    """A wager, or a group of equal wagers, that this is a multiple of."""
    min: Times = 1
    max: Times = 1
    whole: bool = False
    """Whole multiples only; otherwise every amount between that the chips can make."""
    times: tuple[Times, ...] = ()
    """The only multiples, where they are not those from `min` to `max`."""
    cents: tuple[Count, ...] = ()
    by_paytable: bool = False
    within_cents: tuple[Count, Count] | None = None
    """Bounds that the document sets for the posted limits."""


class Wager(Cited, frozen=True, kw_only=True, dict=True):
    id: Name
    title: str = ""
    required: bool = False
    match_play: bool = False
    """A match play coupon may be placed beside the chips. No document states its value; it is worth as much as they."""
    group: Name | None = None
    """Wagers of one group are placed together, in equal amounts."""
    stake: Stake
    unit: Literal["cents", "credits"] = "cents"
    parts: Count = 1
    """A stake laid down as several equal wagers is paid part by part."""
    settle: tuple[Rule, ...]
    bonus: tuple[Bonus, ...] = ()
    """Paid if the wager is settled, on its stake; every one that has a pay line for its hand."""
    commission: Commission | None = None
    also_pays: tuple[Name, ...] = ()
    """Pay tables of awards beside the wager: envy, random awards."""
    needs: tuple[Name, ...] = ()
    """Wagers (or groups) that must have been placed as well."""

    @cached_property
    def tables(self) -> tuple[str, ...]:
        """The pay tables that settle the wager."""
        return tuple(pay_tables(self.settle))

    @cached_property
    def pays(self) -> str | None:
        """The first pay table of the wager; None where it has none."""
        return next(iter(self.tables), None)

    @cached_property
    def rule(self) -> Rule:
        """The first rule of the settlement, for an act that does not depend on the result."""
        return self.settle[0]

    @cached_property
    def hands(self) -> tuple[str, ...]:
        """The hands that settle the wager, the deciding one first."""
        return tuple(dict.fromkeys(hand for rule in self.settle for hand in rule.hands))

    @cached_property
    def deciding(self) -> tuple[str, ...]:
        """The player's hands that name the settlement."""
        return next((rule.deciding for rule in self.settle if rule.deciding), self.hands[:1])

    @cached_property
    def odds(self) -> Odds | None:
        """The odds of a win, where no pay table applies."""
        plain = (result for rule in self.settle for result in (rule.odds, rule.win, *rule.by_wins[-1:]))
        wins = (result for result in plain if isinstance(result, str) and result not in ("push", "lose"))
        return next(map(Odds, wins), None)

    @cached_property
    def line(self) -> str | None:
        """The hand whose pay table settles the wager."""
        return next((rule.on for rule in self.settle if rule.pay), None)

    @cached_property
    def spins(self) -> bool:
        """A wheel pays the wager."""
        return any(rule.spin for rule in self.settle)


class PayLine(Match, frozen=True, kw_only=True):
    """One line of a pay table: some hands, and exactly one of odds, a share of the meter, or an amount."""

    id: Name | None = None
    odds: Odds | None = None
    meter_percent: Annotated[int, Meta(ge=1, le=100)] | None = None
    meter: Name | None = None
    """The meter, where the wager feeds several."""
    amount_cents: Count | None = None
    clauses: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.id or self.hand


class Instead(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Another pay table or stake, where settings have these values: another reading of the document."""

    where: dict[Name, Scalar]
    pay: Name | None = None
    stake_cents: Count | None = None


class PayTable(Cited, frozen=True, kw_only=True):
    id: Name
    letter: str = ""
    """The letter of one of several pay tables among which the operator chooses."""
    title: str = ""
    order: Name
    """The order of hands of its lines."""
    odds_are: Literal["exact", "minimum"] = "exact"
    instead: Instead | None = None
    """The pay table whose lines apply by another reading."""
    lines: tuple[PayLine, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.id}.{self.letter}" if self.letter else self.id


class Slice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One slice of a wheel: an amount, or the top prize."""

    pays_cents: Count | None = None
    """None is the top prize: the fixed prize or the meter."""
    community: Annotated[int, Meta(ge=0, le=3)] = 0
    """1, 2 or 3: the first, second or third community amount goes to the other bettors."""
    position: Annotated[int, Meta(ge=0)] | None = None
    """The place on the wheel's face, where the document prints one."""
    amount_setting: Name | None = None
    """The setting that has the amount, where readings differ."""
    readings: tuple[str, ...] = ()


class Wheel(Cited, frozen=True, kw_only=True):
    wager: Name
    ring: Literal["spin", "hot_spot", "community"] = "spin"
    letter: str
    stake_cents: Count
    instead: Instead | None = None
    """The stake by another reading."""
    top: Literal["fixed", "progressive", "either", "none"] = "none"
    slices: tuple[Slice, ...]
    illustrative_weights: tuple[Count, ...] = ()
    """Placeholders that make the wheel playable; the documents print no weights."""

    @property
    def name(self) -> str:
        ring = "" if self.ring == "spin" else f".{self.ring}"
        return f"{self.wager}{ring}.{self.letter}"

    @property
    def places(self) -> tuple[int, ...]:
        """The position of each slice on the wheel's face: as printed, or its index where none is printed."""
        return tuple(at if each.position is None else each.position for at, each in enumerate(self.slices))


class CommunityPay(Cited, frozen=True, kw_only=True):
    """The pay of a wheel's community slices: the spinner's and the other bettors' amounts, as printed."""

    wager: Name
    letter: str
    stake_cents: Count
    amounts_cents: tuple[tuple[Count, Count], ...]


class MeterRule(Cited, frozen=True, kw_only=True):
    """A progressive amount; its figures are in the submission's ``meters.NAME``."""

    id: Name
    title: str = ""
    fed_by: Annotated[tuple[Name, ...], Meta(min_length=1)]
    """The wagers that feed the meter and are paid from it."""
    paid_rule: Cited | None = None
    """The rule of its awards, where it is not that of its growth."""


class PayoutLimit(Cited, frozen=True, kw_only=True):
    """The most that one player may be paid."""

    rule: Literal["exactly", "at_least", "at_most"]
    optional: bool
    """The operator may have no limit."""
    amount_cents: Count
    """Or the most one patron could win in a round at the minimum wager, whichever is greater."""
    covers: tuple[Name, ...]
    outside: tuple[Name, ...] = ()
    """Wagers outside the limit; with `covers` they are every wager of the game."""
    scope: Literal["round"] = "round"
    counts: Literal["winnings"] = "winnings"
    cuts: Literal["last_paid_first"] = "last_paid_first"
    notice_of_decrease: bool = False


class Setting(Cited, frozen=True, kw_only=True):
    """The value of one named setting; ``settings.toml`` has its meaning."""

    value: SettingValue
    silent: bool = False
    """The document is silent: the value is an adopted reading or a house rule."""


Outcome = Literal[
    "continue", "cover_or_sign_device", "discard_card", "floor_decides", "forfeit_all", "remove_deck",
    "remove_device", "reshuffle", "return_wagers", "use_as_next_card", "void", "wagers_may_be_lost",
]  # fmt: skip


class Irregularity(Cited, frozen=True, kw_only=True):
    """The outcome of one case of an irregularity."""

    then: tuple[Outcome, ...]
    silent: bool = False
    """The document is silent: the outcome is an adopted reading."""


class Opening(Cited, frozen=True, kw_only=True):
    """The acts from the arrival of a deck to the first round."""

    steps: tuple[OpeningStep, ...] = ()


class Choice(Cited, frozen=True, kw_only=True):
    """A choice that the regulation leaves to the operator."""

    path: Annotated[
        str,
        Meta(
            pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$",
            extra={"words": "names with dots, such as wagers.ante.min_cents"},
        ),
    ]
    title: Text
    kind: Literal["flag", "cents", "whole", "rate", "one_of", "many_of", "text", "weights"]
    default: bool | int | str | tuple[int | str, ...] | None = None
    """None: the choice has no value unless the operator states one."""
    of: tuple[int | str, ...] = ()
    min: int | None = None
    max: int | None = None
    must_state: bool = False
    """A filed submission must state it; a default is not enough."""
    only_if: dict[str, Scalar | tuple[Scalar, ...]] = field(default_factory=dict)
    """The choice applies only where other choices have one of these values."""


class Must(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The condition that a value must meet."""

    in_: tuple[Scalar, ...] | None = field(default=None, name="in")
    at_least: int | None = None
    at_most: int | None = None
    stated: bool = False
    """A reference of an approval or a filing: a filed submission must name it."""


class Requirement(Cited, frozen=True, kw_only=True):
    """A rule by which choices bind other choices."""

    says: Text
    when: dict[str, tuple[Scalar, ...]] = field(default_factory=dict)
    when_stated: tuple[str, ...] = ()
    """Choices without a default that have a value."""
    must: dict[str, Must]


RuleId = Annotated[
    str,
    Meta(pattern=r"^[A-Z]{2,5}-\d+[a-z]?$", extra={"words": "two to five capitals, a hyphen and a number: RS-1"}),
]


class OwnDocument(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A document that is not in the package: a regulation, or the rules of a house."""

    title: Text
    jurisdiction: str = ""
    authority: str = "house rules"
    citation: str = ""


class OwnClause(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A clause of a document that is not in the package."""

    id: RuleId
    citation: Text
    says: Text


class OwnReading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A point that such a document leaves open, with the adopted reading."""

    id: RuleId
    about: Text
    reading: Text
    alternatives: tuple[Text, ...] = ()
    clauses: tuple[RuleId, ...] = ()


class OwnTopic(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What such a document says on a point on which jurisdictions differ: a topic of the package, or one of its own."""

    id: Annotated[str, Meta(pattern=r"^[A-Z]+\d+[a-z]?$", extra={"words": "capitals and a number: D13"})]
    title: str = ""
    says: Text
    clauses: tuple[RuleId, ...] = ()


class Rulebook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One regulation."""

    schema: Literal[2]
    id: Annotated[
        str,
        Meta(
            pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$",
            extra={"words": "small letters and digits, with single hyphens between words"},
        ),
    ]
    version: Annotated[str, Meta(pattern=r"^\d+\.\d+\.\d+$", extra={"words": "three numbers with dots: 1.0.0"})]
    title: Text
    game: Name = "table_game"
    """The label of the game, for lists and headings. Nothing else depends on it."""
    document: str | OwnDocument = ""
    """The code of a document in the package, or a document of the rulebook's own."""
    deck: Deck = field(default_factory=lambda: Deck(cards=52))
    table: TableEquipment = field(default_factory=lambda: TableEquipment(seats=6))
    groups: tuple[Group, ...] = field(name="group")
    hands: tuple[Hand, ...] = field(name="hand")
    orders: tuple[OrderRule, ...] = field(default=(), name="order")
    """Orders of hands beside those of the package."""
    splits: tuple[Split, ...] = field(default=(), name="split")
    wagers: tuple[Wager, ...] = field(name="wager")
    paytables: tuple[PayTable, ...] = field(default=(), name="paytable")
    wheels: tuple[Wheel, ...] = field(default=(), name="wheel")
    community_pays: tuple[CommunityPay, ...] = field(default=(), name="community_pay")
    meters: tuple[MeterRule, ...] = field(default=(), name="meter")
    payout_limits: tuple[PayoutLimit, ...] = field(default=(), name="payout_limit")
    settings: dict[str, Setting] = field(default_factory=dict)
    irregularities: dict[str, dict[str, Irregularity]] = field(default_factory=dict)
    """Outcomes by kind and case; the case is "any" where it makes no difference."""
    methods: dict[DealingMethod, Cited] = field(default_factory=dict)
    """Clauses about one way of dealing only; a table that deals in another way does not cite them."""
    opening: Opening = field(default_factory=Opening)
    script: tuple[Step, ...]
    choices: tuple[Choice, ...] = field(default=(), name="choice")
    requirements: tuple[Requirement, ...] = field(default=(), name="requirement")
    own_clauses: tuple[OwnClause, ...] = field(default=(), name="clause")
    own_readings: tuple[OwnReading, ...] = field(default=(), name="reading")
    own_topics: tuple[OwnTopic, ...] = field(default=(), name="topic")

    @property
    def lines(self) -> tuple[Line, ...]:
        """The hands of community cards, or of these and the player's own."""
        places = {group.id: group.names for group in self.groups}
        shared = {name for group in self.groups if group.owner == "community" for name in (group.id, *group.names)}
        return tuple(
            Line(
                id=hand.id,
                title=hand.title,
                hand=hand.order,
                places=tuple(place for name in hand.of for place in places.get(name, (name,))),
                clauses=hand.clauses,
                readings=hand.readings,
                house_rule=hand.house_rule,
            )
            for hand in self.hands
            if hand.order is not None and not shared.isdisjoint(hand.of)
        )
