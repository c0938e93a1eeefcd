/* Tiles of TILE sums, which go along the spectra together. */
template <class T>
__global__ void
sum_products(const complex<T> *x, const complex<T> *y, double *sums, average_sizes s,
             long long total)
{
    CUPRIC_EACH_BLOCK (b, total) {
        const long long chunk = b / s.tiles, first = (b - chunk * s.tiles) * TILE;
        const long long row = chunk / s.chunks, part = chunk - row * s.chunks;
        const long long from = part * s.chunk;
        const long long to = from + s.chunk < s.segments ? from + s.chunk : s.segments;
        const long long count = first + TILE < s.m ? TILE : s.m - first;
        products_of_spectra *out = (products_of_spectra *)sums + chunk * s.m + first;
        for (long long j = 0; j < count; j++) out[j] = products_of_spectra{0, 0, 0, 0};
        for (long long k = from; k < to; k++) {
            const long long at = (row * s.segments + k) * s.m + first;
            for (long long j = 0; j < count; j++) out[j].add(x, y, at + j, s.products);
        }
    }
}
