# C types of `bots/kernel/prospects.py`.
cimport cython
from rules.kernel._compiled.variations cimport Variations
from bots.kernel._compiled.playouts cimport Playouts

@cython.final
cdef class Prospects:
    cdef Playouts game
    cdef Variations variations
    cdef int powers
    cdef readonly int width, count
    cdef int[::1] owners
    cdef double[::1] shares

    @cython.locals(owners=cython.int[::1])
    cpdef take(self, int[::1] kept, codes, starts, powers)
    cpdef choose(self, numbers)
    cpdef weigh(self, int movements, long long seed, int first, int end, double[::1] scores)
    cdef check(self, int first, int end, long room)
    cdef inline void play_on(self, int movements, long long seed) noexcept nogil
