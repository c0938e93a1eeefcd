/* host/word.hpp: elements by their size alone, so that one function serves all dtypes. */
#ifndef CUPRIC_HOST_WORD_HPP
#define CUPRIC_HOST_WORD_HPP

#include <stdint.h>

namespace {

template <int SIZE>
struct word;
template <>
struct word<1> {
    typedef uint8_t type;
};
template <>
struct word<2> {
    typedef uint16_t type __attribute__((may_alias));
};
template <>
struct word<4> {
    typedef uint32_t type __attribute__((may_alias));
};
template <>
struct word<8> {
    typedef uint64_t type __attribute__((may_alias));
};
/* 16 bytes aligned as their halves: complex128. */
template <>
struct word<16> {
    typedef struct {
        uint64_t half[2];
    } type;
};

} // namespace

#endif
