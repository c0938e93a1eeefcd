/* _ordered.h: what _ordered.cuh and _ordered.py share. */

/* Of is_among: elements that are not there are asked for; x is a sorted vector, too, and of
 * equal elements the first one answers, the others are false. */
enum among_options { INVERTED = 1, ONLY_FIRST = 2 };
