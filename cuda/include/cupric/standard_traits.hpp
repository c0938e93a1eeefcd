/* standard_traits.hpp: <type_traits> for NVRTC. */
#ifndef CUPRIC_STANDARD_TRAITS_HPP
#define CUPRIC_STANDARD_TRAITS_HPP

#include <cstddef>

namespace std {

/* ---- constants ---------------------------------------------------------------------- */

template <class T, T VALUE>
struct integral_constant {
    typedef T value_type;
    typedef integral_constant type;
    static constexpr T value = VALUE;
    __host__ __device__ constexpr operator T() const noexcept { return VALUE; }
    __host__ __device__ constexpr T operator()() const noexcept { return VALUE; }
};
template <bool VALUE>
using bool_constant = integral_constant<bool, VALUE>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;

/* ---- choice --------------------------------------------------------------------------- */

template <bool, class A, class B>
struct conditional {
    typedef A type;
};
template <class A, class B>
struct conditional<false, A, B> {
    typedef B type;
};
template <bool YES, class A, class B>
using conditional_t = typename conditional<YES, A, B>::type;
template <bool, class T = void>
struct enable_if {
};
template <class T>
struct enable_if<true, T> {
    typedef T type;
};
template <bool YES, class T = void>
using enable_if_t = typename enable_if<YES, T>::type;
template <class...>
struct cupric_void {
    typedef void type;
};
template <class... T>
using void_t = typename cupric_void<T...>::type;
template <class...>
struct conjunction : true_type {
};
template <class T>
struct conjunction<T> : T {
};
template <class T, class... Rest>
struct conjunction<T, Rest...>
    : conditional<bool(T::value), conjunction<Rest...>, T>::type {
};
template <class...>
struct disjunction : false_type {
};
template <class T>
struct disjunction<T> : T {
};
template <class T, class... Rest>
struct disjunction<T, Rest...>
    : conditional<bool(T::value), T, disjunction<Rest...>>::type {
};
template <class T>
struct negation : bool_constant<!bool(T::value)> {
};

/* ---- types made of others --------------------------------------------------------------- */

#define CUPRIC_MADE(name, of, becomes)                                                 \
    template <class T>                                                                 \
    struct name {                                                                      \
        typedef T type;                                                                \
    };                                                                                 \
    template <class T>                                                                 \
    struct name<of> {                                                                  \
        typedef becomes type;                                                          \
    };                                                                                 \
    template <class T>                                                                 \
    using name##_t = typename name<T>::type;
CUPRIC_MADE(remove_const, const T, T)
CUPRIC_MADE(remove_volatile, volatile T, T)
CUPRIC_MADE(remove_reference, T &, T)
CUPRIC_MADE(remove_extent, T[], T)
CUPRIC_MADE(remove_pointer, T *, T)
#undef CUPRIC_MADE
template <class T>
struct remove_reference<T &&> {
    typedef T type;
};
template <class T, size_t N>
struct remove_extent<T[N]> {
    typedef T type;
};
template <class T>
struct remove_pointer<T *const> {
    typedef T type;
};
#define CUPRIC_MADE(name, becomes)                                                     \
    template <class T>                                                                 \
    struct name {                                                                      \
        typedef becomes type;                                                          \
    };                                                                                 \
    template <class T>                                                                 \
    using name##_t = typename name<T>::type;
CUPRIC_MADE(remove_cv, typename remove_const<typename remove_volatile<T>::type>::type)
CUPRIC_MADE(remove_cvref, typename remove_cv<typename remove_reference<T>::type>::type)
CUPRIC_MADE(add_const, const T)
CUPRIC_MADE(add_volatile, volatile T)
CUPRIC_MADE(add_cv, const volatile T)
CUPRIC_MADE(add_lvalue_reference, T &)
CUPRIC_MADE(add_rvalue_reference, T &&)
CUPRIC_MADE(add_pointer, typename remove_reference<T>::type *)
CUPRIC_MADE(type_identity, T)
CUPRIC_MADE(underlying_type, __underlying_type(T))
#undef CUPRIC_MADE
template <class T>
__host__ __device__ typename add_rvalue_reference<T>::type declval() noexcept;

/* ---- questions ------------------------------------------------------------------------- */

#define CUPRIC_ASKED(name, ...)                                                        \
    template <class T>                                                                 \
    struct name : bool_constant<(__VA_ARGS__)> {                                       \
    };                                                                                 \
    template <class T>                                                                 \
    constexpr bool name##_v = name<T>::value;
#define CUPRIC_FORM(name, ...)                                                         \
    template <class T>                                                                 \
    struct name : false_type {                                                         \
    };                                                                                 \
    template <class T>                                                                 \
    struct name<__VA_ARGS__> : true_type {                                             \
    };                                                                                 \
    template <class T>                                                                 \
    constexpr bool name##_v = name<T>::value;
template <class A, class B>
struct is_same : false_type {
};
template <class A>
struct is_same<A, A> : true_type {
};
template <class A, class B>
constexpr bool is_same_v = is_same<A, B>::value;
CUPRIC_FORM(is_const, const T)
CUPRIC_FORM(is_volatile, volatile T)
CUPRIC_FORM(is_lvalue_reference, T &)
CUPRIC_FORM(is_rvalue_reference, T &&)
CUPRIC_FORM(is_array, T[])
template <class T, size_t N>
struct is_array<T[N]> : true_type {
};
CUPRIC_FORM(cupric_is_pointer, T *)
CUPRIC_ASKED(is_pointer, cupric_is_pointer<typename remove_cv<T>::type>::value)
CUPRIC_ASKED(is_reference,
             is_lvalue_reference<T>::value || is_rvalue_reference<T>::value)
CUPRIC_ASKED(is_void, is_same<void, typename remove_cv<T>::type>::value)
CUPRIC_ASKED(is_null_pointer, is_same<nullptr_t, typename remove_cv<T>::type>::value)
template <class T>
struct cupric_is_integral : false_type {
};
template <class T>
struct cupric_is_floating : false_type {
};
#define CUPRIC_IS(trait, ...)                                                          \
    template <>                                                                        \
    struct trait<__VA_ARGS__> : true_type {                                            \
    };
CUPRIC_IS(cupric_is_integral, bool)
CUPRIC_IS(cupric_is_integral, char)
CUPRIC_IS(cupric_is_integral, signed char)
CUPRIC_IS(cupric_is_integral, unsigned char)
CUPRIC_IS(cupric_is_integral, wchar_t)
CUPRIC_IS(cupric_is_integral, short)
CUPRIC_IS(cupric_is_integral, unsigned short)
CUPRIC_IS(cupric_is_integral, int)
CUPRIC_IS(cupric_is_integral, unsigned int)
CUPRIC_IS(cupric_is_integral, long)
CUPRIC_IS(cupric_is_integral, unsigned long)
CUPRIC_IS(cupric_is_integral, long long)
CUPRIC_IS(cupric_is_integral, unsigned long long)
CUPRIC_IS(cupric_is_floating, float)
CUPRIC_IS(cupric_is_floating, double)
#undef CUPRIC_IS
CUPRIC_ASKED(is_integral, cupric_is_integral<typename remove_cv<T>::type>::value)
CUPRIC_ASKED(is_floating_point, cupric_is_floating<typename remove_cv<T>::type>::value)
CUPRIC_ASKED(is_arithmetic, is_integral<T>::value || is_floating_point<T>::value)
CUPRIC_ASKED(is_fundamental,
             is_arithmetic<T>::value || is_void<T>::value || is_null_pointer<T>::value)
template <class T, bool = is_arithmetic<T>::value>
struct cupric_is_signed : bool_constant<(T(-1) < T(0))> {
};
template <class T>
struct cupric_is_signed<T, false> : false_type {
};
CUPRIC_ASKED(is_signed, cupric_is_signed<T>::value)
CUPRIC_ASKED(is_unsigned, is_integral<T>::value && !cupric_is_signed<T>::value)
CUPRIC_ASKED(is_class, __is_class(T))
CUPRIC_ASKED(is_union, __is_union(T))
CUPRIC_ASKED(is_enum, __is_enum(T))
CUPRIC_ASKED(is_empty, __is_empty(T))
CUPRIC_ASKED(is_final, __is_final(T))
CUPRIC_ASKED(is_abstract, __is_abstract(T))
CUPRIC_ASKED(is_polymorphic, __is_polymorphic(T))
CUPRIC_ASKED(is_standard_layout, __is_standard_layout(T))
CUPRIC_ASKED(is_trivial, __is_trivial(T))
CUPRIC_ASKED(is_trivially_copyable, __is_trivially_copyable(T))
CUPRIC_ASKED(is_default_constructible, __is_constructible(T))
CUPRIC_ASKED(is_scalar, is_arithmetic<T>::value || is_enum<T>::value ||
                            is_pointer<T>::value || is_null_pointer<T>::value)
template <class T>
struct is_function : false_type {
};
template <class R, class... A>
struct is_function<R(A...)> : true_type {
};
CUPRIC_ASKED(is_object,
             !is_function<T>::value && !is_reference<T>::value && !is_void<T>::value)
#undef CUPRIC_ASKED
#undef CUPRIC_FORM
template <class Base, class Derived>
struct is_base_of : bool_constant<__is_base_of(Base, Derived)> {
};
template <class Base, class Derived>
constexpr bool is_base_of_v = is_base_of<Base, Derived>::value;
template <class From, class To>
struct is_convertible : bool_constant<__is_convertible_to(From, To)> {
};
template <class From, class To>
constexpr bool is_convertible_v = is_convertible<From, To>::value;
template <class T, class... A>
struct is_constructible : bool_constant<__is_constructible(T, A...)> {
};
template <class T>
struct alignment_of : integral_constant<size_t, alignof(T)> {
};

/* ---- types beside others ----------------------------------------------------------------- */

template <class T>
struct decay {
    typedef typename remove_reference<T>::type plain;
    typedef typename conditional<is_array<plain>::value,
                                 typename remove_extent<plain>::type *,
                                 typename remove_cv<plain>::type>::type type;
};
template <class T>
using decay_t = typename decay<T>::type;
template <class...>
struct common_type {
};
template <class A>
struct common_type<A> {
    typedef typename decay<A>::type type;
};
template <class A, class B>
struct common_type<A, B> {
    typedef typename decay<decltype(true ? declval<A>() : declval<B>())>::type type;
};
template <class A, class B, class... Rest>
struct common_type<A, B, Rest...> {
    typedef typename common_type<typename common_type<A, B>::type, Rest...>::type type;
};
template <class... T>
using common_type_t = typename common_type<T...>::type;
template <class T>
struct make_signed;
template <class T>
struct make_unsigned;
#define CUPRIC_SIGNS(T, S, U)                                                          \
    template <>                                                                        \
    struct make_signed<T> {                                                            \
        typedef S type;                                                                \
    };                                                                                 \
    template <>                                                                        \
    struct make_unsigned<T> {                                                          \
        typedef U type;                                                                \
    };
CUPRIC_SIGNS(char, signed char, unsigned char)
#define CUPRIC_BOTH(S, U) CUPRIC_SIGNS(S, S, U) CUPRIC_SIGNS(U, S, U)
CUPRIC_BOTH(signed char, unsigned char)
CUPRIC_BOTH(short, unsigned short)
CUPRIC_BOTH(int, unsigned int)
CUPRIC_BOTH(long, unsigned long)
CUPRIC_BOTH(long long, unsigned long long)
#undef CUPRIC_BOTH
#undef CUPRIC_SIGNS
template <class T>
using make_signed_t = typename make_signed<T>::type;
template <class T>
using make_unsigned_t = typename make_unsigned<T>::type;

} // namespace std

#endif
