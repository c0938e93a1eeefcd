"""What kernels of libraries do on a GPU, run on the host device: threads as fibers.

`use()` has every kernel take the body for GPUs and launched as there: of the libraries
of `cupric`, which are made when it is imported, and of those that are made afterwards.
`pytest --bodies device` calls it. It is slow, and there are no races, but a wrong index
or a barrier that is not met shows.
"""

BLOCKS = 7  # few, so that blocks take several pieces
ELEMENTS_BLOCK = 64


def use():
    from cupric import _core
    from cupric._lib.kernels import _library, _source

    read_code, expand = _source.read_code, _source.expand

    def for_gpus(text):
        return text.replace("defined(CUPRIC_HOST)", "0")

    def code_without_host(folder, name, seen):
        return for_gpus(read_code(folder, name, seen))

    def without_host(folder, text, seen):
        return for_gpus(expand(folder, text, seen))

    _core._launch_as_device(BLOCKS, ELEMENTS_BLOCK)
    _source.read_code, _source.expand = code_without_host, without_host
    _library.Library.on_host = lambda self, x: False
    # A loop over elements goes by threads, as on a GPU.
    _library.HEADER = (
        _library.HEADER
        + """
#undef CUPRIC_ONE_THREAD
#undef CUPRIC_EACH
#undef CUPRIC_EACH_BLOCK
#define CUPRIC_EACH(i, n) \\
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < (n); \\
         i += (long long)gridDim.x * blockDim.x)
#define CUPRIC_EACH_BLOCK(b, n) for (long long b = blockIdx.x; b < (n); b += gridDim.x)
"""
    )
    for library in _library.libraries:
        _, _, text = library.source.partition('#include "cupric/library.hpp"\n')
        library.source = _library.HEADER + for_gpus(text)
        for declared in library.declared:
            assert isinstance(declared, _library._Blocks), declared.name
            declared.kernel.clear()
