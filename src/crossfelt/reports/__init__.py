"""PAR sheets and comparisons of two games, as data and as one JSON, HTML or PDF file.

    from crossfelt.reports import ReportRequest, par_sheet, render, study

    found = study(ReportRequest(game=compile_game("nj-criss-cross"), named="nj-criss-cross"))
    Path("par.pdf").write_bytes(render(par_sheet(found), "pdf"))

Jinja2, matplotlib and typst come with the extra ``report`` and are imported when a file is rendered.
"""

from crossfelt.reports.comparison import comparison
from crossfelt.reports.document import Report, as_json, from_json
from crossfelt.reports.par_sheet import par_sheet
from crossfelt.reports.render import render
from crossfelt.reports.study import ReportRequest, Study, study

__all__ = ["Report", "ReportRequest", "Study", "as_json", "comparison", "from_json", "par_sheet", "render", "study"]
