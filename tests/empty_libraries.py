"""Machines that lack a library of CUDA: one that is empty, found first."""

import subprocess

MAJORS = {
    "nvrtc": (12, 13),
    "cublas": (12, 13),
    "cufft": (11, 12),
    "cusolver": (11, 12),
}
BUILD = ["cc", "-w", "-shared", "-fPIC", "-o"]


def make_empty(folder, libraries):
    """`libraries` without anything in them in `folder`, for LD_LIBRARY_PATH."""
    source = folder / "empty.c"
    source.write_text("int nothing;\n")
    for name in libraries:
        for major in MAJORS[name]:
            library = folder / f"lib{name}.so.{major}"
            subprocess.run([*BUILD, library, source], check=True)
