"""python -m tests.fuzz: see `make help`."""

import argparse
import os
import sys


def options():
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--device", choices=("host", "cuda", "both"), default="host")
    parser.add_argument("--seed", type=int, help="default: a fresh one, printed")
    parser.add_argument("--programs", type=int, default=20_000)
    parser.add_argument(
        "--seconds", type=float, default=0, help="in place of --programs"
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--start", type=int, default=0, help="the first program's number"
    )
    parser.add_argument(
        "--allowed",
        type=int,
        default=0,
        help="kinds of differences that are no failure",
    )
    parser.add_argument(
        "--favour", default="", help="the family most calls are of: images, ..."
    )
    parser.add_argument(
        "--family", choices=("arrays", "sparse"), default="arrays", help="of programs"
    )
    parser.add_argument("--large", action="store_true", help="programs of large arrays")
    parser.add_argument(
        "--only", type=int, help="run this program, statement by statement"
    )
    parser.add_argument(
        "--worker", metavar="FILE", help="of a process made by the others"
    )
    parser.add_argument("--end", type=float, help="of a worker: where it stops")
    return parser.parse_args()


def only(options):
    """One program in this process, shown whole and shrunk."""
    from . import generate, program, workers

    finder = workers.Finder(options.device, large=options.large)
    whole = generate.program(options.seed, options.only, options.large)
    print(program.shown(whole), flush=True)
    found = finder.run(whole)
    if found is None:
        print("no difference")
        return True
    print(f"statement {found[0] + 1}: {found[1]}\n")
    print(workers.explain(finder, whole, *found))
    return False


def main():
    given = options()
    if given.seed is None:
        given.seed = int.from_bytes(os.urandom(4), "little")
    if given.large and given.only is not None:
        from .large import threads

        os.environ["CUPRIC_NUM_THREADS"] = str(threads(given.only))
    if given.favour:
        from .calls import favour

        favour(given.favour)
    os.environ["CUPRIC_DEVICE"] = "host" if given.device == "host" else "cuda"
    if given.family == "sparse":
        from . import sparse

        return 1 if sparse.fuzz_all(given) > given.allowed else 0
    if given.worker:
        from .workers import work

        work(given, given.worker)
        return 0
    if given.only is not None:
        return 0 if only(given) else 1
    from .workers import fuzz

    return 0 if fuzz(given) else 1


if __name__ == "__main__":
    sys.exit(main())
