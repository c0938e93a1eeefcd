/* _rows.host.hpp: the host device correlates rows by `correlate_tile` of _correlation.cuh: this
 * is not launched there.
 */

template <int ROW_QUADS>
__global__ void
correlate_rows(const float *x, const float *many, few_weights<float> few, float *y,
               row_filter p)
{
}
