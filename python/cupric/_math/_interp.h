/* _interp.h: what _interp.cuh and _interp.py share. */

enum { TOGETHER = 8 }; /* places that a thread of the host searches for at once */

/* n places in pieces of an element, on the host of TOGETHER; m points. */
struct lines_sizes {
    long long pieces, n, m;
};

/* Values before and behind all points; by default the first point's and the last one's. */
template <class R>
struct lines_ends {
    R left, right;
    bool has_left, has_right;
};
