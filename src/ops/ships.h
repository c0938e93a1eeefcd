/* ops/ships.h: which kernels for CUDA come compiled with the package: the sets that the
 * column `ships` of the operation tables names. Others are compiled when they are first
 * used. Only the build reads it (tools/ships.c, tools/kernel_keys.py).
 *
 * A set is a text of rules, each `types: forms; `. Types are letters of dtypes.def:
 *
 *   ilfd: D:xx       each of these types, operands stored in it as it is computed in
 *   ld id>d: D:xx    operands stored as l and d, or i and d; computed in d
 *   reduce il ff: …  a reduction by the row, of i to l, or of f
 *   scan ff: 1 2     its scan along one axis, with so many other axes
 *   scan any: general  only those that can stand for its scans
 *   at ff ll: any    its ufunc.at
 *   slices bl: any   its reduceat, of b to l
 *
 * A form is the layout of an elementwise kernel and which operands are numbers that are
 * passed by value:
 *
 *   D dense   U dense, not aligned   S1, S2, … strided, of that rank   R2 rows
 *   T1, … transposed, in tiles; H1 short ones; W1 by words
 *   :xs, …    x an array, s a number, t an array that is transposed, for each input: "D:xs"
 *             is x + 1; m: masked
 *
 * Of a special function with loops and branches (ITERATED in columns.h) a kernel is some
 * tens of kilobytes for each architecture, and takes as many seconds to compile. So of what
 * its set names there ship only the dense kernels of arrays in the signatures that others are
 * computed by, float64 and complex128: conversions, which ship, too, make any call of them
 * (cuda/general.c), to the same bits, until its own kernel is compiled. With NOTHING there
 * ship the same with an element of a thread, the shortest code. With LATER nothing does: of
 * these functions NVRTC makes a kernel at the first call. They are the largest: distributions
 * and their inverses, Bessel functions of any order, hypergeometric ones, those of which all
 * together would double the time in which the package is built.
 *
 * The form of a reduction is where its elements lie: R rows and C columns of arrays without
 * gaps, r and c of any others, with the ranks of the kept and of the reduced axes; m: masked.
 */
#ifndef CUPRIC_OPS_SHIPS_H
#define CUPRIC_OPS_SHIPS_H

#define NOTHING ""
#define LATER "later"

/* forms */
#define PAIR "D:xx D:xs "
#define EITHER "D:xx D:xs D:sx "
#define PAIR_VIEWS "S1:xx S2:xx R2:xx "
#define PAIR_VIEWS_NUMBERS PAIR_VIEWS "S1:xs "
#define VIEWS "S1:x R2:x "
#define NEIGHBOURS "R11 C11 "

/* arithmetic; mixed: operands of two dtypes */
#define ARITHMETIC                                                                     \
    "ilfd: " EITHER "U:xx " PAIR_VIEWS_NUMBERS "; BeFD: " EITHER "; "                  \
    "fd: T1:xt T1:tx; "
#define MIXED                                                                          \
    "FD: U:xx S1:xx S2:xx; ld id>d: " PAIR "S1:xx S2:xx; dl di>d: D:sx D:xx; "         \
    "fd>d: D:xx S2:xx; df d? ?d lf fl if fi>d: D:xx; Bd>d: D:xs; f? ?f>f: D:xx; "      \
    "?l il l? li>l: D:xx; dD>D: D:xx D:xs; Dd>D: D:xx D:sx; fF>F: D:xx D:xs; "         \
    "Ff>F: D:xx D:sx; "
#define MIXED_SUMS "?: D:xx; ?i i?>i: D:xx; iD lD>D: D:xs; "
#define MIXED_QUOTIENTS                                                                \
    "ld id>d: " PAIR                                                                   \
    "; ld>d: S2:xx; dl di>d: D:xx D:sx; fd df>d: D:xx; ?d Bd>d: D:xs; "                \
    "f? ?f>f: D:xx; il>l: D:xx S1:xx S2:xx; Dd>D: D:xx; "
#define SUMS                                                                           \
    "fd: D:xsm D:xxm; reduce ff dd ll: " NEIGHBOURS "r11 c11 r12 c21; "                \
    "reduce ff dd: r11m r21; reduce il: " NEIGHBOURS "r11 r12 c21; "                   \
    "reduce ?l BL: " NEIGHBOURS "; "                                                   \
    "reduce ee FF DD: " NEIGHBOURS "; "                                                \
    "scan ff dd ll il ?l FF DD: 1; scan ff dd ii: 1 2; at ff dd ii ll BB LL FF: any; " \
    "slices ?l il ll ff dd FF DD: any; "

#define ADDITION ARITHMETIC MIXED MIXED_SUMS SUMS
#define SUBTRACTION ARITHMETIC MIXED "at ff dd ll: any; "
#define MULTIPLICATION                                                                 \
    ARITHMETIC MIXED MIXED_SUMS                                                        \
        "Ff fF>F: S1:xx; Dd dD>D: S1:xx; FD: S1:xs; ?l>l: D:xs; ?d>d: D:xs; "          \
        "reduce ff dd ll il: " NEIGHBOURS                                              \
        "; reduce FF DD: R11; reduce ff dd: r11; scan ff dd ll il: 1; "
#define DIVISION ARITHMETIC MIXED_QUOTIENTS
#define CROSSED "ilfdFD: S1:xxxx S2:xxxx; fd: D:xxxx; "
#define DIFFERED "ilfd: S1:xxx S2:xxx; fd: D:xxx; "
#define TRAPEZIA "fd: D:xxxx S1:xxxx S2:xxxx; "
#define WITH_REMAINDER "ilfd: " EITHER "; B: " PAIR "; fd>d: D:xs; "
#define PAIRS_OF_NUMBERS "ilfd: " PAIR "; "
#define INTEGERS "l: D:xx; "

/* order and choice */
#define MINIMA                                                                         \
    "ilfd: " EITHER "S1:xx; Be: " PAIR "; reduce ff dd ll: " NEIGHBOURS "; "           \
    "reduce ff dd: r11; reduce ii BB: " NEIGHBOURS                                     \
    "; scan any: general; at ff dd ll: any; slices ii ll ff dd: any; "
#define MAXIMA MINIMA "reduce LL ee: R11; "
#define EXTREMES "fd: " PAIR "; reduce ff dd: " NEIGHBOURS "; "
#define BOUNDS "ilfdBe: D:xss; ilfd: D:xxx; "
#define CHOICE                                                                         \
    "?FD: D:xxx; Beilfd: D:xxx D:xxs D:xsx D:xss; d: U:xsx; fd: S2:xxx; "              \
    "BBB>?BB: D:xxx; iii>?ii: D:xxx; lll>?ll: D:xxx; fff>?ff: D:xxx; ddd>?dd: D:xxx; "
#define REPLACED "fd: D:xsss; "

/* comparison, logic, bits */
#define COMPARISON                                                                     \
    "ilfd: " PAIR "S1:xx S1:xs; fd: R2:xx; Be: " PAIR "; ld id>d: " PAIR "; "
#define EQUALITY COMPARISON "?FD: " PAIR "; d: U:xx; "
#define INEQUALITY EQUALITY "Bilf: U:xx; "
#define CLOSENESS                                                                      \
    "efdl: D:xxss; fd: D:xsss; iidd>lldd: D:xxss; dfff>dfff: D:xxss; "                 \
    "FFff>FFff: D:xxss; DDdd>DDdd: D:xxss; "
#define CLOSENESS_OF_NANS "fd: D:xxss; "
#define LOGIC "?: D:xx U:xx D:x; "
#define LOGIC_REDUCED LOGIC "reduce ??: R11; "
#define BITS "Bil: " PAIR "; BHL: D:xs; "
#define SWAPPED "HIL: D:x; "
#define BITS_AND_BOOLS BITS "?: " PAIR "U:xx S1:xx S2:xx; "
#define INVERSION "?Bil: D:x; "
#define CLASSES "ilefdFD: D:x; fd: S1:x; "

/* functions of one input */
#define OF_NUMBERS "ilfd: D:x " VIEWS "; "
#define OF_ALL OF_NUMBERS "BeFD: D:x; "
#define OF_FLOATS "fd: D:x; "
#define OF_FLOATS_AND_COMPLEX "fdFD: D:x; "
#define OF_WIDE "fdD: D:x; "
#define OF_HALVES "efd: D:x; "
#define OF_REALS "fd: D:x; i l>d: D:x; "
#define OF_VIEWS "efd: D:x; fd: S1:x; i l>d: D:x; "
#define OF_COMPLEX OF_VIEWS "FD: D:x; "
#define ROUNDING "efd: D:x; fd: S2:x; "
#define ROUNDING_TO_DECIMALS "efdFD: D:xs; "
#define PARTS "FD: D:x S1:x S2:x; "
#define CONJUGATES PARTS "fd: D:x; "
#define PHASE "dFD: D:x; "

/* functions of more inputs */
#define PAIRS_OF_FLOATS "fd: " PAIR "; "
#define TRIPLES_OF_FLOATS "fd: D:xxx D:xss; "
#define QUADS_OF_FLOATS "fd: D:xxxx D:xsss; "
#define NEXT_TO "fd: D:xx; "
#define POWERS "ilfd: " EITHER "; ld id>d: D:xs; "

/* reductions */
#define COUNTS "reduce ?l fl dl il ll: " NEIGHBOURS "; reduce Bl: R11; "
#define TRUTHS "reduce ??: " NEIGHBOURS "; reduce f? d? i? l?: R11; "
#define TRUTHS_OF_VIEWS TRUTHS "reduce ??: r11; "
#define TRUTHS_OF_FLOATS "reduce f? d?: R11; "
#define MEANS                                                                          \
    "reduce ff dd: " NEIGHBOURS "r11; reduce id ld Bd ee FF DD: " NEIGHBOURS           \
    "; reduce ?d: R11; "
#define VARIANCES "reduce ff dd: " NEIGHBOURS "; reduce id ld: R11; reduce ff dd: r11; "
#define STANDARD_DEVIATIONS VARIANCES "reduce id ld: C11; reduce Bd: R11; "
#define SUMS_WITHOUT_NANS "reduce ff dd: " NEIGHBOURS "; reduce il ll: R11; "
#define MOMENTS_WITHOUT_NANS "reduce ff dd: r11 c11; "
#define FLOATS_IN_ROWS "reduce ff dd: R11; "
#define MAGNITUDES_REDUCED "reduce ff dd: " NEIGHBOURS "; reduce Ff Dd: R11; "
#define RANGES "reduce ff dd ii ll: " NEIGHBOURS "; "
#define PAIRS_OF_TRUTHS "reduce f? d? i? l?: r11; "
#define SAMPLES "reduce ff dd id ld FF DD: r11; reduce ff dd: c11; "
#define DOTS "reduce ff dd ll FF DD: r11; reduce ff dd FF DD: c11; "
#define POSITIONS_OF_LEAST "reduce fl dl il ll: R11; reduce fl dl: C11; "
#define POSITIONS POSITIONS_OF_LEAST "reduce il ll: C11; reduce ?l Bl: R11; "
#define POSITIONS_WITHOUT_NANS "reduce fl dl: R11; "

#endif
