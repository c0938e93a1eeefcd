/* _boundary.h: the modes of scipy.ndimage's filters: what lies outside an array. */

enum boundary_mode { REFLECT, CONSTANT, NEAREST, MIRROR, WRAP };
