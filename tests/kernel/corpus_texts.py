"""The texts of tests/kernel/corpus/, and what their first lines say: see its README.md."""

import re
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent / "corpus"
LAUNCH = re.compile(r"^([\w:<>, ]+)\[(.*)\]\((.*)\)$")
SETTINGS = {"options": (), "names": (), "error": None, "host": None}


class Text:
    """A kernel text with its steps."""

    def __init__(self, path):
        self.name = path.stem
        self.code = path.read_text()
        lines = self.code.splitlines()
        self.lines = [s[3:].strip() for s in lines if s.startswith("//:")]
        for name, default in SETTINGS.items():
            setattr(self, name, default)
        steps = []
        for line in self.lines:
            name, _, value = line.partition(" = ")
            if name in SETTINGS:
                setattr(self, name, eval(value))
            else:
                steps.append(line)
        self.steps = steps

    def kernels(self):
        """The names of what it launches."""
        found = (LAUNCH.match(line) for line in self.steps)
        return list(dict.fromkeys(m[1].strip() for m in found if m))

    def module(self, cp):
        return cp.RawModule(
            code=self.code, options=self.options, name_expressions=self.names or None
        )

    def run(self, cp):
        """Launch, and compare."""
        module = self.module(cp)
        scope, arrays = {"np": np}, {}
        for line in self.steps:
            launch = LAUNCH.match(line)
            if launch:
                self.launch(cp, module, launch, scope, arrays)
            elif re.match(r"^\w+ = ", line):
                exec(line, scope)
            else:
                compare(line, scope)

    def launch(self, cp, module, launch, scope, arrays):
        arguments = eval(f"({launch[3]},)" if launch[3] else "()", scope)
        on_device = []
        for a in arguments:
            if isinstance(a, np.ndarray):
                arrays.setdefault(id(a), (a, cp.asarray(a)))
                on_device.append(arrays[id(a)][1])
            else:
                on_device.append(a)
        dims = eval(f"({launch[2]},)", scope)
        grid, block = (d if isinstance(d, tuple) else (d,) for d in dims[:2])
        kernel = module.get_function(launch[1].strip())
        kernel(grid, block, tuple(on_device), shared_mem=dims[2] if dims[2:] else 0)
        cp.cuda.get_current_stream().synchronize()
        for host, device in arrays.values():
            host[...] = device.get()


def compare(line, scope):
    left, operator, right = re.split(r" (==|~=) ", line, maxsplit=1)
    got, due = eval(left, scope), eval(right, scope)
    if operator == "==":
        np.testing.assert_array_equal(got, due, err_msg=line)
    else:
        np.testing.assert_allclose(got, due, rtol=1e-5, err_msg=line)


TEXTS = [Text(path) for path in sorted(FOLDER.glob("*.cu"))]
