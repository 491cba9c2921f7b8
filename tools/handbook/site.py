"""The documentation site: a folder of plain HTML from Markdown, built and read without a network.

A link to a missing page or heading stops the build.
"""

from __future__ import annotations

import html
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from jinja2 import Environment, FileSystemLoader
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from crossfelt import __version__
from handbook import reference
from handbook.markdown import DOCS, ROOT

TEMPLATES: Final = Path(__file__).parent / "templates"
CLAUSES: Final = "reference/clauses.md"
NAVIGATION: Final[Sequence[tuple[str, Sequence[str]]]] = (
    ("", ("index.md",)),
    (
        "Readers",
        ("users/mathematician.md", "users/operator.md", "users/auditor.md", "users/player.md", "users/dealer.md"),
    ),
    (
        "Tutorials",
        (
            "tutorials/report.md",
            "tutorials/submission.md",
            "tutorials/dispute.md",
            "tutorials/play.md",
            "tutorials/train.md",
        ),
    ),
    ("Python", ("python.md",)),
    ("Games", ("games/criss-cross.md", "games/double-cross.md", "games/pai-gow.md")),
    ("Mathematics", ("simulation.md", "sweeps.md", "reports.md", "scaling.md")),
    ("Server", ("operations.md", "security.md", "fairness.md", "protocol.md")),
    ("Inside", ("architecture.md", "CONTRIBUTING.md", "CHANGELOG.md")),
)
"""Sections and their pages; pages that are not listed come under "More"."""
_CLAUSE: Final = re.compile(r"\b(?:NJC|MAC|PGP|DCP|MDC|AMB)-\d+[a-z]?\b")
_LINK: Final = re.compile(r'(?:href|src)="([^"]*)"')
_ID: Final = re.compile(r'\bid="([^"]*)"')


class Page(NamedTuple):
    """A page of the site."""

    path: str
    """``games/pai-gow.md``."""
    title: str
    section: str
    text: str

    @property
    def out(self) -> str:
        return str(PurePosixPath(self.path.lower()).with_suffix(".html"))


class BrokenLink(Exception):
    """A link to a page or heading that does not exist."""


def build(out: Path) -> list[Page]:
    """Write the site into a folder; replace an earlier build."""
    pages = list(gather())
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    template = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True).get_template("page.html")
    written = {}
    for place, page in enumerate(pages):
        rendered = Rendering(page, pages)
        written[page.out] = template.render(
            page=page,
            heading=rendered.heading,
            body=rendered.body,
            contents=rendered.contents,
            navigation=_navigation(page, pages),
            root=_up(page.out),
            before=_neighbour(page, pages, place - 1) if place else None,
            after=_neighbour(page, pages, place + 1) if place + 1 < len(pages) else None,
            version=__version__,
        )
    for name, text in written.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    shutil.copy(TEMPLATES / "style.css", out / "style.css")
    for schema in DOCS.glob("*.json"):
        shutil.copy(schema, out / schema.name)
    shutil.copytree(DOCS / "images", out / "images")
    check_links(out, written)
    return pages


# --- pages ----------------------------------------------------------------------------------------------------


def gather() -> Iterator[Page]:
    """Yield all pages in the order of the navigation."""
    written = {path.relative_to(DOCS).as_posix(): path for path in sorted(DOCS.rglob("*.md"))}
    written |= {name: ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md")}
    named = {name for _, names in NAVIGATION for name in names}
    sections = [*NAVIGATION, ("More", tuple(name for name in written if name not in named))]
    for section, names in sections:
        for name in names:
            if name in written:
                yield _page(name, section, written[name].read_text("utf-8"))
        if section == "Mathematics":
            yield from _reference()


def _reference() -> Iterator[Page]:
    yield _page("reference/commands.md", "Reference", reference.commands())
    yield _page(CLAUSES, "Reference", reference.clauses())
    for package in reference.packages():
        yield _page(f"reference/api/{package}.md", "Reference", reference.api(package))


def _page(path: str, section: str, text: str) -> Page:
    heading = next(line for line in text.splitlines() if line.startswith("# "))
    return Page(path, heading.removeprefix("# ").strip(), section, text)


def _navigation(page: Page, pages: Sequence[Page]) -> dict[str, list[tuple[str, str, bool]]]:
    """Return titles and addresses by section, relative to a page."""
    sections: dict[str, list[tuple[str, str, bool]]] = {}
    for other in pages:
        sections.setdefault(other.section, []).append((other.title, _up(page.out) + other.out, other is page))
    return sections


def _neighbour(page: Page, pages: Sequence[Page], place: int) -> tuple[str, str]:
    return pages[place].title, _up(page.out) + pages[place].out


def _up(out: str) -> str:
    """Return the path from a page to the root of the site."""
    return "../" * out.count("/")


# --- one page ---------------------------------------------------------------------------------------------------------


class Rendering:
    """A page as HTML: headings with ids, linked clauses, scrolling tables, coloured code."""

    def __init__(self, page: Page, pages: Sequence[Page]) -> None:
        self._page = page
        self._addresses = {other.path.lower(): other.out for other in pages}
        self._ids: dict[str, int] = {}
        self.contents: list[tuple[str, str]] = []
        """Headings of the second level: id and text."""
        tokens = _parser().parse(page.text)
        self._headings(tokens)
        self._inline(tokens)
        body = _without_inline_styles(_parser().renderer.render(tokens, _parser().options, {}))
        title, _, self.body = body.partition("</h1>")
        self.heading = f"{title}</h1>"
        """The title, which comes before the table of contents."""

    def _headings(self, tokens: Sequence[Token]) -> None:
        for opening, inside in pairwise(tokens):
            if opening.type != "heading_open":
                continue
            text = "".join(child.content for child in inside.children or [])
            name = self._unique(slug(text))
            opening.attrSet("id", name)
            if opening.tag == "h2":
                self.contents.append((name, text))

    def _unique(self, name: str) -> str:
        self._ids[name] = self._ids.get(name, 0) + 1
        return name if self._ids[name] == 1 else f"{name}-{self._ids[name] - 1}"

    def _inline(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            if token.type == "inline" and token.children:
                token.children = list(self._linked(token.children))

    def _linked(self, children: Sequence[Token]) -> Iterator[Token]:
        inside_link = 0
        for child in children:
            inside_link += child.nesting if child.type.startswith("link_") else 0
            for kind, attribute in (("link_open", "href"), ("image", "src")):
                if child.type == kind:
                    child.attrSet(attribute, self._address(str(child.attrGet(attribute))))
            if child.type == "text" and not inside_link and self._page.path != CLAUSES:
                yield self._with_clauses(child)
            else:
                yield child

    def _with_clauses(self, child: Token) -> Token:
        """Link clauses and readings to the reference."""
        base = f"{_up(self._page.out)}{self._addresses[CLAUSES]}"
        told = _CLAUSE.sub(
            lambda found: f'<a href="{base}#{found[0].lower()}">{found[0]}</a>', html.escape(child.content)
        )
        return Token("html_inline", "", 0, content=told)

    def _address(self, target: str) -> str:
        """Turn a link between sources into a link between pages."""
        if re.match(r"[a-z]+:|#", target):
            return target
        path, _, anchor = target.partition("#")
        folder = PurePosixPath("docs", self._page.path).parent
        source = folder / path if self._page.path not in ("CONTRIBUTING.md", "CHANGELOG.md") else PurePosixPath(path)
        known = os.path.normpath(source).removeprefix("docs/").lower()
        found = self._addresses.get(known, known)
        return f"{_up(self._page.out)}{found}" + (f"#{anchor}" if anchor else "")


def _without_inline_styles(body: str) -> str:
    """Align numbers by a class, and put tables and code into boxes that scroll by keyboard too.

    An empty heading becomes a plain cell, as screen readers expect.
    """
    body = body.replace(' style="text-align:right"', ' class="number"').replace("<th></th>", "<td></td>")
    body = body.replace("<table>", '<div class="scroll" role="group" tabindex="0" aria-label="Table"><table>')
    return body.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')


def slug(text: str) -> str:
    """Make the id of a heading, as common Markdown renderers do.

    >>> slug("Take and pay: in order!")
    'take-and-pay-in-order'
    """
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-")


def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": True, "highlight": _coloured}).enable("table")


def _coloured(code: str, language: str, _: str) -> str:
    try:
        lexer = get_lexer_by_name({"sh": "bash"}.get(language, language))
    except ClassNotFound:
        return ""
    return str(highlight(code, lexer, HtmlFormatter(nowrap=True)))


# --- links ----------------------------------------------------------------------------------------


def check_links(out: Path, written: Mapping[str, str]) -> None:
    """Raise `BrokenLink` for a link to a missing page, file or heading."""
    ids = {name: set(_ID.findall(text)) for name, text in written.items()}
    for name, text in written.items():
        for target in _LINK.findall(text):
            target = html.unescape(target)
            if re.match(r"(https?|data):", target):
                continue
            path, _, anchor = target.partition("#")
            reached = os.path.normpath(PurePosixPath(name).parent / path) if path else name
            if not (out / reached).is_file():
                raise BrokenLink(f"{name}: {target}")
            if anchor and reached in ids and anchor not in ids[reached]:
                raise BrokenLink(f"{name}: {target}")
