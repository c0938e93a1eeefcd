"""The site: `make docs` writes it to build/docs."""

import cupric

project = "cupric"
author = "The cupric authors"
copyright = author
version = release = cupric.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["images"]
nitpicky = False
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing"]

html_theme = "alabaster"
html_theme_options = {"description": "NumPy whose arrays live on a device"}
html_sidebars = {"**": ["about.html", "searchfield.html", "navigation.html"]}

autodoc_typehints = "none"
autodoc_member_order = "alphabetical"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
