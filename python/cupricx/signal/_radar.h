/* _radar.h: what cell_averages of _radar.cuh takes by value. */

/* Of an array (n, m): guard and reference cells at each side along its axes. */
struct cfar_cells {
    long long n, m, guard[2], reference[2];
    double factor;
};
