/* races.hpp: each access to memory is told to the host device (src/host/races.h).
 *
 * The compiler's -fsanitize=thread puts a call before each access. These are the functions
 * that it calls, in place of those of its library. Atomic operations are calls themselves.
 */
#ifndef CUPRIC_HOST_RACES_HPP
#define CUPRIC_HOST_RACES_HPP

#define CUPRIC_TOLD extern "C" __attribute__((no_sanitize("thread"), noinline, used))
#define CUPRIC_TELL(p, nbytes, kind)                                                   \
    cupric_host::runtime->access((const void *)(p), nbytes, kind,                      \
                                 __builtin_return_address(0))

#define X(name, nbytes, kind)                                                          \
    CUPRIC_TOLD void name(void *p) { CUPRIC_TELL(p, nbytes, kind); }
X(__tsan_read1, 1, CUPRIC_ACCESS_READ)
X(__tsan_read2, 2, CUPRIC_ACCESS_READ)
X(__tsan_read4, 4, CUPRIC_ACCESS_READ)
X(__tsan_read8, 8, CUPRIC_ACCESS_READ)
X(__tsan_read16, 16, CUPRIC_ACCESS_READ)
X(__tsan_write1, 1, CUPRIC_ACCESS_WRITE)
X(__tsan_write2, 2, CUPRIC_ACCESS_WRITE)
X(__tsan_write4, 4, CUPRIC_ACCESS_WRITE)
X(__tsan_write8, 8, CUPRIC_ACCESS_WRITE)
X(__tsan_write16, 16, CUPRIC_ACCESS_WRITE)
X(__tsan_unaligned_read2, 2, CUPRIC_ACCESS_READ)
X(__tsan_unaligned_read4, 4, CUPRIC_ACCESS_READ)
X(__tsan_unaligned_read8, 8, CUPRIC_ACCESS_READ)
X(__tsan_unaligned_read16, 16, CUPRIC_ACCESS_READ)
X(__tsan_unaligned_write2, 2, CUPRIC_ACCESS_WRITE)
X(__tsan_unaligned_write4, 4, CUPRIC_ACCESS_WRITE)
X(__tsan_unaligned_write8, 8, CUPRIC_ACCESS_WRITE)
X(__tsan_unaligned_write16, 16, CUPRIC_ACCESS_WRITE)
#undef X

CUPRIC_TOLD void __tsan_read_range(void *p, long n)
{
    CUPRIC_TELL(p, (size_t)n, CUPRIC_ACCESS_READ);
}
CUPRIC_TOLD void __tsan_write_range(void *p, long n)
{
    CUPRIC_TELL(p, (size_t)n, CUPRIC_ACCESS_WRITE);
}
CUPRIC_TOLD void *__tsan_memcpy(void *to, const void *from, size_t n)
{
    CUPRIC_TELL(from, n, CUPRIC_ACCESS_READ);
    CUPRIC_TELL(to, n, CUPRIC_ACCESS_WRITE);
    return __builtin_memcpy(to, from, n);
}
CUPRIC_TOLD void *__tsan_memmove(void *to, const void *from, size_t n)
{
    CUPRIC_TELL(from, n, CUPRIC_ACCESS_READ);
    CUPRIC_TELL(to, n, CUPRIC_ACCESS_WRITE);
    return __builtin_memmove(to, from, n);
}
CUPRIC_TOLD void *__tsan_memset(void *to, int byte, size_t n)
{
    CUPRIC_TELL(to, n, CUPRIC_ACCESS_WRITE);
    return __builtin_memset(to, byte, n);
}
CUPRIC_TOLD void __tsan_init() {}
CUPRIC_TOLD void __tsan_func_entry(void *) {}
CUPRIC_TOLD void __tsan_func_exit(void *) {}
CUPRIC_TOLD void __tsan_vptr_update(void *, void *) {}
CUPRIC_TOLD void __tsan_vptr_read(void *) {}
CUPRIC_TOLD void __tsan_atomic_thread_fence(int) {}
CUPRIC_TOLD void __tsan_atomic_signal_fence(int) {}

#define UPDATE(bits, T, name)                                                          \
    CUPRIC_TOLD T __tsan_atomic##bits##_##name(volatile void *p, T x, int)             \
    {                                                                                  \
        CUPRIC_TELL(p, sizeof(T), CUPRIC_ACCESS_ATOMIC);                               \
        return __atomic_##name((volatile T *)p, x, __ATOMIC_RELAXED);                  \
    }
#define X(bits, T)                                                                     \
    CUPRIC_TOLD T __tsan_atomic##bits##_load(const volatile void *p, int)              \
    {                                                                                  \
        CUPRIC_TELL(p, sizeof(T), CUPRIC_ACCESS_ATOMIC);                               \
        return __atomic_load_n((const volatile T *)p, __ATOMIC_RELAXED);               \
    }                                                                                  \
    CUPRIC_TOLD void __tsan_atomic##bits##_store(volatile void *p, T x, int)           \
    {                                                                                  \
        CUPRIC_TELL(p, sizeof(T), CUPRIC_ACCESS_ATOMIC);                               \
        __atomic_store_n((volatile T *)p, x, __ATOMIC_RELAXED);                        \
    }                                                                                  \
    CUPRIC_TOLD T __tsan_atomic##bits##_exchange(volatile void *p, T x, int)           \
    {                                                                                  \
        CUPRIC_TELL(p, sizeof(T), CUPRIC_ACCESS_ATOMIC);                               \
        return __atomic_exchange_n((volatile T *)p, x, __ATOMIC_RELAXED);              \
    }                                                                                  \
    UPDATE(bits, T, fetch_add)                                                         \
    UPDATE(bits, T, fetch_sub)                                                         \
    UPDATE(bits, T, fetch_and)                                                         \
    UPDATE(bits, T, fetch_or)                                                          \
    UPDATE(bits, T, fetch_xor)                                                         \
    UPDATE(bits, T, fetch_nand)                                                        \
    CUPRIC_TOLD bool __tsan_atomic##bits##_compare_exchange_strong(                    \
        volatile void *p, void *due, T x, int, int)                                    \
    {                                                                                  \
        CUPRIC_TELL(p, sizeof(T), CUPRIC_ACCESS_ATOMIC);                               \
        return __atomic_compare_exchange_n((volatile T *)p, (T *)due, x, false,        \
                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED);        \
    }                                                                                  \
    CUPRIC_TOLD bool __tsan_atomic##bits##_compare_exchange_weak(                      \
        volatile void *p, void *due, T x, int, int)                                    \
    {                                                                                  \
        CUPRIC_TELL(p, sizeof(T), CUPRIC_ACCESS_ATOMIC);                               \
        return __atomic_compare_exchange_n((volatile T *)p, (T *)due, x, false,        \
                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED);        \
    }                                                                                  \
    CUPRIC_TOLD T __tsan_atomic##bits##_compare_exchange_val(volatile void *p, T due,  \
                                                             T x, int, int)            \
    {                                                                                  \
        CUPRIC_TELL(p, sizeof(T), CUPRIC_ACCESS_ATOMIC);                               \
        __atomic_compare_exchange_n((volatile T *)p, &due, x, false, __ATOMIC_RELAXED, \
                                    __ATOMIC_RELAXED);                                 \
        return due;                                                                    \
    }
X(8, unsigned char)
X(16, unsigned short)
X(32, unsigned int)
X(64, unsigned long long)
#undef X
#undef UPDATE

#endif
