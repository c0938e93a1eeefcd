/* _covariance.h: what _covariance.cuh and _covariance.py share. */

enum {
    RUN = 32,     /* rows of a piece of the host */
    THREADS = 256 /* of a block, at most */
};
