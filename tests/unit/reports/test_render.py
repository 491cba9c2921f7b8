"""Report files: reproducible, complete, and without external references."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from crossfelt.errors import BadInput
from crossfelt.reports.comparison import comparison
from crossfelt.reports.document import Plot, Report
from crossfelt.reports.par_sheet import par_sheet
from crossfelt.reports.render import FORMATS, Format, format_of, render
from crossfelt.reports.study import Study

VOID = {"meta", "wbr", "br", "link", "img", "input", "hr"}
REACHES_OUT = re.compile(r"https?:|//[a-z]|@import|src=|<script|<link|javascript:", re.IGNORECASE)


class Reader(HTMLParser):
    """Checks that every open tag is closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.headings: list[int] = []
        self.alts: list[str] = []
        self.captions = 0
        self.tables = 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        named = dict(attributes)
        if named.get("id"):
            self.ids.append(str(named["id"]))
        self.targets += [str(named[name]) for name in ("href", "aria-labelledby") if named.get(name)]
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if named.get("role") == "img":
            self.alts.append(named.get("aria-label") or "")
        self.tables += tag == "table"
        self.captions += tag == "caption" or (tag == "table" and "aria-labelledby" in named)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag


@pytest.mark.parametrize("kind", FORMATS)
def test_the_same_report_has_the_same_bytes(criss_cross: Study, kind: Format) -> None:
    assert render(par_sheet(criss_cross), kind) == render(par_sheet(criss_cross), kind)


def test_a_page_is_whole_and_its_links_lead_somewhere(page: str) -> None:
    read = Reader(page)
    assert read.open == []
    assert len(read.ids) == len(set(read.ids))
    assert {target.removeprefix("#") for target in read.targets} <= set(read.ids)


def test_a_page_has_no_external_references(page: str) -> None:
    assert not REACHES_OUT.search(page.replace("http-equiv", ""))
    assert "default-src 'none'" in page


def test_a_page_is_accessible_to_screen_readers(sheet: Report, page: str) -> None:
    read = Reader(page)
    plots = [block for section in sheet.sections for block in section.blocks if isinstance(block, Plot)]
    assert read.alts == [plot.alt for plot in plots]
    assert read.captions == read.tables > 0
    assert read.headings[0] == 1
    assert all(after - before <= 1 for before, after in zip(read.headings, read.headings[1:], strict=False))


def test_a_pdf_is_tagged_and_has_no_date(criss_cross: Study) -> None:
    pdf = render(par_sheet(criss_cross), "pdf")
    assert pdf.startswith(b"%PDF-")
    assert b"/MarkInfo" in pdf
    assert b"pdfuaid" in pdf
    assert b"CreationDate" not in pdf


def test_special_characters_do_not_break_a_page(criss_cross: Study) -> None:
    from msgspec.structs import replace

    report = replace(par_sheet(criss_cross), title='<b>"A & B"</b> {{ x }} #set')
    assert "&lt;b&gt;&#34;A &amp; B&#34;&lt;/b&gt; {{ x }} #set" in render(report, "html").decode()
    assert render(report, "pdf")


def test_a_comparison_can_be_rendered(criss_cross: Study, maryland: Study) -> None:
    report = comparison(criss_cross, maryland)
    page = Reader(render(report, "html").decode())
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert render(report, "pdf") == render(report, "pdf")


def test_other_kinds_of_file_are_refused() -> None:
    with pytest.raises(BadInput, match=r"par.docx: unknown file type: '.docx' \(allowed: .json, .html, .pdf\)"):
        format_of(Path("par.docx"))
