/* vector_functions.h: what it declares is known to every kernel already. */
