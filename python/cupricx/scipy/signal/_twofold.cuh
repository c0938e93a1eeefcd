/* _twofold.cuh: numbers of twice the bits of float64, for powers of matrices. */
#ifndef CUPRIC_SIGNAL_TWOFOLD_CUH
#define CUPRIC_SIGNAL_TWOFOLD_CUH

/* What is computed in. */
template <class T>
struct wide_type {
    typedef double type;
};
template <class T>
struct wide_type<complex<T>> {
    typedef complex<double> type;
};

/* hi + lo, of twice as many bits: powers of M have great elements, of which most cancels
 * where poles are close to 1, and to each other. */
struct twofold {
    double hi, lo;
};

/* s + a b */
__device__ inline twofold
add_product(const twofold &s, const twofold &a, const twofold &b)
{
    const double p = a.hi * b.hi, sum = s.hi + p;
    if (!(sum - sum == 0)) return {sum, 0}; /* infinite */
    const double part = sum - s.hi;
    const double lo = (s.hi - (sum - part)) + (p - part) + s.lo +
                      (fma(a.hi, b.hi, -p) + (a.hi * b.lo + a.lo * b.hi));
    const double hi = sum + lo;
    return {hi, lo - (hi - sum)};
}

/* An element of a power. */
template <class W>
struct precise {
    twofold re;

    __device__ precise() {}
    __device__ explicit precise(const W &x) : re{x, 0} {}
    __device__ W rounded() const { return re.hi; }
    __device__ void add(const precise &a, const precise &b)
    {
        re = add_product(re, a.re, b.re);
    }
};
template <>
struct precise<complex<double>> {
    twofold re, im;

    __device__ precise() {}
    __device__ explicit precise(const complex<double> &x)
        : re{x.real(), 0}, im{x.imag(), 0}
    {
    }
    __device__ complex<double> rounded() const { return complex<double>(re.hi, im.hi); }
    __device__ void add(const precise &a, const precise &b)
    {
        const twofold minus = {-a.im.hi, -a.im.lo};
        re = add_product(add_product(re, a.re, b.re), minus, b.im);
        im = add_product(add_product(im, a.re, b.im), a.im, b.re);
    }
};

#endif
