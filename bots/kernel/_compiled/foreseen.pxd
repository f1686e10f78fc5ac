# C types of `bots/kernel/foreseen.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator

cdef long long NO_CODE
cdef int PARTS

@cython.final
cdef class Foreseen:
    cdef Simulator state
    cdef int count, size, has_best, provinces
    cdef double loss
    cdef int[::1] starts, places
    cdef long long[::1] codes, plan
    cdef unsigned char[::1] is_fine, is_plan_fine
    cdef double[::1] worths, plan_worths, totals, tried, gains

    @cython.locals(index=cython.int, mover=cython.int, target=cython.int, code=cython.longlong, harm=cython.double, prey=cython.double)
    cpdef price(self, list gains, list harms, list preys, double loss)
    cdef int is_move(self, long long code) noexcept nogil
    @cython.locals(index=cython.int)
    cdef take(self, list plan)
    @cython.locals(mover=cython.int, target=cython.int, here=cython.double, there=cython.double)
    cdef void price_own(self, int index, long long code) noexcept nogil
    @cython.locals(total=cython.double)
    cpdef int attempt(self, list plan, int trial, double margin, double gain) except -1
    cpdef double best_total(self)
    @cython.locals(total=cython.double)
    cpdef double total_with(self, list plan, long long code)
    @cython.locals(total=cython.double)
    cdef inline double brought(self, int number, long long code) noexcept nogil
    cdef inline int part(self, int place) noexcept nogil
