"""What IPython and notebooks get: ``%gpu_timeit``."""

import ast
import re

from cupricx.profiler._benchmark import benchmark

__all__ = [
    "register_magics",
]

_OPTION = re.compile(r"\s*-([nt])\s*([0-9.]+)(?=\s|$)")


def register_magics(ipython):
    """Make ``%gpu_timeit`` and ``%%gpu_timeit`` known to a shell.

    Parameters
    ----------
    ipython : IPython.InteractiveShell
    """

    def gpu_timeit(line, cell=None):
        """How long a statement takes, on the CPU and on the device.

            %gpu_timeit [-n CALLS] [-t SECONDS] statement
            %%gpu_timeit [-n CALLS] [-t SECONDS] setup
            statements

        ``%timeit`` of device work says how long the calls take that queue it; here the
        device's clock is read, too, as `cupricx.profiler.benchmark` does. At most
        CALLS calls (10000) are made, and none begins after SECONDS (2).
        """
        options = {"n": "10000", "t": "2"}
        while found := _OPTION.match(line):
            options[found[1]] = found[2]
            line = line[found.end() :]
        setup, statement = ("pass", line) if cell is None else (line, cell)
        transform = ipython.input_transformer_manager.transform_cell
        return benchmark(
            _function(transform(setup), transform(statement), ipython.user_ns),
            n_repeat=int(options["n"]),
            n_warmup=3,
            max_duration=float(options["t"]),
            name=statement.strip().partition("\n")[0],
        )

    ipython.register_magic_function(gpu_timeit, "line_cell", "gpu_timeit")


def _function(setup, statement, namespace):
    """A function that runs a statement. The setup runs here, once. The names that they
    assign are the function's own, as in ``%timeit``.
    """
    tree = ast.parse("def prepare():\n    def run():\n        pass\n    return run")
    prepare = tree.body[0]
    run, end = prepare.body
    before = ast.parse(setup, "<gpu_timeit>").body
    run.body = ast.parse(statement, "<gpu_timeit>").body or run.body
    prepare.body = [*before, run, end]
    made = {}
    exec(
        compile(ast.fix_missing_locations(tree), "<gpu_timeit>", "exec"),
        namespace,
        made,
    )
    return made["prepare"]()
