/* cub/radix.cuh: CUB's radix sort of keys of one width in NumPy's order.
 *
 * A key is sorted as a code, an unsigned number in ascending order: an integer with its
 * sign bit turned, a float with its other bits turned too where it is negative, less the
 * code of -inf, so that NaNs of either sign stand above +inf. Keys that are sorted for
 * themselves are had back from their codes bit for bit, bools as 0 and 1. Where their
 * places are wanted and not the keys, all NaNs, and both zeros, have one code.
 *
 * What a code is made by is a value that CUB hands to its kernels, not a type: one
 * instance sorts all keys of a width.
 */
#ifndef CUPRIC_CUB_RADIX_CUH
#define CUPRIC_CUB_RADIX_CUH

#include <cub/device/device_radix_sort.cuh>
#include <cuda/std/tuple>

#include "sorts.h"

namespace cupric {

template <class U, bool PLACES>
struct key {
    U bits;
};

template <class U, bool PLACES>
struct coder {
    U turned_if_negative, turned; /* bits */
    U lowest;                     /* what is taken off */
    U minus_zero, zero, highest;  /* codes: past the highest is NaN */
    U reversed;                   /* bits of a code: all, for a descending sort */
    U is_bool;                    /* the code of False is 0, of True all bits */

    /* What the public interface asks of a decomposer; never called. */
    __host__ __device__ ::cuda::std::tuple<U &> operator()(key<U, PLACES> &k) const
    {
        return {k.bits};
    }

    __host__ __device__ U ascending(U bits) const
    {
        typedef ::cuda::std::make_signed_t<U> S;
        const U sign = U(S(bits) >> (8 * sizeof(U) - 1)); /* in all bits */
        return U((bits ^ ((sign & turned_if_negative) | turned)) - lowest);
    }

    __host__ __device__ U code(U bits) const
    {
        U code = ascending(bits);
        if (sizeof(U) == 1 && is_bool && bits) code = U(~U(0));
        if (PLACES && code == minus_zero) code = zero;
        if (PLACES && code > highest) code = U(~U(0));
        return U(code ^ reversed);
    }

    __host__ __device__ U bits(U code) const
    {
        typedef ::cuda::std::make_signed_t<U> S;
        if (sizeof(U) == 1 && is_bool) return U((code ^ reversed) != 0);
        const U high = U((code ^ reversed) + lowest);
        const U sign = U(S(~high) >> (8 * sizeof(U) - 1));
        return U(high ^ ((sign & turned_if_negative) | turned));
    }
};

template <class U>
struct digit_of_code {
    unsigned int first, mask;

    __host__ __device__ unsigned int Digit(U code) const
    {
        return (unsigned int)(code >> first) & mask;
    }
};

struct recode {
    template <class U, bool PLACES>
    static __host__ __device__ U to_bit_ordered(const coder<U, PLACES> &by, U bits)
    {
        return by.code(bits);
    }

    template <class U, bool PLACES>
    static __host__ __device__ U from_bit_ordered(const coder<U, PLACES> &by, U code)
    {
        return by.bits(code);
    }
};

struct no_inversion {
    template <class D, class U>
    static __host__ __device__ U inverse(const D &, U code)
    {
        return code;
    }
};

} // namespace cupric

/* What CUB asks of keys. */
template <class U, bool PLACES>
struct cub::detail::radix::traits_t<cupric::key<U, PLACES>, false> {
    using coder = cupric::coder<U, PLACES>;
    using bit_ordered_type = U;
    using bit_ordered_conversion_policy = cupric::recode;
    using bit_ordered_inversion_policy = cupric::no_inversion;
    template <class, class>
    using digit_extractor_t = cupric::digit_of_code<U>;

    static __host__ __device__ U min_raw_binary_key(const coder &by)
    {
        return by.bits(U(0));
    }

    static __host__ __device__ U max_raw_binary_key(const coder &by)
    {
        return by.bits(U(~U(0)));
    }

    static __host__ __device__ int default_end_bit(const coder &)
    {
        return 8 * sizeof(U);
    }

    template <class>
    static __host__ __device__ cupric::digit_of_code<U>
    digit_extractor(int begin_bit, int num_bits, const coder &)
    {
        return {(unsigned int)begin_bit, (1u << num_bits) - 1};
    }
};

namespace cupric {

template <class U, bool PLACES>
coder<U, PLACES>
coder_of(const cu_cub_sort &args)
{
    const U sign = U(U(1) << (8 * sizeof(U) - 1));
    coder<U, PLACES> by = {};
    by.highest = U(~U(0));
    by.is_bool = args.kind == CUPRIC_CUB_BOOL;
    if (args.kind == CUPRIC_CUB_SIGNED || args.kind == CUPRIC_CUB_FLOAT) {
        by.turned = sign;
    }
    if (args.kind == CUPRIC_CUB_FLOAT) {
        const int fraction = 8 * (int)sizeof(U) - 1 - args.exponent_nbits;
        const U infinity = U(((uint64_t(1) << args.exponent_nbits) - 1) << fraction);
        by.turned_if_negative = U(~sign);
        by.lowest = U(~(infinity | sign));
        by.minus_zero = by.ascending(sign);
        by.zero = by.ascending(0);
        by.highest = by.ascending(infinity);
    }
    if (args.descending) by.reversed = U(~U(0));
    return by;
}

template <class U, class N>
int
sort_keys(const cu_cub_sort &args, N n, size_t *temp_nbytes)
{
    using T = key<U, false>;
    constexpr int bits = 8 * (int)sizeof(U);
    ::cub::DoubleBuffer<T> keys((T *)args.keys, (T *)args.other);
    const coder<U, false> by = coder_of<U, false>(args);
    const auto stream = (cudaStream_t)args.stream;
    if (args.source) {
        return (int)::cub::DeviceRadixSort::SortKeys(
            args.temp, *temp_nbytes, (const T *)args.source, (T *)args.keys, n, by, 0,
            bits, stream);
    }
    cudaError_t r = ::cub::DeviceRadixSort::SortKeys(args.temp, *temp_nbytes, keys, n,
                                                     by, 0, bits, stream);
    if (r == cudaSuccess && args.temp && keys.Current() != args.keys) {
        r = cudaMemcpyAsync(args.keys, args.other, (size_t)args.n * sizeof(U),
                            cudaMemcpyDeviceToDevice, stream);
    }
    return (int)r;
}

template <class U>
int
sort_places(const cu_cub_sort &args, size_t *temp_nbytes)
{
    using T = key<U, true>;
    /* A number of 32 bits: offsets of 64 would make it slower by a tenth. */
    int r = args.temp ? places_begin(args) : 0;
    if (r) return r;
    r = (int)::cub::DeviceRadixSort::SortPairs(
        args.temp, *temp_nbytes, (const T *)args.keys, (T *)args.other,
        (const uint32_t *)args.places[0], args.places[1], (int32_t)args.n,
        coder_of<U, true>(args), 0, 8 * (int)sizeof(U), (cudaStream_t)args.stream);
    return r || !args.temp ? r : places_end(args);
}

template <class U>
int
sort(const cu_cub_sort &args, size_t *temp_nbytes)
{
    if (args.order) return sort_places<U>(args, temp_nbytes);
    /* As above, where passes are many. */
    if constexpr (sizeof(U) >= 4) {
        if (args.n <= UINT32_MAX)
            return sort_keys<U>(args, (uint32_t)args.n, temp_nbytes);
    }
    return sort_keys<U>(args, (uint64_t)args.n, temp_nbytes);
}

} // namespace cupric

#endif
