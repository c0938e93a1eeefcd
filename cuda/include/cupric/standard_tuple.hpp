/* standard_tuple.hpp: pairs and tuples, of <utility> and <tuple>, for NVRTC.
 *
 * They lie in a namespace of their own: NVIDIA's CCCL declares std::tuple_size and
 * std::tuple_element for NVRTC, in some versions with other parameters than the standard's.
 * Where it is at hand, those two are left to it.
 */
#ifndef CUPRIC_STANDARD_TUPLE_HPP
#define CUPRIC_STANDARD_TUPLE_HPP

#include "cupric/standard_traits.hpp"

#define CUPRIC_DEVICE __host__ __device__ constexpr

namespace std {

template <class T>
__host__ __device__ inline void
swap(T &a, T &b)
{
    T first = static_cast<T &&>(a);
    a = static_cast<T &&>(b);
    b = static_cast<T &&>(first);
}

/* ---- numbers of a pack ------------------------------------------------------------------ */

template <class T, T... I>
struct integer_sequence {
    typedef T value_type;
    CUPRIC_DEVICE static size_t size() { return sizeof...(I); }
};
template <size_t... I>
using index_sequence = integer_sequence<size_t, I...>;
template <class T, size_t N, T... I>
struct cupric_count : cupric_count<T, N - 1, T(N - 1), I...> {
};
template <class T, T... I>
struct cupric_count<T, 0, I...> {
    typedef integer_sequence<T, I...> type;
};
template <class T, T N>
using make_integer_sequence = typename cupric_count<T, size_t(N)>::type;
template <size_t N>
using make_index_sequence = typename cupric_count<size_t, N>::type;
template <class... T>
using index_sequence_for = make_index_sequence<sizeof...(T)>;

} // namespace std

namespace cupric {
namespace tuples {
using namespace std;

/* ---- the tuple: one base class an element ------------------------------------------------ */

template <size_t I, class T>
struct cupric_element {
    T value;
};
template <class, class...>
struct cupric_elements;
template <size_t... I, class... T>
struct cupric_elements<index_sequence<I...>, T...> : cupric_element<I, T>... {
    cupric_elements() = default;
    template <class... A>
    CUPRIC_DEVICE explicit cupric_elements(true_type, A &&...a)
        : cupric_element<I, T>{static_cast<A &&>(a)}...
    {
    }
};
template <class... T>
struct tuple : cupric_elements<index_sequence_for<T...>, T...> {
    typedef cupric_elements<index_sequence_for<T...>, T...> elements;

    tuple() = default;
    tuple(const tuple &) = default;
    tuple(tuple &&) = default;
    template <class... A,
              typename enable_if<sizeof...(A) == sizeof...(T) &&
                                     conjunction<is_convertible<A, T>...>::value,
                                 int>::type = 0>
    CUPRIC_DEVICE tuple(A &&...a) : elements(true_type(), static_cast<A &&>(a)...)
    {
    }
    template <class... U, typename enable_if<sizeof...(U) == sizeof...(T) &&
                                                 !is_same<tuple, tuple<U...>>::value,
                                             int>::type = 0>
    CUPRIC_DEVICE tuple(const tuple<U...> &other)
        : tuple(other, index_sequence_for<T...>())
    {
    }
    __host__ __device__ tuple &operator=(const tuple &other)
    {
        assign(other, index_sequence_for<T...>());
        return *this;
    }
    template <class... U>
    __host__ __device__ tuple &operator=(const tuple<U...> &other)
    {
        assign(other, index_sequence_for<T...>());
        return *this;
    }

  private:
    template <class... U, size_t... I>
    CUPRIC_DEVICE tuple(const tuple<U...> &other, index_sequence<I...>)
        : elements(true_type(),
                   static_cast<const cupric_element<I, U> &>(other).value...)
    {
    }
    template <class... U, size_t... I>
    __host__ __device__ void assign(const tuple<U...> &other, index_sequence<I...>)
    {
        const int each[] = {0,
                            (static_cast<cupric_element<I, T> &>(*this).value =
                                 static_cast<const cupric_element<I, U> &>(other).value,
                             0)...};
        (void)each;
    }
};

template <size_t I, class T>
struct tuple_element;
template <class First, class... Rest>
struct tuple_element<0, tuple<First, Rest...>> {
    typedef First type;
};
template <size_t I, class First, class... Rest>
struct tuple_element<I, tuple<First, Rest...>> : tuple_element<I - 1, tuple<Rest...>> {
};
template <size_t I, class T>
using tuple_element_t = typename tuple_element<I, T>::type;
template <class T>
struct tuple_size;
template <class... T>
struct tuple_size<tuple<T...>> : integral_constant<size_t, sizeof...(T)> {
};
template <class T>
constexpr size_t tuple_size_v = tuple_size<T>::value;

template <size_t I, class T>
CUPRIC_DEVICE T &
cupric_get(cupric_element<I, T> &e)
{
    return e.value;
}
template <size_t I, class T>
CUPRIC_DEVICE const T &
cupric_get(const cupric_element<I, T> &e)
{
    return e.value;
}
template <size_t I, class... T>
CUPRIC_DEVICE tuple_element_t<I, tuple<T...>> &
get(tuple<T...> &t)
{
    return tuples::cupric_get<I>(t);
}
template <size_t I, class... T>
CUPRIC_DEVICE const tuple_element_t<I, tuple<T...>> &
get(const tuple<T...> &t)
{
    return tuples::cupric_get<I>(t);
}
template <size_t I, class... T>
CUPRIC_DEVICE tuple_element_t<I, tuple<T...>> &&
get(tuple<T...> &&t)
{
    return static_cast<tuple_element_t<I, tuple<T...>> &&>(tuples::cupric_get<I>(t));
}
template <class... T>
CUPRIC_DEVICE tuple<typename decay<T>::type...>
make_tuple(T &&...a)
{
    return tuple<typename decay<T>::type...>(static_cast<T &&>(a)...);
}
template <class... T>
CUPRIC_DEVICE tuple<T &...>
tie(T &...a)
{
    return tuple<T &...>(a...);
}

/* Elements I and after of two tuples compared in their order. */
template <size_t I, size_t N>
struct cupric_compare {
    template <class A, class B>
    CUPRIC_DEVICE static bool equal(const A &a, const B &b)
    {
        return tuples::get<I>(a) == tuples::get<I>(b) &&
               cupric_compare<I + 1, N>::equal(a, b);
    }
    template <class A, class B>
    CUPRIC_DEVICE static bool less(const A &a, const B &b)
    {
        return tuples::get<I>(a) < tuples::get<I>(b) ||
               (!(tuples::get<I>(b) < tuples::get<I>(a)) &&
                cupric_compare<I + 1, N>::less(a, b));
    }
};
template <size_t N>
struct cupric_compare<N, N> {
    template <class A, class B>
    CUPRIC_DEVICE static bool equal(const A &, const B &)
    {
        return true;
    }
    template <class A, class B>
    CUPRIC_DEVICE static bool less(const A &, const B &)
    {
        return false;
    }
};

/* ---- the pair ---------------------------------------------------------------------------- */

template <class A, class B>
struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;

    pair() = default;
    CUPRIC_DEVICE pair(const A &a, const B &b) : first(a), second(b) {}
    template <class U, class V>
    CUPRIC_DEVICE pair(const pair<U, V> &other)
        : first(other.first), second(other.second)
    {
    }
};
template <class A, class B>
CUPRIC_DEVICE pair<typename decay<A>::type, typename decay<B>::type>
make_pair(A &&a, B &&b)
{
    return pair<typename decay<A>::type, typename decay<B>::type>(static_cast<A &&>(a),
                                                                  static_cast<B &&>(b));
}
template <class A, class B>
struct tuple_size<pair<A, B>> : integral_constant<size_t, 2> {
};
template <class A, class B>
struct tuple_element<0, pair<A, B>> {
    typedef A type;
};
template <class A, class B>
struct tuple_element<1, pair<A, B>> {
    typedef B type;
};
template <size_t I>
struct cupric_of_pair;
template <>
struct cupric_of_pair<0> {
    template <class P>
    CUPRIC_DEVICE static auto of(P &p) -> decltype((p.first))
    {
        return p.first;
    }
};
template <>
struct cupric_of_pair<1> {
    template <class P>
    CUPRIC_DEVICE static auto of(P &p) -> decltype((p.second))
    {
        return p.second;
    }
};
template <size_t I, class A, class B>
CUPRIC_DEVICE tuple_element_t<I, pair<A, B>> &
get(pair<A, B> &p)
{
    return cupric_of_pair<I>::of(p);
}
template <size_t I, class A, class B>
CUPRIC_DEVICE const tuple_element_t<I, pair<A, B>> &
get(const pair<A, B> &p)
{
    return cupric_of_pair<I>::of(p);
}

template <class... T>
CUPRIC_DEVICE bool
operator==(const tuple<T...> &a, const tuple<T...> &b)
{
    return cupric_compare<0, sizeof...(T)>::equal(a, b);
}
template <class... T>
CUPRIC_DEVICE bool
operator!=(const tuple<T...> &a, const tuple<T...> &b)
{
    return !(a == b);
}
template <class... T>
CUPRIC_DEVICE bool
operator<(const tuple<T...> &a, const tuple<T...> &b)
{
    return cupric_compare<0, sizeof...(T)>::less(a, b);
}
template <class U, class V>
CUPRIC_DEVICE bool
operator==(const pair<U, V> &a, const pair<U, V> &b)
{
    return a.first == b.first && a.second == b.second;
}
template <class U, class V>
CUPRIC_DEVICE bool
operator!=(const pair<U, V> &a, const pair<U, V> &b)
{
    return !(a == b);
}
template <class U, class V>
CUPRIC_DEVICE bool
operator<(const pair<U, V> &a, const pair<U, V> &b)
{
    return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}

} // namespace tuples
} // namespace cupric

namespace std {
using cupric::tuples::get;
using cupric::tuples::make_pair;
using cupric::tuples::make_tuple;
using cupric::tuples::pair;
using cupric::tuples::tie;
using cupric::tuples::tuple;
#if !__has_include(<cuda/std/tuple>)
using cupric::tuples::tuple_element;
using cupric::tuples::tuple_element_t;
using cupric::tuples::tuple_size;
using cupric::tuples::tuple_size_v;
#endif
} // namespace std

#undef CUPRIC_DEVICE

#endif
