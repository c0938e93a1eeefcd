/* host/index.cpp: gather, scatter and scatter with an operation (ufunc.at).
 *
 * The iteration is walked in rows along its last dimension. In a row the operands advance
 * by constant strides, so an index array that does not vary along it (a slice in the
 * program) is looked up once and what is left is a copy; else each element's place is the
 * sum of its indices' contributions. Of short rows that all take the same places, columns
 * of a table, the places are looked up once.
 *
 * Gathering runs in parallel. Scattering does not: the last of repeated indices wins and
 * an operation applies in index order, whatever the number of threads.
 */
#define CUPRIC_FMA_COPIES
#include <stddef.h>
#include <string.h>

#include "host/dense_copy.h"
#include "host/entries.h"
#include "host/functors.hpp"
#include "host/loops.h"
#include "host/parallel.hpp"

namespace {

using namespace cupric;

constexpr int ARRAY = 0, VALUES = 1, INDICES = 2; /* operands */
constexpr int64_t GRAIN = 8192;                   /* elements worth a thread */

/* Where an index lands in [0, length): negative ones count from the end, others wrap. */
inline int64_t
wrap(int64_t index, int64_t length)
{
    if (CUPRIC_LIKELY((uint64_t)index < (uint64_t)length)) return index;
    if (index < 0 && index >= -length) return index + length;
    index %= length;
    return index < 0 ? index + length : index;
}

/* An operand's address at index 0…0; an immediate's is inside the operand. */
inline char *
base_of(const cu_operand &op)
{
    return op.ptr ? op.ptr : (char *)op.imm.bytes;
}

inline int64_t
stride_of(const cu_operand &op, int dim)
{
    return op.ptr ? op.strides[dim] : 0;
}

/* One row's worth of an indexed access. */
struct row {
    char *array; /* with the contributions of indices constant along the row */
    char *values;
    int64_t n, array_stride, value_stride;
    int nvarying; /* indices that vary along the row */
    const char *index[CUPRIC_MAXDIMS];
    int64_t index_stride[CUPRIC_MAXDIMS];
    int64_t length[CUPRIC_MAXDIMS], stride[CUPRIC_MAXDIMS];

    /* The place of element i. */
    char *at(int64_t i) const
    {
        char *p = array + i * array_stride;
        for (int k = 0; k < nvarying; k++) {
            int64_t value;
            memcpy(&value, index[k] + i * index_stride[k], sizeof value);
            p += wrap(value, length[k]) * stride[k];
        }
        return p;
    }
};

/* Call visit(row) for the elements [begin, end), in C order, of the iteration's first `ndim`
 * dimensions, with the first `nindex` indices. */
template <class Visit>
void
walk(const cu_index *args, int ndim, int nindex, int64_t begin, int64_t end,
     const Visit &visit)
{
    const cu_iter &it = *args->it;
    const int nops = INDICES + nindex;
    const int last = ndim - 1;
    const int64_t inner = ndim ? it.shape[last] : 1;
    int64_t coords[CUPRIC_MAXDIMS + 1] = {0};
    char *ptr[CUPRIC_MAXOPERANDS] = {nullptr};

    int64_t rest = begin / inner;
    int64_t first = begin % inner;
    for (int d = last - 1; d >= 0; d--) {
        coords[d] = rest % it.shape[d];
        rest /= it.shape[d];
    }
    for (int k = 0; k < nops; k++) {
        ptr[k] = base_of(it.op[k]);
        for (int d = 0; d < last; d++) ptr[k] += coords[d] * stride_of(it.op[k], d);
    }

    row r;
    r.nvarying = 0;
    r.array_stride = ndim ? stride_of(it.op[ARRAY], last) : 0;
    r.value_stride = ndim ? stride_of(it.op[VALUES], last) : 0;
    int constant[CUPRIC_MAXDIMS], nconstant = 0;
    int varying[CUPRIC_MAXDIMS] = {0};
    for (int k = 0; k < nindex; k++) {
        const int64_t step = ndim ? stride_of(it.op[INDICES + k], last) : 0;
        if (step == 0 || inner == 1) {
            constant[nconstant++] = k;
            continue;
        }
        varying[r.nvarying] = k;
        r.index_stride[r.nvarying] = step;
        r.length[r.nvarying] = args->length[k];
        r.stride[r.nvarying] = args->stride[k];
        r.nvarying++;
    }

    for (int64_t left = end - begin; left > 0;) {
        r.n = inner - first < left ? inner - first : left;
        r.array = ptr[ARRAY] + first * r.array_stride;
        r.values = ptr[VALUES] + first * r.value_stride;
        for (int c = 0; c < nconstant; c++) {
            const int k = constant[c];
            int64_t value;
            memcpy(&value, ptr[INDICES + k], sizeof value);
            r.array += wrap(value, args->length[k]) * args->stride[k];
        }
        for (int v = 0; v < r.nvarying; v++) {
            r.index[v] = ptr[INDICES + varying[v]] + first * r.index_stride[v];
        }
        visit(r);
        left -= r.n;
        first = 0;
        for (int d = last - 1; d >= 0; d--) {
            const bool carry = ++coords[d] == it.shape[d];
            const int64_t steps = carry ? 1 - it.shape[d] : 1;
            for (int k = 0; k < nops; k++) ptr[k] += steps * stride_of(it.op[k], d);
            if (!carry) break;
            coords[d] = 0;
        }
    }
}

template <class Visit>
void
walk(const cu_index *args, int64_t begin, int64_t end, const Visit &visit)
{
    walk(args, args->it->ndim, args->nindex, begin, end, visit);
}

/* ---- each element of a row ------------------------------------------------------------ */

/* each_element of rows with one index that varies, in steps that may be constants. */
template <class Visit>
inline __attribute__((always_inline)) void
each_of_one(const row &r, int64_t index_stride, int64_t array_stride,
            const Visit &visit)
{
    const char *index = r.index[0];
    char *array = r.array, *value = r.values;
    const int64_t length = r.length[0], stride = r.stride[0];
    const int64_t n = r.n, value_stride = r.value_stride;

    for (int64_t i = 0; i < n; i++) {
        int64_t k;
        memcpy(&k, index + i * index_stride, sizeof k);
        visit(array + i * array_stride + wrap(k, length) * stride,
              value + i * value_stride);
    }
}

/* Call visit(place in the array, value's address) for a row's elements in order. One index
 * that varies, `take` along an axis, is the common case and has a loop of its own; a dense
 * one that chooses from the axis itself another, with fewer steps. */
template <class Visit>
inline void
each_element(const row &r, const Visit &visit)
{
    if (r.nvarying != 1) {
        for (int64_t i = 0; i < r.n; i++) visit(r.at(i), r.values + i * r.value_stride);
    } else if (r.index_stride[0] == sizeof(int64_t) && r.array_stride == 0) {
        each_of_one(r, sizeof(int64_t), 0, visit);
    } else {
        each_of_one(r, r.index_stride[0], r.array_stride, visit);
    }
}

constexpr int GROUP = 8; /* indices that are held against the length together */

/* Index number i of dense ones. */
inline int64_t
index_at(const char *index, int64_t i)
{
    int64_t k;
    memcpy(&k, index + i * (int64_t)sizeof k, sizeof k);
    return k;
}

/* Whether any of GROUP indices is out of [0, length). */
inline bool
any_outside(const char *index, int64_t length)
{
    int64_t signs = 0;
#pragma GCC unroll 8
    for (int j = 0; j < GROUP; j++) {
        const int64_t k = index_at(index, j);
        signs |= k | (length - 1 - k);
    }
    return signs < 0;
}

/* each_element of dense indices and of values of `size` bytes, in steps of the array; both may
 * be constant. Most groups need no index wrapped: one branch is for all of it. */
template <class Visit>
inline __attribute__((always_inline)) void
each_of_dense(const row &r, int64_t size, int64_t stride, const Visit &visit)
{
    const char *const index = r.index[0];
    char *const array = r.array, *const value = r.values;
    const int64_t length = r.length[0], n = r.n;

    for (int64_t i = 0; i < n;) {
        if (i + GROUP <= n && !any_outside(index + i * 8, length)) {
#pragma GCC unroll 8
            for (int j = 0; j < GROUP; j++, i++) {
                visit(array + index_at(index, i) * stride, value + i * size);
            }
        } else {
            const int64_t end = i + GROUP < n ? i + GROUP : n;
            for (; i < end; i++) {
                visit(array + wrap(index_at(index, i), length) * stride,
                      value + i * size);
            }
        }
    }
}

/* Elements that are moved: the commonest loops, dense, by groups. */
template <class Visit>
inline __attribute__((always_inline)) void
each_moved(const row &r, int64_t size, const Visit &visit)
{
    if (r.nvarying != 1 || r.index_stride[0] != sizeof(int64_t) ||
        r.array_stride != 0 || r.value_stride != size) {
        each_element(r, visit);
    } else if (r.stride[0] == size) {
        each_of_dense(r, size, size, visit);
    } else {
        each_of_dense(r, size, r.stride[0], visit);
    }
}

/* ---- elements that are moved --------------------------------------------------------- */

/* An element's bytes, as many as is known when this is compiled. Addresses may be unaligned
 * for the type (a view of a view). */
template <int SIZE>
struct few_bytes {
    explicit few_bytes(int64_t) {}
    static constexpr int64_t size() { return SIZE; }
    static void copy(char *dst, const char *src) { __builtin_memcpy(dst, src, SIZE); }
};

/* Those of a short row. */
struct many_bytes {
    int64_t n;
    explicit many_bytes(int64_t bytes) : n(bytes) {}
    int64_t size() const { return n; }

    void copy(char *dst, const char *src) const { cu_row_copy(dst, src, (size_t)n); }
};

template <bool GATHERS, class Bytes>
struct mover {
    Bytes bytes;

    void operator()(char *place, char *value) const
    {
        if constexpr (GATHERS)
            bytes.copy(value, place);
        else
            bytes.copy(place, value);
    }

    /* Where no index varies. */
    void copy_row(const row &r) const
    {
        if (r.array_stride != bytes.size() || r.value_stride != bytes.size()) {
            for (int64_t i = 0; i < r.n; i++) {
                (*this)(r.array + i * r.array_stride, r.values + i * r.value_stride);
            }
            return;
        }
        char *const dst = GATHERS ? r.values : r.array;
        const char *const src = GATHERS ? r.array : r.values;
        cu_dense_copy(dst, src, (size_t)(r.n * bytes.size()));
    }

    void move_row(const row &r) const
    {
        if (r.nvarying == 0)
            copy_row(r);
        else
            each_moved(r, bytes.size(), *this);
    }
};

/* What is moved: elements of `size` bytes along the iteration's first `ndim` dimensions. */
struct moved {
    int ndim, size;
    int64_t count;
};

bool
is_constant_along(const cu_index *args, int d)
{
    for (int k = 0; k < args->nindex; k++) {
        if (stride_of(args->it->op[INDICES + k], d) != 0) return false;
    }
    return true;
}

constexpr int64_t MOST_BYTES = 4096; /* of rows that are moved as elements */

/* Short rows that lie together on both sides are moved as elements. */
moved
moved_of(const cu_index *args)
{
    const cu_iter &it = *args->it;
    moved m = {it.ndim, cu_itemsize(it.op[ARRAY].dtype), it.size};

    while (m.ndim > 1 && is_constant_along(args, m.ndim - 1)) {
        const int d = m.ndim - 1;
        const bool dense = stride_of(it.op[ARRAY], d) == m.size &&
                           stride_of(it.op[VALUES], d) == m.size;
        if (!dense || it.shape[d] * m.size > MOST_BYTES) break;
        m.count /= it.shape[d];
        m.size *= (int)it.shape[d];
        m.ndim = d;
    }
    return m;
}

constexpr int MOST_PLACES = 512; /* 4 KiB of them */

/* Whether all rows take the same few places: indices vary along the last dimension alone. */
bool
has_same_places(const cu_index *args, const moved &m)
{
    const int64_t n = m.ndim > 1 ? args->it->shape[m.ndim - 1] : 0;

    if (n < 2 || n > MOST_PLACES || m.count < 4 * n) return false;
    for (int d = 0; d < m.ndim - 1; d++) {
        if (!is_constant_along(args, d)) return false;
    }
    return !is_constant_along(args, m.ndim - 1);
}

/* The places of a row, in bytes from its first. */
void
find_places(const cu_index *args, const moved &m, int64_t *places)
{
    const int d = m.ndim - 1;
    const cu_iter &it = *args->it;

    for (int64_t j = 0; j < it.shape[d]; j++) {
        places[j] = j * stride_of(it.op[ARRAY], d);
        for (int k = 0; k < args->nindex; k++) {
            const cu_operand &op = it.op[INDICES + k];
            int64_t value;
            memcpy(&value, base_of(op) + j * stride_of(op, d), sizeof value);
            places[j] += wrap(value, args->length[k]) * args->stride[k];
        }
    }
}

/* Rows of N places, or of n where N is 0, by fours. What is stored is none of the places,
 * which compilers could not know. */
template <int N, class Move>
void
move_places(const row &r, const int64_t *__restrict places, int64_t n, int64_t step,
            const Move &move)
{
    const int64_t array_stride = r.array_stride, value_stride = r.value_stride;
    char *array = r.array, *value = r.values;
    int64_t few[N + 1];

    for (int j = 0; j < N; j++) few[j] = places[j];
    for (int64_t i = 0; i < r.n; i++) {
#pragma GCC unroll 4
        for (int j = 0; j < N; j++) move(array + few[j], value + j * step);
        int64_t j = N;
        for (; j + 4 <= n; j += 4) {
#pragma GCC unroll 4
            for (int64_t e = j; e < j + 4; e++)
                move(array + places[e], value + e * step);
        }
        for (; j < n; j++) move(array + places[j], value + j * step);
        array += array_stride;
        value += value_stride;
    }
}

/* The elements [begin, end) of the dimensions outside the rows. */
template <class Move>
void
move_rows(const cu_index *args, const moved &m, const int64_t *places, int64_t begin,
          int64_t end, const Move &move)
{
    const int d = m.ndim - 1;
    const int64_t n = args->it->shape[d], step = stride_of(args->it->op[VALUES], d);

    walk(args, d, 0, begin, end, [&](const row &r) {
        switch (n) {
        case 2: return move_places<2>(r, places, 2, step, move);
        case 3: return move_places<3>(r, places, 3, step, move);
        default: return move_places<0>(r, places, n, step, move);
        }
    });
}

template <bool GATHERS, class Bytes>
void
move_all(const cu_index *args, const moved &m)
{
    const mover<GATHERS, Bytes> move = {Bytes(m.size)};
    const bool same = has_same_places(args, m);
    const int64_t n = same ? args->it->shape[m.ndim - 1] : 1;
    int64_t places[MOST_PLACES];

    if (same) find_places(args, m, places);
    const auto part = [&](int64_t begin, int64_t end) {
        if (same) return move_rows(args, m, places, begin, end, move);
        walk(args, m.ndim, args->nindex, begin, end,
             [&](const row &r) { move.move_row(r); });
    };
    if (!GATHERS) return part(0, m.count / n);
    const int64_t grain = GRAIN * 4 / (n * m.size);
    parallel(m.count / n, grain < 1 ? 1 : grain < GRAIN ? grain : GRAIN, part);
}

template <bool GATHERS>
void
move_by_size(const cu_index *args)
{
    const moved m = moved_of(args);

    switch (m.size) {
    case 1: return move_all<GATHERS, few_bytes<1>>(args, m);
    case 2: return move_all<GATHERS, few_bytes<2>>(args, m);
    case 4: return move_all<GATHERS, few_bytes<4>>(args, m);
    case 8: return move_all<GATHERS, few_bytes<8>>(args, m);
    case 16: return move_all<GATHERS, few_bytes<16>>(args, m);
    default: return move_all<GATHERS, many_bytes>(args, m);
    }
}

/* The first index of operand k out of range, in C order. */
cu_status
check_index(const cu_index *args, int k)
{
    const cu_operand &op = args->it->op[INDICES + k];
    const int64_t length = args->length[k];
    cu_index one = {};
    bool found = false;
    int64_t bad = 0;

    /* Walk this index array alone, as if it were the array. What is kept of an iteration
     * ends with its operands. */
    cu_iter it;
    memcpy(&it, args->it, offsetof(cu_iter, op));
    it.op[ARRAY] = op;
    it.op[VALUES] = op;
    one.it = &it;
    walk(&one, 0, it.size, [&](const row &r) {
        for (int64_t i = 0; i < r.n && !found; i++) {
            int64_t value;
            memcpy(&value, r.array + i * r.array_stride, sizeof value);
            if (value >= -length && value < length) continue;
            found = true;
            bad = value;
        }
    });
    if (!found) return CUPRIC_OK;
    return cu_fail(CUPRIC_ERR_INDEX,
                   "index %lld is out of bounds for axis %d with size %lld",
                   (long long)bad, args->axis[k], (long long)length);
}

/* All is checked before anything is written. */
cu_status
check_indices(const cu_index *args)
{
    for (int k = 0; k < args->nindex; k++) {
        if (!args->check && args->length[k] > 0) continue;
        cu_status st = check_index(args, k);
        if (st) return st;
    }
    return CUPRIC_OK;
}

/* ---- array = op(array, value) -------------------------------------------------------- */

/* Rows whose loop is compiled here; any other calls its elementwise loop. */
template <int OP, class T>
void
apply_row(const row &r)
{
    each_element(r, [](char *place, char *value) {
        const T x = ufunc_fn<OP, T, T>::call(load<T>(place), load<T>(value));
        memcpy(place, &x, sizeof x);
    });
}

typedef void apply(const row &r);

template <int OP, class T>
constexpr apply *
apply_for()
{
    if constexpr (ufunc_find_signature<T, T>(OP) >= 0) {
        if constexpr (is_same<typename ufunc_fn<OP, T, T>::R, T>::value) {
            return apply_row<OP, T>;
        }
    }
    return nullptr;
}

template <int OP>
apply *
apply_of_type(cu_dtype t)
{
    static constexpr apply *table[] = {
#define CUPRIC_TYPE(NAME, letter, ...) apply_for<OP, __VA_ARGS__>(),
#include "cupric/dtypes.inc"
#undef CUPRIC_TYPE
    };
    return table[t];
}

template <int OP>
apply *
apply_of_trait(cu_dtype t)
{
    if constexpr ((ufunc_rows[OP].traits & SCATTERS) != 0) return apply_of_type<OP>(t);
    (void)t;
    return nullptr;
}

template <int... OP>
apply *
apply_of_row(int op, cu_dtype t, std::integer_sequence<int, OP...>)
{
    static apply *(*const rows[])(cu_dtype) = {apply_of_trait<OP>...};
    return rows[op](t);
}

/* The compiled loop, where array and values are both of the signature's one type. */
apply *
find_apply(const cu_index *args)
{
    const cu_dtype t = args->it->op[ARRAY].dtype;
    const ufunc_letters letters = ufunc_signature(args->op, args->sig);

    if (t != args->it->op[VALUES].dtype) return nullptr;
    if (letters.at[0] != cu_dtypes[t].letter || letters.at[1] != letters.at[0]) {
        return nullptr;
    }
    return apply_of_row(args->op, t, std::make_integer_sequence<int, N_UFUNCS>());
}

/* Any operation, one element at a time: its loop, between conversions of what is stored
 * in another type than the signature's. */
struct any_operation {
    int nin;
    cu_loop *loop;
    cu_loop *load[2], *store; /* NULL: the types agree */

    void run(char *place, char *value) const
    {
        static const int64_t none[CUPRIC_LOOP_OPERANDS] = {0};
        char *const operand[2] = {place, value};
        alignas(16) char buffer[3][16];
        char *ptr[3];

        for (int k = 0; k < nin; k++) {
            ptr[k] = operand[k];
            if (load[k] == nullptr) continue;
            char *const pair[2] = {operand[k], buffer[k]};
            load[k](pair, none, 1);
            ptr[k] = buffer[k];
        }
        ptr[nin] = store ? buffer[2] : place;
        loop(ptr, none, 1);
        if (store == nullptr) return;
        char *const pair[2] = {buffer[2], place};
        store(pair, none, 1);
    }
};

cu_loop *
conversion(cu_dtype from, cu_dtype to)
{
    return from == to ? nullptr : cu_host_convert_loop(from, to);
}

cu_status
apply_any(const cu_index *args)
{
    const ufunc_row &row_of_op = ufunc_rows[args->op];
    const int8_t *types = cu_host_loop_types(args->op, args->sig);
    const cu_dtype array = args->it->op[ARRAY].dtype,
                   value = args->it->op[VALUES].dtype;
    any_operation any = {row_of_op.nin, cu_host_loop(args->op, args->sig), {}, nullptr};

    if (any.loop == nullptr || row_of_op.nin > 2 || row_of_op.nout != 1) {
        return cu_fail(CUPRIC_ERR_TYPE, "%s cannot be applied at indices",
                       row_of_op.name);
    }
    any.load[0] = conversion(array, (cu_dtype)types[0]);
    if (any.nin == 2) any.load[1] = conversion(value, (cu_dtype)types[1]);
    any.store = conversion((cu_dtype)types[any.nin], array);
    walk(args, 0, args->it->size, [&any](const row &r) {
        each_element(r, [&any](char *at, char *with) { any.run(at, with); });
    });
    return CUPRIC_OK;
}

} // namespace

cu_status
cu_host_gather(const cu_index *args, cu_stream *)
{
    const cu_status st = check_indices(args);

    if (!st) move_by_size<true>(args);
    return st;
}

cu_status
cu_host_scatter(const cu_index *args, cu_stream *)
{
    const cu_status st = check_indices(args);

    if (!st) move_by_size<false>(args);
    return st;
}

cu_status
cu_host_scatter_op(const cu_index *args, cu_stream *)
{
    cu_status st = check_indices(args);

    if (st) return st;
    apply *loop = find_apply(args);
    if (loop == nullptr) return apply_any(args);
    walk(args, 0, args->it->size, loop);
    return CUPRIC_OK;
}
