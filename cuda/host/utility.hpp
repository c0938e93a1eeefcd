/* utility.hpp: std::move and std::forward, which NVRTC knows without a header. */
#ifndef CUPRIC_HOST_UTILITY_HPP
#define CUPRIC_HOST_UTILITY_HPP

namespace cupric_host {

template <class T>
struct no_reference {
    typedef T type;
};
template <class T>
struct no_reference<T &> {
    typedef T type;
};
template <class T>
struct no_reference<T &&> {
    typedef T type;
};

} // namespace cupric_host

namespace std {

template <class T>
constexpr typename cupric_host::no_reference<T>::type &&move(T &&x) noexcept
{
    return static_cast<typename cupric_host::no_reference<T>::type &&>(x);
}
template <class T>
constexpr T &&forward(typename cupric_host::no_reference<T>::type &x) noexcept
{
    return static_cast<T &&>(x);
}
template <class T>
constexpr T &&forward(typename cupric_host::no_reference<T>::type &&x) noexcept
{
    return static_cast<T &&>(x);
}

} // namespace std

#endif
