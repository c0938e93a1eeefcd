"""Signal processing."""

from cupric._lib.core import names_to_come
from cupricx.scipy.signal import windows
from cupricx.scipy.signal._averages import coherence, csd, periodogram, welch
from cupricx.scipy.signal._bsplines import (
    cspline1d,
    cspline1d_eval,
    cspline2d,
    gauss_spline,
    qspline1d,
    qspline1d_eval,
    qspline2d,
    sepfir2d,
    spline_filter,
    symiirorder1,
    symiirorder2,
)
from cupricx.scipy.signal._convolution import (
    choose_conv_method,
    convolve,
    convolve2d,
    correlate,
    correlate2d,
    fftconvolve,
    oaconvolve,
)
from cupricx.scipy.signal._czt import CZT, ZoomFFT, czt, czt_points, zoom_fft
from cupricx.scipy.signal._design._fir import firwin, firwin2, firwin_2d
from cupricx.scipy.signal._design._forms import (
    BadCoefficients,
    normalize,
    sos2tf,
    sos2zpk,
    tf2sos,
    tf2zpk,
    zpk2sos,
    zpk2tf,
)
from cupricx.scipy.signal._design._iir import (
    bessel,
    butter,
    cheby1,
    cheby2,
    ellip,
    iirdesign,
    iirfilter,
)
from cupricx.scipy.signal._design._kaiser import kaiser_atten, kaiser_beta, kaiserord
from cupricx.scipy.signal._design._least_squares import firls
from cupricx.scipy.signal._design._minimum_phase import minimum_phase
from cupricx.scipy.signal._design._notches import gammatone, iircomb, iirnotch, iirpeak
from cupricx.scipy.signal._design._orders import (
    band_stop_obj,
    buttord,
    cheb1ord,
    cheb2ord,
    ellipord,
)
from cupricx.scipy.signal._design._partial_fractions import (
    invres,
    invresz,
    residue,
    residuez,
    unique_roots,
)
from cupricx.scipy.signal._design._prototypes import (
    besselap,
    buttap,
    cheb1ap,
    cheb2ap,
    ellipap,
)
from cupricx.scipy.signal._design._remez import remez
from cupricx.scipy.signal._design._responses import (
    findfreqs,
    freqs,
    freqs_zpk,
    freqz,
    freqz_sos,
    freqz_zpk,
    group_delay,
    sosfreqz,
)
from cupricx.scipy.signal._design._transformations import (
    bilinear,
    bilinear_zpk,
    lp2bp,
    lp2bp_zpk,
    lp2bs,
    lp2bs_zpk,
    lp2hp,
    lp2hp_zpk,
    lp2lp,
    lp2lp_zpk,
)
from cupricx.scipy.signal._detrend import detrend
from cupricx.scipy.signal._extrema import argrelextrema, argrelmax, argrelmin
from cupricx.scipy.signal._filtfilt import filtfilt, sosfiltfilt
from cupricx.scipy.signal._hilbert import envelope, hilbert, hilbert2
from cupricx.scipy.signal._iir import deconvolve, lfilter, lfilter_zi, lfiltic
from cupricx.scipy.signal._lags import correlation_lags
from cupricx.scipy.signal._lti._continuous import bode, freqresp, impulse, lsim, step
from cupricx.scipy.signal._lti._discrete import dbode, dfreqresp, dimpulse, dlsim, dstep
from cupricx.scipy.signal._lti._discretize import cont2discrete
from cupricx.scipy.signal._lti._place_poles import place_poles
from cupricx.scipy.signal._lti._state_space import (
    abcd_normalize,
    ss2tf,
    ss2zpk,
    tf2ss,
    zpk2ss,
)
from cupricx.scipy.signal._lti._systems import (
    StateSpace,
    TransferFunction,
    ZerosPolesGain,
    dlti,
    lti,
)
from cupricx.scipy.signal._overlap import check_COLA, check_NOLA, istft
from cupricx.scipy.signal._peaks import find_peaks, peak_prominences, peak_widths
from cupricx.scipy.signal._rank import medfilt, medfilt2d, order_filter, wiener
from cupricx.scipy.signal._resample import decimate, resample, resample_poly
from cupricx.scipy.signal._ridges import find_peaks_cwt
from cupricx.scipy.signal._savgol import savgol_coeffs, savgol_filter
from cupricx.scipy.signal._short_time_fft import ShortTimeFFT, closest_STFT_dual_window
from cupricx.scipy.signal._sos import sosfilt, sosfilt_zi
from cupricx.scipy.signal._spectral import spectrogram, stft
from cupricx.scipy.signal._uneven import lombscargle, vectorstrength
from cupricx.scipy.signal._upfirdn import upfirdn
from cupricx.scipy.signal._waveforms import (
    chirp,
    gausspulse,
    max_len_seq,
    sawtooth,
    square,
    sweep_poly,
    unit_impulse,
)
from cupricx.scipy.signal._wavelets import cwt, morlet, morlet2, qmf, ricker
from cupricx.scipy.signal.windows import get_window

__all__ = [
    "BadCoefficients",
    "CZT",
    "ShortTimeFFT",
    "StateSpace",
    "TransferFunction",
    "ZerosPolesGain",
    "ZoomFFT",
    "abcd_normalize",
    "argrelextrema",
    "argrelmax",
    "argrelmin",
    "band_stop_obj",
    "bessel",
    "besselap",
    "bilinear",
    "bilinear_zpk",
    "bode",
    "buttap",
    "butter",
    "buttord",
    "cheb1ap",
    "cheb1ord",
    "cheb2ap",
    "cheb2ord",
    "cheby1",
    "cheby2",
    "check_COLA",
    "check_NOLA",
    "chirp",
    "choose_conv_method",
    "closest_STFT_dual_window",
    "coherence",
    "cont2discrete",
    "convolve",
    "convolve2d",
    "correlate",
    "correlate2d",
    "correlation_lags",
    "csd",
    "cspline1d",
    "cspline1d_eval",
    "cspline2d",
    "cwt",
    "czt",
    "czt_points",
    "dbode",
    "decimate",
    "deconvolve",
    "detrend",
    "dfreqresp",
    "dimpulse",
    "dlsim",
    "dlti",
    "dstep",
    "ellip",
    "ellipap",
    "ellipord",
    "envelope",
    "fftconvolve",
    "filtfilt",
    "find_peaks",
    "find_peaks_cwt",
    "findfreqs",
    "firls",
    "firwin",
    "firwin2",
    "firwin_2d",
    "freqresp",
    "freqs",
    "freqs_zpk",
    "freqz",
    "freqz_sos",
    "freqz_zpk",
    "gammatone",
    "gauss_spline",
    "gausspulse",
    "get_window",
    "group_delay",
    "hilbert",
    "hilbert2",
    "iircomb",
    "iirdesign",
    "iirfilter",
    "iirnotch",
    "iirpeak",
    "impulse",
    "invres",
    "invresz",
    "istft",
    "kaiser_atten",
    "kaiser_beta",
    "kaiserord",
    "lfilter",
    "lfilter_zi",
    "lfiltic",
    "lombscargle",
    "lp2bp",
    "lp2bp_zpk",
    "lp2bs",
    "lp2bs_zpk",
    "lp2hp",
    "lp2hp_zpk",
    "lp2lp",
    "lp2lp_zpk",
    "lsim",
    "lti",
    "max_len_seq",
    "medfilt",
    "medfilt2d",
    "minimum_phase",
    "morlet",
    "morlet2",
    "normalize",
    "oaconvolve",
    "order_filter",
    "peak_prominences",
    "peak_widths",
    "periodogram",
    "place_poles",
    "qmf",
    "qspline1d",
    "qspline1d_eval",
    "qspline2d",
    "remez",
    "resample",
    "resample_poly",
    "residue",
    "residuez",
    "ricker",
    "savgol_coeffs",
    "savgol_filter",
    "sawtooth",
    "sepfir2d",
    "sos2tf",
    "sos2zpk",
    "sosfilt",
    "sosfilt_zi",
    "sosfiltfilt",
    "sosfreqz",
    "spectrogram",
    "spline_filter",
    "square",
    "ss2tf",
    "ss2zpk",
    "step",
    "stft",
    "sweep_poly",
    "symiirorder1",
    "symiirorder2",
    "tf2sos",
    "tf2ss",
    "tf2zpk",
    "unique_roots",
    "unit_impulse",
    "upfirdn",
    "vectorstrength",
    "welch",
    "wiener",
    "windows",
    "zoom_fft",
    "zpk2sos",
    "zpk2ss",
    "zpk2tf",
]


__getattr__ = names_to_come(__name__)


def __dir__():
    return __all__
