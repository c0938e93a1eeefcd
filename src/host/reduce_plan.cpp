/* host/reduce_plan.cpp: see reduce_plan.hpp. */
#include "host/reduce_plan.hpp"

#include <type_traits>

#include "cupric/types.hpp"

namespace cupric_reduce {

/* ---- axes ------------------------------------------------------------------------ */

walk::walk(const cu_axes *a, int64_t flat) : ax(a)
{
    for (int op = 0; op < N_OPERANDS; op++) offset[op] = 0;
    for (int d = a->ndim - 1; d >= 0; d--) {
        const int64_t quotient = d > 0 && flat ? flat / a->shape[d] : 0;
        at[d] = flat - quotient * a->shape[d];
        flat = quotient;
        for (int op = 0; op < N_OPERANDS; op++) offset[op] += at[d] * a->stride[op][d];
    }
}

void
walk::step(int d, int64_t n)
{
    if (d < 0) return;
    at[d] += n;
    for (int op = 0; op < N_OPERANDS; op++) offset[op] += n * ax->stride[op][d];
    for (; d > 0 && at[d] == ax->shape[d]; d--) {
        for (int op = 0; op < N_OPERANDS; op++) {
            offset[op] += ax->stride[op][d - 1] - ax->shape[d] * ax->stride[op][d];
        }
        at[d] = 0;
        at[d - 1]++;
    }
}

/* ---- the plan -------------------------------------------------------------------- */

cu_loop *
cast_loop(cu_dtype from, cu_dtype to)
{
    return cu_host_convert_loop(from, to);
}

static void
plan_operands(plan *p, const cu_iter *it)
{
    for (int op = 0; op < N_OPERANDS; op++) p->base[op] = nullptr;
    for (int k = 0; k < p->nin; k++) {
        p->imm[k] = it->op[k].imm;
        p->base[k] = it->op[k].ptr ? it->op[k].ptr : (char *)&p->imm[k];
        p->stored[k] = it->op[k].dtype;
        p->load[k] = cast_loop(p->stored[k], p->r->in[k]);
    }
    p->base[OUT] = it->op[p->nin].ptr;
    p->stored[OUT] = it->op[p->nin].dtype;
    if (p->has_mask) p->base[MASK] = it->op[p->nin + 1].ptr;
}

static void
plan_start(plan *p, const cu_reduce *args)
{
    const cu_reducer *r = p->r;
    p->has_start = args->has_initial || r->starts_at_identity;
    p->start_commutes = !args->has_initial;
    if (args->has_initial) {
        cast(cast_loop(r->result, r->acc), (char *)&p->start, 0,
             (const char *)&args->initial, 0, 1);
    } else {
        p->start = r->identity;
    }
}

/* For a sum of floats it is the negative zero; where there is no identity, operations
 * are idempotent and need a start. */
static void
plan_neutral(plan *p)
{
    const cu_reducer *r = p->r;
    p->neutral = r->has_identity ? r->identity : p->start;
    if (!r->starts_at_identity) return;
    if (r->acc == CUPRIC_FLOAT32 || r->acc == CUPRIC_COMPLEX64) {
        const float zeros[2] = {-0.0f, -0.0f};
        memcpy(&p->neutral, zeros, p->size);
    } else if (r->acc == CUPRIC_FLOAT64 || r->acc == CUPRIC_COMPLEX128) {
        const double zeros[2] = {-0.0, -0.0};
        memcpy(&p->neutral, zeros, p->size);
    }
}

void
plan_make(plan *p, const cu_reducer *r, const cu_reduce *args, bool ordered)
{
    const cu_iter *it = args->it;
    p->r = r;
    p->nin = args->nin;
    p->has_mask = it->masked;
    p->masked = it->masked || r->skips_nans;
    p->tree = r->combine->rows != nullptr;
    p->param = args->param;
    p->count = args->count;
    p->size = cu_itemsize(r->acc);
    plan_operands(p, it);
    plan_start(p, args);
    plan_neutral(p);
    p->replaces_masked = r->skips_nans && p->tree && r->has_identity;
    const int which[N_OPERANDS] = {0, p->nin > 1 ? 1 : -1,
                                   p->has_mask ? p->nin + 1 : -1, p->nin};
    cu_axes_take(&p->kept, it, 0, args->nkeep, which);
    cu_axes_take(&p->reduced, it, args->nkeep, it->ndim, which);
    if (p->tree && !ordered && !r->combine->ordered) {
        cu_axes_forward(&p->reduced, p->base);
        cu_axes_sort(&p->reduced);
    }
    p->direct = !r->map && !p->masked && p->stored[IN0] == r->acc;
    p->counts_columns = false;
    p->store_2 = nullptr;
    p->store = cast_loop(r->out, p->stored[OUT]);
    if (r->out != r->result && p->stored[OUT] != r->result) {
        p->store = cast_loop(r->out, r->result);
        p->store_2 = cast_loop(r->result, p->stored[OUT]);
    }
}

bool
longest_kept_to_last(plan *p, int64_t least)
{
    int longest = -1;
    for (int d = 0; d < p->kept.ndim; d++) {
        if (p->kept.shape[d] < least) continue;
        least = p->kept.shape[d];
        longest = d;
    }
    if (longest >= 0) cu_axes_to_last(&p->kept, longest);
    return longest >= 0;
}

/* ---- elements in, results out ---------------------------------------------------- */

template <class T>
static int64_t
compress(char *data, const char *mask, int64_t mask_stride, int64_t n)
{
    T *x = (T *)data;
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++) {
        x[kept] = x[i];
        kept += mask[i * mask_stride] != 0;
    }
    return kept;
}

template <class T>
static int64_t
replace_masked(char *data, const char *mask, int64_t mask_stride, int64_t n,
               const cu_scalar *value)
{
    T *x = (T *)data, neutral;
    memcpy(&neutral, value, sizeof neutral);
    for (int64_t i = 0; i < n; i++) x[i] = mask[i * mask_stride] ? x[i] : neutral;
    return n;
}

struct two_words {
    uint64_t word[2];
};

template <class T>
static int64_t
mask_out(const plan *p, char *data, const char *mask, int64_t mask_stride, int64_t n)
{
    return p->replaces_masked
               ? replace_masked<T>(data, mask, mask_stride, n, &p->neutral)
               : compress<T>(data, mask, mask_stride, n);
}

static int64_t
mask_out(const plan *p, char *data, const char *mask, int64_t mask_stride, int64_t n)
{
    switch (p->size) {
    case 1: return mask_out<uint8_t>(p, data, mask, mask_stride, n);
    case 2: return mask_out<uint16_t>(p, data, mask, mask_stride, n);
    case 4: return mask_out<uint32_t>(p, data, mask, mask_stride, n);
    case 8: return mask_out<uint64_t>(p, data, mask, mask_stride, n);
    default: return mask_out<two_words>(p, data, mask, mask_stride, n);
    }
}

/* usable[i] = x[i] is a number that the mask, if there is one, lets through. */
template <class T>
static void
find_usable(const plan *p, scratch *s, const char *x, int64_t x_stride,
            const char *mask, int64_t mask_stride, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const T value = *(const T *)(x + i * x_stride);
        s->usable[i] = value == value;
    }
    for (int64_t i = 0; i < n && p->has_mask; i++) {
        s->usable[i] &= mask[i * mask_stride] != 0;
    }
}

/* The same in one pass, where there is no mask and elements are neighbours: accumulators
 * of NaNs become `neutral`. Returns how many are others. */
template <class T>
static int64_t
replace_nans(const plan *p, char *data, const char *x, int64_t n)
{
    /* As wide as an element, for vectors of both. */
    typename std::conditional<sizeof(T) == 4, int32_t, int64_t>::type count = 0;
    const T *const element = (const T *)x;
    T *const d = (T *)data, neutral = *(const T *)&p->neutral;
    CUPRIC_IVDEP
    for (int64_t i = 0; i < n; i++) {
        const bool usable = element[i] == element[i];
        d[i] = usable ? d[i] : neutral;
        count += usable;
    }
    return count;
}

/* Where it applies; -1 elsewhere. */
static int64_t
replace_dense_nans(const plan *p, char *dst, const char *x, int64_t x_stride, int64_t n)
{
    const cu_dtype in = p->r->in[0], acc = p->r->acc;
    if (!p->replaces_masked || p->has_mask || x_stride != cu_itemsize(in) ||
        acc != in) {
        return -1;
    }
    if (in == CUPRIC_FLOAT32) return replace_nans<float>(p, dst, x, n);
    if (in == CUPRIC_FLOAT64) return replace_nans<double>(p, dst, x, n);
    return -1;
}

/* The same whatever the type of the elements is. */
static void
find_usable(const plan *p, scratch *s, const char *x, int64_t x_stride,
            const char *mask, int64_t mask_stride, int64_t n)
{
    switch (p->r->in[0]) {
    case CUPRIC_FLOAT32:
        return find_usable<float>(p, s, x, x_stride, mask, mask_stride, n);
    case CUPRIC_FLOAT64:
        return find_usable<double>(p, s, x, x_stride, mask, mask_stride, n);
    case CUPRIC_COMPLEX64:
        return find_usable<cupric::complex<float>>(p, s, x, x_stride, mask, mask_stride,
                                                   n);
    case CUPRIC_COMPLEX128:
        return find_usable<cupric::complex<double>>(p, s, x, x_stride, mask,
                                                    mask_stride, n);
    default: return; /* no row skips them of another type */
    }
}

static void
count_missing(scratch *s, const char *usable, int64_t stride, int64_t n)
{
    for (int64_t i = 0; s->missing && i < n; i++) {
        s->missing[i] += usable[i * stride] == 0;
    }
}

/* What is left of n accumulators in dst, made of elements at x, which are of r->in[0]. */
static int64_t
leave_out(const plan *p, scratch *s, char *dst, const char *x, int64_t x_stride,
          const char *mask, int64_t mask_stride, int64_t n)
{
    if (!p->r->skips_nans) {
        count_missing(s, mask, mask_stride, n);
        return s->counted = mask_out(p, dst, mask, mask_stride, n);
    }
    /* Where the elements are replaced themselves, those missing are counted before. */
    s->counted =
        s->missing && x == dst ? -1 : replace_dense_nans(p, dst, x, x_stride, n);
    if (s->counted == n || (s->counted >= 0 && !s->missing)) return n;
    find_usable(p, s, x, x_stride, mask, mask_stride, n);
    count_missing(s, s->usable, 1, n);
    if (s->counted >= 0) return n;
    s->counted = 0;
    for (int64_t i = 0; i < n; i++) s->counted += s->usable[i];
    return s->counted == n ? n : mask_out(p, dst, s->usable, 1, n);
}

int64_t
load(const plan *p, scratch *s, char *dst, char *const *ptr, const int64_t *stride,
     int64_t n)
{
    const cu_reducer *r = p->r;
    const char *x[2] = {ptr[IN0], ptr[IN1]};
    int64_t xs[2] = {stride[IN0], stride[IN1]};
    if (!r->map) {
        cast(p->load[0], dst, p->size, ptr[IN0], stride[IN0], n);
        if (!s->missing || p->stored[IN0] != r->in[0]) {
            x[0] = dst;
            xs[0] = p->size;
        }
    } else {
        for (int k = 0; k < p->nin; k++) {
            if (p->stored[k] == r->in[k]) continue;
            const int64_t size = cu_itemsize(r->in[k]);
            cast(p->load[k], s->input[k], size, x[k], xs[k], xs[k] ? n : 1);
            x[k] = s->input[k];
            if (xs[k]) xs[k] = size;
        }
        r->map(dst, x[0], xs[0], x[1], xs[1], n, p->param);
    }
    s->counted = n;
    if (!p->masked) return n;
    return leave_out(p, s, dst, x[0], xs[0], ptr[MASK], stride[MASK], n);
}

void
store_results(const plan *p, const char *src, int64_t n, char *out, int64_t out_stride)
{
    const int size = cu_itemsize(p->r->out);
    if (src == out) return; /* made there */
    if (!p->store_2) {
        cast(p->store, out, out_stride, src, size, n);
        return;
    }
    const int narrow = cu_itemsize(p->r->result);
    uint16_t rounded[64]; /* float16 and bfloat16 */
    for (int64_t i = 0; i < n; i += 64) {
        const int64_t m = n - i < 64 ? n - i : 64;
        cast(p->store, (char *)rounded, narrow, src + i * size, size, m);
        cast(p->store_2, out + i * out_stride, out_stride, (char *)rounded, narrow, m);
    }
}

constexpr int64_t STARTS = 256; /* at once, so that a call does not count */

/* Call fn(i, m, row of the start m times) for each part of n results. */
template <class F>
static void
each_started(const plan *p, int64_t n, const F &fn)
{
    alignas(64) char starts[STARTS * MAX_ITEMSIZE];
    memcpy(starts, &p->start, p->size);
    for (int64_t j = 1; j < STARTS && j < n; j *= 2)
        memcpy(starts + j * p->size, starts, j * p->size);
    for (int64_t i = 0; i < n; i += STARTS)
        fn(i, n - i < STARTS ? n - i : STARTS, starts);
}

/* acc[j] = start op acc[j] */
static void
add_start(const plan *p, char *acc, int64_t n)
{
    alignas(64) char left[STARTS * MAX_ITEMSIZE];
    each_started(p, n, [&](int64_t i, int64_t m, const char *starts) {
        char *const to = acc + i * p->size;
        if (p->start_commutes) {
            p->r->combine->cols(to, starts, 1, 0, m, false);
            return;
        }
        memcpy(left, starts, m * p->size);
        p->r->combine->zip(left, to, m);
        memcpy(to, left, m * p->size);
    });
}

/* Whether accumulators are stored as they are, side by side. */
static bool
stores_as_it_is(const plan *p, int64_t out_stride)
{
    return !p->r->finish && !p->store_2 && p->stored[OUT] == p->r->acc &&
           p->r->acc != CUPRIC_BOOL && out_stride == p->size;
}

void
emit(const plan *p, char *acc, int64_t n, char *out, int64_t out_stride, int64_t count)
{
    char finished[64 * MAX_ITEMSIZE];
    /* Where the order is strict the first element was combined with the start
     * already. */
    const bool starts = p->has_start && p->tree;
    if (starts && acc != out && stores_as_it_is(p, out_stride)) {
        each_started(p, n, [&](int64_t i, int64_t m, const char *row) {
            memcpy(out + i * p->size, row, m * p->size);
            p->r->combine->zip(out + i * p->size, acc + i * p->size, m);
        });
        return;
    }
    if (starts) add_start(p, acc, n);
    if (!p->r->finish) {
        store_results(p, acc, n, out, out_stride);
        return;
    }
    for (int64_t i = 0; i < n; i += 64) {
        const int64_t m = n - i < 64 ? n - i : 64;
        p->r->finish(finished, acc + i * p->size, m, (double)count, p->param);
        store_results(p, finished, m, out + i * out_stride, out_stride);
    }
}

void
emit_lacking(const plan *p, char *acc, int64_t n, char *out, int64_t out_stride,
             const int64_t *missing)
{
    for (int64_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && missing && missing[end] == missing[i];) end++;
        if (!missing) end = n;
        emit(p, acc + i * p->size, end - i, out + i * out_stride, out_stride,
             p->count - (missing ? missing[i] : 0));
    }
}

} /* namespace cupric_reduce */
