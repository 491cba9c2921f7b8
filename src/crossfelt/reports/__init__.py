"""PAR sheets and comparisons of two games, as data and as one JSON, HTML or PDF file.

    from crossfelt.reports.par_sheet import par_sheet
    from crossfelt.reports.render import render
    from crossfelt.reports.study import ReportRequest, study

    found = study(ReportRequest(game=compile_game("nj-criss-cross"), named="nj-criss-cross"))
    Path("par.pdf").write_bytes(render(par_sheet(found), "pdf"))

Jinja2, matplotlib and typst come with the extra ``report`` and are imported when a file is rendered.
"""
