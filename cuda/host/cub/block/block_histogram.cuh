/* cub/block/block_histogram.cuh: BlockHistogram. */
#ifndef CUPRIC_HOST_CUB_BLOCK_HISTOGRAM_CUH
#define CUPRIC_HOST_CUB_BLOCK_HISTOGRAM_CUH

#include "../collective.hpp"

namespace cub {

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <class T, int X, int N, int BINS, BlockHistogramAlgorithm = BLOCK_HISTO_SORT,
          int Y = 1, int Z = 1, int = 0>
class BlockHistogram : public cupric_collective<cupric_storage<char, 1>>
{
  public:
    using cupric_collective<cupric_storage<char, 1>>::cupric_collective;

    template <class COUNT>
    void InitHistogram(COUNT *histogram)
    {
        for (int i = this->rank; i < BINS; i += X * Y * Z) histogram[i] = 0;
    }
    /* One thread at a time, as fibers are, so that no atomics are needed. */
    template <class COUNT>
    void Composite(T (&x)[N], COUNT *histogram)
    {
        for (int i = 0; i < N; i++) histogram[x[i]]++;
    }
    template <class COUNT>
    void Histogram(T (&x)[N], COUNT *histogram)
    {
        InitHistogram(histogram);
        __syncthreads();
        Composite(x, histogram);
    }
};

} // namespace cub

#endif
