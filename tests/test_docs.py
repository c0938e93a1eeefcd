"""The documents say what the tree has: links lead somewhere, tables are complete."""

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
    switches = set(re.findall(r'"(CUPRIC_\w+)"', (ROOT / "src/env.c").read_text()))
    page = read("docs/settings.md").partition("## When building")[0]
    listed = re.findall(r"(?m)^\| `(CUPRIC_\w+)` \|", page)
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


def test_readme_examples_print_what_they_say(capsys):
    """Each `print(...)  # text` of the README prints that text (up to a colon)."""
    page = read("README.md")
    blocks = re.findall(r"(?s)```python\n(.*?)```", page)
    namespace = {}
    for block in blocks:
        exec(block, namespace)
    said = re.findall(r"(?m)^print\(.*\) +# ([^:\n]*)", "\n".join(blocks))
    assert capsys.readouterr().out.splitlines() == [s.strip() for s in said]
    assert said


def test_translation_examples_print_what_they_say(capsys, tmp_path, monkeypatch):
    """As a file, since what is translated needs its source."""
    blocks = re.findall(r"(?s)```python\n(.*?)```", read("docs/translation.md"))
    path = tmp_path / "translation_examples.py"
    path.write_text("\n".join(blocks))
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("translation_examples")
    said = re.findall(r"(?m)^print\(.*\) +# (.*)", "\n".join(blocks))
    assert said
    assert capsys.readouterr().out.splitlines() == said
