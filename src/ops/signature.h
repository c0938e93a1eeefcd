/* ops/signature.h: the type signatures of an operation, parsed from its table row.
 *
 * A signature list is a string of tokens separated by blanks:
 *   ff>f   explicit: input letters, '>', output letters (letters of dtypes.def)
 *   $ints  a group: one signature per type, that type for every input and output
 *   $ints>?  the same with every output of the type named after '>'
 * The order is the order in which type resolution tries them. The function is plain C
 * and, seen from C++, constexpr: the core parses the rows at start-up, the host backend
 * while it is compiled, from the same text.
 */
#ifndef CUPRIC_OPS_SIGNATURE_H
#define CUPRIC_OPS_SIGNATURE_H

#include "ops/columns.h"

#ifdef __cplusplus
#define CUPRIC_CONSTEXPR constexpr
#else
#define CUPRIC_CONSTEXPR static inline
#endif

#define CUPRIC_MAXIN 6        /* inputs of an operation */
#define CUPRIC_MAXOUT 4       /* outputs */
#define CUPRIC_MAXSIGNATURE 8 /* inputs + outputs */

/* The groups of ufunc.def, as the macros its rows are written with. */
#define INTS "$i "    /* b B h H i I l L */
#define REALS "$f "   /* e E f d */
#define COMPLEX "$c " /* F D */
#define BOOL "$b "    /* ? */
#define INTS_TO_BOOL "$i>? "
#define REALS_TO_BOOL "$f>? "
#define COMPLEX_TO_BOOL "$c>? "
#define BOOL_TO_BOOL "$b>? "

CUPRIC_CONSTEXPR const char *
cu_sig_group(char kind)
{
    return kind == 'i' ? "bBhHiIlL" : kind == 'f' ? "eEfd" : kind == 'c' ? "FD" : "?";
}

CUPRIC_CONSTEXPR int
cu_sig_length(const char *s)
{
    int n = 0;
    while (s[n]) n++;
    return n;
}

/* Letters of the `index`-th signature of `list`, inputs then outputs, into
 * letters[0 … nin + nout). Returns 1, or 0 when there are no more than `index`. */
CUPRIC_CONSTEXPR int
cu_sig_get(const char *list, int nin, int nout, int index, char *letters)
{
    const char *p = list;
    while (*p) {
        if (*p == ' ') {
            p++;
            continue;
        }
        if (*p == '$') {
            const char *group = cu_sig_group(p[1]);
            int count = cu_sig_length(group);
            char out = p[2] == '>' ? p[3] : 0;
            if (index < count) {
                for (int i = 0; i < nin; i++) letters[i] = group[index];
                for (int i = 0; i < nout; i++)
                    letters[nin + i] = out ? out : group[index];
                return 1;
            }
            index -= count;
            p += out ? 4 : 2;
            continue;
        }
        if (index == 0) {
            for (int i = 0; i < nin; i++) letters[i] = p[i];
            for (int i = 0; i < nout; i++) letters[nin + i] = p[nin + 1 + i];
            return 1;
        }
        index--;
        p += nin + 1 + nout;
    }
    return 0;
}

CUPRIC_CONSTEXPR int
cu_sig_count(const char *list, int nin, int nout)
{
    char letters[CUPRIC_MAXSIGNATURE] = {0};
    int n = 0;
    while (cu_sig_get(list, nin, nout, n, letters)) n++;
    return n;
}

/* ---- what special functions are computed in ------------------------------------------ */

/* The dtype that an operand of one is converted to: float64 or complex128, and an integer
 * to float64 or int64. */
CUPRIC_CONSTEXPR char
cu_sig_widened(char letter, int keep_integers)
{
    if (letter == 'F' || letter == 'D') return 'D';
    if (letter == 'e' || letter == 'E' || letter == 'f' || letter == 'd') return 'd';
    return keep_integers ? 'l' : 'd';
}

/* The signature that has these letters, or -1. */
CUPRIC_CONSTEXPR int
cu_sig_find(const char *list, int nin, int nout, const char *wanted)
{
    char letters[CUPRIC_MAXSIGNATURE] = {0};
    for (int i = 0; cu_sig_get(list, nin, nout, i, letters); i++) {
        int same = 1;
        for (int k = 0; k < nin + nout; k++) same = same && letters[k] == wanted[k];
        if (same) return i;
    }
    return -1;
}

/* The signature whose loop the `index`-th is computed by, with operands converted: of
 * float64 and complex128 as the operands are real or complex; else with integers as int64;
 * else all of the output's; or itself. */
CUPRIC_CONSTEXPR int
cu_sig_computed(const char *list, int nin, int nout, int index)
{
    char letters[CUPRIC_MAXSIGNATURE] = {0}, wide[CUPRIC_MAXSIGNATURE] = {0};
    if (!cu_sig_get(list, nin, nout, index, letters)) return -1;
    for (int way = 0; way < 3; way++) {
        for (int k = 0; k < nin + nout; k++)
            wide[k] = cu_sig_widened(way == 2 ? letters[nin] : letters[k], way == 1);
        const int found = cu_sig_find(list, nin, nout, wide);
        if (found >= 0) return found;
    }
    return index;
}

#endif
