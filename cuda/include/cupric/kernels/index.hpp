/* kernels/index.hpp: access at places that index arrays name.
 *
 *   place(i) = array + offset(i) + sum over k of wrap(index_k(i), length_k) * stride_k
 *
 *   gather       value(i) = *place(i)
 *   scatter      *place(i) = value(i); of elements with one place, any one stays. For the
 *                last one to stay:
 *   scatter_few  … for n <= 1024, in one block of 1024 threads
 *   scatter_note, scatter_noted
 *                … the last i of each place is noted in a table of at least 2 n entries,
 *                all ones at first; then those are written
 *   scatter_mark, scatter_marked
 *                … in a table that has an entry, 0 at first, for each element from the
 *                lowest place to the highest, and whole blocks; then a thread for each
 *   scatter_op   *place(i) = op(*place(i), value(i)); in any order, by an atomic sum where
 *                there is one, else by compare-and-swap, or, `serial`, in order by one
 *                thread
 *   check_index  *found = the smallest i whose index is out of range
 *
 * Operands: array, values, indices (int64). Launch: a thread for each i, blocks of 256.
 */
#ifndef CUPRIC_KERNELS_INDEX_HPP
#define CUPRIC_KERNELS_INDEX_HPP

#include "cupric/kernels/space.hpp"

CUPRIC_BEGIN

template <int NI, int N>
struct index_params : cu_index_head {
    slot op[NI + 2];
    long long length[NI ? NI : 1], stride[NI ? NI : 1];
    space<NI + 2, N> all;
};

template <int SIZE>
struct bytes_of_size;
template <>
struct bytes_of_size<1> {
    typedef unsigned char type;
};
template <>
struct bytes_of_size<2> {
    typedef unsigned short type;
};
template <>
struct bytes_of_size<4> {
    typedef unsigned int type;
};
template <>
struct bytes_of_size<8> {
    typedef unsigned long long type;
};
template <>
struct bytes_of_size<16> {
    typedef slot type;
};

/* Where an index lands in [0, length): negative ones count from the end, others wrap. */
__device__ inline long long
wrap(long long index, long long length)
{
    if ((unsigned long long)index < (unsigned long long)length) return index;
    if (index < 0 && index >= -length) return index + length;
    index %= length;
    return index < 0 ? index + length : index;
}

template <class I, int NI, int N>
__device__ inline char *
place_of(const index_params<NI, N> &p, I i, I (&at)[NI + 2])
{
    locate<I>(p.all, i, at);
    char *place = address(p.op[0]) + at[0];
#pragma unroll
    for (int k = 0; k < NI; k++) {
        const long long index = *(const long long *)(address(p.op[k + 2]) + at[k + 2]);
        place += wrap(index, p.length[k]) * p.stride[k];
    }
    return place;
}

template <template <int> class Bytes, int SIZE, class I, int NI, int N>
__device__ inline void
gather(const index_params<NI, N> &p)
{
    typedef typename Bytes<SIZE>::type T;
    const long long i = (long long)blockIdx.x * CUPRIC_BLOCK + threadIdx.x;
    I at[NI + 2];
    if (i >= p.all.size) return;
    const char *place = place_of<I>(p, (I)i, at);
    *(T *)(address(p.op[1]) + at[1]) = *(const T *)place;
}

template <template <int> class Bytes, int SIZE, class I, int NI, int N>
__device__ inline void
scatter(const index_params<NI, N> &p)
{
    typedef typename Bytes<SIZE>::type T;
    const long long i = (long long)blockIdx.x * CUPRIC_BLOCK + threadIdx.x;
    I at[NI + 2];
    if (i >= p.all.size) return;
    char *place = place_of<I>(p, (I)i, at);
    if (p.immediate) {
        const slot value = p.op[1];
        *(T *)place = *(const T *)&value;
    } else {
        *(T *)place = *(const T *)(address(p.op[1]) + at[1]);
    }
}

typedef cu_scatter_entry noted_place;

/* The entry of a place, or the empty one where it is to be put. */
__device__ inline unsigned long long
noted_slot(const void *place, unsigned long long mask)
{
    const unsigned long long h = (unsigned long long)place * 0x9e3779b97f4a7c15ull;
    return h >> 24 & mask;
}

/* The places are noted in a table in shared memory, each with the last i that has it. */
template <template <int> class Bytes, int SIZE, class I, int NI, int N>
__device__ inline void
scatter_few(const index_params<NI, N> &p)
{
    typedef typename Bytes<SIZE>::type T;
    constexpr int ENTRIES = 2 * CUPRIC_SCATTER_FEW;
    __shared__ unsigned long long places[ENTRIES];
    __shared__ int last[ENTRIES];
    const int i = threadIdx.x, n = (int)p.all.size;
    I at[NI + 2];
    for (int e = i; e < ENTRIES; e += CUPRIC_SCATTER_FEW) {
        places[e] = 0;
        last[e] = -1;
    }
    __syncthreads();
    char *const place = i < n ? place_of<I>(p, (I)i, at) : nullptr;
    int e = 0;
    if (i < n) {
        const unsigned long long own = (unsigned long long)place;
        e = (int)noted_slot(place, ENTRIES - 1);
        for (;; e = (e + 1) & (ENTRIES - 1)) {
            const unsigned long long found = atomicCAS(&places[e], 0ull, own);
            if (found == 0 || found == own) break;
        }
        atomicMax(&last[e], i);
    }
    __syncthreads();
    if (i < n && last[e] == i) *(T *)place = *(const T *)(address(p.op[1]) + at[1]);
}

template <template <int> class Bytes, int SIZE, class I, int NI, int N>
__device__ inline void
scatter_note(const index_params<NI, N> &p)
{
    const long long i = (long long)blockIdx.x * CUPRIC_BLOCK + threadIdx.x;
    const unsigned long long mask = (unsigned long long)p.which, empty = ~0ull;
    noted_place *const table = (noted_place *)p.found;
    I at[NI + 2];
    if (i >= p.all.size) return;
    const unsigned long long place = (unsigned long long)place_of<I>(p, (I)i, at);
    unsigned long long k = noted_slot((const void *)place, mask);
    for (;; k = (k + 1) & mask) {
        const unsigned long long there = atomicCAS(&table[k].place, empty, place);
        if (there == empty || there == place) break;
    }
    atomicMax(&table[k].last, i);
}

template <template <int> class Bytes, int SIZE, class I, int NI, int N>
__device__ inline void
scatter_noted(const index_params<NI, N> &p)
{
    typedef typename Bytes<SIZE>::type T;
    const long long i = (long long)blockIdx.x * CUPRIC_BLOCK + threadIdx.x;
    const unsigned long long mask = (unsigned long long)p.which;
    const noted_place *const table = (const noted_place *)p.found;
    I at[NI + 2];
    if (i >= p.all.size) return;
    char *const place = place_of<I>(p, (I)i, at);
    unsigned long long k = noted_slot(place, mask);
    while (table[k].place != (unsigned long long)place) k = (k + 1) & mask;
    if (table[k].last == i) *(T *)place = *(const T *)(address(p.op[1]) + at[1]);
}

template <template <int> class Bytes, int SIZE, class I, int NI, int N>
__device__ inline void
scatter_mark(const index_params<NI, N> &p)
{
    const long long i = (long long)blockIdx.x * CUPRIC_BLOCK + threadIdx.x;
    const char *const lowest = (const char *)p.which;
    I at[NI + 2];
    if (i >= p.all.size) return;
    const char *const place = place_of<I>(p, (I)i, at);
    atomicMax((unsigned int *)p.found + (place - lowest) / SIZE, (unsigned int)i + 1);
}

template <template <int> class Bytes, int SIZE, class I, int NI, int N>
__device__ inline void
scatter_marked(const index_params<NI, N> &p)
{
    typedef typename Bytes<SIZE>::type T;
    const long long k = (long long)blockIdx.x * CUPRIC_BLOCK + threadIdx.x;
    char *const lowest = (char *)p.which;
    const unsigned int last = ((const unsigned int *)p.found)[k];
    I at[NI + 2];
    if (last == 0) return;
    locate<I>(p.all, (I)(last - 1), at);
    *(T *)(lowest + k * SIZE) = *(const T *)(address(p.op[1]) + at[1]);
}

template <template <int> class Bytes, int SIZE, class I, int NI, int N>
__device__ inline void
check_index(const index_params<NI, N> &p)
{
    const long long i = (long long)blockIdx.x * CUPRIC_BLOCK + threadIdx.x;
    I at[NI + 2];
    if (i >= p.all.size) return;
    locate<I>(p.all, (I)i, at);
#pragma unroll
    for (int k = 0; k < NI; k++) {
        if (k != p.which) continue;
        const long long index = *(const long long *)(address(p.op[k + 2]) + at[k + 2]);
        if (index >= p.length[k] || index < -p.length[k]) {
            atomicMin(p.found, (unsigned long long)i);
        }
    }
}

/* ---- with an operation --------------------------------------------------------------- */

template <class Op, class T, class V>
__device__ inline T
applied(T x, V y)
{
    typename Op::R r;
    typename Op::S s;
    if constexpr (Op::nin == 1)
        Op::run(convert<typename Op::A>(x), nothing(), nothing(), nothing(), r, s);
    else
        Op::run(convert<typename Op::A>(x), convert<typename Op::B>(y), nothing(),
                nothing(), r, s);
    return convert<T>(r);
}

/* The word that holds the element, swapped until nobody was in between. */
template <class Op, class T, class V>
__device__ inline void
apply_by_swaps(char *place, V y)
{
    if constexpr (sizeof(T) == 8) {
        unsigned long long *const p = (unsigned long long *)place;
        unsigned long long seen = *(volatile unsigned long long *)p, old;
        do {
            old = seen;
            union both {
                unsigned long long word;
                T x;
                __device__ both() {}
            } u;
            u.word = old;
            u.x = applied<Op>(u.x, y);
            seen = atomicCAS(p, old, u.word);
        } while (seen != old);
    } else {
        const int offset = (int)((unsigned long long)place & 3);
        unsigned int *const p = (unsigned int *)(place - offset);
        unsigned int seen = *(volatile unsigned int *)p, old;
        do {
            old = seen;
            union both {
                unsigned int word;
                T x[4 / sizeof(T)];
                __device__ both() {}
            } u;
            u.word = old;
            T &x = u.x[offset / sizeof(T)];
            x = applied<Op>(load<T>((const char *)&x), y); /* any byte of a bool */
            seen = atomicCAS(p, old, u.word);
        } while (seen != old);
    }
}

__device__ inline bool
is_subnormal(float x)
{
    const unsigned int magnitude = bits_of(x) & 0x7fffffffu;
    return magnitude != 0 && magnitude < 0x00800000u;
}

/* By one access to memory where the device has a sum of the type. That of float32 takes
 * subnormal numbers for zero, operands and results: what it lost is added then. */
template <class Op, bool SUMS, class T, class V>
__device__ inline void
apply_atomically(char *place, V y)
{
    constexpr bool sums = SUMS && is_same<T, typename Op::A>::value;
    if constexpr (sums && is_same<T, float>::value) {
        const float x = convert<float>(y);
        if (is_subnormal(x)) return apply_by_swaps<Op, T>(place, x);
        const float before = atomicAdd((float *)place, x), sum = before + x;
        const float lost = is_subnormal(before) ? before : sum;
        if (is_subnormal(lost)) apply_by_swaps<Op, T>(place, lost);
    } else if constexpr (sums && is_same<T, double>::value) {
        atomicAdd((double *)place, convert<double>(y));
    } else if constexpr (sums && is_integer<T>::value && sizeof(T) == 4) {
        atomicAdd((unsigned int *)place, (unsigned int)convert<T>(y));
    } else if constexpr (sums && is_integer<T>::value && sizeof(T) == 8) {
        atomicAdd((unsigned long long *)place, (unsigned long long)convert<T>(y));
    } else {
        apply_by_swaps<Op, T>(place, y);
    }
}

template <class Op, class V, class I, int NI, int N>
__device__ inline V
value_at(const index_params<NI, N> &p, I offset)
{
    if (p.immediate) return value_of<V>(p.op[1]);
    return load<V>(address(p.op[1]) + offset);
}

template <class Op, class V, bool SERIAL, bool SUMS, class I, int NI, int N>
__device__ inline void
scatter_op(const index_params<NI, N> &p)
{
    typedef typename Op::SA T;
    const long long first = (long long)blockIdx.x * CUPRIC_BLOCK + threadIdx.x;
    I at[NI + 2];
    if constexpr (SERIAL || sizeof(T) > 8) {
        if (first != 0) return;
        for (long long i = 0; i < p.all.size; i++) {
            char *place = place_of<I>(p, (I)i, at);
            const V y = value_at<Op, V>(p, at[1]);
            *(T *)place = applied<Op>(load<T>(place), y);
        }
    } else {
        if (first >= p.all.size) return;
        char *place = place_of<I>(p, (I)first, at);
        apply_atomically<Op, SUMS, T>(place, value_at<Op, V>(p, at[1]));
    }
}

CUPRIC_END

#endif
