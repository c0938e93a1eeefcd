"""How a line of the table of calls is read.

A line is written as the call is, with a word for each argument that says how to draw it
(the functions of draw.py and indices.py):

    "sum(x, axis=axes, dtype=dtype)"   a function of xp; keywords are left out at times
    "ndimage.laplace(x, mode=mode)"    one of scipy's MODULES, or cupricx.scipy's
    "slinalg.toeplitz(x1)"             one of scipy.linalg, or cupricx.scipy.linalg
    "sfft.dct(x, type)"                the same of scipy.fft
    "diff(x, n=small!, axis=axis)"     a keyword that is always given
    "roll(x, shift, axis?)"            a positional argument that is left out at times
    ".sum(axis=axes)"                  a method of an array
    "pad(x, width, mode=edge|wrap)"    one of some constants
    "add(x, y, **ufunc)"               a word that writes its keywords itself
    "{x} + {y}"                        an expression, with the drawn in braces
    "{name} += {y}"                    a statement
"""

import re
from dataclasses import dataclass, field

from . import bounds

MODULES = {  # of SciPy, by the names that the table has for them
    "ndimage": "ndimage",
    "sfft": "fft",
    "signal": "signal",
    "slinalg": "linalg",
    "special": "special",
}
OFTEN = 0.3  # how often an argument that may be left out is given
_WRITTEN = {"name", "target", "place", "unshared"}
_ARGUMENT = re.compile(r"(?:(?P<keyword>\w+)=)?(?P<kind>[^!?]+)(?P<mark>[!?]?)$")
_BRACES = re.compile(r"\{([^}]+)\}")


@dataclass(frozen=True)
class Piece:
    """An argument: the text before it, how it is drawn, how often, and the text that
    comes in any case before the next."""

    before: str
    kind: str
    given: float = 1.0
    after: str = ""


@dataclass
class Row:
    """A line of the table."""

    spec: str
    bound: bounds.Bound = bounds.EXACT
    numpy: str = ""  # what NumPy runs: {0}, {1}, ... are the arguments drawn
    order: bool = True  # whether the memory order of a new result is NumPy's
    family: str = ""  # of which the fuzzer draws first
    before: str = ""
    pieces: list = field(default_factory=list)
    after: str = ""

    def __post_init__(self):
        if "{" in self.spec:
            self.name = self.spec
            self._read_template()
        else:
            self.name, _, arguments = self.spec.partition("(")
            self._read_call(arguments.removesuffix(")"))

    @property
    def _called(self):
        of_another = self.name.partition(".")[0] in (*MODULES, "cupricx")
        return self.name if of_another else f"xp.{self.name}"

    @property
    def is_statement(self):
        return bool(re.search(r" \S*= ", self.name)) and not re.search(
            r" [=!<>]= ", self.name
        )

    @property
    def writes(self):
        """Whether it writes to an argument, but for out=."""
        kinds = {piece.kind for piece in self.pieces}
        return bool(kinds & _WRITTEN or any(k.startswith("updated") for k in kinds))

    def _read_template(self):
        parts = _BRACES.split(self.spec)
        self.pieces = [Piece(b, k) for b, k in zip(parts[::2], parts[1::2])]  # noqa: B905
        self.after = parts[-1]

    def _read_call(self, arguments):
        if self.name.startswith("."):
            called = self.name if "(" not in self.spec else f"{self.name}("
            self.pieces.append(Piece("", "x", after=called))
        else:
            self.before = f"{self._called}("
        for argument in arguments.split(", ") if arguments else []:
            if argument.startswith("**"):  # words that write their own keywords
                self.pieces.append(Piece("", argument[2:]))
                continue
            read = _ARGUMENT.match(argument)
            keyword, kind, mark = read["keyword"], read["kind"], read["mark"]
            optional = mark == "?" or (keyword and mark != "!")
            text = f", {keyword}=" if keyword else ", "
            self.pieces.append(Piece(text, kind, OFTEN if optional else 1.0))
        self.after = ")" if "(" in self.spec else ""

    def numpy_text(self, arguments):
        """What NumPy runs in place of the call, or "" for the call itself."""
        return self.numpy.format(*arguments) if self.numpy else ""
