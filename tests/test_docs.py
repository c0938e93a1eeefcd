"""The documents say what the tree has: links lead somewhere, tables are complete."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

pytestmark = pytest.mark.skipif(not (ROOT / "src").is_dir(), reason="no sources here")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    text = re.sub(r"(?ms)^```.*?^```|`[^`\n]+`", "", page.read_text())  # but for code
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", text)
    missing = [
        link
        for link in links
        if "://" not in link and not (page.parent / link).exists()
    ]
    assert not missing


def test_settings_page_lists_every_switch():
    source = (ROOT / "src/env.c").read_text()
    switches = set(re.findall(r'"(CUP(?:RIC|Y)_\w+)"', source))
    page = read("docs/settings.md").partition("## When building")[0]
    listed = re.findall(r"(?m)^\| `(CUP(?:RIC|Y)_\w+)` \|", page)
    assert sorted(switches) == sorted(listed)


def test_architecture_page_names_every_folder():
    page = read("docs/architecture.md")
    folders = [f"src/{f.name}/" for f in (ROOT / "src").iterdir() if f.is_dir()]
    folders += [f"{f}/" for f in ("cuda", "tests", "benchmarks")]
    folders += ["examples/", "notebooks/"]
    assert [f for f in folders if f"`{f}`" not in page] == []


def test_make_targets_are_those_the_readme_names():
    targets = set(re.findall(r"(?m)^(\w+):.*##", read("Makefile")))
    named = set(re.findall(r"`make (\w+)`", read("README.md")))
    assert named <= targets


def read(name):
    return (ROOT / name).read_text()


EXAMPLES = re.compile(r"(?s)```python\n(.*?)```")
WITH_EXAMPLES = [p for p in PAGES if p.exists() and EXAMPLES.search(p.read_text())]
WITH_EXAMPLES = [p for p in WITH_EXAMPLES if p.name != "kernel_libraries.md"]  # its own


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.name)
def test_examples_print_what_they_say(page, capsys, tmp_path, monkeypatch):
    """Each `print(...)  # text` prints that text, up to a colon. As a file, since what
    is translated needs its source."""
    blocks = "\n".join(EXAMPLES.findall(page.read_text()))
    if ">>>" in blocks:
        test = doctest.DocTestParser().get_doctest(blocks, {}, page.name, None, None)
        flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
        assert doctest.DocTestRunner(optionflags=flags).run(test).failed == 0
        return
    name = f"examples_of_{page.stem}"
    (tmp_path / f"{name}.py").write_text(f"import cupric as cp\n{blocks}")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module(name)
    said = re.findall(r"(?m)^ *print\(.*\) +# (.*)", blocks)
    printed = iter(capsys.readouterr().out.splitlines())
    for text in said:
        assert any(line in (text, text.partition(": ")[0]) for line in printed), text
    assert said or "print(" not in blocks


# ---- the site ------------------------------------------------------------------------


@pytest.fixture
def tools(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    names = ("site", "site_links", "site_notebooks")
    return {name: importlib.import_module(f"tools.{name}") for name in names}


def in_the_left_column():
    """{page: its title} of those that docs/index.md lists."""
    lists = re.findall(r"(?s)```{toctree}\n.*?\n\n(.*?)\n```", read("docs/index.md"))
    titles = {}
    for line in "\n".join(lists).splitlines():
        named = re.fullmatch(r"(.+) <([\w/]+)>", line)
        title, page = named.groups() if named else (None, line)
        file = ROOT / "docs" / f"{page}.md"
        titles[page] = title or (file.read_text() if file.exists() else page)
        titles[page] = titles[page].partition("\n")[0]
    return titles


def test_pages_in_the_left_column_are_called_differently():
    titles = list(in_the_left_column().values())
    assert sorted(titles) == sorted(set(titles))


def test_names_stand_in_the_family_that_they_belong_to(tools):
    pytest.importorskip("sphinx", reason="the site is made by Sphinx")
    families = tools["site"].families()
    assert all(families.values())
    where = {name: title for title, names in families.items() for name in names}
    assert where["add"] == where["logaddexp"] == "Elementwise operations"
    assert where["float32"] == where["result_type"] == "Data types"
    assert where["show_config"] == "The device and the package"
    page = tools["site"].pages()["elementwise_operations"]
    assert ".. autodata:: cupric.add" in page or ".. autofunction:: cupric.add" in page


def test_links_out_of_docs_lead_within_the_site(tools, tmp_path):
    within = tools["site_links"].within
    text = "[a](../src/env.c), [b](../notebooks/overview.ipynb), [the c](../notebooks)"
    text += ", [d](settings.md#x), [`e`](https://example.org), [f](#g)"
    assert within(text, ROOT / "docs", ROOT, tmp_path) == (
        "[a](files/src/env.c), [b](notebooks/overview.md), the c"
        ", [d](settings.md#x), [`e`](https://example.org), [f](#g)"
    )
    text = "[a](../docs/settings.md), [b](overview.ipynb), ![c](drawn.png)"
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks/drawn.png").touch()
    assert within(text, ROOT / "notebooks", ROOT, tmp_path) == (
        "[a](../settings.md), [b](overview.md), ![c](drawn.png)"
    )
    copied = (tmp_path / "files/src/env.c").read_text()
    assert copied == (ROOT / "src/env.c").read_text()


def test_dead_links_of_a_site_are_found(tools, tmp_path):
    (tmp_path / "a.html").write_text(
        '<h1 id="one"></h1><a href="b.html#two"></a><a href="#one"></a>'
        '<a href="https://example.org/x"></a><img src="c.png">'
        '<a href="b.html#three"></a><a href="d.html"></a>'
    )
    (tmp_path / "b.html").write_text('<h1 id="two"></h1>')
    found = tools["site_links"].dead(tmp_path)
    assert found == ["a.html: c.png", "a.html: b.html#three", "a.html: d.html"]


def test_notebooks_become_pages(tools, tmp_path):
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "Text."]},
        {
            "cell_type": "code",
            "source": "x = 1\nx",
            "outputs": [
                {"name": "stdout", "text": "said\n"},
                {"data": {"text/plain": "1"}},
                {"data": {"image/png": "aGk=", "text/plain": "<Figure>"}},
            ],
        },
    ]
    page = tools["site_notebooks"].page_of({"cells": cells}, tmp_path, "n")
    assert page == (
        "# Title\nText.\n\n```python\nx = 1\nx\n```\n\n```text\nsaid\n```\n\n"
        "```text\n1\n```\n\n![What the code above draws](n_1.png)\n"
    )
    assert (tmp_path / "n_1.png").read_bytes() == b"hi"


def test_docstrings_of_attributes_with_a_colon_stay_whole():
    """Napoleon would take what is before it for a type."""
    pytest.importorskip("sphinx")
    space = {}
    exec(compile(read("docs/conf.py"), "conf.py", "exec"), space)
    lines = ["Bytes of the block: all of them.", ""]
    space["read_docstring"](None, "attribute", "x", None, None, lines)
    assert lines[0] == "Bytes of the block: all of them."
    lines = ["Do.", "", "Returns", "-------", "int", "    It."]
    space["read_docstring"](None, "function", "f", None, None, lines)
    assert ":returns:" in "\n".join(lines)


def test_site_lists_every_page():
    listed = [page for page in in_the_left_column() if "/" not in page]
    pages = [p.stem for p in PAGES if p.parent != ROOT and p.stem != "index"]
    assert sorted(listed) == sorted(pages)
    notebooks = {f"notebooks/{f.stem}" for f in (ROOT / "notebooks").glob("*.ipynb")}
    assert notebooks < set(in_the_left_column())
