/* _spline_modes.h: a mode of coordinates, besides those of filters. */
#include "../_boundary.h"

enum { GRID_WRAP = WRAP + 1 };
