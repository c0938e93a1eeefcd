"""The table of calls has every public name."""

import ast
import inspect

import pytest

import cupric as cp
import cupricx
from cupricx.scipy import fft as sfft
from cupricx.scipy import linalg as slinalg
from cupricx.scipy import ndimage, signal, special

from . import calls, examples, generate
from . import special as special_lines

# What is not in the table, and why.
ABSENT = {
    "of files; tests/io/test_io.py": "fromfile genfromtxt load loadtxt save savetxt "
    "savez savez_compressed .dump .dumps .tofile",
    "of the process, not of arrays": "clear_memo get_array_module get_printoptions "
    "get_default_memory_pool get_default_pinned_memory_pool is_available memoize "
    "printoptions set_printoptions show_config",
    "of plans, and lengths; tests/cupricx/scipy/fft": "sfft.get_fft_plan "
    "sfft.next_fast_len",
    "of the host's memory; tests/cupricx/test_pinned.py": "cupricx.empty_pinned "
    "cupricx.empty_like_pinned cupricx.zeros_pinned cupricx.zeros_like_pinned",
    "of a few numbers, which the host designs filters of; "
    "tests/cupricx/scipy/signal/_design": (
        "signal.band_stop_obj signal.bessel signal.besselap signal.bilinear "
        "signal.bilinear_zpk signal.buttap signal.butter signal.buttord "
        "signal.cheb1ap signal.cheb1ord signal.cheb2ap signal.cheb2ord signal.cheby1 "
        "signal.cheby2 signal.ellip signal.ellipap signal.ellipord signal.findfreqs "
        "signal.firls signal.firwin signal.firwin2 signal.firwin_2d signal.freqs "
        "signal.freqs_zpk signal.freqz signal.freqz_sos signal.freqz_zpk "
        "signal.gammatone signal.group_delay signal.iircomb signal.iirdesign "
        "signal.iirfilter signal.iirnotch signal.iirpeak signal.invres signal.invresz "
        "signal.kaiser_atten signal.kaiser_beta signal.kaiserord signal.lp2bp "
        "signal.lp2bp_zpk signal.lp2bs signal.lp2bs_zpk signal.lp2hp signal.lp2hp_zpk "
        "signal.lp2lp signal.lp2lp_zpk signal.minimum_phase signal.normalize "
        "signal.remez signal.residue signal.residuez signal.sos2tf signal.sos2zpk "
        "signal.sosfreqz signal.tf2sos signal.tf2zpk signal.unique_roots "
        "signal.zpk2sos signal.zpk2tf"
    ),
    "settings": "cublas.get_batched_gesv_limit cublas.set_batched_gesv_limit "
    "cupricx.allow_synchronize cupricx.get_runtime_info cupricx.geterr cupricx.seterr "
    "install_as_cupy",
    "of generators' states; tests/random": "random.get_random_state "
    "random.reset_states random.seed random.set_random_state RandomState.get_state "
    "RandomState.seed RandomState.set_state",
    "deprecated, or another name of random_sample; tests/random": "RandomState.ranf "
    "random.random_integers RandomState.random_integers RandomState.sample",
    "a choice of methods, which is the device's": "signal.choose_conv_method",
    "of the coefficients of filters, designed on the host; "
    "tests/cupricx/scipy/signal": "signal.lfilter_zi signal.lfiltic signal.sosfilt_zi",
    "of signals longer than the table's, or for which SciPy crashes or never returns; "
    "tests/cupricx/scipy/signal/test_bsplines.py": "signal.cspline1d "
    "signal.cspline1d_eval signal.cspline2d signal.qspline1d signal.qspline1d_eval "
    "signal.qspline2d signal.sepfir2d signal.spline_filter signal.symiirorder1 "
    "signal.symiirorder2",
    "of windows, designed or by their names; tests/cupricx/scipy/signal": "signal."
    "check_COLA signal.check_NOLA signal.closest_STFT_dual_window signal.czt_points "
    "signal.get_window",
    "quotients of sums that cancel, or of phases; tests/cupricx/scipy/signal": "signal."
    "coherence signal.lombscargle signal.vectorstrength",
    "designed on the host; tests/cupricx/scipy/signal/test_savgol.py": "signal."
    "savgol_coeffs",
    "of phases, of which large ones have no digits; tests/cupricx/scipy/signal/"
    "test_waveforms.py": "signal.chirp signal.gausspulse signal.sawtooth signal.square "
    "signal.sweep_poly",
    "SciPy has them no longer; tests/cupricx/scipy/signal/test_wavelets.py": "signal."
    "cwt signal.morlet signal.morlet2 signal.qmf signal.ricker",
    "of variances that cancel; tests/cupricx/scipy/signal/test_rank.py": "signal."
    "wiener",
    "of maxima of sums, which rounding decides; tests/cupricx/scipy/signal": (
        "signal.find_peaks_cwt"
    ),
    "of systems, which the host has; tests/cupricx/scipy/signal/_lti": (
        "signal.abcd_normalize signal.bode signal.cont2discrete signal.dbode "
        "signal.dfreqresp signal.dimpulse signal.dstep signal.freqresp signal.impulse "
        "signal.lsim signal.place_poles signal.ss2tf signal.ss2zpk signal.step "
        "signal.tf2ss signal.zpk2ss"
    ),
    "of dtypes; tests/array/test_structured.py": "make_aligned_dtype",
    "of the device": ".cstruct .data .device .mdspan .to_device .toDlpack .get .set "
    ".reduced_view",
    "tells how arrays are laid out, compared after each statement": ".base .flags "
    ".strides",
    "no ufuncs, NumPy's as well, or of families that SciPy takes minutes for; "
    "tests/cupricx/scipy/special": " ".join(
        f"special.{name}"
        for name in special.__all__
        if not special_lines.has_line(name)
    ),
}
_NAMESPACES = [("", cp), ("linalg.", cp.linalg), ("fft.", cp.fft)]
_NAMESPACES += [("random.", cp.random), ("cublas.", cp.cublas), ("lib.", cp.lib)]
_NAMESPACES += [("polynomial.polynomial.", cp.polynomial.polynomial)]
_NAMESPACES += [("polynomial.polyutils.", cp.polynomial.polyutils)]
_NAMESPACES += [("lib.stride_tricks.", cp.lib.stride_tricks), ("cupricx.", cupricx)]
_NAMESPACES += [("ndimage.", ndimage), ("signal.", signal), ("special.", special)]
_NAMESPACES += [("slinalg.", slinalg), ("sfft.", sfft)]
_CLASSES = [("", cp.ndarray), ("RandomState", cp.random.RandomState)]
_CLASSES += [("default_rng", cp.random.Generator)]


def public():
    """Functions and ufuncs of the namespaces, and what instances of classes have."""
    for prefix, module in _NAMESPACES:
        for name in vars(module):
            value = getattr(module, name)
            called = callable(value) and not inspect.isclass(value)
            called = called and name in getattr(module, "__all__", [name])
            if called and not name.startswith("_"):
                yield f"{prefix}{name}"
    for prefix, cls in _CLASSES:
        yield from (f"{prefix}.{name}" for name in dir(cls) if not name.startswith("_"))


def test_every_public_name_is_in_the_table():
    absent = {name for names in ABSENT.values() for name in names.split()}
    missing = set(public()) - examples.names() - absent
    assert not missing, "add a line for each to tests/fuzz/calls.py"


def test_nothing_is_in_the_table_twice():
    lines = [row.spec for rows in calls.ROWS.values() for row in rows]
    often = {"{place} = {y}", "{read}"}  # drawn more often than others
    assert {line for line in lines if lines.count(line) > 1} <= often


@pytest.mark.parametrize("family", calls.ROWS)
def test_every_line_succeeds_at_times(family):
    """A line whose arguments never fit tests nothing."""
    for row in calls.ROWS[family]:
        assert examples.example(row), f"no call of {row.spec} succeeds in NumPy"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("family", calls.ROWS)
def test_every_line_is_drawn_as_a_call(family):
    """Whichever of its arguments are left out."""
    for row in calls.ROWS[family]:
        for number in range(8):
            generator = generate.Generator(0, number)
            generator.step(row)
            for step in generator.program.steps:
                assert step.row is None or ast.parse(step.source)
