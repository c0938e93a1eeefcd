/* _places.h: what _places.cuh and _places.py share. */

enum {
    MOST = 8, /* axes that a launch divides by */
    CASES = 4 /* axes that a launch adds */
};
enum place_mode { PLACE_RAISE, PLACE_WRAP, PLACE_CLIP };

/* n flat indices of an array of `total` elements, whose last `ndim` lengths count; results
 * are in the order of axes, or `reversed`. */
struct unravel_sizes {
    long long n, total, lengths[MOST];
    int ndim;
    bool reversed;
};

/* n places of coordinates of `count` axes, of so many elements that lie `steps` apart. Two
 * bits of `modes` are those of an axis. They are added to what is there, or `begins`. */
struct ravel_sizes {
    long long n, lengths[CASES], steps[CASES];
    int count, modes;
    bool begins;
};
