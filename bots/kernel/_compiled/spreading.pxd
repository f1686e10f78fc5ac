# C types of `bots/kernel/spreading.py`.
cimport cython

cdef double DIVISOR
cdef double ROUNDER
cdef int DOWN
cdef int TOWARD_ZERO
cdef int EXACTLY

@cython.final
cdef class Spreading:
    cdef readonly int places
    cdef int group_count
    cdef int[::1] starts, sources, group_starts, members
    cdef double[::1] level, following

    @cython.locals(place=cython.int)
    cpdef list spread(self, list worth, tuple weights, int rounding)
    cdef inline void add(self, double[::1] totals, double weight) noexcept nogil
    @cython.locals(best=cython.double, total=cython.double)
    cdef inline void step(self, int rounding) noexcept nogil
    @cython.locals(nearest=cython.double)
    cdef inline double whole(self, double total) noexcept nogil
