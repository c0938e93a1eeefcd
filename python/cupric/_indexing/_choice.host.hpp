/* _choice.host.hpp: pieces are runs of a row, so that each array is read by loops of one
 * step, its choice in the cache.
 */

/* An array, or a number that stands for it: where it begins, and the step of a row. */
template <class T>
struct row_of {
    const char *at;
    long long step; /* bytes; 0: a number */

    row_of(const View<T, 3> &x, bool is_value, const T &value,
           const cupric::extent *place)
        : at(is_value ? (const char *)&value : (const char *)&x[place]),
          step(is_value ? 0 : x.strides()[2])
    {
    }
    T operator[](long long j) const { return *(const T *)(at + j * step); }
};

/* y[j] = x[j] for n elements where the condition holds. */
template <class T>
inline void
put_where(T *y, const View<bool, 3> &condition, const row_of<T> &x,
          const cupric::extent *at, long long n)
{
    const unsigned char *c = (const unsigned char *)&condition[at];
    const long long c_step = condition.strides()[2];

    if (c_step == 1 && x.step == 0) {
        const T one = x[0];
        for (long long j = 0; j < n; j++) y[j] = c[j] ? one : y[j];
    } else if (c_step == 1 && x.step == (long long)sizeof(T)) {
        const T *const from = (const T *)x.at;
        for (long long j = 0; j < n; j++) y[j] = c[j] ? from[j] : y[j];
    } else {
        for (long long j = 0; j < n; j++) {
            if (c[j * c_step]) y[j] = x[j];
        }
    }
}

template <class T>
__global__ void
select_first(T *out, choice_pieces p, choice_cases cases, Views<bool, 3, CASES> c,
             Views<T, 3, CASES + 1> x, choice_numbers<T> numbers)
{
    CUPRIC_EACH (piece, p.pieces) {
        const Place place = place_of_piece(piece, p);
        const long long n = place.end - place.begin;
        T *const y = out + place.row * p.m2 + place.begin;
        const auto source = [&](int k) {
            return row_of<T>(x[k], cases.values >> k & 1, numbers.at[k], place.at);
        };
        const row_of<T> otherwise = source(DEFAULT);
        for (long long j = 0; j < n; j++) y[j] = otherwise[j];
        for (int k = cases.count - 1; k >= 0; k--)
            put_where(y, c[k], source(k), place.at, n);
    }
}

template <class I, class T>
__global__ void
choose_from(T *out, int *is_outside, choice_pieces p, choice_range r, View<I, 3> which,
            Views<T, 3, CASES> x)
{
    bool outside = false;

    CUPRIC_EACH (piece, p.pieces) {
        const Place place = place_of_piece(piece, p);
        T *const y = out + place.row * p.m2 + place.begin;
        const char *of[CASES];
        long long steps[CASES];
        for (int k = 0; k < r.count; k++) {
            of[k] = (const char *)&x[k][place.at];
            steps[k] = x[k].strides()[2];
        }
        const char *const w = (const char *)&which[place.at];
        const long long step = which.strides()[2];
        for (long long j = 0; j < place.end - place.begin; j++) {
            const long long i = number_of((long long)*(const I *)(w + j * step), r);
            const long long k = i - r.first;
            outside |= i < 0;
            if (i >= 0 && k >= 0 && k < r.count)
                y[j] = *(const T *)(of[k] + j * steps[k]);
        }
    }
    if (outside) *is_outside = 1;
}
