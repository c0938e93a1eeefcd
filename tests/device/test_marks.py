"""Ranges and marks reach a tool: one made here, loaded as NVIDIA's tools are."""

import os
import shutil
import subprocess
import sys

import pytest

from cupric.cuda import nvtx

TOOL = r"""
#include <stdio.h>
#include <stdint.h>
#include <stddef.h>

/* The beginning of nvtxEventAttributes_t. */
typedef struct event {
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type;
    const char *message;
} event;

static void show(const char *what, const event *e)
{
    printf("%s %s", what, e->message);
    if (e->color_type) printf(" %08x", e->color);
    printf("\n");
    fflush(stdout);
}
static void mark(const event *e) { show("mark", e); }
static int push(const event *e) { show("push", e); return 0; }
static int pop(void) { printf("pop\n"); fflush(stdout); return 0; }
static uint64_t start(const event *e) { show("start", e); return 77; }
static void end(uint64_t id) { printf("end %d\n", (int)id); fflush(stdout); }

typedef struct callbacks {
    size_t size;
    int (*table)(int module, void ****out, unsigned *n);
} callbacks;

int InitializeInjectionNvtx2(const void *(*get)(uint32_t id))
{
    const callbacks *c = get(1);
    void ***table = NULL;
    unsigned n = 0;
    if (!c->table(1, &table, &n)) return 0;
    *table[1] = (void *)mark;
    *table[4] = (void *)start;
    *table[7] = (void *)end;
    *table[8] = (void *)push;
    *table[11] = (void *)pop;
    return 1;
}
"""

PROGRAM = """
import cupric as cp
from cupric.cuda import nvtx
from cupricx import profiler

nvtx.Mark("one")
nvtx.MarkC("two", 0xFF00FF00)
nvtx.RangePush("outer", 0)
nvtx.RangePop()
nvtx.RangeEnd(nvtx.RangeStart("across", 0x11223344))
with profiler.time_range("block", argb_color=0xFF112233, sync=True):
    cp.ones(3)

@profiler.time_range()
def named():
    pass

named()
"""


def test_a_tool_is_told(tmp_path, device):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not nvtx.available or compiler is None:
        pytest.skip("needs NVIDIA's library for marks and a C compiler")
    source, tool = tmp_path / "tool.c", tmp_path / "libtool.so"
    source.write_text(TOOL)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", tool, source], check=True)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=os.environ | {"NVTX_INJECTION64_PATH": str(tool), "CUPRIC_DEVICE": device},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.stdout.splitlines() == [
        "mark one",
        "mark two ff00ff00",
        "push outer ff00a000",
        "pop",
        "start across 11223344",
        "end 77",
        "push block ff112233",
        "pop",
        "push named",
        "pop",
    ], done.stderr
