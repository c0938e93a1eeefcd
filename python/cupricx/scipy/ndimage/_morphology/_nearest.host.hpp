/* _nearest.host.hpp: neighbouring columns together, a line of the cache at a time. */

enum { LINE = 16 };        /* columns */
enum { ELEMENTS = 16384 }; /* of these columns, at most */

/* The columns of the host: LINE neighbours along the last axis, or fewer. */
template <class W>
struct neighbouring_columns {
    W cost[ELEMENTS];
    int take[ELEMENTS], site[ENVELOPE];
    double from[ENVELOPE];
    W near[LINE];

    /* cost[c * stride + j] of the n elements of `here` columns from `column` on. */
    void gather(const column_of_zeros<W> &column, int n, int stride, int here)
    {
        const int last = column.count - 1;
        const int *of = column.planes + last * column.size;
        const W w = column.weights[last];
        for (int j = 0; j < n; j++) {
            const int *p = of + j * column.inner;
            for (int c = 0; c < here; c++) {
                const W d = w * (W)(p[c] - column.index[last] - c);
                near[c] = d * d;
            }
            for (int k = 0; k < last; k++) {
                const int *q = column.planes + k * column.size + j * column.inner;
                const W v = column.weights[k];
                for (int c = 0; c < here; c++) {
                    const W d = v * (W)(q[c] - column.index[k]);
                    near[c] = near[c] + d * d;
                }
            }
            for (int c = 0; c < here; c++)
                cost[c * stride + j] = p[c] < 0 ? largest<W>::value() : near[c];
        }
    }

    /* What is written for the elements (i, c), the first of them at `at`. */
    template <class D>
    void write(const column_of_zeros<W> &column, const nearest_output<W, D> &output,
               long long at, int n, int stride, int here)
    {
        const long long size = column.size, inner = column.inner;
        if (take[0] < 0) { /* as all: the columns are of one part of the array */
            column_of_zeros<W> one = column;
            for (int c = 0; c < here; c++, one.index[one.count - 1]++) {
                for (int i = 0; i < n; i++)
                    output.write(one, at + i * inner + c, i, -1, largest<W>::value());
            }
            return;
        }
        for (int i = 0; i < n; i++) {
            const long long row = at + i * inner;
            int *own = output.to + output.axis * size + row;
            if (output.all || !output.distances) {
                for (int c = 0; c < here; c++) own[c] = take[c * stride + i];
            }
            for (int k = output.axis + 1; output.all && k < output.ndim; k++) {
                const int *from = output.planes + k * size + at;
                int *made = output.to + k * size + row;
                for (int c = 0; c < here; c++)
                    made[c] = from[take[c * stride + i] * inner + c];
            }
            if (!output.distances) continue;
            for (int c = 0; c < here; c++) {
                const int j = take[c * stride + i];
                near[c] = cost[c * stride + j] + column.square(column.weight, i - j);
            }
            D *far = output.distances + row;
            for (int c = 0; c < here; c++) far[c] = (D)sqrt((double)near[c]);
        }
    }
};

template <class W, class D>
__global__ void
nearest_along(const int *planes, int *to, D *distances, const long long *shape,
              const double *weights, nearest_sizes s)
{
    const nearest_output<W, D> output = {
        to, distances, planes, s.outer * s.n * s.inner, s.inner, s.axis, s.ndim, s.all};
    const long long columns = s.outer * s.inner;
    const long long n = s.n;
    const int middle = first_step(n);
    neighbouring_columns<W> work;
    double half[ENVELOPE];
    column_of_zeros<W> column;
    const long long along = shape[s.ndim - 1], lines = columns / along;
    const long long across = (along + LINE - 1) / LINE;
    const int stride = (int)n + PAD;
    const bool envelope = n <= ENVELOPE;
    const int most =
        envelope ? (ELEMENTS / stride < LINE ? ELEMENTS / stride : LINE) : 1;
    for (int d = 1; d < n && envelope; d++)
        half[d] = 0.5 / (weights[s.axis] * weights[s.axis] * d);

    CUPRIC_EACH_BLOCK (piece, lines * across) {
        const long long first = piece % across * LINE;
        const int count = (int)(along - first < LINE ? along - first : LINE);
        for (int c0 = 0; c0 < count; c0 += most) {
            const int here = count - c0 < most ? count - c0 : most;
            const long long at = column.place(piece / across * along + first + c0,
                                              planes, s, shape, weights);
            if (!envelope) {
                for (int step = middle; step > 0; step /= 2)
                    search_between(column, output, at, (int)n, step, 0, 1);
                continue;
            }
            work.gather(column, (int)n, stride, here);
            for (int c = 0; c < here; c++) {
                lower_envelope(work.cost + c * stride, largest<W>::value(), half,
                               (int)n, work.take + c * stride, work.site, work.from);
            }
            work.write(column, output, at, (int)n, stride, here);
        }
    }
}
