/* device/units.h: elements that are moved as they are, in units of 1, 2, 4, 8 or 16 bytes,
 * whatever they mean.
 */
#ifndef CUPRIC_DEVICE_UNITS_H
#define CUPRIC_DEVICE_UNITS_H

#include <stdint.h>

#include "dtype.h"

/* The widest unit that divides all of the addresses, strides and lengths whose bits are
 * set in `all`. */
static inline int64_t
cu_unit_dividing(uint64_t all)
{
    all |= 16;
    return (int64_t)(all & -all);
}

/* A dtype whose elements are a unit: an unsigned integer, or complex128. */
static inline cu_dtype
cu_unit_dtype(int64_t unit)
{
    switch (unit) {
    case 1: return CUPRIC_UINT8;
    case 2: return CUPRIC_UINT16;
    case 4: return CUPRIC_UINT32;
    case 8: return CUPRIC_UINT64;
    default: return CUPRIC_COMPLEX128;
    }
}

#endif
