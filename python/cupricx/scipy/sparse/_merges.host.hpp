/* _merges.host.hpp: on a CPU a tile is gone through from its first element to its last. */

/* What is kept of results: where the next one goes. */
template <class I, class R>
struct merge_output {
    I *indices;
    R *results;
    long long n;

    void add(I column, const R &value)
    {
        if (value == R(0)) return;
        indices[n] = column;
        results[n] = value;
        n++;
    }
};

/* The elements of a row of both, a to a_end and b to b_end. Choices are branches: where
 * rows are alike they are foreseen, and where they are not they cost no more than the
 * chain of loads and comparisons that would be without. */
template <int OP, class I, class T, class R>
inline void
merge_row(const I *a, const I *a_end, const T *x, const I *b, const I *b_end,
          const T *y, merge_output<I, R> &out, int op)
{
    const int by = OP < 0 ? op : OP;
    while (a < a_end && b < b_end) {
        if (*a == *b) {
            out.add(*a, combined<R>(by, cupric::load(x++), cupric::load(y++)));
            a++, b++;
        } else if (*a < *b) {
            out.add(*a++, combined<R>(by, cupric::load(x++), T(0)));
        } else {
            out.add(*b++, combined<R>(by, T(0), cupric::load(y++)));
        }
    }
    for (; a < a_end; a++) out.add(*a, combined<R>(by, cupric::load(x++), T(0)));
    for (; b < b_end; b++) out.add(*b, combined<R>(by, T(0), cupric::load(y++)));
}

/* Tile t, and the ends of its rows; returns how many elements it keeps. */
template <int OP, class I, class T, class R>
inline long long
merge_one_tile(const merge_pair<I> &m, const T *x, const T *y, const long long *points,
               long long t, I *indptr, merge_output<I, R> out, const merge_sizes &s)
{
    const merge_point p = loaded_point(points, s.tiles, t);
    const merge_point q = loaded_point(points, s.tiles, t + 1);
    long long a = p.a, b = p.b;

    out.indices += a + b;
    out.results += a + b;
    for (long long row = p.row; row <= q.row; row++) {
        const long long a_end = row < q.row ? (long long)m.a_begin[row + 1] : q.a;
        const long long b_end = row < q.row ? (long long)m.b_begin[row + 1] : q.b;
        merge_row<OP>(m.a_index + a, m.a_index + a_end, x + a, m.b_index + b,
                      m.b_index + b_end, y + b, out, s.op);
        if (row < q.row) indptr[row + 1] = (I)out.n;
        a = a_end;
        b = b_end;
    }
    return out.n;
}

/* The same, with a loop for each of the frequent operations. */
template <class I, class T, class R, class... Rest>
inline long long
merge_by_operation(const merge_sizes &s, const Rest &...rest)
{
    if constexpr (cupric::is_same<R, T>::value) {
        switch (s.op) {
        case OP_PLUS: return merge_one_tile<OP_PLUS, I, T, R>(rest..., s);
        case OP_MINUS: return merge_one_tile<OP_MINUS, I, T, R>(rest..., s);
        case OP_MULTIPLY: return merge_one_tile<OP_MULTIPLY, I, T, R>(rest..., s);
        default: break;
        }
    }
    return merge_one_tile<-1, I, T, R>(rest..., s);
}

template <class I, class T, class R>
__global__ void
merge_tiles(Views<I, 1, 4> index, Views<T, 1, 2> data, const long long *points,
            long long *counts, I *indptr, I *indices, R *results, merge_sizes s)
{
    const merge_pair<I> m(index);
    const T *const x = data[0].begin_ptr(), *const y = data[1].begin_ptr();
    const merge_output<I, R> out = {indices, results, 0};

    CUPRIC_EACH_BLOCK (t, s.tiles) {
        counts[t] = merge_by_operation<I, T, R>(s, m, x, y, points, t, indptr, out);
        if (t == 0) counts[s.tiles] = indptr[0] = 0;
    }
}
