/* union_find.hpp: disjoint sets of elements that threads join in parallel, for the code of
 * kernel libraries.
 *
 * parent[i] <= i, of int or long long. A root is its own parent, so that the root of a set
 * is its smallest member. Sets are joined without locks: a root is hung below a smaller one
 * by compare-and-swap, and where that has been hung elsewhere meanwhile, the search goes on
 * from there (Komura 2015; Playne and Hawick 2018; Jaiganesh and Burtscher 2018). What a
 * thread reads may be old: then it is still a member of the set above i.
 */
#ifndef CUPRIC_UNION_FIND_HPP
#define CUPRIC_UNION_FIND_HPP

#include "cupric/library.hpp"

namespace cupric {

/* A parent that other threads change meanwhile. The host's compiler must not read it twice
 * where the code reads it once; a GPU's does not, and may cache it. */
#if defined(CUPRIC_HOST)
template <class T>
using shared_parent = volatile T;
#else
template <class T>
using shared_parent = T;
#endif

/* i is no root: its parent becomes another member above it. In SHARED memory at once with
 * all that others do to it, so that each access is either a read or atomic; in global memory
 * a plain write, which the reads of the same multiprocessor see sooner. */
template <bool SHARED, class T>
__device__ inline void
set_parent(shared_parent<T> *parent, T i, T above)
{
    if constexpr (SHARED) {
        atomicMin((T *)parent + i, above);
    } else {
        parent[i] = above;
    }
}

/* The root of the set of i; paths are halved on the way. */
template <bool SHARED = false, class T>
__device__ inline T
find_root(shared_parent<T> *parent, T i)
{
    T p = parent[i];
    while (p != i) {
        const T next = parent[p];
        if (next != p) set_parent<SHARED>(parent, i, next);
        i = p;
        p = next;
    }
    return i;
}

/* The root, by reading alone: where each member writes its own root, another that halves
 * the path would put an older one in its place. */
template <class T>
__device__ inline T
root_of(const shared_parent<T> *parent, T i)
{
    for (T p = parent[i]; p != i; p = parent[i]) i = p;
    return i;
}

/* What stood at an address, where `to` stands now if that was `is`. */
template <class T>
__device__ inline T
compare_and_swap(T *at, T is, T to)
{
    if constexpr (sizeof(T) == 8) {
        typedef unsigned long long word;
        return (T)atomicCAS((word *)at, (word)is, (word)to);
    } else {
        return atomicCAS(at, is, to);
    }
}

/* The sets of a and b become one. */
template <bool SHARED = false, class T>
__device__ inline void
join_sets(T *parent, T a, T b)
{
    for (;;) {
        a = find_root<SHARED>(parent, a);
        b = find_root<SHARED>(parent, b);
        if (a == b) return;
        if (a < b) {
            const T c = a;
            a = b;
            b = c;
        }
        const T before = compare_and_swap(parent + a, a, b);
        if (before == a) return;
        a = before;
    }
}

/* join_sets where no other thread joins any of these. Members mostly are one below their
 * root, or a root: that takes no branch that cannot be foreseen. */
template <class T>
__device__ inline void
join_sets_alone(T *parent, T a, T b)
{
    T p = parent[a], q = parent[b];
    if (parent[p] != p) p = find_root(parent, p);
    if (parent[q] != q) q = find_root(parent, q);
    const T root = p < q ? p : q;
    parent[p] = parent[q] = parent[a] = parent[b] = root;
}

} // namespace cupric

#endif
