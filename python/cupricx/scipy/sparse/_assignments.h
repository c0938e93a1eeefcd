/* _assignments.h: what kernels and Python share. */

/* Where the search for a point ends without an element to be set: the point is to be
 * inserted, or another one that comes later sets the same element. */
enum { POINT_MISSING = -1, POINT_IGNORED = -2 };
