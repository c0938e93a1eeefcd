"""Kernels on disk: found again, checked, replaced, done without."""

import os
import socket
import stat
import subprocess
import sys
import textwrap

import numpy as np
import pytest

PROGRAM = textwrap.dedent(
    """
    import sys
    import cupric as cp

    add = cp.ElementwiseKernel("T x", "T y", "y = x + 1", "plus_one")
    assert add(cp.arange(3)).tolist() == [1, 2, 3]
    k = cp.RawKernel('extern "C" __global__ void f(int *p) { p[0] = 42; }', "f")
    out = cp.zeros(1, "i")
    k((1,), (1,), (out,))
    assert out.tolist() == [42]
    print(*cp._core._kernel_cache_counts())
    """
)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "cache"


def start(program=PROGRAM, **environment):
    env = {k: v for k, v in os.environ.items() if k not in ("XDG_CACHE_HOME",)}
    env.update({k: str(v) for k, v in environment.items()})
    return subprocess.Popen(
        [sys.executable, "-c", program],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process):
    """(compiled, read) of a program that is to succeed."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return tuple(int(word) for word in out.split())


def run(**environment):
    return finish(start(**environment))


def test_second_process_compiles_nothing(folder):
    assert run(CUPRIC_CACHE_DIR=folder) == (2, 0)
    assert run(CUPRIC_CACHE_DIR=folder) == (0, 2)


def kept(folder):
    """The files of the program's two kernels; a GPU's built-in ones may be there, too."""
    sources = [f for f in folder.iterdir() if f.suffix == ".cu"]
    texts = {f: f.read_text() for f in sources}
    ours = [f for f, t in texts.items() if "y = x + 1" in t or "p[0] = 42" in t]
    return sorted(f for s in ours for f in folder.glob(f"{s.stem}.*"))


def test_files(folder):
    run(CUPRIC_CACHE_DIR=folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    files = kept(folder)
    assert sorted(f.suffix for f in files) == [".bin", ".bin", ".cu", ".cu"]
    assert all(stat.S_IMODE(f.stat().st_mode) == 0o600 for f in files)
    sources = [f.read_text() for f in files if f.suffix == ".cu"]
    assert any("y = x + 1" in s for s in sources)
    for f in files:
        assert f.with_suffix(".bin").exists()


def test_default_folders(tmp_path):
    environment = {k: "" for k in ("CUPRIC_CACHE_DIR", "XDG_CACHE_HOME")}
    home = tmp_path / "home"
    home.mkdir()
    assert run(HOME=home, **environment) == (2, 0)
    assert len(kept(home / ".cache" / "cupric")) == 4
    xdg = tmp_path / "xdg"
    environment["XDG_CACHE_HOME"] = xdg
    assert run(HOME=home, **environment) == (2, 0)
    assert len(kept(xdg / "cupric")) == 4


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: b"",
        lambda data: data[:100],
        lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:],
        lambda data: data[:-9] + bytes([data[-9] ^ 128]) + data[-8:],
        lambda data: data[:16] + bytes([data[16] ^ 1]) + data[17:],
        lambda data: bytes(8) + data[8:],
        lambda data: data + b"x",
        lambda data: b"\x7fELF" * 1000,
    ],
)
def test_damaged_file_is_replaced(folder, damage):
    run(CUPRIC_CACHE_DIR=folder)
    for file in folder.glob("*.bin"):
        file.write_bytes(damage(file.read_bytes()))
    assert run(CUPRIC_CACHE_DIR=folder) == (2, 0)
    assert run(CUPRIC_CACHE_DIR=folder) == (0, 2)


def test_eight_processes_on_an_empty_cache(folder):
    processes = [start(CUPRIC_CACHE_DIR=folder) for _ in range(8)]
    for p in processes:
        compiled, read = finish(p)
        assert compiled + read == 2
    assert not list(folder.glob("*.tmp*"))
    assert len(kept(folder)) == 4
    assert run(CUPRIC_CACHE_DIR=folder) == (0, 2)


def test_home_that_cannot_be_written(tmp_path):
    home = tmp_path / "a file"
    home.write_text("")
    environment = {"CUPRIC_CACHE_DIR": "", "XDG_CACHE_HOME": ""}
    assert run(HOME=home, **environment) == (2, 0)
    assert run(HOME="/proc", **environment) == (2, 0)
    assert run(HOME=home / "below", **environment) == (2, 0)
    assert run(HOME="", **environment) == (2, 0)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_read_only_home(tmp_path):
    home = tmp_path / "home"
    home.mkdir(mode=0o500)
    assert run(HOME=home, CUPRIC_CACHE_DIR="", XDG_CACHE_HOME="") == (2, 0)


def test_folder_that_others_can_write_is_not_trusted(folder):
    run(CUPRIC_CACHE_DIR=folder)
    folder.chmod(0o777)
    for file in folder.glob("*.bin"):
        file.chmod(0o666)
    assert run(CUPRIC_CACHE_DIR=folder) == (2, 0)


def test_file_that_others_can_write_is_not_trusted(folder):
    run(CUPRIC_CACHE_DIR=folder)
    for file in folder.glob("*.bin"):
        file.chmod(0o666)
    assert run(CUPRIC_CACHE_DIR=folder) == (2, 0)


def binaries(folder):
    return sorted(f for f in kept(folder) if f.suffix == ".bin")


def test_folder_alone_that_others_can_write_is_not_trusted(folder):
    run(CUPRIC_CACHE_DIR=folder)
    folder.chmod(0o770)
    assert run(CUPRIC_CACHE_DIR=folder) == (2, 0)
    folder.chmod(0o700)
    assert run(CUPRIC_CACHE_DIR=folder) == (0, 2)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_files_and_folders_of_others_are_not_trusted(folder):
    run(CUPRIC_CACHE_DIR=folder)
    os.chown(folder, 12345, -1)
    assert run(CUPRIC_CACHE_DIR=folder) == (2, 0)
    os.chown(folder, os.geteuid(), -1)
    for file in binaries(folder):
        os.chown(file, 12345, -1)
    assert run(CUPRIC_CACHE_DIR=folder) == (2, 0)
    assert run(CUPRIC_CACHE_DIR=folder) == (0, 2)


def test_another_kernels_file_under_the_name(folder):
    run(CUPRIC_CACHE_DIR=folder)
    a, b = binaries(folder)
    texts = a.read_bytes(), b.read_bytes()
    a.write_bytes(texts[1])
    b.write_bytes(texts[0])
    assert run(CUPRIC_CACHE_DIR=folder) == (2, 0)
    assert (a.read_bytes()[:40], b.read_bytes()[:40]) == (texts[0][:40], texts[1][:40])


@pytest.mark.parametrize("what", ["fifo", "folder", "device", "socket"])
def test_what_is_no_file_is_passed_over(folder, what):
    run(CUPRIC_CACHE_DIR=folder)
    listener = socket.socket(socket.AF_UNIX)
    for file in binaries(folder):
        file.unlink()
        if what == "fifo":
            os.mkfifo(file, 0o600)
        elif what == "folder":
            file.mkdir(0o700)
        elif what == "socket":
            listener = socket.socket(socket.AF_UNIX)
            there = os.open(folder, os.O_RDONLY)  # paths of sockets are short
            listener.bind(f"/proc/self/fd/{there}/{file.name}")
            os.close(there)
            file.chmod(0o600)
        else:
            try:
                os.mknod(file, stat.S_IFCHR | 0o600, os.makedev(5, 0))  # /dev/tty
            except PermissionError:
                pytest.skip("needs the right to make devices")
    assert run(CUPRIC_CACHE_DIR=folder) == (2, 0)
    assert run(CUPRIC_CACHE_DIR=folder) == ((2, 0) if what == "folder" else (0, 2))


def test_huge_file_is_not_read(folder):
    run(CUPRIC_CACHE_DIR=folder)
    for file in binaries(folder):
        data = bytearray(file.read_bytes())
        data[48:56] = (1 << 40).to_bytes(8, "little")  # how long the binary is
        file.write_bytes(data)
        os.truncate(file, (1 << 40) + 1000)
    assert run(CUPRIC_CACHE_DIR=folder) == (2, 0)
    assert all(file.stat().st_size < 1 << 24 for file in binaries(folder))


def test_links_are_not_followed(folder, tmp_path):
    run(CUPRIC_CACHE_DIR=folder)
    for i, file in enumerate(folder.glob("*.bin")):
        file.rename(tmp_path / f"{i}")
        file.symlink_to(tmp_path / f"{i}")
    assert run(CUPRIC_CACHE_DIR=folder) == (2, 0)


def test_files_of_a_dead_process_are_removed(folder):
    folder.mkdir(mode=0o700)
    old = folder / ("0" * 64 + ".bin.tmp1.0")
    old.write_bytes(b"half")
    os.utime(old, (1, 1))
    run(CUPRIC_CACHE_DIR=folder)
    assert not old.exists()


@pytest.mark.only_on("host")
def test_other_compiler_is_another_key(folder):
    import shutil

    if not (shutil.which("g++") and shutil.which("clang++")):
        pytest.skip("one compiler")
    assert run(CUPRIC_CACHE_DIR=folder, CXX="g++") == (2, 0)
    assert run(CUPRIC_CACHE_DIR=folder, CXX="clang++") == (2, 0)
    assert run(CUPRIC_CACHE_DIR=folder, CXX="g++") == (0, 2)


NO_COMPILER = textwrap.dedent(
    """
    import cupric as cp
    from cupric.cuda.compiler import CompileException

    try:
        cp.ElementwiseKernel("T x", "T y", "y = x", "k")(cp.ones(2))
    except CompileException as e:
        print(e)
    assert (cp.ones(2) + 1).tolist() == [2, 2]
    """
)


@pytest.mark.only_on("host")
def test_no_compiler(folder):
    p = start(NO_COMPILER, PATH="/nonexistent", CXX="", CUPRIC_CACHE_DIR=folder)
    out, err = p.communicate(timeout=60)
    assert p.returncode == 0, err
    assert "no C++ compiler was found" in out
    assert "apt install g++" in out
    p = start(NO_COMPILER, CXX="/nonexistent/c++", CUPRIC_CACHE_DIR=folder)
    out, err = p.communicate(timeout=60)
    assert p.returncode == 0, err
    assert "CXX=/nonexistent/c++ is not a program" in out


@pytest.mark.only_on("host")
def test_compiler_that_fails(folder, tmp_path):
    for body in ("exit 3", "kill -9 $$", "exit 0", "echo hello >&2; exit 1"):
        fake = tmp_path / "fake-c++"
        fake.write_text(f"#!/bin/sh\n{body}\n")
        fake.chmod(0o755)
        p = start(NO_COMPILER, CXX=fake, CUPRIC_CACHE_DIR=folder)
        out, err = p.communicate(timeout=60)
        assert p.returncode == 0, err
        assert out.strip()


def test_threads_compile_at_once(folder):
    program = textwrap.dedent(
        """
        import threading
        import cupric as cp

        k = cp.ElementwiseKernel("T x", "T y", "y = x * 2", "shared_by_threads")
        wrong = []

        def work(i):
            x = cp.arange(i + 1).astype("bhilfd"[i % 6])
            for _ in range(20):
                if k(x).tolist() != [2 * v for v in range(i + 1)]:
                    wrong.append(i)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert not wrong
        """
    )
    p = start(program, CUPRIC_CACHE_DIR=folder)
    _, err = p.communicate(timeout=120)
    assert p.returncode == 0, err


@pytest.mark.only_on("host")
def test_fork_after_use():
    import multiprocessing

    import cupric as cp

    k = cp.ElementwiseKernel("T x", "T y", "y = x + 2", "forked")
    np.testing.assert_array_equal(k(cp.arange(3)).get(), [2, 3, 4])
    context = multiprocessing.get_context("fork")
    queue = context.Queue()

    def child():
        other = cp.ElementwiseKernel("T x", "T y", "y = x + 3", "forked_new")
        queue.put((k(cp.arange(3)).tolist(), other(cp.arange(3)).tolist()))

    process = context.Process(target=child)
    process.start()
    assert queue.get(timeout=60) == ([2, 3, 4], [3, 4, 5])
    process.join()
    assert process.exitcode == 0
