/* _pyramid.cuh: minima and maxima of 16, 256, ... elements, and walks that leave out what
 * these say that they may.
 *
 * A walk goes from an element to one side, to the first that a visitor does not pass.
 *
 *     bool passes(const T *x, long long i);                an element
 *     bool passes(const T &least, const T &most, long long begin, long long end,
 *                 int level, long long item);              all of an item of a level
 *
 * What passes is recorded by the visitor; where an item does not pass, its parts are looked
 * at. NaN is the minimum and the maximum of what holds one, so that such an item does not
 * pass a comparison.
 */
#ifndef CUPRICX_PYRAMID_CUH
#define CUPRICX_PYRAMID_CUH

#include "_peaks.h"
#include "cupric/library.hpp"

template <class T>
struct pyramid_of {
    const T *x, *memory;
    const peak_search *p;

    __device__ const T &least(int level, long long i) const
    {
        return level == 0 ? x[i] : memory[p->begin[level] + i];
    }
    __device__ const T &most(int level, long long i) const
    {
        return level == 0 ? x[i] : memory[p->begin[level] + p->counts[level] + i];
    }
    __device__ long long begin(int level, long long i) const
    {
        return i << (level * PYRAMID_BITS);
    }
    __device__ long long end(int level, long long i) const
    {
        const long long e = (i + 1) << (level * PYRAMID_BITS);
        return e < p->n ? e : p->n;
    }
    template <class VISITOR>
    __device__ bool passes(VISITOR &v, int level, long long i) const
    {
        if (level == 0) return v.passes(x[i], i);
        return v.passes(least(level, i), most(level, i), begin(level, i), end(level, i),
                        level, i);
    }
};

/* The first element from i down to `last` that does not pass; last - 1 where all do. */
template <class T, class VISITOR>
__device__ inline long long
walk_down(const pyramid_of<T> &y, VISITOR &v, long long i, long long last)
{
    if (i < last) return last - 1;
    do { /* what is near is most often all */
        if (!v.passes(y.x[i], i)) return i;
        if (i == last) return last - 1;
    } while (i-- % PYRAMID_FAN != 0);
    int level = y.p->levels > 1;
    i >>= level * PYRAMID_BITS;
    for (;;) {
        const long long begin = y.begin(level, i);
        if (begin >= last && y.passes(v, level, i)) {
            if (begin == last) return last - 1;
            if (i % PYRAMID_FAN == 0 && level + 1 < y.p->levels) {
                level++;
                i /= PYRAMID_FAN;
            }
            i--;
        } else if (level == 0) {
            return i;
        } else {
            level--;
            i = i * PYRAMID_FAN + PYRAMID_FAN - 1;
        }
    }
}

/* The first element from i up to `last` that does not pass; last + 1 where all do. */
template <class T, class VISITOR>
__device__ inline long long
walk_up(const pyramid_of<T> &y, VISITOR &v, long long i, long long last)
{
    if (i > last) return last + 1;
    do {
        if (!v.passes(y.x[i], i)) return i;
        if (i == last) return last + 1;
    } while (++i % PYRAMID_FAN != 0);
    int level = y.p->levels > 1;
    i >>= level * PYRAMID_BITS;
    for (;;) {
        const long long end = y.end(level, i);
        if (end <= last + 1 && y.passes(v, level, i)) {
            if (end == last + 1) return last + 1;
            i++;
            if (i % PYRAMID_FAN == 0 && level + 1 < y.p->levels) {
                level++;
                i /= PYRAMID_FAN;
            }
        } else if (level == 0) {
            return i;
        } else {
            level--;
            i *= PYRAMID_FAN;
        }
    }
}

/* Of an item that has `value` as its minimum: the element, the last or the first of those
 * that have it. */
template <class T>
__device__ inline long long
element_of(const pyramid_of<T> &y, int level, long long i, const T &value, bool last)
{
    for (; level > 0; level--) {
        const long long begin = i * PYRAMID_FAN;
        long long k = begin;
        if (last) {
            const long long count = y.p->counts[level - 1];
            k = begin + PYRAMID_FAN < count ? begin + PYRAMID_FAN - 1 : count - 1;
        }
        while (y.least(level - 1, k) != value) k += last ? -1 : 1;
        i = k;
    }
    return i;
}

#endif
