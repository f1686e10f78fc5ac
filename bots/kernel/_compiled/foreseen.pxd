# C types of `bots/kernel/foreseen.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator

cdef long long NO_CODE
cdef int PARTS

@cython.final
cdef class Foreseen:
    cdef Simulator state
    cdef int count, size, has_best
    cdef int[::1] starts, places
    cdef long long[::1] codes, plan
    cdef double[::1] worths, plan_worths, totals, tried

    @cython.locals(success=cython.double, failure=cython.double, fall=cython.double, first=cython.int)
    cpdef value(self, int number, list worths)
    @cython.locals(success=cython.double, failure=cython.double, fall=cython.double)
    cdef take(self, list plan, list worths)
    @cython.locals(total=cython.double)
    cpdef int attempt(self, list plan, list worths, int trial, double margin, double gain)
    cpdef double best_total(self)
    @cython.locals(total=cython.double)
    cpdef double total_with(self, list plan, list worths, long long code)
    @cython.locals(total=cython.double)
    cdef inline double brought(self, int number, long long code) noexcept nogil
    cdef inline int part(self, int place) noexcept nogil
