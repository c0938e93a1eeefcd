"""Compile what has changed, in parallel, and link.

An object is kept with two files beside it: a stamp, which is a hash of its command line
and of the compilers' versions, and the compiler's list of the files that it was made
from. It is fresh while the stamp is what it would be now and none of those files is
younger. Warnings are noted in the stamp, so that a build for which they are errors
compiles such an object again.
"""

import hashlib
import json
import os
import shlex
import subprocess
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from . import part_of_package, settings
from .settings import BuildError

run_measured = part_of_package("cupric/_lib/kernels/_build.py").run_measured

WARNED = " with warnings"  # ends the stamp of an object that compiled with some
TIMES = "times.json"  # in the folder of objects: see times.py


@dataclass(frozen=True)
class Compilation:
    """One source and its object."""

    source: Path
    object: Path
    launcher: tuple[str, ...]  # not a part of what the object depends on: ccache
    command: tuple[str, ...]
    werror: str  # the flag that makes errors of warnings
    versions: str  # of the compilers

    @property
    def stamp(self) -> str:
        return stamp_of(self.versions, *self.command)

    def is_done(self, modified: Callable[[str], int]) -> bool:
        names = inputs_of(self.object.with_suffix(".d"))
        stamps = [self.stamp]
        if not settings.wants_werror():
            stamps.append(self.stamp + WARNED)
        return names is not None and is_fresh(self.object, stamps, names, modified)

    def run(self) -> "Outcome":
        self.object.parent.mkdir(parents=True, exist_ok=True)
        stamp, inputs = self.object.with_suffix(".stamp"), self.object.with_suffix(".d")
        stamp.unlink(missing_ok=True)
        strict = [self.werror] if settings.wants_werror() else []
        files = ["-MMD", "-MF", inputs, "-c", self.source, "-o", self.object]
        command = [*self.launcher, *self.command, *strict, *map(str, files)]
        status, text, seconds = run_measured(command)
        if status == 0:
            stamp.write_text(self.stamp + (WARNED if text else ""))
        return Outcome(status, command, text, seconds)


@dataclass(frozen=True)
class Outcome:
    status: int
    command: list[str]
    text: str
    seconds: float  # of CPUs


def output_of(*command: str) -> str:
    """What a program prints; empty where it fails."""
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def stamp_of(*parts: object) -> str:
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()


def inputs_of(depfile: Path) -> list[str] | None:
    """The files that an object was made from; None where that is not known."""
    try:
        text = depfile.read_text()
    except OSError:
        return None
    return text.replace("\\\n", " ").partition(":")[2].split()


def modified(name: str | Path) -> int:
    return os.stat(name).st_mtime_ns


def is_fresh(
    target: Path,
    stamps: list[str],
    inputs: Iterable[str | Path],
    modified: Callable[..., int] = modified,
) -> bool:
    """Whether `target` was made by such a command, after its inputs last changed."""
    try:
        if target.with_suffix(".stamp").read_text() not in stamps:
            return False
        made = target.stat().st_mtime_ns
        return all(modified(name) <= made for name in inputs)
    except OSError:
        return False


class Dates(dict[str, int]):
    """When files were modified, each looked up once: objects share most headers."""

    def __missing__(self, name: str) -> int:
        self[name] = modified(name)
        return self[name]


def compile_all(
    wanted: list[Compilation], folder: Path, plan: Callable[[], str]
) -> None:
    """Bring all objects, which are below `folder`, up to date; first say `plan`, where
    that is any work."""
    dates = Dates()
    todo = [each for each in wanted if not each.is_done(dates.__getitem__)]
    if todo:
        print(f"cupric: {plan()}", flush=True)
    # The longest first, so that none is left alone at the end: CUB's, which are small
    # files, then C++ by size.
    rank = {".cu": 0, ".cpp": 1}
    todo.sort(key=lambda c: (rank.get(c.source.suffix, 2), -c.source.stat().st_size))
    seconds, failed = {}, None
    with ThreadPoolExecutor(settings.jobs()) as pool:
        running = {pool.submit(each.run): each.source for each in todo}
        for count, future in enumerate(as_completed(running), 1):
            name, done = running[future], future.result()
            what = shlex.join(done.command) if settings.is_verbose() else name
            print(f"[{count}/{len(todo)}] {what}", flush=True)  # to pip's pipe, too
            if done.text:
                print(done.text, flush=True)
            seconds[str(name)] = done.seconds
            if done.status:
                failed = name
                pool.shutdown(wait=False, cancel_futures=True)
                break  # as_completed would wait for the cancelled ones for ever
    note_times(folder / TIMES, seconds)
    if failed:
        raise BuildError(f"{failed} did not compile")


def note_times(file: Path, seconds: dict[str, float]) -> None:
    """Add to what is known of compilations' times."""
    if seconds:
        known = json.loads(file.read_text()) if file.exists() else {}
        file.write_text(json.dumps({**known, **seconds}, indent=0))


def link(command: list[str], objects: list[Path], versions: str, target: Path) -> None:
    """Make a library of objects, where one of them or the command has changed."""
    stamp = stamp_of(versions, *command)
    if is_fresh(target, [stamp], objects):
        return
    print(f"[link] {target.name}", flush=True)
    if subprocess.run([*command, "-o", str(target)], check=False).returncode:
        raise BuildError(f"{target.name} did not link")
    target.with_suffix(".stamp").write_text(stamp)
