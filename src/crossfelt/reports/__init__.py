"""What is handed in: PAR sheets and comparisons, as data first, then as one HTML or PDF file.

    from crossfelt.reports import Asked, par_sheet, render, study

    found = study(Asked(game=compile_game("nj-criss-cross"), named="nj-criss-cross"))
    Path("par.pdf").write_bytes(render(par_sheet(found), "pdf"))

Jinja2, matplotlib and typst come with the extra ``report`` and are imported when a file is rendered.
"""

from crossfelt.reports.comparison import comparison
from crossfelt.reports.document import Report, as_json, from_json
from crossfelt.reports.par import par_sheet
from crossfelt.reports.rendering import render
from crossfelt.reports.study import Asked, Study, study

__all__ = ["Asked", "Report", "Study", "as_json", "comparison", "from_json", "par_sheet", "render", "study"]
