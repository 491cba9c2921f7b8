"""Rendering of a report as one self-contained JSON, HTML or PDF file."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, Final, Literal

from crossfelt.errors import BadInput
from crossfelt.reports.document import Plot, Report, as_json

Format = Literal["json", "html", "pdf"]
FORMATS: Final[tuple[Format, ...]] = ("json", "html", "pdf")
_TEMPLATES: Final = resources.files("crossfelt.reports") / "templates"


def format_of(out: Path) -> Format:
    """Return the format that a file name asks for.

    >>> format_of(Path("par.PDF"))
    'pdf'
    """
    suffix = out.suffix.lower().removeprefix(".")
    for known in FORMATS:
        if suffix == known:
            return known
    what, allowed = "unknown file type", ", ".join(f".{known}" for known in FORMATS)
    raise BadInput.at(str(out), "report.format", what, out.suffix, allowed)


def require_renderer(kind: Format) -> None:
    """Refuse, before the work, a format whose libraries are missing."""
    if kind == "json":
        return
    try:
        import jinja2
        import matplotlib
        import typst
    except ImportError as error:
        raise BadInput.missing(error, extra="report", where=f".{kind}") from None
    assert all((jinja2, matplotlib, typst))


def render(report: Report, kind: Format) -> bytes:
    """Render a report to the bytes of its file."""
    match kind:
        case "json":
            return as_json(report)
        case "html":
            return _html(report)
        case "pdf":
            return _pdf(report)


def _html(report: Report) -> bytes:
    import markupsafe

    from crossfelt.reports.plots import inline_svg

    filters = {"breakable": lambda text: markupsafe.Markup(_breakable(text))}
    return page("report", filters, report=report, drawn=inline_svg, kind_of=lambda block: type(block).__name__)


def page(name: str, filters: Mapping[str, Callable[..., Any]], **values: Any) -> bytes:
    """Render the HTML template of this name, with its style sheet inside."""
    import jinja2

    environment = jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters |= filters
    template = environment.from_string((_TEMPLATES / f"{name}.html").read_text(encoding="utf-8"))
    return template.render(style=(_TEMPLATES / f"{name}.css").read_text(encoding="utf-8"), **values).encode()


def _breakable(text: str) -> str:
    """Escape text; allow line breaks in long paths after a point, underscore or slash, and in hashes.

    >>> _breakable("wagers.five_card_bonus.min_cents & more")
    'wagers.<wbr>five_<wbr>card_<wbr>bonus.<wbr>min_<wbr>cents &amp; more'
    """
    paths = re.sub(r"(?<=[^\W\d_])([._/])(?=\w)", r"\1<wbr>", html.escape(text))
    return re.sub(r"\b[0-9a-f]{64}\b", lambda found: "<wbr>".join(re.findall(".{16}", found[0])), paths)


def _pdf(report: Report) -> bytes:
    """Typeset the JSON with typst, tagged for screen readers (PDF/UA-1)."""
    import typst

    from crossfelt.reports.plots import svg

    plots = {block.id: svg(block) for section in report.sections for block in section.blocks if isinstance(block, Plot)}
    made = typst.compile(
        (_TEMPLATES / "report.typ").read_bytes(),
        sys_inputs={"report": as_json(report).decode(), "plots": json.dumps(plots)},
        pdf_standards=["ua-1"],
        ignore_system_fonts=True,
    )
    assert isinstance(made, bytes)
    return made
