"""Notebooks as pages of the site: run on the host device, and what they print and draw.

Their text is Markdown as it stands. Code is a block, and so is what it prints; pictures
are files beside the page.
"""

import base64
import os
import re
from pathlib import Path
from typing import Any

from . import ROOT

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def write(folder: Path, target: Path) -> None:
    """Write the page of each notebook in a folder."""
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(folder.glob("*.ipynb")):
        page = target / f"{path.stem}.md"
        page.write_text(page_of(executed(path, target), target, path.stem))


def executed(path: Path, folder: Path) -> Any:
    """A notebook with its outputs."""
    import nbclient
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    environment = {**os.environ, "CUPRIC_DEVICE": "host"}
    environment.pop("MPLBACKEND", None)  # plots are answers
    environment["PYTHONPATH"] = str(ROOT / "python")
    client = nbclient.NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute(env=environment)
    return notebook


def page_of(notebook: Any, folder: Path, stem: str) -> str:
    """The text of a page; its pictures are written into `folder`."""
    parts, drawn = [], 0
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        if cell["cell_type"] != "code" or not source:
            continue
        parts.append(block("python" if source[0] != "%" else "text", source))
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "image/png" in data:
                drawn += 1
                name = f"{stem}_{drawn}.png"
                (folder / name).write_bytes(base64.b64decode(data["image/png"]))
                parts.append(f"![What the code above draws]({name})")
            else:
                parts.append(block("text", printed(output, data)))
    return "\n\n".join(filter(None, parts)) + "\n"


def printed(output: Any, data: Any) -> str:
    """An output as text: a stream, a value or an error."""
    text = output.get("text") or data.get("text/plain") or output.get("traceback", "")
    text = text if isinstance(text, str) else "".join(text)
    return ESCAPES.sub("", text).rstrip()


def block(language: str, text: str) -> str:
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}" if text else ""
