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
    CUPRIC_HD operator complex<double>() const { return complex<double>(re, im); }
    template <class U>
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
    static CUPRIC_HD complex quotient(complex a, complex b)
    {
        const T x = b.re < 0 ? -b.re : b.re, y = b.im < 0 ? -b.im : b.im;
        if (x >= y) {
            if (x == 0 && y == 0) return complex(a.re / x, a.im / x);
            const T ratio = b.im / b.re, scale = T(1) / (b.re + b.im * ratio);
            return complex((a.re + a.im * ratio) * scale,
                           (a.im - a.re * ratio) * scale);
        }
        const T ratio = b.re / b.im, scale = T(1) / (b.im + b.re * ratio);
        return complex((a.re * ratio + a.im) * scale, (a.im * ratio - a.re) * scale);
    }
};

CUPRIC_END

#endif
