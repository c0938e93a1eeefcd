/* lanes.hpp: small vectors of numbers, for bodies of the host device (_x.host.hpp).
 *
 * lanes<T> has 32 bytes of elements, in one register, two or a half, so that what is
 * computed does not depend on the instruction set. A loop over several at once hides the
 * latency of an operation:
 *
 *     cupric::lanes<double> sum(0.0), more(0.0);
 *     for (i = 0; i + 8 <= n; i += 8) {
 *         sum += cupric::lanes<double>::load(x + i);
 *         more += cupric::lanes<double>::load(x + i + 4);
 *     }
 *
 * Comparisons give a mask, which `select` takes, and which `any` and `all` ask. T is an
 * integer or floating-point type of C, but bool.
 */
#ifndef CUPRIC_LANES_HPP
#define CUPRIC_LANES_HPP

#include "cupric/target.hpp"

#if defined(CUPRIC_HOST) || !defined(__CUDACC_RTC__)

namespace cupric {

/* The signed integer of so many bytes: a lane of a mask, all bits set or none. */
template <int SIZE>
struct mask_lane;
template <>
struct mask_lane<1> {
    typedef signed char type;
};
template <>
struct mask_lane<2> {
    typedef short type;
};
template <>
struct mask_lane<4> {
    typedef int type;
};
template <>
struct mask_lane<8> {
    typedef long long type;
};

template <class T>
struct vector_of {
    typedef T type __attribute__((vector_size(32)));
};

template <class T>
struct lanes {
    enum { size = (int)(32 / sizeof(T)) };
    typedef typename vector_of<T>::type vector;
    typedef lanes<typename mask_lane<sizeof(T)>::type> mask;
    vector v;

    lanes() {}
    lanes(vector x) : v(x) {}
    explicit lanes(T x)
    {
        for (int k = 0; k < size; k++) v[k] = x;
    }
    T operator[](int k) const { return v[k]; }
    void set(int k, T x) { v[k] = x; }

    /* From and to neighbouring elements, at any address. */
    static lanes load(const T *x)
    {
        lanes a;
        __builtin_memcpy(&a.v, x, sizeof a.v);
        return a;
    }
    void store(T *y) const { __builtin_memcpy(y, &v, sizeof v); }
    /* The first n of them; the others are `rest`. */
    static lanes load(const T *x, int n, T rest)
    {
        lanes a(rest);
        __builtin_memcpy(&a.v, x, (n < size ? n : size) * sizeof(T));
        return a;
    }
    void store(T *y, int n) const
    {
        __builtin_memcpy(y, &v, (n < size ? n : size) * sizeof(T));
    }
    /* Elements `step` apart. */
    static lanes load_apart(const T *x, long long step)
    {
        lanes a;
        for (int k = 0; k < size; k++) a.v[k] = x[k * step];
        return a;
    }
    void store_apart(T *y, long long step) const
    {
        for (int k = 0; k < size; k++) y[k * step] = v[k];
    }
    /* As another type of the same size converts. */
    template <class U>
    static lanes of(const lanes<U> &x)
    {
        static_assert(sizeof(U) == sizeof(T), "as many lanes");
        return lanes(__builtin_convertvector(x.v, vector));
    }

    lanes operator-() const { return lanes(-v); }
    lanes &operator+=(const lanes &b) { return *this = *this + b; }
    lanes &operator-=(const lanes &b) { return *this = *this - b; }
    lanes &operator*=(const lanes &b) { return *this = *this * b; }

    friend lanes operator+(const lanes &a, const lanes &b) { return lanes(a.v + b.v); }
    friend lanes operator-(const lanes &a, const lanes &b) { return lanes(a.v - b.v); }
    friend lanes operator*(const lanes &a, const lanes &b) { return lanes(a.v * b.v); }
    friend lanes operator/(const lanes &a, const lanes &b) { return lanes(a.v / b.v); }
    friend lanes operator&(const lanes &a, const lanes &b) { return lanes(a.v & b.v); }
    friend lanes operator|(const lanes &a, const lanes &b) { return lanes(a.v | b.v); }
    friend lanes operator^(const lanes &a, const lanes &b) { return lanes(a.v ^ b.v); }

    friend mask operator==(const lanes &a, const lanes &b)
    {
        return mask((typename mask::vector)(a.v == b.v));
    }
    friend mask operator!=(const lanes &a, const lanes &b)
    {
        return mask((typename mask::vector)(a.v != b.v));
    }
    friend mask operator<(const lanes &a, const lanes &b)
    {
        return mask((typename mask::vector)(a.v < b.v));
    }
    friend mask operator<=(const lanes &a, const lanes &b)
    {
        return mask((typename mask::vector)(a.v <= b.v));
    }
    friend mask operator>(const lanes &a, const lanes &b) { return b < a; }
    friend mask operator>=(const lanes &a, const lanes &b) { return b <= a; }
};

/* a where the mask is set, else b. */
template <class T>
inline lanes<T>
select(const typename lanes<T>::mask &m, const lanes<T> &a, const lanes<T> &b)
{
    typedef typename lanes<T>::mask::vector bits;
    return lanes<T>(
        (typename lanes<T>::vector)((m.v & (bits)a.v) | (~m.v & (bits)b.v)));
}

template <class T>
inline bool
any(const lanes<T> &mask)
{
    T found = 0;
    for (int k = 0; k < lanes<T>::size; k++) found |= mask.v[k];
    return found != 0;
}
template <class T>
inline bool
all(const lanes<T> &mask)
{
    T found = T(-1);
    for (int k = 0; k < lanes<T>::size; k++) found &= mask.v[k];
    return found != 0;
}

/* All lanes combined, halves by halves, in the same order everywhere. */
template <class T, class F>
inline T
reduce(const lanes<T> &x, const F &combine)
{
    lanes<T> a = x;
    for (int half = lanes<T>::size / 2; half > 0; half /= 2) {
        for (int k = 0; k < half; k++) a.v[k] = combine(a.v[k], a.v[k + half]);
    }
    return a.v[0];
}
template <class T>
inline T
sum(const lanes<T> &x)
{
    return reduce(x, [](T a, T b) { return T(a + b); });
}

} // namespace cupric

#endif

#endif
