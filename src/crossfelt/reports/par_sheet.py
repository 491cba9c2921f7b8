"""The PAR sheet of one game."""

from __future__ import annotations

from crossfelt.analysis.simulation.figure_checks import require_agreement
from crossfelt.reports.document import SCHEMA, Report, Section
from crossfelt.reports.sections.exposure import exposure_section
from crossfelt.reports.sections.identity import SOFTWARE, STATEMENT, command_of, identity_of, identity_section
from crossfelt.reports.sections.meters import meters_section
from crossfelt.reports.sections.returns import headline, return_section, sensitivity_section, wagers_section
from crossfelt.reports.sections.rules import appendix, marks_section, rules_section
from crossfelt.reports.sections.simulation_check import checked, verification_section
from crossfelt.reports.sections.strategy import decisions_section, strategies_section
from crossfelt.reports.sections.volatility import all_results, volatility_section
from crossfelt.reports.study import Study


def par_sheet(study: Study) -> Report:
    """Assemble the PAR sheet in the order in which a laboratory reads it.

    Raises CheckFailed where a simulated figure contradicts its exact value.
    """
    require_agreement(checked(study))
    game = study.game
    sections: tuple[Section | None, ...] = (
        identity_section(study),
        return_section(study),
        rules_section(game),
        wagers_section(study),
        volatility_section(study),
        decisions_section(study),
        strategies_section(study),
        meters_section(game),
        sensitivity_section(study),
        exposure_section(study),
        verification_section(study),
        marks_section(game),
        all_results(study.solution) if study.solution else None,
        appendix(game),
    )
    return Report(
        schema=SCHEMA,
        kind="par",
        title=game.book.title,
        subtitle="PAR sheet: probability and accounting report",
        software=SOFTWARE,
        command=command_of(study.asked),
        statement=STATEMENT,
        games=(identity_of(game),),
        headline=headline(study),
        sections=tuple(section for section in sections if section is not None),
    )
