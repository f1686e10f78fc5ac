# C types of `bots/kernel/regrets.py`.
cimport cython

cdef double TINY
cdef long long MOST

@cython.final
cdef class Regrets:
    cdef readonly int players, room, iteration
    cdef readonly int[::1] counts
    cdef readonly double[::1] regrets, policies, sums, worths, gains

    cpdef start(self, list counts)
    cpdef void clear(self) noexcept nogil
    cpdef void restart(self) noexcept nogil
    cdef check_player(self, int player)
    cpdef int add(self, int player) except -1
    cdef int grow(self, int player) noexcept nogil
    @cython.locals(factor=cython.double, first=cython.int)
    cpdef void begin(self) noexcept nogil
    cpdef void finish(self) noexcept nogil
    @cython.locals(mean=cython.double, total=cython.double, gain=cython.double, hope=cython.double, best=cython.int, first=cython.int, end=cython.int)
    cdef void study(self, int player) noexcept nogil
    cpdef learn(self, int player)
    @cython.locals(first=cython.int, last=cython.int, action=cython.int)
    cdef int pick(self, int player, double luck) noexcept nogil
    cpdef draw(self, int player, double luck)
    @cython.locals(first=cython.int, last=cython.int, action=cython.int, total=cython.double)
    cdef int pick_average(self, int player, double luck) noexcept nogil
    cpdef draw_average(self, int player, double luck)
    cpdef set_worths(self, int player, list worths)
