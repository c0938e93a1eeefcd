/* _kernels.host.hpp: the gamma numbers of all rows of a block by runs. */

template <class Y>
__global__ void
dirichlet_fill(Y *out, long long rows, word64 key, word64 counter, const double *alpha,
               long long k)
{
    bool logs = false;

    for (long long c = 0; c < k; c++) logs = logs || alpha[c] < 1;
    const long long end = k * cupric::share_of(rows, blockIdx.x + 1, gridDim.x);
    long long at = k * cupric::share_of(rows, blockIdx.x, gridDim.x);
    for (; at < end; at += RUN) {
        fill_run<dirichlet_sampler>(
            results<Y>{out, false}, at, (int)(end - at < RUN ? end - at : RUN), key,
            counter, [&](long long i) { return dirichlet_sampler(alpha[i % k], logs); },
            (const dirichlet_sampler *)nullptr);
    }
    CUPRIC_EACH (row, rows) {
        Y *const x = out + row * k;
        double most = -INFINITE;
        for (long long c = 0; c < k; c++) most = x[c] > most ? x[c] : most;
        divide_by_sum(x, k, logs, most);
    }
}
