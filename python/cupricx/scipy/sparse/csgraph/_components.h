/* _components.h: what the kernels of _components.cuh and Python share. */

/* Neighbours of a node that are looked at before edges are. */
enum { NEIGHBOURS = 4 };

/* The smallest node that reaches a node, and that it reaches; the same of the last round,
 * which name the part that it is in. Equal: it is in a component. */
struct strong_state {
    int in, out, part_in, part_out;
};
