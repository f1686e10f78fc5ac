# C types of `bots/kernel/regrets.py`.
cimport cython

cdef double TINY

@cython.final
cdef class Regrets:
    cdef readonly int players, room, iteration
    cdef readonly int[::1] counts
    cdef readonly double[::1] regrets, policies, sums, worths, gains

    cpdef start(self, list counts)
    cpdef void clear(self) noexcept nogil
    cpdef void restart(self) noexcept nogil
    cpdef int add(self, int player) noexcept nogil
    @cython.locals(factor=cython.double, first=cython.int)
    cpdef void begin(self) noexcept nogil
    cpdef void finish(self) noexcept nogil
    @cython.locals(mean=cython.double, total=cython.double, gain=cython.double, hope=cython.double, best=cython.int, first=cython.int, end=cython.int)
    cpdef void learn(self, int player) noexcept nogil
    @cython.locals(first=cython.int, last=cython.int, action=cython.int)
    cpdef int draw(self, int player, double luck) noexcept nogil
    @cython.locals(first=cython.int, last=cython.int, action=cython.int, total=cython.double)
    cpdef int draw_average(self, int player, double luck) noexcept nogil
    cpdef set_worths(self, int player, list worths)
