/* ops/special/signatures.h: signatures of special functions, by the number of arguments.
 *
 * WIDE: what SciPy and CuPy compute of integers and float16, and the result, is float64;
 * of bfloat16 it is float32. NARROW: only float32 and float64 have loops, so that what
 * fits into the first, as float16 and small integers do, is of it. COMPLEX: of complex
 * arguments, too. ORDER: the first argument is an integer, as the order of a function is;
 * where real ones are taken, too, their loops follow. TO: the number of results.
 */
#ifndef CUPRIC_OPS_SPECIAL_SIGNATURES_H
#define CUPRIC_OPS_SPECIAL_SIGNATURES_H

#define WIDE_1 "l>d L>d e>d E>f f>f d>d"
#define WIDE_2 "ll>d LL>d ee>d EE>f ff>f dd>d FF>F DD>D"
#define WIDE_REAL_2 "ll>d LL>d ee>d EE>f ff>f dd>d"
#define WIDE_3 "lll>d LLL>d eee>d EEE>f fff>f ddd>d"
#define WIDE_4 "llll>d LLLL>d eeee>d EEEE>f ffff>f dddd>d"
#define WIDE_COMPLEX_1 "l>d L>d e>d E>f f>f d>d F>F D>D"

#define NARROW_1 "f>f d>d"
#define NARROW_2 "ff>f dd>d"
#define NARROW_3 "fff>f ddd>d"
#define NARROW_4 "ffff>f dddd>d"
#define NARROW_1_TO_2 "f>ff d>dd"
#define NARROW_2_TO_2 "ff>ff dd>dd"
#define NARROW_3_TO_2 "fff>ff ddd>dd"
#define NARROW_1_TO_4 "f>ffff d>dddd"
#define NARROW_2_TO_4 "ff>ffff dd>dddd"

#define COMPLEX_1 "f>f d>d F>F D>D"
#define COMPLEX_2 "ff>f dd>d FF>F DD>D"
#define COMPLEX_3 "fff>f ddd>d FFF>F DDD>D"
#define COMPLEX_4 "ffff>f dddd>d FFFF>F DDDD>D"
#define COMPLEX_1_TO_2 "f>ff d>dd F>FF D>DD"
#define COMPLEX_1_TO_4 "f>ffff d>dddd F>FFFF D>DDDD"
#define COMPLEX_ALONE_1 "F>F D>D"
#define REAL_TO_COMPLEX_1_TO_4 "f>FFFF d>DDDD"

/* parameters that are real, and a last argument that may be complex */
#define COMPLEX_LAST_2 "ff>f dd>d fF>F dD>D"
#define COMPLEX_LAST_3 "fff>f ddd>d ffF>F ddD>D"
#define COMPLEX_LAST_4 "ffff>f dddd>d fffF>F dddD>D"
#define COMPLEX_LAST_ALONE_2 "fF>F dD>D"

#define ORDER_1 "ld>d" /* and one argument more */
#define ORDER_REAL_1 "ld>d ff>f dd>d"
#define ORDER_REAL_2 "ldd>d fff>f ddd>d"
#define ORDER_REAL_3 "lddd>d ffff>f dddd>d"
#define ORDER_COMPLEX_1 "ld>d ff>f fF>F dd>d dD>D"
#define ORDER_COMPLEX_2 "ldd>d fff>f ffF>F ddd>d ddD>D"
#define ORDER_COMPLEX_3 "lddd>d ffff>f fffF>F dddd>d dddD>D"
#define ORDERS_REAL_1 "lld>d fff>f ddd>d" /* two of them */

#endif
