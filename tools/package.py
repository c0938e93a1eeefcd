"""What the package has beside its Python files: libraries, and the headers that the
host device compiles users' kernels against.

In place the headers are links into the tree, so that there is one of each; an installed
package has copies.
"""

import os
import shutil
from pathlib import Path

# Where headers are in the tree, and under which name of package/include at run time.
HEADERS = {Path("cuda/include"): ".", Path("cuda/host"): "host"}


def replace_file(source: Path, target: Path) -> None:
    """Put a copy of `source` at `target`, which a running process may have mapped."""
    if target.exists():
        there, wanted = target.stat(), source.stat()
        if (there.st_size, there.st_mtime) == (wanted.st_size, wanted.st_mtime):
            return
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(target.name + ".new")
    shutil.copy2(source, beside)
    os.replace(beside, target)


def link_headers(package: Path) -> None:
    """Make package/include a folder of links into the tree."""
    include = package / "include"
    wanted = {
        include / (entry.name if name == "." else name): os.path.relpath(entry, include)
        for folder, name in HEADERS.items()
        for entry in ([folder] if name != "." else sorted(folder.iterdir()))
    }
    there = {p: os.readlink(p) for p in include.glob("*") if p.is_symlink()}
    if there == wanted:
        return
    if include.is_symlink() or include.exists():
        shutil.rmtree(include)
    include.mkdir()
    for link, path in wanted.items():
        link.symlink_to(path)


def copy_headers(package: Path) -> None:
    for folder, name in HEADERS.items():
        shutil.copytree(
            folder,
            package / "include" / name,
            ignore=shutil.ignore_patterns(".*"),
            dirs_exist_ok=True,
        )
