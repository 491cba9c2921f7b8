"""A game as a history records it: the plain data of a rulebook and a submission, looked up as it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self, TypeVar

Data = Mapping[str, Any]
T = TypeVar("T")


class PlainGame:
    """The rules in force at a table, read from plain data only.

    >>> game = PlainGame(compile_game("nj-pai-gow", {"wagers": {"imperial": {"offered": False}}}).as_data())
    >>> "imperial" in game.wagers, game.choice("wagers.main.min_cents"), game.setting("commission_per_mille")
    (False, 1000, 50)
    """

    def __init__(self, data: Data) -> None:
        self.book: Data = data["rulebook"]
        stated: Data = data["submission"]
        self._settings = {name: given["value"] for name, given in self.book.get("settings", {}).items()}
        self._settings |= stated.get("settings", {})
        self._choices = {choice["path"]: choice.get("default") for choice in self.book.get("choice", ())}
        self._choices |= _flat({name: value for name, value in stated.items() if name not in ("settings", "pays")})
        self.wagers: dict[str, Data] = {
            wager["id"]: wager for wager in self.book["wager"] if self.choice(f"wagers.{wager['id']}.offered", True)
        }
        self.groups: dict[str, Data] = {group["id"]: group for group in self.book["group"]}
        self.places = {
            name: tuple(group.get("places") or [f"{name}_{number + 1}" for number in range(group["cards"])])
            for name, group in self.groups.items()
        }
        self.hands: dict[str, Data] = {hand["id"]: hand for hand in self.book["hand"]}
        self.split: Data | None = next(iter(self.book.get("split", ())), None)
        self.steps: dict[str, Data] = {step["id"]: step for step in self.book["script"]}
        odds = stated.get("pays", {})
        self.pays = {
            table["id"]: [_line(line, odds.get(table["id"], {})) for line in self._printed(table)]
            for table in self.book.get("paytable", ())
            if not table.get("letter") or table["letter"] in self._letters(table["id"])
        }
        self.wheels = list(self._wheels())
        self.limits = self._limits()
        self.jackpots = {name: wager for name, wager in self.wagers.items() if self._is_jackpot(wager)}
        """Wagers that a meter pays: staked in credits, or with a pay line that is a share of a meter."""

    def __deepcopy__(self, memo: object) -> Self:
        return self  # never altered, and large

    def setting(self, name: str, default: Any = None) -> Any:
        return self._settings.get(name, default)

    def choice(self, path: str, default: Any = None) -> Any:
        value = self._choices.get(path)
        return default if value is None else value

    def decisions(self, step: str = "") -> list[Data]:
        """Return the decisions of the script, or only that of one step."""
        decides = [each for each in self.steps.values() if each["step"] == "decide"]
        return [each for each in decides if each["id"] == step] if step else decides

    def named(self, name: str) -> list[str]:
        """Return the wagers that a name stands for: itself, or every wager of a group."""
        return [wager for wager, data in self.wagers.items() if name in (wager, data.get("group"))]

    def reads(self, rule: Data | None) -> bool:
        """Say if there is a rule, and the settings let it apply."""
        return rule is not None and all(self.setting(name) == value for name, value in rule.get("where", {}).items())

    def _printed(self, table: Data) -> list[Data]:
        """Return the lines of a pay table; another reading may put those of another table in their place."""
        if self.reads(table.get("instead")):
            table = next(other for other in self.book.get("paytable", ()) if other["id"] == table["instead"]["pay"])
        lines: list[Data] = table.get("lines", [])
        return lines

    def _letters(self, name: str) -> set[Any]:
        """Return the letters that the operator chose for a pay table, or for the wheels of a wager."""
        owners = {name}
        for wager in self.book["wager"]:
            named = [*tables_of(wager), *wager.get("also_pays", ())]
            owners |= {wager["id"], *named[:1]} if name in (wager["id"], *named) else set()
        return {
            self._choices[path]
            for owner in owners
            for path in self._choices
            if path.startswith(f"wagers.{owner}.paytable")
        }

    def _wheels(self) -> Iterator[Data]:
        """Yield the wheels in force: the chosen letters, and the community wheels that go with their stakes."""
        printed: list[Data] = [
            {"ring": "spin", **wheel} for wheel in self.book.get("wheel", ()) if wheel["wager"] in self.wagers
        ]
        own = [wheel for wheel in printed if wheel["letter"] in self._letters(wheel["wager"])]
        own = [self._as_read(wheel) for wheel in own if wheel["ring"] != "community"]
        shared = {(wheel["wager"], self.community_letter(wheel)) for wheel in own}
        yield from own
        yield from (w for w in printed if w["ring"] == "community" and (w["wager"], w["letter"]) in shared)

    def _as_read(self, wheel: Data) -> Data:
        """Return a wheel with the stake and the amounts that the settings read."""
        stake = (wheel["instead"] if self.reads(wheel.get("instead")) else wheel)["stake_cents"]
        slices = [
            {**each, "pays_cents": self.setting(each["amount_setting"])} if "amount_setting" in each else each
            for each in wheel["slices"]
        ]
        return {**wheel, "stake_cents": stake, "slices": slices}

    def community_letter(self, wheel: Data) -> str:
        """Return the letter of the community pay for a stake: the operator may designate another."""
        path = f"wagers.{wheel['wager']}.community_paytable_{wheel['stake_cents'] // 100}"
        named = self.choice(path, "as_paytable")
        return str(wheel["letter"] if named == "as_paytable" else named)

    def wheel(self, wager: str, stake: int, ring: str = "spin") -> Data:
        wanted = (wager, stake, ring)
        found = (one for one in self.wheels if (one["wager"], one["stake_cents"], one["ring"]) == wanted)
        return first(found, f"no wheel for {stake:,} cents")

    def is_progressive(self, wheel: Data) -> bool:
        """Say if the top prize of a wheel is a meter."""
        top = wheel.get("top", "none")
        return bool((self.choice(f"wagers.{wheel['wager']}.top_prize") if top == "either" else top) == "progressive")

    def meters_of(self, wager: str, stake: int | None = None) -> list[str]:
        """Return the meters of a wager; none where the wheel of this stake has a fixed top prize."""
        own = [wheel for wheel in self.wheels if (wheel["wager"], wheel["stake_cents"]) == (wager, stake)]
        if own and not any(map(self.is_progressive, own)):
            return []
        return [meter["id"] for meter in self.book.get("meter", ()) if wager in meter["fed_by"]]

    def _is_jackpot(self, wager: Data) -> bool:
        return wager.get("unit") == "credits" or any(
            "meter_percent" in x for t in tables_of(wager) for x in self.pays[t]
        )

    def credit(self, wager: Data) -> int:
        """Return the price of one unit of a stake, in cents."""
        return int(self.choice(f"wagers.{tables_of(wager)[0]}.credit_cents")) if wager.get("unit") == "credits" else 1

    def stakes(self, wager: Data) -> range | list[int]:
        """Return the stakes that may be placed before the cards."""
        own = [wheel["stake_cents"] for wheel in self.wheels if wheel["wager"] == wager["id"]]
        stake, unit = wager["stake"], self.credit(wager)
        if own or "cents" in stake:
            return sorted(own or stake["cents"])
        posted, kind = f"wagers.{stake['posted']}", "credits" if wager.get("unit") == "credits" else "cents"
        least, most = (self.choice(f"{posted}.{end}_{kind}") * unit for end in ("min", "max"))
        return range(least, most + 1, self.choice(f"{posted}.step_cents", unit))

    def covered(self, limit: Data) -> list[str]:
        """Return the wagers that a payout limit covers."""
        return [*limit["covers"], *(limit.get("outside", ()) if self.setting("limit_covers_all_wagers") else ())]

    def _limits(self) -> dict[str, list[tuple[int, int]]]:
        """Return the payout limits in force on each wager, as the least and the most that each can be.

        Without a stated amount the limit is the printed one, or the most that one player could win at the least wagers.
        The second settlement does not compute that figure. It is at most the sum of the best pay of every wager.
        """
        found: dict[str, list[tuple[int, int]]] = {name: [] for name in self.wagers}
        stated = self.choice("payout_limit.amount_cents")
        for limit in self.book.get("payout_limit", ()):
            covered = [name for name in self.covered(limit) if name in self.wagers]
            most = stated or max(limit["amount_cents"], sum(self._most(self.wagers[name]) for name in covered))
            for name in covered if stated is not None or not limit.get("optional") else ():
                found[name].append((stated or limit["amount_cents"], most))
        return found

    def _most(self, wager: Data) -> int:
        """Return what the best lines of a wager pay on its least stake, all together."""
        tables = [
            [won(line.get("odds", "push"), self._least(wager)) for line in self.pays[t]] for t in tables_of(wager)
        ]
        plain = [won(result, self._least(wager)) for rule in wager["settle"] for result in _plain(rule)]
        return sum(max(paid, default=0) for paid in tables) + max(plain, default=0)

    def _least(self, wager: Data) -> int:
        stake = wager["stake"]
        if "of" not in stake:
            return self.stakes(wager)[0]
        times = stake.get("times") or range(stake.get("min", 1), stake.get("max", 1) + 1)
        allowed = [each for each in times if each >= self.setting("minimum_wager_bets_at", 1)]
        return min(allowed or times) * self._least(self.wagers[self.named(stake["of"])[0]])


def first(found: Iterator[T], what: str) -> T:
    """Return the first of some things, or raise LookupError."""
    for one in found:
        return one
    raise LookupError(what)


def tables_of(wager: Data) -> list[str]:
    """Return the pay tables that settle a wager, each once."""
    found = []
    for rule in wager["settle"]:
        for pay in (rule, *rule.get("pays", ()), *(rule.get(name) for name in ("win", "tie", "lose"))):
            found += [pay["pay"]] if isinstance(pay, Mapping) and "pay" in pay else []
    return list(dict.fromkeys(found))


def _plain(rule: Data) -> list[str]:
    """Return the odds that a rule names itself."""
    results = [*(rule.get(way) for way in ("odds", "win", "tie", "lose")), *rule.get("by_wins", ())]
    return [result for result in results if isinstance(result, str)]


def won(odds: str, stake: int) -> int:
    """Return the cents that odds win on a stake; a part of a cent stays with the house.

    >>> won("3 to 2", 25), won("40 for 1", 500), won("push", 500)
    (37, 20000, 0)
    """
    if odds in ("push", "lose"):
        return 0
    paid, _, staked = odds.split()
    return stake * int(paid) // int(staked)


def _line(line: Data, changed: Data) -> Data:
    """Return a pay line at the odds that the submission states for it."""
    odds = changed.get(line.get("id", line["hand"]))
    return line if odds is None else {**line, "odds": f"{odds} to 1" if isinstance(odds, int) else odds}


def _flat(stated: Data, path: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in stated.items():
        found |= _flat(value, f"{path}{name}.") if isinstance(value, Mapping) else {f"{path}{name}": value}
    return found
