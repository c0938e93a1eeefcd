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

#endif
