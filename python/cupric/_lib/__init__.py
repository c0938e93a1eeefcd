"""What `cupricx` is built on: kernel libraries, and reading arguments."""

from cupric._config import Config
from cupric._convolution import direct
from cupric._core import _contiguous as contiguous
from cupric._core import _dct as cosine_transform
from cupric._core import rsqrt
from cupric._creation._basic import layout_like
from cupric._lib import _arguments as arguments
from cupric._lib._arguments import Output
from cupric._lib._lacking import missing_attribute, names_to_come
from cupric._lib._library import SHARED, Library, declarations
from cupric._lib._replay import replayed, warn
from cupric._lib._word import call_with_word
from cupric._manipulation._args import where_it_lives
from cupric._manipulation._transpose import moveaxis
from cupric._padding._pad import pad
from cupric._sorting._sort import lexsort
from cupric._statistics._histogram import count_integers
from cupric._statistics._histogram import histogram as histogram_of
from cupric._statistics._order import median
from cupric.cuda._waiting import DeviceSynchronized, allow_synchronize
from cupric.fft._current_plan import using as using_plan
from cupric.fft._transforms import complex_to_complex as complex_fft
from cupric.fft._transforms import complex_to_real as fft_to_real
from cupric.fft._transforms import real_to_complex as fft_of_real
from cupric.linalg._errors import errstate, geterr, seterr
from cupric.linalg._factors import factor_lu, solve_triangle

__all__ = [
    "SHARED",
    "Config",
    "DeviceSynchronized",
    "Library",
    "Output",
    "allow_synchronize",
    "arguments",
    "call_with_word",
    "complex_fft",
    "contiguous",
    "cosine_transform",
    "count_integers",
    "declarations",
    "direct",
    "errstate",
    "factor_lu",
    "fft_of_real",
    "fft_to_real",
    "geterr",
    "histogram_of",
    "layout_like",
    "lexsort",
    "median",
    "missing_attribute",
    "moveaxis",
    "names_to_come",
    "pad",
    "replayed",
    "rsqrt",
    "seterr",
    "solve_triangle",
    "using_plan",
    "warn",
    "where_it_lives",
]
