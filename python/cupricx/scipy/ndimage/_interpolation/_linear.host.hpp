/* _linear.host.hpp: the host device interpolates by `interpolate` of _points.cuh: these are not
 * launched there.
 */

template <class X, int N>
__global__ void
linear_at(const X *x, X *y, const float *coordinates, linear_image p)
{
}

template <class X, int N>
__global__ void
linear_along(const X *x, X *y, linear_axes a)
{
}
