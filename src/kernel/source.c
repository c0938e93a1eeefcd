/* kernel/source.c: the CUDA C++ of ElementwiseKernel and ReductionKernel.
 *
 * What the user wrote stands in it word for word. The words around it are few: the rest
 * is in cupric/kernel.hpp, which every device compiles.
 */
#include "kernel/source.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Whether `word` stands in a text as a word. */
static bool
mentions(const char *text, const char *word)
{
    const size_t n = strlen(word);

    for (const char *p = text; (p = strstr(p, word)); p += n) {
        const bool before = p > text && (isalnum((unsigned char)p[-1]) || p[-1] == '_');
        const bool after = isalnum((unsigned char)p[n]) || p[n] == '_';
        if (!before && !after) return true;
    }
    return false;
}

void
cu_source_find_views(cu_params *params, const char *const *texts, int n)
{
    char word[sizeof "_raw_" + CUPRIC_PARAM_NAME];

    for (int k = 0; k < params->nin + params->nout; k++) {
        cu_param *p = &params->at[k];
        snprintf(word, sizeof word, "_raw_%s", p->name);
        for (int i = 0; i < n; i++) p->viewed |= mentions(texts[i], word);
    }
}

/* The header of a kernel, without the functions of complex numbers where neither an
 * operand nor a text of the user's names these. */
static void
put_header(cu_text *out, const cu_plan *plan, const char *const *texts, int n)
{
    bool complex = false;

    for (int k = 0; k < plan->nops; k++) {
        const cu_dtype t = plan->op[k].dtype;
        complex |= t >= 0 && cu_dtypes[t].kind == 'c';
    }
    for (int i = 0; i < n; i++) complex |= strstr(texts[i], "complex") != NULL;
    if (!complex) cu_text_put(out, "#define CUPRIC_REAL_ONLY\n");
    cu_text_put(out, "#include \"cupric/kernel.hpp\"\n");
}

/* typedef long long T; or struct T { … }; once per placeholder */
static void
put_types(cu_text *out, const cu_params *params, const cu_plan *plan)
{
    bool seen[256] = {false};

    for (int k = 0; k < plan->nops; k++) {
        const cu_param *p = &params->at[k];
        if (p->dtype != CUPRIC_NO_DTYPE || seen[(unsigned char)p->type[0]]) continue;
        seen[(unsigned char)p->type[0]] = true;
        const char *const ctype = cu_dtypes[plan->op[k].dtype].ctype;
        if (ctype[0] == '{') { /* the fields of a structure */
            cu_text_add(out, "struct %s %s;\n", p->type, ctype);
            cu_text_add(out, "static_assert(sizeof(%s) == %d, \"layout\");\n", p->type,
                        cu_itemsize(plan->op[k].dtype));
        } else {
            cu_text_add(out, "typedef %s %s;\n", ctype, p->type);
        }
    }
}

/* A placeholder reads as the user wrote it. */
static const char *
type_of(const cu_param *p, const cu_kernel_operand *op)
{
    return p->dtype == CUPRIC_NO_DTYPE ? p->type : cu_dtypes[op->dtype].ctype;
}

static void
put_param(cu_text *out, const cu_param *p, const cu_kernel_operand *op, int ndim)
{
    const char *type = type_of(p, op), *constant = p->is_const ? "const " : "";

    switch (op->form) {
    case CUPRIC_FORM_VALUE: cu_text_add(out, "const %s %s", type, p->name); break;
    case CUPRIC_FORM_DENSE:
        cu_text_add(out, "const cupric::dense<%s%s> _raw_%s", constant, type, p->name);
        break;
    case CUPRIC_FORM_STRIDED:
        cu_text_add(out, "const cupric::strided<%s%s, %d> _raw_%s", constant, type,
                    ndim, p->name);
        break;
    case CUPRIC_FORM_VIEW:
        cu_text_add(out, "const cupric::raw_array<%s%s, %d, false> _raw_%s", constant,
                    type, ndim, p->name);
        break;
    default:
        cu_text_add(out, "const cupric::raw_array<%s%s, %d, %s> %s", constant, type,
                    op->array->ndim,
                    op->form == CUPRIC_FORM_RAW_CONTIGUOUS ? "true" : "false", p->name);
    }
}

/* const T &x = …; for the operands [begin, end) of the loop */
static void
put_elements(cu_text *out, const cu_params *params, const cu_plan *plan, int begin,
             int end, const char *indexer, const char *number)
{
    for (int k = begin; k < end; k++) {
        const cu_param *p = &params->at[k];
        const cu_kernel_operand *op = &plan->op[k];
        if (op->form < CUPRIC_FORM_DENSE || op->form > CUPRIC_FORM_VIEW) continue;
        if (p->is_const && op->dtype == CUPRIC_BOOL) {
            /* Any byte in memory may stand for a bool. */
            cu_text_add(out,
                        "        const bool %s = cupric::load(&_raw_%s.at(%s, %s));\n",
                        p->name, p->name, indexer, number);
            continue;
        }
        cu_text_add(out, "        %s%s &%s = _raw_%s.at(%s, %s);\n",
                    p->is_const ? "const " : "", type_of(p, op), p->name, p->name,
                    indexer, number);
    }
}

static bool
has_param(const cu_params *params, const char *name)
{
    for (int k = 0; k < params->nin + params->nout; k++) {
        if (strcmp(params->at[k].name, name) == 0) return true;
    }
    return false;
}

/* Ended, if need be on a line of its own: the text's last may end in a comment. */
static void
put_statement(cu_text *out, const char *text)
{
    const char *last = strrchr(text, '\n');

    cu_text_put(out, text);
    cu_text_put(out, strstr(last ? last : text, "//") ? "\n;\n" : ";\n");
}

/* What is done for one element, as if it had a thread of its own: whatever a device takes
 * for one, what one element leaves in a variable of loop_prep is not the next one's. So
 * `break`, `continue` and a changed `i` end with the element; `return` also passes over
 * after_loop. */
static void
put_body(cu_text *out, const cu_elementwise_text *what, const cu_params *params,
         const cu_plan *plan)
{
    const bool returns = mentions(what->operation, "return") ||
                         mentions(what->loop_prep, "return") ||
                         mentions(what->after_loop, "return");

    cu_text_put(out, "        long long i = _i;\n        (void)i;\n");
    if (returns) cu_text_put(out, "        [&]() {\n");
    put_statement(out, what->loop_prep);
    cu_text_put(out, "        {\n");
    put_elements(out, params, plan, 0, plan->nops, "_ind", "_i");
    cu_text_put(out, "        do {\n");
    put_statement(out, what->operation);
    cu_text_put(out, "        } while (false);\n        }\n");
    put_statement(out, what->after_loop);
    if (returns) cu_text_put(out, "        }();\n");
}

cu_status
cu_source_elementwise(const cu_elementwise_text *what, const cu_params *params,
                      const cu_plan *plan, cu_text *out)
{
    const char *const texts[] = {what->preamble, what->operation, what->loop_prep,
                                 what->after_loop};

    if (what->library) {
        cu_text_put(out, what->library);
    } else {
        put_header(out, plan, texts, sizeof texts / sizeof *texts);
    }
    put_types(out, params, plan);
    cu_text_put(out, what->preamble);
    cu_text_add(out, "\nextern \"C\" __global__ void\n%s(", what->name);
    for (int k = 0; k < plan->nops; k++) {
        put_param(out, &params->at[k], &plan->op[k], plan->ndim);
        cu_text_put(out, ",\n    ");
    }
    cu_text_add(out, "cupric::indexer<%d> _ind)\n{\n", plan->ndim);
    if (!has_param(params, "n")) {
        cu_text_put(out, "    const long long n = _ind.size();\n    (void)n;\n");
    }
    cu_text_put(out, "    CUPRIC_FOR (_i, _ind) {\n");
    put_body(out, what, params, plan);
    cu_text_put(out, "    }\n}\n");
    return cu_text_status(out);
}

/* Whether the map reads the index of an element, not only its number. */
static bool
needs_index(const char *map, const cu_params *params, const cu_plan *plan)
{
    for (int k = 0; k < params->nin; k++) {
        const cu_kernel_form form = plan->op[k].form;
        if (form == CUPRIC_FORM_STRIDED || form == CUPRIC_FORM_VIEW) return true;
    }
    return mentions(map, "_in_ind");
}

/* A loop that makes a run of outputs at once, so that memory is read in its order. For
 * devices where a block is a loop; the values stay in the cache. */
static void
put_columns(cu_text *out, const cu_reduction_text *what, const cu_params *params,
            const cu_plan *plan)
{
    cu_text_put(out, "    CUPRIC_FOR_RUNS (_i0, _run, _out_ind) {\n"
                     "        _type_reduce _acc[CUPRIC_RUN];\n"
                     "        _in_ind.set(_i0 * _n);\n");
    cu_text_add(out, "        const long long _base = _in_ind.index[%d];\n",
                plan->nkeep - 1);
    cu_text_put(out, "        for (long long _j = 0; _j < _n; ++_j, _in_ind.next()) {\n"
                     "        for (long long _k = 0; _k < _run; ++_k) {\n"
                     "        const long long _i = _i0 + _k, i = _i * _n + _j;\n"
                     "        const long long _J = _j;\n"
                     "        (void)i, (void)_J;\n");
    cu_text_add(out, "        _in_ind.index[%d] = _base + _k;\n", plan->nkeep - 1);
    put_elements(out, params, plan, 0, params->nin, "_in_ind", "i");
    cu_text_add(out,
                "        const _type_reduce b = static_cast<_type_reduce>(%s);\n"
                "        const _type_reduce a = _j ? _acc[_k] : b;\n"
                "        _acc[_k] = _j ? static_cast<_type_reduce>(%s) : b;\n"
                "        }\n",
                what->map, what->reduce);
    cu_text_add(out, "        _in_ind.index[%d] = _base;\n        }\n",
                plan->nkeep - 1);
    cu_text_put(out,
                "        for (long long _k = 0; _k < _run; ++_k, _out_ind.next()) {\n"
                "        const long long _i = _i0 + _k;\n");
    put_elements(out, params, plan, params->nin, plan->nops, "_out_ind", "_i");
    cu_text_add(out,
                "        const _type_reduce &a = _acc[_k];\n        %s;\n        }\n"
                "    }\n",
                what->post);
}

cu_status
cu_source_reduction(const cu_reduction_text *what, const cu_params *params,
                    const cu_plan *plan, cu_text *out)
{
    const int nout_axes = plan->nkeep > 0 ? plan->nkeep : 1;
    const bool indexed = needs_index(what->map, params, plan);
    const char *const texts[] = {what->preamble, what->map,      what->reduce,
                                 what->post,     what->identity, what->reduce_type};

    put_header(out, plan, texts, sizeof texts / sizeof *texts);
    put_types(out, params, plan);
    cu_text_put(out, what->preamble);
    cu_text_add(out, "\ntypedef %s _type_reduce;\n", what->reduce_type);
    cu_text_add(out, "extern \"C\" __global__ void\n%s(", what->name);
    for (int k = 0; k < plan->nops; k++) {
        put_param(out, &params->at[k], &plan->op[k],
                  k < params->nin ? plan->ndim : nout_axes);
        cu_text_put(out, ",\n    ");
    }
    cu_text_add(out,
                "cupric::indexer<%d> _in_ind, cupric::indexer<%d> _out_ind,\n"
                "    const cupric::split _split)\n{\n",
                plan->ndim, nout_axes);
    cu_text_put(out, "    const long long _n = _in_ind.size() / _out_ind.size();\n");
    if (plan->columns && what->plain) {
        cu_text_put(out, "#if defined(CUPRIC_HOST)\n");
        put_columns(out, what, params, plan);
        cu_text_put(out, "    return;\n#endif\n");
    }
    cu_text_put(out, "    cupric::sharer _share(_split);\n"
                     "    CUPRIC_FOR_OUTPUTS (_i, _out_ind) {\n"
                     "        const long long _first = _i * _n;\n"
                     "        _share.is_there(_out_ind, _i);\n");
    if (indexed) cu_text_put(out, "        CUPRIC_START (_in_ind, _first);\n");
    cu_text_put(out, "        auto _map = [&](long long _j) -> _type_reduce {\n"
                     "        const long long i = _first + _j, _J = _j;\n"
                     "        (void)_J;\n");
    if (indexed) cu_text_put(out, "        CUPRIC_STEP_BEFORE (_in_ind, i);\n");
    put_elements(out, params, plan, 0, params->nin, "_in_ind", "i");
    cu_text_add(out,
                "        const _type_reduce _a = static_cast<_type_reduce>(%s);\n"
                "%s        return _a;\n        };\n",
                what->map, indexed ? "        CUPRIC_STEP_AFTER (_in_ind);\n" : "");
    cu_text_add(out,
                "        auto _reduce = [&](const _type_reduce &a, "
                "const _type_reduce &b) -> _type_reduce {\n"
                "        return static_cast<_type_reduce>(%s);\n        };\n",
                what->reduce);
    cu_text_put(out, "        const _type_reduce _s =");
    if (what->identity[0]) {
        cu_text_add(out, " _n == 0 ? _type_reduce(%s) :", what->identity);
    }
    cu_text_put(out, "\n            _share.reduced<_type_reduce>(_i, _out_ind.size(), "
                     "_n, _map, _reduce);\n"
                     "        if (!_share.is_writer()) continue;\n");
    put_elements(out, params, plan, params->nin, plan->nops, "_out_ind", "_i");
    cu_text_add(out, "        const _type_reduce &a = _s;\n        %s;\n    }\n}\n",
                what->post);
    return cu_text_status(out);
}
