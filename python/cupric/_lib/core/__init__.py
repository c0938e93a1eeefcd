"""What of cupric's own `cupricx` is built on, besides public names."""

from cupric._config import Config
from cupric._convolution import direct
from cupric._core import _contiguous as contiguous
from cupric._core import _dct as cosine_transform
from cupric._core import rsqrt
from cupric._creation._basic import layout_like
from cupric._lacking import missing_attribute, names_to_come
from cupric._manipulation._args import where_it_lives
from cupric._manipulation._dims import expand_dims
from cupric._manipulation._transpose import moveaxis
from cupric._math._calculus import unwrap
from cupric._padding._pad import pad
from cupric._polynomials._poly1d import poly1d
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
from cupric.linalg._solve import solve

__all__ = [
    "Config",
    "DeviceSynchronized",
    "allow_synchronize",
    "complex_fft",
    "contiguous",
    "cosine_transform",
    "count_integers",
    "direct",
    "errstate",
    "expand_dims",
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
    "poly1d",
    "rsqrt",
    "seterr",
    "solve",
    "solve_triangle",
    "unwrap",
    "using_plan",
    "where_it_lives",
]
