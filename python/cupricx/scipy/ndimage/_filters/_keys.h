/* _keys.h: what integers that are in the order of elements were made of. */

enum key_kind { INTEGERS, FLOATS, UNSIGNED }; /* UNSIGNED: of 64 bits */
enum { PAD_THREADS = 128 };
