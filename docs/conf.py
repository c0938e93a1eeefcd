"""The site, which `make docs` writes to build/site (tools/site.py)."""

from sphinx.ext.napoleon import Config
from sphinx.ext.napoleon.docstring import NumpyDocstring

import cupric

project = "cupric"
author = "The cupric authors"
copyright = author
version = release = cupric.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["images"]
nitpicky = False
suppress_warnings = ["ref.python"]  # `dtype` of several classes: the first is linked
myst_heading_anchors = 3

html_theme = "alabaster"
html_theme_options = {"description": "NumPy whose arrays live on a device"}
html_sidebars = {"**": ["about.html", "searchfield.html", "navigation.html"]}

autodoc_typehints = "none"
autodoc_member_order = "alphabetical"

NAPOLEON = Config(
    napoleon_google_docstring=False, napoleon_use_rtype=False, napoleon_use_ivar=True
)


def read_docstring(app, what, name, obj, options, lines):
    """From NumPy's format to what Sphinx reads. Napoleon takes what an attribute's
    docstring has before its first colon for a type; ours are sentences."""
    kind = "object" if what in ("attribute", "data", "property") else what
    text = NumpyDocstring(list(lines), NAPOLEON, app, kind, name, obj, options)
    lines[:] = text.lines()


def setup(app):
    app.connect("autodoc-process-docstring", read_docstring)
