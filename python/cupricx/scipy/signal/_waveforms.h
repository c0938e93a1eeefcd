/* _waveforms.h: what kernels of waveforms share with Python. */

enum { LINEAR, QUADRATIC, LOGARITHMIC, HYPERBOLIC };
enum { MLS_BITS = 64, MLS_RUN = 64 };

/* A frequency f0 at time 0 that becomes f1 at t1; growth is log(f1 / f0), where it is
 * needed. */
struct sweep {
    double f0, t1, f1, phi, growth;
    int method, vertex_zero;
};

/* A Gaussian envelope, exp(-a t t), about a carrier. */
struct pulse {
    double a, fc;
};

/* A shift register of `bits` bits, and what is fed back. */
struct shift_register {
    unsigned long long state, taps;
    long long length;
    int bits, powers;
};
