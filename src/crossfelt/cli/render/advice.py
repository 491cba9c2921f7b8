"""Advice as text: the values of the choices, the reasons, and the coach of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from crossfelt.analysis.advice import Advice, SettingAdvice
from crossfelt.analysis.best_play_bot import choice_made, position_of
from crossfelt.analysis.reasons import Explanation, explain
from crossfelt.analysis.solver.api import advise, has_solver
from crossfelt.cards.notation import format_cards
from crossfelt.cli.output import heading
from crossfelt.play.player_view import PlayerView
from crossfelt.play.text import signed
from crossfelt.rulebooks.render.phrases import as_words
from crossfelt.table.act import Move
from crossfelt.text_layout import columns

SETTINGS_SHOWN = 5
"""Settings of a hand that the coach lists."""
NO_VERDICT = "No verdict: the coach values whole multiples of the first wager"


def advice_lines(advice: Advice, told: Explanation, unit: str = "ante", cents: int | None = None) -> Iterator[str]:
    """Yield the values of the choices in a table, and the reasons; `unit` is the wager that values are counted in."""
    if isinstance(advice, SettingAdvice):
        yield heading(f"{advice.decision}: {advice.best} in front")
        yield from _setting_table(advice, len(advice.settings))
        yield f"In main wagers, after commission, against all {advice.dealer_hands:,} dealer hands: {advice.method}."
    else:
        yield heading(f"{as_words(advice.decision)}: {advice.best}")
        yield from _choice_table(advice, cents, exact=True)
        yield f"Expected net of the whole round in {unit}s, with optimal play afterwards."
    yield from (*told.cards, *told.reasons)


def _choice_table(advice: Advice, cents: int | None, *, exact: bool) -> Iterator[str]:
    rows = [["choice", "value", *(["money"] if cents else []), "cost", *(["exact value"] if exact else [])]]
    for choice, value in sorted(advice.actions.items(), key=lambda item: -item[1]):
        cost = advice.cost(choice)
        money = [signed(round(value * cents))] if cents else []
        told = [f"{float(value):+.4f}", *money, f"{float(cost):.4f}" if cost else "best"]
        rows.append([choice, *told, *([str(value)] if exact else [])])
    yield from columns(rows, indent=2, right=[1, 2, *([3] if cents else [])])


def _setting_table(advice: SettingAdvice, number: int) -> Iterator[str]:
    rows = [["in front", "behind", "", "wins", "pushes", "loses", "value", "cost", ""]]
    for setting in advice.settings[:number]:
        cost = advice.cost(format_cards(setting.low))
        shares = [f"{float(100 * share):.2f} %" for share in (setting.win, setting.push, setting.lose)]
        worth = [f"{float(setting.ev):+.4f}", f"{float(cost):.4f}" if cost else "best"]
        house_way = f"house way: {as_words(advice.house_rule)}" if setting.house_way else ""
        rows.append([format_cards(setting.low), format_cards(setting.high), setting.hands, *shares, *worth, house_way])
    yield from columns(rows, indent=2, right=[3, 4, 5, 6, 7])


class Coach:
    """Shows the values before a choice, and the verdict after it."""

    def __init__(self, *, on: bool = False) -> None:
        self.on = on
        self._last: tuple[tuple[int, str, int], Advice, Explanation] | None = None

    def before(self, view: PlayerView) -> Iterator[str]:
        """Yield the values of each choice and the reasons; nothing without a decision."""
        if (found := self._advice(view)) is None:
            return
        advice, told = found
        yield f"Coach: {advice.best}{' in front' if isinstance(advice, SettingAdvice) else ''} is best."
        if isinstance(advice, SettingAdvice):
            yield from (
                f"{format_cards(it.low)}: {told.choices[format_cards(it.low)]}"
                for it in advice.different[:SETTINGS_SHOWN]
            )
            yield from told.reasons
            yield f"Exact: all {advice.dealer_hands:,} dealer hands are counted."
        else:
            yield from _choice_table(advice, view.unit_cents, exact=False)
            yield from (*told.cards, *told.reasons)

    def after(self, view: PlayerView, move: Move) -> str:
        """Return the verdict on a choice; empty without a decision. `view` is that of the decision."""
        if (found := self._advice(view)) is None:
            return ""
        return f"Coach: {verdict_on(view, move, *found)}."

    def _advice(self, view: PlayerView) -> tuple[Advice, Explanation] | None:
        position = position_of(view) if self.on and has_solver(view.game) else None
        if position is None:
            return None
        decision = (view.round, view.step, view.seat)
        if self._last is None or self._last[0] != decision:
            advice = advise(view.game, **position)
            seen: Mapping[str, str] = {name: text for name, text in position.items() if isinstance(text, str)}
            self._last = decision, advice, explain(view.game, advice, seen, view.unit_cents)
        return self._last[1:]


def verdict_on(view: PlayerView, move: Move, advice: Advice, told: Explanation) -> str:
    """Return the verdict on a move at a decision."""
    return told.verdicts.get(choice_made(view, move, advice), NO_VERDICT)
