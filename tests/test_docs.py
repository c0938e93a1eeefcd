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
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text())
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


def test_site_lists_every_page():
    listed = re.findall(r"(?m)^(\w+)$", read("docs/index.md"))
    pages = [p.stem for p in PAGES if p.parent != ROOT and p.stem != "index"]
    assert sorted(listed) == sorted(pages)
