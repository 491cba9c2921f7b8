"""A regulation as data: the shape of a rulebook file.

Everything that a regulator could vary is here, with its clause. A datum cites what its nearest enclosing table
cites: ``clauses`` of the document, adopted ``readings`` of its gaps, or a ``house_rule`` where no document has one.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, field

from crossfelt._util.shared_fields import shared_fields
from crossfelt.hands.rank import HandRank
from crossfelt.money import Odds
from crossfelt.rulebooks.citations import Cited, Name, Text
from crossfelt.rulebooks.hand_forms import Group, Hand, Match, OrderRule, Split
from crossfelt.rulebooks.script import DealingMethod, OpeningStep, Step
from crossfelt.rulebooks.settle_forms import Bonus, Commission, Rule, Scalar, pay_tables

Count = Annotated[int, Meta(ge=1, le=100_000_000_000)]
Times = Annotated[int, Meta(ge=1, le=1000)]
SettingValue = bool | int | str | tuple[str, ...]


OF_NO_FAMILY: Final = "table_game"
"""The label of a game whose file states none."""


class Deck(Cited, frozen=True, kw_only=True):
    """The cards of the game."""

    cards: Literal[52, 53]
    """53 is the 52 cards and one joker."""
    second_rule: Cited | None = None
    """The rule of a second deck, where it is not that of the first."""


class Layout(Cited, frozen=True, kw_only=True):
    """The betting areas of one seat, nearest the dealer first, and the required markings."""

    rows: tuple[tuple[Name, ...], ...] = ()
    """Rows of wagers, the nearest to the dealer first."""
    optional: tuple[Name, ...] = ()
    """Areas present only where the wager is offered."""
    community_labels: tuple[str, ...] = ()
    """Words printed beside the community cards."""
    shows: tuple[Name, ...] = ()
    """Other markings that the layout must have."""


class Fixtures(Cited, frozen=True, kw_only=True):
    """Fixtures of the table, which the floor checks before its first round."""

    items: tuple[Name, ...]
    """The fixtures."""
    variance: tuple[Name, ...] = ()
    """Items for which another place may be approved."""


class TableEquipment(Cited, frozen=True, kw_only=True):
    """The table: its seats, its layout, its fixtures."""

    seats: Annotated[int, Meta(ge=1, le=7)]
    """The number of seats."""
    layout: Layout = field(default_factory=Layout)
    """The betting areas and markings; from the wagers where the file says nothing."""
    fixtures: Fixtures | None = None
    """Fixtures that the floor checks."""


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
    """The smallest multiple."""
    max: Times = 1
    """The largest multiple."""
    whole: bool = False
    """Whole multiples only; otherwise every amount between that the chips can make."""
    times: tuple[Times, ...] = ()
    """The only multiples, where they are not those from `min` to `max`."""
    cents: tuple[Count, ...] = ()
    """The only amounts."""
    by_paytable: bool = False
    """The chosen pay table or wheel states the amount."""
    within_cents: tuple[Count, Count] | None = None
    """Bounds that the document sets for the posted limits."""


class Wager(Cited, frozen=True, kw_only=True, dict=True):
    """A wager: what may be staked, and how it is settled."""

    id: Name
    title: str = ""
    """The name that players and dealers use."""
    required: bool = False
    """Every player of a round places it."""
    match_play: bool = False
    """A match play coupon may be placed beside the chips. No document states its value; it is worth as much as they."""
    group: Name | None = None
    """Wagers of one group are placed together, in equal amounts."""
    stake: Stake
    """The amounts that are allowed."""
    unit: Literal["cents", "credits"] = "cents"
    """Chips, or credits of a progressive device."""
    parts: Count = 1
    """A stake laid down as several equal wagers is paid part by part."""
    settle: tuple[Rule, ...]
    """Rules of settlement. The first that applies decides; where none does, the wager loses."""
    bonus: tuple[Bonus, ...] = ()
    """Paid if the wager is settled, on its stake; every one that has a pay line for its hand."""
    commission: Commission | None = None
    """A commission on what it wins."""
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
        """The odds of a win, where no pay table applies; the first, where marks decide among several."""
        return next(iter(self.all_odds), None)

    @cached_property
    def all_odds(self) -> tuple[Odds, ...]:
        """The odds of a win, where no pay table applies, in the order of the rules."""
        plain = (result for rule in self.settle for result in (rule.odds, rule.win, *rule.by_wins[-1:]))
        wins = (result for result in plain if isinstance(result, str) and result not in ("push", "lose"))
        return tuple(map(Odds, dict.fromkeys(wins)))

    @cached_property
    def odds_words(self) -> str:
        """The odds of a win in words."""
        return " or ".join(map(str, self.all_odds))

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
    """The name of the line, needed where two lines have the same category; that of the category otherwise."""
    odds: Odds | None = None
    """The odds."""
    meter_percent: Annotated[int, Meta(ge=1, le=100)] | None = None
    """A share of the meter, in percent."""
    meter: Name | None = None
    """The meter, where the wager feeds several."""
    amount_cents: Count | None = None
    """A fixed amount. Like a share of a meter it is the whole award: the stake is not returned."""
    clauses: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.id or self.hand


class Instead(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Another pay table or stake, where settings have these values: another reading of the document."""

    where: dict[Name, Scalar]
    """Settings that must have these values."""
    pay: Name | None = None
    """The other pay table."""
    stake_cents: Count | None = None
    """The other stake."""


class PayTable(Cited, frozen=True, kw_only=True):
    """A pay table: lines of hands, each with what it pays."""

    id: Name
    letter: str = ""
    """The letter of one of several pay tables among which the operator chooses."""
    title: str = ""
    """The title on notices and layouts."""
    order: Name
    """The order of hands of its lines."""
    odds_are: Literal["exact", "minimum"] = "exact"
    """The odds are those of the document, or the least that it allows."""
    instead: Instead | None = None
    """The pay table whose lines apply by another reading."""
    in_order: bool = True
    """Better hands pay at least as well; ``false`` silences the warning where the game means it otherwise."""
    lines: tuple[PayLine, ...] = ()
    """The lines. The first that fits a hand pays it."""

    @property
    def name(self) -> str:
        return f"{self.id}.{self.letter}" if self.letter else self.id

    def line_for(self, rank: HandRank) -> PayLine | None:
        """Return the first line that has the hand; None for a losing hand.

        >>> from crossfelt.cards import parse_cards
        >>> from crossfelt.hands.poker import rank_five
        >>> compile_game("md-criss-cross").pays["bets"].line_for(rank_five(parse_cards("Ks Kd 2c 3h 4s"))).name
        'pair_jacks_or_better'
        """
        return next((line for line in self.lines if line.fits(rank.category, rank.ranks)), None)

    def odds_for(self, rank: HandRank) -> Odds | None:
        line = self.line_for(rank)
        return line.odds if line else None

    def best_odds(self) -> Odds:
        """Return the highest odds of the table."""
        return max((line.odds for line in self.lines if line.odds), default=Odds("push"))


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
    """A wheel that pays a wager."""

    wager: Name
    """The wager that it pays."""
    ring: Literal["spin", "hot_spot", "community"] = "spin"
    """The ring of the wheel."""
    letter: str
    """The letter of one of several wheels among which the operator chooses."""
    stake_cents: Count
    """The stake of the wager."""
    instead: Instead | None = None
    """The stake by another reading."""
    top: Literal["fixed", "progressive", "either", "none"] = "none"
    """The kind of its top prize."""
    slices: tuple[Slice, ...]
    """The slices, in order."""
    illustrative_weights: tuple[Count, ...] = ()
    """Placeholders that make the wheel playable; the documents print no weights."""

    @property
    def name(self) -> str:
        ring = "" if self.ring == "spin" else f".{self.ring}"
        return f"{self.wager}{ring}.{self.letter}"

    @property
    def weights_path(self) -> str:
        """The choice of a submission that states the weights of the slices."""
        return f"wagers.{self.wager}.{'weights' if self.ring == 'spin' else f'{self.ring}_weights'}"

    @property
    def places(self) -> tuple[int, ...]:
        """The position of each slice on the wheel's face: as printed, or its index where none is printed."""
        return tuple(at if each.position is None else each.position for at, each in enumerate(self.slices))


class CommunityPay(Cited, frozen=True, kw_only=True):
    """The pay of a wheel's community slices: the spinner's and the other bettors' amounts, as printed."""

    wager: Name
    """The wager."""
    letter: str
    """The letter of the wheel."""
    stake_cents: Count
    """The stake of the wager."""
    amounts_cents: tuple[tuple[Count, Count], ...]
    """For each community slice the spinner's amount and that of the others."""


class MeterRule(Cited, frozen=True, kw_only=True):
    """A progressive amount; its figures are in the submission's ``meters.NAME``."""

    id: Name
    title: str = ""
    """The title on displays."""
    fed_by: Annotated[tuple[Name, ...], Meta(min_length=1)]
    """The wagers that feed the meter and are paid from it."""
    paid_rule: Cited | None = None
    """The rule of its awards, where it is not that of its growth."""


class PayoutLimit(Cited, frozen=True, kw_only=True):
    """The most that one player may be paid."""

    rule: Literal["exactly", "at_least", "at_most"]
    """The document states the limit, its least or its largest amount."""
    optional: bool
    """The operator may have no limit."""
    amount_cents: Count
    """Or the most one patron could win in a round at the minimum wager, whichever is greater."""
    covers: tuple[Name, ...]
    """The wagers inside the limit."""
    outside: tuple[Name, ...] = ()
    """Wagers outside the limit; with `covers` they are every wager of the game."""
    scope: Literal["round"] = "round"
    """The limit counts one round."""
    counts: Literal["winnings"] = "winnings"
    """The limit counts winnings."""
    cuts: Literal["last_paid_first"] = "last_paid_first"
    """The wager that is paid last is cut first."""
    notice_of_decrease: bool = False
    """A lower limit needs a notice."""


class Setting(Cited, frozen=True, kw_only=True):
    """The value of one named setting; ``settings.toml`` has its meaning."""

    value: SettingValue
    """The value."""
    silent: bool = False
    """The document is silent: the value is an adopted reading or a house rule."""


Outcome = Literal[
    "continue", "cover_or_sign_device", "discard_card", "floor_decides", "forfeit_all", "remove_deck",
    "remove_device", "reshuffle", "return_wagers", "use_as_next_card", "void", "wagers_may_be_lost",
]  # fmt: skip


class Irregularity(Cited, frozen=True, kw_only=True):
    """The outcome of one case of an irregularity."""

    then: tuple[Outcome, ...]
    """The outcomes, in order."""
    silent: bool = False
    """The document is silent: the outcome is an adopted reading."""


class Opening(Cited, frozen=True, kw_only=True):
    """The acts from the arrival of a deck to the first round."""

    steps: tuple[OpeningStep, ...] = ()
    """The acts, in order."""


class Choice(Cited, frozen=True, kw_only=True):
    """A choice that the regulation leaves to the operator."""

    path: Annotated[
        str,
        Meta(
            pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$",
            extra={"words": "names with dots, such as wagers.ante.min_cents"},
        ),
    ]
    """The place of the choice in a submission."""
    title: Text
    """The question."""
    kind: Literal["flag", "cents", "whole", "rate", "one_of", "many_of", "text", "weights"]
    """The kind of value."""
    default: bool | int | str | tuple[int | str, ...] | None = None
    """None: the choice has no value unless the operator states one."""
    of: tuple[int | str, ...] = ()
    """The values to choose from."""
    min: int | None = None
    """The smallest value."""
    max: int | None = None
    """The largest value."""
    must_state: bool = False
    """A filed submission must state it; a default is not enough."""
    only_if: dict[str, Scalar | tuple[Scalar, ...]] = field(default_factory=dict)
    """The choice applies only where other choices have one of these values."""


class Must(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The condition that a value must meet."""

    in_: tuple[Scalar, ...] | None = field(default=None, name="in")
    """One of these values."""
    at_least: int | None = None
    """At least this number."""
    at_most: int | None = None
    """At most this number."""
    stated: bool = False
    """A reference of an approval or a filing: a filed submission must name it."""


class Requirement(Cited, frozen=True, kw_only=True):
    """A rule by which choices bind other choices."""

    says: Text
    """The rule in words."""
    when: dict[str, tuple[Scalar, ...]] = field(default_factory=dict)
    """Choices that have one of these values."""
    when_stated: tuple[str, ...] = ()
    """Choices without a default that have a value."""
    must: dict[str, Must]
    """The conditions of other choices."""


RuleId = Annotated[
    str, Meta(pattern=r"^[A-Z]{2,5}-\d+[a-z]?$", extra={"words": "two to five capitals, a hyphen and a number: RS-1"})
]


class OwnDocument(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A document that is not in the package: a regulation, or the rules of a house."""

    title: Text
    """The title of the document."""
    jurisdiction: str = ""
    """The state or place in which it applies."""
    authority: str = "house rules"
    """The body that issued it."""
    citation: str = ""
    """The way to cite it."""


class OwnClause(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A clause of a document that is not in the package."""

    id: RuleId
    """The id that data cite."""
    citation: Text
    """Its place in the document."""
    says: Text
    """The rule, in your own words."""


class OwnReading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A point that such a document leaves open, with the adopted reading."""

    id: RuleId
    """The id that data cite."""
    about: Text
    """The open point."""
    reading: Text
    """The adopted reading."""
    alternatives: tuple[Text, ...] = ()
    """Other possible readings."""
    clauses: tuple[RuleId, ...] = ()


class OwnTopic(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The position of such a document on a point on which jurisdictions differ: a topic of the package, or its own."""

    id: Annotated[str, Meta(pattern=r"^[A-Z]+\d+[a-z]?$", extra={"words": "capitals and a number: D13"})]
    """The id of the topic."""
    title: str = ""
    """Its title, where the topic is your own."""
    says: Text
    """The position of the document."""
    clauses: tuple[RuleId, ...] = ()


class Rulebook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One game, under one regulation or the rules of a house."""

    schema: Literal[2]
    """The edition of this format."""
    id: Annotated[
        str,
        Meta(
            pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$",
            extra={"words": "small letters and digits, with single hyphens between words"},
        ),
    ]
    """The id of the rulebook, by which commands and tables name it."""
    version: Annotated[str, Meta(pattern=r"^\d+\.\d+\.\d+$", extra={"words": "three numbers with dots: 1.0.0"})]
    """The version; raise it when a rule changes."""
    title: Text
    """The title in lists and headings."""
    extends: str = ""
    """The rulebook of which the file states the differences: its id, or a path beside the file."""
    drop: dict[Name, tuple[str, ...]] = field(default_factory=dict)
    """Parts of the rulebook that is extended which are left out: names by section."""
    game: Name = OF_NO_FAMILY
    """The label of the game, under which lists show its rulebooks together; that of the id where the file has none."""
    document: str | OwnDocument = ""
    """The code of a document in the package, or a document of the rulebook's own."""
    deck: Deck = field(default_factory=lambda: Deck(cards=52))
    """The cards."""
    table: TableEquipment = field(default_factory=lambda: TableEquipment(seats=6))
    """Seats, layout and fixtures."""
    groups: tuple[Group, ...] = field(name="group")
    """The cards that are dealt together."""
    hands: tuple[Hand, ...] = field(name="hand")
    """The hands that are formed of them."""
    orders: tuple[OrderRule, ...] = field(default=(), name="order")
    """Orders of hands beside those of the package."""
    splits: tuple[Split, ...] = field(default=(), name="split")
    """Cards that a player divides into two hands."""
    wagers: tuple[Wager, ...] = field(name="wager")
    """Wagers: the permitted stake, and the settlement."""
    paytables: tuple[PayTable, ...] = field(default=(), name="paytable")
    """Odds by hand."""
    wheels: tuple[Wheel, ...] = field(default=(), name="wheel")
    """Wheels that pay wagers."""
    community_pays: tuple[CommunityPay, ...] = field(default=(), name="community_pay")
    """Amounts that the slices of a wheel pay to the other bettors."""
    meters: tuple[MeterRule, ...] = field(default=(), name="meter")
    """Progressive amounts."""
    payout_limits: tuple[PayoutLimit, ...] = field(default=(), name="payout_limit")
    """The most that one player may be paid."""
    settings: dict[str, Setting] = field(default_factory=dict)
    """Values of named settings; what the file leaves out has a default."""
    irregularities: dict[str, dict[str, Irregularity]] = field(default_factory=dict)
    """Outcomes by kind and case; the case is "any" where it makes no difference."""
    methods: dict[DealingMethod, Cited] = field(default_factory=dict)
    """Clauses about one way of dealing only; a table that deals in another way does not cite them."""
    opening: Opening = field(default_factory=Opening)
    """The acts from the arrival of a deck to the first round."""
    script: tuple[Step, ...]
    """The steps of a round, in order."""
    choices: tuple[Choice, ...] = field(default=(), name="choice")
    """Choices that are left to the operator, beside the usual ones."""
    requirements: tuple[Requirement, ...] = field(default=(), name="requirement")
    """Rules by which choices bind other choices."""
    own_clauses: tuple[OwnClause, ...] = field(default=(), name="clause")
    """Clauses of the rulebook's own document."""
    own_readings: tuple[OwnReading, ...] = field(default=(), name="reading")
    """Points that this document leaves open."""
    own_topics: tuple[OwnTopic, ...] = field(default=(), name="topic")
    """Positions of this document on points on which jurisdictions differ."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """The hands of community cards, or of these and the player's own."""
        places = {group.id: group.names for group in self.groups}
        shared = {name for group in self.groups if group.owner == "community" for name in (group.id, *group.names)}
        return tuple(
            Line(
                **shared_fields(hand, Line),
                hand=hand.order,
                places=tuple(place for name in hand.of for place in places.get(name, (name,))),
            )
            for hand in self.hands
            if hand.order is not None and not shared.isdisjoint(hand.of)
        )
