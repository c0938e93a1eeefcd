/* Elements of one of several arrays each: up to eight by a launch. Arrays
 * have three axes, those of out, (m0, m1, m2). Of `pieces`: on a GPU an element each; on the
 * host up to `run` of a row. */

struct Place {
    long long row, begin, end; /* elements of a row of the result */
    cupric::extent at[3];      /* of the first of them */
};

/* Where a piece lies: a row of the host has `runs` of up to `run` elements. */
__device__ inline Place
place_of_piece(long long piece, long long runs, long long run, long long m1,
               long long m2)
{
    const long long row = cupric::quotient(piece, runs),
                    one = cupric::quotient(row, m1);
    const long long begin = (piece - row * runs) * run;
    const long long end = begin + run < m2 ? begin + run : m2;
    return {row, begin, end, {one, row - one * m1, begin}};
}

__device__ inline bool
holds(const bool *condition)
{
    return *(const unsigned char *)condition != 0; /* whatever the byte */
}

/* y[j] = x[j], or `value` where there is no x, for n elements where the condition holds. */
template <class T>
__device__ inline void
put_where(T *y, const View<bool, 3> &condition, const View<T, 3> &x, bool is_value,
          T value, const cupric::extent *at, long long n)
{
    const unsigned char *c = (const unsigned char *)&condition[at];
    const long long c_step = condition.strides()[2];
    const char *p = is_value ? (const char *)&value : (const char *)&x[at];
    const long long step = is_value ? 0 : x.strides()[2];

    if (c_step == 1 && step == 0) {
        const T one = *(const T *)p;
        for (long long j = 0; j < n; j++) y[j] = c[j] ? one : y[j];
    } else if (c_step == 1 && step == (long long)sizeof(T)) {
        for (long long j = 0; j < n; j++) y[j] = c[j] ? ((const T *)p)[j] : y[j];
    } else {
        for (long long j = 0; j < n; j++) {
            if (c[j * c_step]) y[j] = *(const T *)(p + j * step);
        }
    }
}

/* out = x_k, k the first of `count` conditions that holds, or x8 where none does. Bit k of
 * `values` is set where v_k stands for x_k. */
template <class T>
__global__ void
select_first(T *out, long long pieces, long long run, int count, int values,
             long long m1, long long m2, View<bool, 3> c0, View<bool, 3> c1,
             View<bool, 3> c2, View<bool, 3> c3, View<bool, 3> c4, View<bool, 3> c5,
             View<bool, 3> c6, View<bool, 3> c7, View<T, 3> x0, View<T, 3> x1,
             View<T, 3> x2, View<T, 3> x3, View<T, 3> x4, View<T, 3> x5, View<T, 3> x6,
             View<T, 3> x7, View<T, 3> x8, T v0, T v1, T v2, T v3, T v4, T v5, T v6,
             T v7, T v8)
{
#if defined(CUPRIC_HOST)
    const long long runs = (m2 + run - 1) / run;
    CUPRIC_EACH (piece, pieces) {
        const Place place = place_of_piece(piece, runs, run, m1, m2);
        const long long n = place.end - place.begin;
        T *const y = out + place.row * m2 + place.begin;
        const char *p =
            values >> 8 & 1 ? (const char *)&v8 : (const char *)&x8[place.at];
        const long long step = values >> 8 & 1 ? 0 : x8.strides()[2];
        for (long long j = 0; j < n; j++) y[j] = *(const T *)(p + j * step);
        const auto put = [&](int k, const View<bool, 3> &c, const View<T, 3> &x, T v) {
            if (k < count) put_where(y, c, x, values >> k & 1, v, place.at, n);
        };
        put(7, c7, x7, v7);
        put(6, c6, x6, v6);
        put(5, c5, x5, v5);
        put(4, c4, x4, v4);
        put(3, c3, x3, v3);
        put(2, c2, x2, v2);
        put(1, c1, x1, v1);
        put(0, c0, x0, v0);
    }
#else
    CUPRIC_EACH (piece, pieces) {
        const Place place = place_of_piece(piece, m2, 1, m1, m2);
        bool found = false;
        T y = v8;
        const auto take = [&](int k, const View<bool, 3> &c, const View<T, 3> &x, T v) {
            if (found || k >= count || !holds(&c[place.at])) return;
            found = true;
            y = values >> k & 1 ? v : x[place.at];
        };
        take(0, c0, x0, v0);
        take(1, c1, x1, v1);
        take(2, c2, x2, v2);
        take(3, c3, x3, v3);
        take(4, c4, x4, v4);
        take(5, c5, x5, v5);
        take(6, c6, x6, v6);
        take(7, c7, x7, v7);
        if (!found && !(values >> 8 & 1)) y = x8[place.at];
        out[piece] = y;
    }
#endif
}

enum { RAISE, WRAP, CLIP }; /* of _choice.py */

/* Which of n arrays a number chooses; -1 where it may not. */
__device__ inline long long
number_of(long long which, long long n, int mode)
{
    if (which >= 0 && which < n) return which;
    if (mode == RAISE) return -1;
    if (mode == CLIP) return which < 0 ? 0 : n - 1;
    const long long rest = which % n;
    return rest < 0 ? rest + n : rest;
}

/* out = x_k where `which` chooses array first + k of n, k one of `count`; else it stays.
 * *is_outside = 1 where a number chooses none. */
template <class I, class T>
__global__ void
choose_from(T *out, int *is_outside, long long pieces, long long run, long long n,
            long long first, long long count, int mode, long long m1, long long m2,
            View<I, 3> which, View<T, 3> x0, View<T, 3> x1, View<T, 3> x2,
            View<T, 3> x3, View<T, 3> x4, View<T, 3> x5, View<T, 3> x6, View<T, 3> x7)
{
#if defined(CUPRIC_HOST)
    const long long runs = (m2 + run - 1) / run;
    bool outside = false;
    CUPRIC_EACH (piece, pieces) {
        const Place place = place_of_piece(piece, runs, run, m1, m2);
        T *const y = out + place.row * m2 + place.begin;
        const char *const of[] = {
            (const char *)&x0[place.at], (const char *)&x1[place.at],
            (const char *)&x2[place.at], (const char *)&x3[place.at],
            (const char *)&x4[place.at], (const char *)&x5[place.at],
            (const char *)&x6[place.at], (const char *)&x7[place.at]};
        const long long steps[] = {x0.strides()[2], x1.strides()[2], x2.strides()[2],
                                   x3.strides()[2], x4.strides()[2], x5.strides()[2],
                                   x6.strides()[2], x7.strides()[2]};
        const char *const w = (const char *)&which[place.at];
        const long long step = which.strides()[2];
        for (long long j = 0; j < place.end - place.begin; j++) {
            const long long i =
                number_of((long long)*(const I *)(w + j * step), n, mode);
            const long long k = i - first;
            outside |= i < 0;
            if (i >= 0 && k >= 0 && k < count)
                y[j] = *(const T *)(of[k] + j * steps[k]);
        }
    }
    if (outside) *is_outside = 1;
#else
    CUPRIC_EACH (piece, pieces) {
        const Place place = place_of_piece(piece, m2, 1, m1, m2);
        const long long i = number_of((long long)which[place.at], n, mode);
        const long long k = i - first;
        if (i < 0) {
            *is_outside = 1;
            continue;
        }
        if (k < 0 || k >= count) continue;
        switch (k) {
        case 0: out[piece] = x0[place.at]; break;
        case 1: out[piece] = x1[place.at]; break;
        case 2: out[piece] = x2[place.at]; break;
        case 3: out[piece] = x3[place.at]; break;
        case 4: out[piece] = x4[place.at]; break;
        case 5: out[piece] = x5[place.at]; break;
        case 6: out[piece] = x6[place.at]; break;
        case 7: out[piece] = x7[place.at]; break;
        }
    }
#endif
}
