/* _distances.cuh: the nearest element that is zero, one axis after the other.
 *
 * planes[k]: for each element of the array (C order, `size` elements), the index along axis
 * k of the nearest zero in the part of the array that the axes seen so far span; -1 where
 * there is none. The last axis comes first, then each before it.
 */

#include "_nearest.cuh"
#include "_nearest_in_row.cuh"
#include "_squared_distances.cuh"
