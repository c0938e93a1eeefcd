/* _kinds.cuh: the monoid of numbers of a kind. */
#include "_kinds.h"
#include "cupric/monoids.hpp"

template <class T, int KIND>
struct monoid_of {
    typedef cupric::sum_of<T> type;
};
template <class T>
struct monoid_of<T, KIND_PRODUCT> {
    typedef cupric::product_of<T> type;
};
template <class T>
struct monoid_of<T, KIND_MAXIMUM> {
    typedef cupric::maximum_of<T> type;
};
template <class T>
struct monoid_of<T, KIND_MINIMUM> {
    typedef cupric::minimum_of<T> type;
};
