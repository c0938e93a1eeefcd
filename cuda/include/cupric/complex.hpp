/* complex.hpp: complex<T>, laid out as C99's.
 *
 * Multiplication is the plain formula and division Smith's, as NumPy has them, so infinite
 * and NaN parts spread the same way. A real operand is a complex one with zero imaginary
 * part. Functions of complex numbers are in math/complex.hpp.
 */
#ifndef CUPRIC_COMPLEX_HPP
#define CUPRIC_COMPLEX_HPP

#include "cupric/half.hpp"

CUPRIC_BEGIN

template <class T>
struct complex {
    typedef T value_type;
    T re, im;

    complex() = default;
    CUPRIC_HD constexpr complex(T r, T i = T(0)) : re(r), im(i) {}
    /* float to double is free of loss and implicit, the other way is asked for */
    template <class U, typename only_if<(sizeof(U) < sizeof(T))>::yes = 0>
    CUPRIC_HD complex(const complex<U> &z) : re(z.re), im(z.im)
    {
    }
    template <class U, typename only_if<(sizeof(U) > sizeof(T))>::yes = 0>
    CUPRIC_HD explicit complex(const complex<U> &z) : re(T(z.re)), im(T(z.im))
    {
    }

    CUPRIC_HD T real() const { return re; }
    CUPRIC_HD T imag() const { return im; }
    CUPRIC_HD void real(T r) { re = r; }
    CUPRIC_HD void imag(T i) { im = i; }

    friend CUPRIC_HD complex operator+(complex a, complex b)
    {
        return complex(a.re + b.re, a.im + b.im);
    }
    friend CUPRIC_HD complex operator-(complex a, complex b)
    {
        return complex(a.re - b.re, a.im - b.im);
    }
    friend CUPRIC_HD complex operator*(complex a, complex b)
    {
        return complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
    }
    friend CUPRIC_HD complex operator/(complex a, complex b) { return quotient(a, b); }
    friend CUPRIC_HD complex operator+(complex a) { return a; }
    friend CUPRIC_HD complex operator-(complex a) { return complex(-a.re, -a.im); }
    friend CUPRIC_HD bool operator==(complex a, complex b)
    {
        return (a.re == b.re) & (a.im == b.im);
    }
    friend CUPRIC_HD bool operator!=(complex a, complex b)
    {
        return (a.re != b.re) | (a.im != b.im);
    }
    CUPRIC_HD complex &operator+=(complex b) { return *this = *this + b; }
    CUPRIC_HD complex &operator-=(complex b) { return *this = *this - b; }
    CUPRIC_HD complex &operator*=(complex b) { return *this = *this * b; }
    CUPRIC_HD complex &operator/=(complex b) { return *this = *this / b; }

  private:
    /* Smith's, with the larger part of b as the pivot: choices, no branches. */
    static CUPRIC_HD complex quotient(complex a, complex b)
    {
        /* absolute values, of -0 too */
        const T x = b.re <= 0 ? T(0) - b.re : b.re, y = b.im <= 0 ? T(0) - b.im : b.im;
        const bool turn = !(x >= y);
        const T pivot = turn ? b.im : b.re, other = turn ? b.re : b.im;
        const T ratio = other / pivot, scale = T(1) / (pivot + other * ratio);
        const T u = turn ? a.im : a.re, v = turn ? a.re : a.im;
        const T w = turn ? u * ratio - v : v - u * ratio;
        const bool zero = (x == 0) & (y == 0);
        return complex(zero ? a.re / x : (u + v * ratio) * scale,
                       zero ? a.im / x : w * scale);
    }
};

CUPRIC_END

#endif
