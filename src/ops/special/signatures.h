/* ops/special/signatures.h: signatures of special functions, by the number of arguments.
 *
 * WIDE: what SciPy and CuPy compute of integers and float16, and the result, is float64;
 * of bfloat16 it is float32. NARROW: only float32 and float64 have loops, so that what
 * fits into the first, as float16 and small integers do, is of it.
 */
#ifndef CUPRIC_OPS_SPECIAL_SIGNATURES_H
#define CUPRIC_OPS_SPECIAL_SIGNATURES_H

#define WIDE_1 "l>d L>d e>d E>f f>f d>d"
#define WIDE_2 "ll>d LL>d ee>d EE>f ff>f dd>d FF>F DD>D"
#define NARROW_1 "f>f d>d"
#define NARROW_2 "ff>f dd>d"

#endif
