/* _selection.h: how elements of a rank are selected. */

/* Keys in a GPU's registers, for windows of which at most two less lie on one side of the
 * rank. */
enum { MANY_KEPT = 26, SOME_KEPT = 15, FEW_KEPT = 6 };
enum { LANES = 64 }; /* outputs that the host reads keys of together, at most */
