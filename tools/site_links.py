"""Links of the site: those out of docs/ are led within it, and none is dead."""

import os
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")


def within(text: str, folder: Path, root: Path, source: Path) -> str:
    """A page that lies in `folder`, below `root`, as it stands at the same place below
    `source`: a link to a page or a notebook leads to its page there, one to any other
    file of the tree to a copy of it; a folder is no link."""
    place = source / folder.relative_to(root)
    place = source if folder == root / "docs" else place

    def replaced(match: re.Match[str]) -> str:
        words, link = match.groups()
        path, hash_, anchor = link.partition("#")
        file = (folder / path).resolve()
        outside = "://" in link or not path or not file.is_relative_to(root)
        if outside or (place / path).exists():
            return match[0]
        if file.is_relative_to(root / "docs"):
            target = source / file.relative_to(root / "docs")
        elif file.suffix == ".ipynb":
            target = source / file.relative_to(root).with_suffix(".md")
        elif file.is_file():
            target = source / "files" / file.relative_to(root)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
        else:
            return words
        return f"[{words}]({os.path.relpath(target, place)}{hash_}{anchor})"

    return LINK.sub(replaced, text)


class Page(HTMLParser):
    """The links of a page, and what may be linked to in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def dead(site: Path) -> list[str]:
    """The links within a site that lead nowhere, as "page: link"."""
    pages = {f: Page(f.read_text()) for f in sorted(site.rglob("*.html"))}
    found = []
    for file, page in pages.items():
        for link in dict.fromkeys(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (file.parent / unquote(parts.path)).resolve()
            target = file if not parts.path else target
            anchor = unquote(parts.fragment)
            known = pages[target].anchors if target in pages else {anchor}
            if not target.is_file() or (anchor and anchor not in known):
                found.append(f"{file.relative_to(site)}: {link}")
    return found
