/* simd.hpp: two 16-bit or four 8-bit integers in a word. Included where a source has a
 * name that begins with __v.
 */
#ifndef CUPRIC_HOST_SIMD_HPP
#define CUPRIC_HOST_SIMD_HPP

namespace cupric_host {

/* f of each pair of parts of NBITS bits, as signed (S) or unsigned numbers. */
template <int NBITS, bool S, class F>
inline unsigned parts(unsigned a, unsigned b, F f)
{
    constexpr unsigned mask = (1u << NBITS) - 1;
    constexpr int sign = S ? 1 << (NBITS - 1) : 0;
    unsigned r = 0;
    for (int i = 0; i < 32; i += NBITS) {
        const int x = (int)((a >> i & mask) ^ (unsigned)sign) - sign;
        const int y = (int)((b >> i & mask) ^ (unsigned)sign) - sign;
        r |= ((unsigned)f(x, y) & mask) << i;
    }
    return r;
}

template <int NBITS, bool S>
inline int clamped(int x)
{
    constexpr int most = S ? (1 << (NBITS - 1)) - 1 : (1 << NBITS) - 1;
    constexpr int least = S ? -most - 1 : 0;
    return x < least ? least : x > most ? most : x;
}

template <int NBITS, bool S>
inline unsigned sum_of_differences(unsigned a, unsigned b)
{
    unsigned sum = 0;
    parts<NBITS, S>(a, b, [&](int x, int y) {
        sum += (unsigned)(x < y ? y - x : x - y);
        return 0;
    });
    return sum;
}

} // namespace cupric_host

#define CUPRIC_WORD1(name, S, expression)                                              \
    static inline unsigned __v##name##2(unsigned a)                                    \
    {                                                                                  \
        constexpr int N = 16;                                                          \
        return cupric_host::parts<N, S>(a, a, [](int x, int) { return expression; });  \
    }                                                                                  \
    static inline unsigned __v##name##4(unsigned a)                                    \
    {                                                                                  \
        constexpr int N = 8;                                                           \
        return cupric_host::parts<N, S>(a, a, [](int x, int) { return expression; });  \
    }
#define CUPRIC_WORD2(name, S, expression)                                              \
    static inline unsigned __v##name##2(unsigned a, unsigned b)                        \
    {                                                                                  \
        constexpr int N = 16;                                                          \
        return cupric_host::parts<N, S>(a, b,                                          \
                                        [](int x, int y) { return expression; });      \
    }                                                                                  \
    static inline unsigned __v##name##4(unsigned a, unsigned b)                        \
    {                                                                                  \
        constexpr int N = 8;                                                           \
        return cupric_host::parts<N, S>(a, b,                                          \
                                        [](int x, int y) { return expression; });      \
    }

CUPRIC_WORD1(abs, true, x < 0 ? -x : x)
CUPRIC_WORD1(absss, true, (cupric_host::clamped<N, true>(x < 0 ? -x : x)))
CUPRIC_WORD1(neg, true, -x)
CUPRIC_WORD1(negss, true, (cupric_host::clamped<N, true>(-x)))
CUPRIC_WORD2(absdiffs, true, x < y ? y - x : x - y)
CUPRIC_WORD2(absdiffu, false, x < y ? y - x : x - y)
CUPRIC_WORD2(add, false, x + y)
CUPRIC_WORD2(addss, true, (cupric_host::clamped<N, true>(x + y)))
CUPRIC_WORD2(addus, false, (cupric_host::clamped<N, false>(x + y)))
CUPRIC_WORD2(sub, false, x - y)
CUPRIC_WORD2(subss, true, (cupric_host::clamped<N, true>(x - y)))
CUPRIC_WORD2(subus, false, (cupric_host::clamped<N, false>(x - y)))
CUPRIC_WORD2(avgs, true, (x + y + (x + y >= 0)) >> 1)
CUPRIC_WORD2(avgu, false, (x + y + 1) >> 1)
CUPRIC_WORD2(haddu, false, (x + y) >> 1)
CUPRIC_WORD2(maxs, true, x < y ? y : x)
CUPRIC_WORD2(maxu, false, x < y ? y : x)
CUPRIC_WORD2(mins, true, y < x ? y : x)
CUPRIC_WORD2(minu, false, y < x ? y : x)
#define X(name, S, compare)                                                            \
    CUPRIC_WORD2(cmp##name, S, x compare y ? -1 : 0)                                   \
    CUPRIC_WORD2(set##name, S, x compare y ? 1 : 0)
X(eq, false, ==)
X(ne, false, !=)
X(ges, true, >=)
X(geu, false, >=)
X(gts, true, >)
X(gtu, false, >)
X(les, true, <=)
X(leu, false, <=)
X(lts, true, <)
X(ltu, false, <)
#undef X
#undef CUPRIC_WORD1
#undef CUPRIC_WORD2
#define X(n, nbits)                                                                    \
    static inline unsigned __vsads##n(unsigned a, unsigned b)                          \
    {                                                                                  \
        return cupric_host::sum_of_differences<nbits, true>(a, b);                     \
    }                                                                                  \
    static inline unsigned __vsadu##n(unsigned a, unsigned b)                          \
    {                                                                                  \
        return cupric_host::sum_of_differences<nbits, false>(a, b);                    \
    }
X(2, 16)
X(4, 8)
#undef X

/* ---- the least and the greatest of sums and of three, of 32-bit and two 16-bit numbers -- */

namespace cupric_host {

/* f of each pair of halves and of those of a third word. */
template <bool S, class F>
inline unsigned halves(unsigned a, unsigned b, unsigned c, F f)
{
    unsigned r = 0;
    for (int i = 0; i < 32; i += 16) {
        const int x = S ? (short)(a >> i) : (int)(a >> i & 0xffff);
        const int y = S ? (short)(b >> i) : (int)(b >> i & 0xffff);
        const int z = S ? (short)(c >> i) : (int)(c >> i & 0xffff);
        r |= ((unsigned)f(x, y, z) & 0xffff) << i;
    }
    return r;
}
template <class T>
inline T greater(T a, T b)
{
    return a < b ? b : a;
}
template <class T>
inline T lesser(T a, T b)
{
    return b < a ? b : a;
}

/* A sum of two halves wraps. */
template <bool S>
inline int wrapped(int x)
{
    return S ? (short)x : (int)(unsigned short)x;
}

} // namespace cupric_host

#define CUPRIC_DPX(name, pick)                                                         \
    static inline int __viadd##name##_s32(int a, int b, int c)                         \
    {                                                                                  \
        return cupric_host::pick((int)((unsigned)a + (unsigned)b), c);                 \
    }                                                                                  \
    static inline unsigned __viadd##name##_u32(unsigned a, unsigned b, unsigned c)     \
    {                                                                                  \
        return cupric_host::pick(a + b, c);                                            \
    }                                                                                  \
    static inline int __viadd##name##_s32_relu(int a, int b, int c)                    \
    {                                                                                  \
        return cupric_host::greater(__viadd##name##_s32(a, b, c), 0);                  \
    }                                                                                  \
    static inline int __vi##name##3_s32(int a, int b, int c)                           \
    {                                                                                  \
        return cupric_host::pick(cupric_host::pick(a, b), c);                          \
    }                                                                                  \
    static inline unsigned __vi##name##3_u32(unsigned a, unsigned b, unsigned c)       \
    {                                                                                  \
        return cupric_host::pick(cupric_host::pick(a, b), c);                          \
    }                                                                                  \
    static inline int __vi##name##3_s32_relu(int a, int b, int c)                      \
    {                                                                                  \
        return cupric_host::greater(__vi##name##3_s32(a, b, c), 0);                    \
    }                                                                                  \
    static inline int __vi##name##_s32_relu(int a, int b)                              \
    {                                                                                  \
        return cupric_host::greater(cupric_host::pick(a, b), 0);                       \
    }                                                                                  \
    static inline int __vib##name##_s32(int a, int b, bool *first)                     \
    {                                                                                  \
        const int r = cupric_host::pick(a, b);                                         \
        *first = r == a;                                                               \
        return r;                                                                      \
    }                                                                                  \
    static inline unsigned __vib##name##_u32(unsigned a, unsigned b, bool *first)      \
    {                                                                                  \
        const unsigned r = cupric_host::pick(a, b);                                    \
        *first = r == a;                                                               \
        return r;                                                                      \
    }                                                                                  \
    CUPRIC_DPX_HALVES(viadd##name, true, s16x2,                                        \
                      cupric_host::pick(cupric_host::wrapped<true>(x + y), z))         \
    CUPRIC_DPX_HALVES(viadd##name, false, u16x2,                                       \
                      cupric_host::pick(cupric_host::wrapped<false>(x + y), z))        \
    CUPRIC_DPX_HALVES(viadd##name, true, s16x2_relu,                                   \
                      cupric_host::greater(                                            \
                          cupric_host::pick(cupric_host::wrapped<true>(x + y), z), 0)) \
    CUPRIC_DPX_HALVES(vi##name##3, true, s16x2,                                        \
                      cupric_host::pick(cupric_host::pick(x, y), z))                   \
    CUPRIC_DPX_HALVES(vi##name##3, false, u16x2,                                       \
                      cupric_host::pick(cupric_host::pick(x, y), z))                   \
    CUPRIC_DPX_HALVES(                                                                 \
        vi##name##3, true, s16x2_relu,                                                 \
        cupric_host::greater(cupric_host::pick(cupric_host::pick(x, y), z), 0))        \
    static inline unsigned __vi##name##_s16x2_relu(unsigned a, unsigned b)             \
    {                                                                                  \
        return __vi##name##3_s16x2_relu(a, b, b);                                      \
    }                                                                                  \
    static inline unsigned __vib##name##_s16x2(unsigned a, unsigned b, bool *high,     \
                                               bool *low)                              \
    {                                                                                  \
        const unsigned r = __vi##name##3_s16x2(a, b, b);                               \
        *high = r >> 16 == a >> 16;                                                    \
        *low = (r & 0xffff) == (a & 0xffff);                                           \
        return r;                                                                      \
    }                                                                                  \
    static inline unsigned __vib##name##_u16x2(unsigned a, unsigned b, bool *high,     \
                                               bool *low)                              \
    {                                                                                  \
        const unsigned r = __vi##name##3_u16x2(a, b, b);                               \
        *high = r >> 16 == a >> 16;                                                    \
        *low = (r & 0xffff) == (a & 0xffff);                                           \
        return r;                                                                      \
    }
#define CUPRIC_DPX_HALVES(name, S, suffix, expression)                                 \
    static inline unsigned __##name##_##suffix(unsigned a, unsigned b, unsigned c)     \
    {                                                                                  \
        return cupric_host::halves<S>(a, b, c,                                         \
                                      [](int x, int y, int z) { return expression; }); \
    }
CUPRIC_DPX(max, greater)
CUPRIC_DPX(min, lesser)
#undef CUPRIC_DPX
#undef CUPRIC_DPX_HALVES

#endif
