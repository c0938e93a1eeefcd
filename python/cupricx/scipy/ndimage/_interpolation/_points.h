/* _points.h: what `interpolate` of _points.cuh takes by value. */

enum point_kind { AFFINE, SINGLES, DOUBLES, ZOOM, GRID_ZOOM };
enum { THREADS = 256, WARP = 32 };
enum { EACH = 4 }; /* elements that a thread makes at most */

/* x: (outer, n..., inner), y: (outer, m..., inner), with N lengths between; where N > 3, n
 * stand in an array, and m[0] is the number of points. `fill`: the constant, of even elements
 * of `inner` and of odd ones. `pad` is added to coordinates. */
struct point_image {
    long long outer, inner, n[3], m[3], pad;
    double fill[2];
    int order, mode, around;
};

/* Coordinates: by `kind` an affine function of the output's index k, b + a k; those of an
 * array (N, outputs) of float or double; (k + b) a along each axis alone, a on the diagonal,
 * or (k + 1/2) a - 1/2. */
struct point_map {
    double a[3][3], b[3];
    int kind;
};

/* How a GPU's blocks share `lines`, of one length, rows of points or, where inner > 1, the
 * channels of a point: 2^lanes threads have neighbouring elements of one; if 32, 2^beside
 * warps of a block are of the same line, which is cut into `cuts` pieces. */
struct point_cut {
    long long lines, cuts;
    int lanes, beside;
};
