/* _transforms.host.hpp: the two numbers of each block of a run at once, by loops that
 * vectorise.
 */

/* Elements [begin, begin + n) of a run of RUN blocks, begin even. */
template <class Transform>
WHOLE static void
make_standard(const beginnings &all, int n, double *even, double *odd)
{
    for (int i = 0; i < n; i++) {
        const cupric::philox_block b = {
            {all.word[0][i], all.word[1][i], all.word[2][i], all.word[3][i]}};
        double z[2];
        Transform::standard(b, z);
        even[i] = z[0];
        odd[i] = z[1];
    }
}

template <class Transform>
WHOLE static void
apply(const Transform &given, int n, double *z)
{
    const Transform own = given;
    for (int i = 0; i < n; i++) z[i] = own(z[i]);
}

template <class Transform, class Out>
ALONE static void
transform_run(const Out &out, long long begin, int n, word64 key, word64 counter,
              const sampler_of<Transform> &given, const Transform *same)
{
    beginnings all;
    double z[2][RUN];
    word64 element[RUN];
    const int blocks = (n + 1) / 2;

    number_from(element, (word64)begin / 2);
    make_blocks(all, blocks, key, counter, element, 0);
    make_standard<Transform>(all, blocks, z[0], z[1]);
    if (same) {
        apply(*same, blocks, z[0]);
        apply(*same, blocks, z[1]);
        for (int i = 0; i < n; i++) out.put(begin + i, z[i % 2][i / 2]);
    } else {
        for (int i = 0; i < n; i++)
            out.put(begin + i, given[begin + i](z[i % 2][i / 2]));
    }
}

template <class Y, class Transform>
__device__ inline void
fill_pairs(void *out, const sampler_of<Transform> &given, const fill_plan &p)
{
    const results<Y> to = {out, p.narrow};
    const long long length = (long long)RUN * p.each;
    const bool one = given.same();
    const Transform same = given[0];

    CUPRIC_EACH_BLOCK (run, (p.n + length - 1) / length) {
        const long long begin = run * length;
        const long long end = begin + length < p.n ? begin + length : p.n;
        for (long long i = begin; i < end; i += 2 * RUN) {
            transform_run<Transform>(to, i,
                                     (int)(end - i < 2 * RUN ? end - i : 2 * RUN),
                                     p.key, p.counter, given, one ? &same : nullptr);
        }
    }
}
