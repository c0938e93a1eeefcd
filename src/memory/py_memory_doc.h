/* memory/py_memory_doc.h: signatures and docstrings of memory, pointers, pools and allocators. */
#ifndef CUPRIC_MEMORY_PY_MEMORY_DOC_H
#define CUPRIC_MEMORY_PY_MEMORY_DOC_H

#include "py_doc.h"

DOC(base_memory_doc) =
    "BaseMemory(*args, **kwargs)\n--\n\n"
    "Memory of a device: what a `MemoryPointer` points into.\n\n"
    "The base of the kinds of memory. A subclass gets its memory from the ``__init__`` "
    "of one\n"
    "of them, to which the arguments belong; until then it has none.\n\n"
    "Parameters\n----------\n"
    "*args, **kwargs\n"
    "    Of a subclass.\n\n"
    "Examples\n--------\n"
    ">>> memory = cp.zeros(4).data.mem\n"
    ">>> isinstance(memory, cp.cuda.BaseMemory)\n"
    "True\n"
    ">>> memory.device == cp.cuda.Device()\n"
    "True\n";

DOC(direct_memory_doc) =
    "Memory(size)\n--\n\n"
    "Memory of the current device, past its pool.\n\n"
    "Parameters\n----------\n"
    "size : int\n"
    "    Bytes.\n\n"
    "Raises\n------\n"
    "OutOfMemoryError\n"
    "    The device does not have so much.\n\n"
    "Examples\n--------\n"
    ">>> memory = cp.cuda.Memory(1000)\n"
    ">>> memory.size\n"
    "1000\n"
    ">>> x = cp.ndarray(125, 'float64', cp.cuda.MemoryPointer(memory, 0))\n";

DOC(unowned_memory_doc) =
    "UnownedMemory(ptr, size, owner, device_id=-1)\n--\n\n"
    "Memory that another object owns.\n\n"
    "Parameters\n----------\n"
    "ptr : int\n"
    "    Its address, which the device reaches.\n"
    "size : int\n"
    "    Bytes.\n"
    "owner : object\n"
    "    What keeps the memory; it is kept as long as this memory or an array in it "
    "is.\n"
    "device_id : int, optional\n"
    "    The number of its device, which is found from the address where it is left "
    "out.\n\n"
    "Examples\n--------\n"
    ">>> x = cp.arange(3)\n"
    ">>> memory = cp.cuda.UnownedMemory(x.data.ptr, x.nbytes, x)\n"
    ">>> y = cp.ndarray(3, x.dtype, cp.cuda.MemoryPointer(memory, 0))\n"
    ">>> y[0] = 7\n"
    ">>> x\n"
    "array([7, 1, 2])\n";

DOC(pooled_memory_doc) =
    "Memory of a pool, to which it returns when its last user is gone.\n\n"
    "`MemoryPool.malloc` makes it.\n\n"
    "Examples\n--------\n"
    ">>> pool = cp.cuda.MemoryPool()\n"
    ">>> pointer = pool.malloc(1000)\n"
    ">>> isinstance(pointer.mem, cp.cuda.memory.PooledMemory)\n"
    "True\n"
    ">>> pool.used_bytes()\n"
    "1024\n"
    ">>> del pointer\n"
    ">>> pool.used_bytes()\n"
    "0\n";

DOC(pooled_memory_free_doc) =
    "free()\n--\n\n"
    "Give the memory back to its pool now.\n\n"
    "Arrays in it keep it nevertheless; pointers into it can no longer be used.\n\n"
    "Examples\n--------\n"
    ">>> pool = cp.cuda.MemoryPool()\n"
    ">>> pointer = pool.malloc(1000)\n"
    ">>> pointer.mem.free()\n"
    ">>> pool.used_bytes()\n"
    "0\n";

DOC(pointer_doc) = "MemoryPointer(mem, offset)\n--\n\n"
                   "The address of a byte of a device's memory, which it keeps.\n\n"
                   "``pointer + n`` and ``pointer - n`` point to other bytes of it.\n\n"
                   "Parameters\n----------\n"
                   "mem : BaseMemory\n"
                   "    The memory.\n"
                   "offset : int\n"
                   "    Bytes from its start.\n\n"
                   "Examples\n--------\n"
                   ">>> x = cp.arange(4)\n"
                   ">>> y = cp.ndarray(2, x.dtype, x.data + 2 * x.itemsize)\n"
                   ">>> y\n"
                   "array([2, 3])\n";

DOC(pointer_copy_from_doc) =
    "copy_from(mem, size)\n--\n\n"
    "Copy bytes to here from the host or a device, and wait for it.\n\n"
    "Parameters\n----------\n"
    "mem : MemoryPointer, int or ctypes.c_void_p\n"
    "    Where from; numbers are addresses of the host.\n"
    "size : int\n"
    "    Bytes.\n\n"
    "Examples\n--------\n"
    ">>> x, y = cp.zeros(3, 'int32'), np.array([1, 2, 3], 'int32')\n"
    ">>> x.data.copy_from(y.ctypes.data, y.nbytes)\n"
    ">>> x\n"
    "array([1, 2, 3], dtype=int32)\n";

DOC(pointer_copy_from_async_doc) =
    "copy_from_async(mem, size, stream=None)\n--\n\n"
    "Copy bytes to here from the host or a device, in a stream's order.\n\n"
    "Parameters\n----------\n"
    "mem : MemoryPointer, int or ctypes.c_void_p\n"
    "    Where from; numbers are addresses of the host, of pinned memory.\n"
    "size : int\n"
    "    Bytes.\n"
    "stream : Stream, optional\n"
    "    By default the device's current one.\n\n"
    "Examples\n--------\n"
    ">>> x, y = cp.zeros(3, 'int32'), cp.array([1, 2, 3], 'int32')\n"
    ">>> x.data.copy_from_async(y.data, y.nbytes)\n"
    ">>> x\n"
    "array([1, 2, 3], dtype=int32)\n";

DOC(pointer_copy_from_host_doc) =
    "copy_from_host(mem, size)\n--\n\n"
    "Copy bytes of the host to here, and wait for it.\n\n"
    "Parameters\n----------\n"
    "mem : int or ctypes.c_void_p\n"
    "    The address on the host.\n"
    "size : int\n"
    "    Bytes.\n\n"
    "Examples\n--------\n"
    ">>> x, y = cp.zeros(3, 'int32'), np.array([1, 2, 3], 'int32')\n"
    ">>> x.data.copy_from_host(y.ctypes.data, y.nbytes)\n"
    ">>> x\n"
    "array([1, 2, 3], dtype=int32)\n";

DOC(pointer_copy_from_host_async_doc) =
    "copy_from_host_async(mem, size, stream=None)\n--\n\n"
    "Copy bytes of pinned host memory to here, in a stream's order.\n\n"
    "Parameters\n----------\n"
    "mem : int, ctypes.c_void_p or PinnedMemoryPointer\n"
    "    The address on the host. The bytes must stay as they are until the copy is "
    "made.\n"
    "size : int\n"
    "    Bytes.\n"
    "stream : Stream, optional\n"
    "    By default the device's current one.\n\n"
    "Examples\n--------\n"
    ">>> x, y = cp.zeros(3, 'int32'), cupricx.zeros_pinned(3, 'int32')\n"
    ">>> y[:] = [1, 2, 3]\n"
    ">>> x.data.copy_from_host_async(y.ctypes.data, y.nbytes)\n"
    ">>> x\n"
    "array([1, 2, 3], dtype=int32)\n";

DOC(pointer_copy_from_device_doc) =
    "copy_from_device(src, size)\n--\n\n"
    "Copy bytes of a device to here, in the order of the current stream.\n\n"
    "Parameters\n----------\n"
    "src : MemoryPointer\n"
    "    Where from, on the same or another device.\n"
    "size : int\n"
    "    Bytes.\n\n"
    "Examples\n--------\n"
    ">>> x, y = cp.zeros(3, 'int32'), cp.array([1, 2, 3], 'int32')\n"
    ">>> x.data.copy_from_device(y.data, y.nbytes)\n"
    ">>> x\n"
    "array([1, 2, 3], dtype=int32)\n";

DOC(pointer_copy_from_device_async_doc) =
    "copy_from_device_async(src, size, stream=None)\n--\n\n"
    "Copy bytes of a device to here, in a stream's order.\n\n"
    "Parameters\n----------\n"
    "src : MemoryPointer\n"
    "    Where from, on the same or another device.\n"
    "size : int\n"
    "    Bytes.\n"
    "stream : Stream, optional\n"
    "    By default the device's current one.\n\n"
    "Examples\n--------\n"
    ">>> x, y = cp.zeros(3, 'int32'), cp.array([1, 2, 3], 'int32')\n"
    ">>> stream = cp.cuda.Stream()\n"
    ">>> x.data.copy_from_device_async(y.data, y.nbytes, stream)\n"
    ">>> stream.synchronize()\n"
    ">>> x\n"
    "array([1, 2, 3], dtype=int32)\n";

DOC(pointer_copy_to_host_doc) =
    "copy_to_host(mem, size)\n--\n\n"
    "Copy bytes from here to the host, and wait for it.\n\n"
    "Parameters\n----------\n"
    "mem : int or ctypes.c_void_p\n"
    "    The address on the host.\n"
    "size : int\n"
    "    Bytes.\n\n"
    "Examples\n--------\n"
    ">>> x, y = cp.array([1, 2, 3], 'int32'), np.zeros(3, 'int32')\n"
    ">>> x.data.copy_to_host(y.ctypes.data, y.nbytes)\n"
    ">>> y\n"
    "array([1, 2, 3], dtype=int32)\n";

DOC(pointer_copy_to_host_async_doc) =
    "copy_to_host_async(mem, size, stream=None)\n--\n\n"
    "Copy bytes from here to pinned host memory, in a stream's order.\n\n"
    "Parameters\n----------\n"
    "mem : int, ctypes.c_void_p or PinnedMemoryPointer\n"
    "    The address on the host. The bytes are there when the stream has been waited "
    "for.\n"
    "size : int\n"
    "    Bytes.\n"
    "stream : Stream, optional\n"
    "    By default the device's current one.\n\n"
    "Examples\n--------\n"
    ">>> x, y = cp.array([1, 2, 3], 'int32'), cupricx.zeros_pinned(3, 'int32')\n"
    ">>> stream = cp.cuda.get_current_stream()\n"
    ">>> x.data.copy_to_host_async(y.ctypes.data, y.nbytes, stream)\n"
    ">>> stream.synchronize()\n"
    ">>> y\n"
    "array([1, 2, 3], dtype=int32)\n";

DOC(pointer_memset_doc) =
    "memset(value, size)\n--\n\n"
    "Set bytes from here on, in the order of the current stream.\n\n"
    "Parameters\n----------\n"
    "value : int\n"
    "    Of every byte; its lowest 8 bits count.\n"
    "size : int\n"
    "    Bytes.\n\n"
    "Examples\n--------\n"
    ">>> x = cp.zeros(3, 'int16')\n"
    ">>> x.data.memset(1, 4)\n"
    ">>> x\n"
    "array([257, 257,   0], dtype=int16)\n";

DOC(pointer_memset_async_doc) = "memset_async(value, size, stream=None)\n--\n\n"
                                "Set bytes from here on, in a stream's order.\n\n"
                                "Parameters\n----------\n"
                                "value : int\n"
                                "    Of every byte; its lowest 8 bits count.\n"
                                "size : int\n"
                                "    Bytes.\n"
                                "stream : Stream, optional\n"
                                "    By default the device's current one.\n\n"
                                "Examples\n--------\n"
                                ">>> x = cp.zeros(3, 'int16')\n"
                                ">>> x.data.memset_async(1, 4)\n"
                                ">>> x\n"
                                "array([257, 257,   0], dtype=int16)\n";

DOC(pool_doc) =
    "MemoryPool(allocator=None)\n--\n\n"
    "Device memory, kept for reuse: a pool for each device.\n\n"
    "Its methods mean the current device's.\n\n"
    "Parameters\n----------\n"
    "allocator : callable, optional\n"
    "    ``allocator(size)`` gives a MemoryPointer to what the pool is to hold, as\n"
    "    `malloc_managed` does. By default it holds memory of the device.\n\n"
    "Examples\n--------\n"
    ">>> pool = cp.cuda.MemoryPool()\n"
    ">>> with cp.cuda.using_allocator(pool.malloc):\n"
    "...     x = cp.zeros(100)\n"
    ">>> pool.used_bytes()\n"
    "1024\n"
    ">>> del x\n"
    ">>> pool.used_bytes(), pool.n_free_blocks()\n"
    "(0, 1)\n";

DOC(pool_malloc_doc) =
    "malloc(size)\n--\n\n"
    "Memory of the pool.\n\n"
    "Parameters\n----------\n"
    "size : int\n"
    "    Bytes.\n\n"
    "Returns\n-------\n"
    "MemoryPointer\n"
    "    To its first byte, on the current device.\n\n"
    "Raises\n------\n"
    "OutOfMemoryError\n"
    "    The device does not have so much, or the pool's limit is less.\n\n"
    "Examples\n--------\n"
    ">>> pool = cp.cuda.MemoryPool()\n"
    ">>> pointer = pool.malloc(1000)\n"
    ">>> pointer.mem.size\n"
    "1000\n";

DOC(pool_used_bytes_doc) = "used_bytes()\n--\n\n"
                           "How much of the pool's memory is in use.\n\n"
                           "Returns\n-------\n"
                           "int\n"
                           "    Bytes, in blocks of 512.\n\n"
                           "Examples\n--------\n"
                           ">>> pool = cp.cuda.MemoryPool()\n"
                           ">>> pointer = pool.malloc(1000)\n"
                           ">>> pool.used_bytes()\n"
                           "1024\n";

DOC(pool_total_bytes_doc) =
    "total_bytes()\n--\n\n"
    "How much memory the pool holds.\n\n"
    "Returns\n-------\n"
    "int\n"
    "    Bytes, which come from the device 2 MiB and more at a time.\n\n"
    "Examples\n--------\n"
    ">>> pool = cp.cuda.MemoryPool()\n"
    ">>> pointer = pool.malloc(1000)\n"
    ">>> pool.total_bytes() == pool.used_bytes() + pool.free_bytes()\n"
    "True\n";

DOC(pool_free_bytes_doc) = "free_bytes()\n--\n\n"
                           "How much of the pool's memory is not in use.\n\n"
                           "Returns\n-------\n"
                           "int\n"
                           "    Bytes.\n\n"
                           "Examples\n--------\n"
                           ">>> pool = cp.cuda.MemoryPool()\n"
                           ">>> pointer = pool.malloc(1000)\n"
                           ">>> pool.free_bytes() == pool.total_bytes() - 1024\n"
                           "True\n";

DOC(pool_n_free_blocks_doc) = "n_free_blocks()\n--\n\n"
                              "How many blocks were freed and are kept for reuse.\n\n"
                              "Returns\n-------\n"
                              "int\n\n"
                              "Examples\n--------\n"
                              ">>> pool = cp.cuda.MemoryPool()\n"
                              ">>> pointer = pool.malloc(1000)\n"
                              ">>> del pointer\n"
                              ">>> pool.n_free_blocks()\n"
                              "1\n";

DOC(pool_free_all_blocks_doc) = "free_all_blocks(stream=None)\n--\n\n"
                                "Return what is not in use to the device.\n\n"
                                "Parameters\n----------\n"
                                "stream : Stream, optional\n"
                                "    Taken for CuPy's sake: what was freed is any "
                                "stream's, and is all returned.\n\n"
                                "Examples\n--------\n"
                                ">>> pool = cp.cuda.MemoryPool()\n"
                                ">>> pointer = pool.malloc(1000)\n"
                                ">>> del pointer\n"
                                ">>> pool.free_all_blocks()\n"
                                ">>> pool.total_bytes()\n"
                                "0\n";

DOC(pool_free_all_free_doc) =
    "free_all_free()\n--\n\n"
    "Return what is not in use to the device. Deprecated: call `free_all_blocks`.\n\n"
    "Examples\n--------\n"
    ">>> import warnings\n"
    ">>> pool = cp.cuda.MemoryPool()\n"
    ">>> with warnings.catch_warnings():\n"
    "...     warnings.simplefilter('ignore')\n"
    "...     pool.free_all_free()\n";

DOC(pool_set_limit_doc) =
    "set_limit(size=None, fraction=None)\n--\n\n"
    "Set how much the pool may hold on the current device.\n\n"
    "Parameters\n----------\n"
    "size : int, optional\n"
    "    Bytes; 0 is any.\n"
    "fraction : float, optional\n"
    "    In its place, a part of the device's memory, from 0 to 1.\n\n"
    "Examples\n--------\n"
    ">>> pool = cp.cuda.MemoryPool()\n"
    ">>> pool.set_limit(2**30)\n"
    ">>> pool.get_limit()\n"
    "1073741824\n";

DOC(pool_get_limit_doc) = "get_limit()\n--\n\n"
                          "How much the pool may hold on the current device.\n\n"
                          "Returns\n-------\n"
                          "int\n"
                          "    Bytes; 0 is any.\n\n"
                          "Examples\n--------\n"
                          ">>> cp.cuda.MemoryPool().get_limit()\n"
                          "0\n";

DOC(alloc_doc) = "alloc(size)\n--\n\n"
                 "Memory from this thread's current allocator.\n\n"
                 "Parameters\n----------\n"
                 "size : int\n"
                 "    Bytes.\n\n"
                 "Returns\n-------\n"
                 "MemoryPointer\n"
                 "    To its first byte, on the current device.\n\n"
                 "Examples\n--------\n"
                 ">>> pointer = cp.cuda.alloc(1000)\n"
                 ">>> x = cp.ndarray(125, 'float64', pointer)\n";

DOC(set_allocator_doc) =
    "set_allocator(allocator=None)\n--\n\n"
    "Set what new arrays of all threads get their memory from.\n\n"
    "Parameters\n----------\n"
    "allocator : callable, optional\n"
    "    ``allocator(size)`` gives a MemoryPointer; None: straight from the device.\n\n"
    "See Also\n--------\n"
    "cupric.cuda.using_allocator : in a ``with`` block of this thread.\n\n"
    "Examples\n--------\n"
    ">>> pool = cp.cuda.MemoryPool()\n"
    ">>> cp.cuda.set_allocator(pool.malloc)\n"
    ">>> x = cp.zeros(100)\n"
    ">>> pool.used_bytes()\n"
    "1024\n"
    ">>> cp.cuda.set_allocator(cp.get_default_memory_pool().malloc)\n";

DOC(get_allocator_doc) =
    "get_allocator()\n--\n\n"
    "What new arrays of this thread get their memory from.\n\n"
    "Returns\n-------\n"
    "callable\n"
    "    From a size in bytes to a MemoryPointer; None: straight from the device.\n\n"
    "Examples\n--------\n"
    ">>> pool = cp.cuda.MemoryPool()\n"
    ">>> with cp.cuda.using_allocator(pool.malloc):\n"
    "...     cp.cuda.get_allocator() == pool.malloc\n"
    "True\n";

DOC(pinned_memory_doc) = "PinnedMemory(size, flags=0)\n--\n\n"
                         "Host memory that devices reach, past the pool.\n\n"
                         "A subclass with memory of its own sets `ptr` and `size` in "
                         "an ``__init__`` that does not\n"
                         "call this one, and frees in ``__del__``.\n\n"
                         "Parameters\n----------\n"
                         "size : int\n"
                         "    Bytes.\n"
                         "flags : int, optional\n"
                         "    Taken for CuPy's sake.\n\n"
                         "Examples\n--------\n"
                         ">>> memory = cp.cuda.PinnedMemory(4096)\n"
                         ">>> memory.size\n"
                         "4096\n";

DOC(pooled_pinned_memory_doc) =
    "Host memory of a pool, to which it returns when its last user is gone.\n\n"
    "`PinnedMemoryPool.malloc` makes it.\n\n"
    "Examples\n--------\n"
    ">>> pool = cp.cuda.PinnedMemoryPool()\n"
    ">>> pointer = pool.malloc(1000)\n"
    ">>> isinstance(pointer.mem, cp.cuda.pinned_memory.PooledPinnedMemory)\n"
    "True\n"
    ">>> pointer.mem.pool is pool\n"
    "True\n";

DOC(pooled_pinned_memory_free_doc) =
    "free()\n--\n\n"
    "Give the memory back to its pool now. A buffer of it must not be in use.\n\n"
    "Examples\n--------\n"
    ">>> pool = cp.cuda.PinnedMemoryPool()\n"
    ">>> pointer = pool.malloc(1000)\n"
    ">>> pointer.mem.free()\n"
    ">>> pool.n_free_blocks()\n"
    "1\n";

DOC(pinned_pointer_doc) =
    "PinnedMemoryPointer(mem, offset)\n--\n\n"
    "The address of a byte of pinned host memory, which it keeps.\n\n"
    "It is a buffer, which ``numpy.frombuffer`` takes. ``pointer + n`` and ``pointer - "
    "n``\n"
    "point to other bytes of the memory.\n\n"
    "Parameters\n----------\n"
    "mem : PinnedMemory\n"
    "    The memory.\n"
    "offset : int\n"
    "    Bytes from its start.\n\n"
    "Examples\n--------\n"
    ">>> memory = cp.cuda.PinnedMemory(64)\n"
    ">>> pointer = cp.cuda.PinnedMemoryPointer(memory, 16)\n"
    ">>> len(np.frombuffer(pointer, 'float64'))\n"
    "6\n";

DOC(pinned_pointer_size_doc) = "size()\n--\n\n"
                               "How much memory there is from here on.\n\n"
                               "Returns\n-------\n"
                               "int\n"
                               "    Bytes.\n\n"
                               "Examples\n--------\n"
                               ">>> memory = cp.cuda.PinnedMemory(64)\n"
                               ">>> cp.cuda.PinnedMemoryPointer(memory, 16).size()\n"
                               "48\n";

DOC(pinned_pool_doc) = "PinnedMemoryPool(allocator=None)\n--\n\n"
                       "Pinned host memory, kept for reuse.\n\n"
                       "Blocks are powers of two from 512 bytes.\n\n"
                       "Parameters\n----------\n"
                       "allocator : callable, optional\n"
                       "    ``allocator(size)`` gives a PinnedMemoryPointer to a new "
                       "block. By default the\n"
                       "    device's backend makes it.\n\n"
                       "Examples\n--------\n"
                       ">>> pool = cp.cuda.PinnedMemoryPool()\n"
                       ">>> x = np.frombuffer(pool.malloc(800), 'float64', 100)\n"
                       ">>> del x\n"
                       ">>> pool.n_free_blocks()\n"
                       "1\n";

DOC(pinned_pool_malloc_doc) =
    "malloc(size)\n--\n\n"
    "Memory of the pool.\n\n"
    "Parameters\n----------\n"
    "size : int\n"
    "    Bytes.\n\n"
    "Returns\n-------\n"
    "PinnedMemoryPointer\n"
    "    To the first byte of at least so many: a buffer for ``numpy.frombuffer``.\n\n"
    "Examples\n--------\n"
    ">>> pool = cp.cuda.PinnedMemoryPool()\n"
    ">>> x = np.frombuffer(pool.malloc(800), 'float64', 100)\n"
    ">>> x[:] = 1\n"
    ">>> x.sum()\n"
    "np.float64(100.0)\n";

DOC(pinned_pool_free_all_blocks_doc) =
    "free_all_blocks()\n--\n\n"
    "Return all that is not in use to the system.\n\n"
    "Examples\n--------\n"
    ">>> pool = cp.cuda.PinnedMemoryPool()\n"
    ">>> pointer = pool.malloc(800)\n"
    ">>> del pointer\n"
    ">>> pool.free_all_blocks()\n"
    ">>> pool.n_free_blocks()\n"
    "0\n";

DOC(pinned_pool_n_free_blocks_doc) = "n_free_blocks()\n--\n\n"
                                     "How many blocks are kept for reuse.\n\n"
                                     "Returns\n-------\n"
                                     "int\n\n"
                                     "Examples\n--------\n"
                                     ">>> pool = cp.cuda.PinnedMemoryPool()\n"
                                     ">>> pointer = pool.malloc(800)\n"
                                     ">>> del pointer\n"
                                     ">>> pool.n_free_blocks()\n"
                                     "1\n";

#endif
