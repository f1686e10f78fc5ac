# C types of `bots/kernel/valuing.py`.
cimport cython
from bots.kernel._compiled.spreading cimport Spreading

cdef int OCCUPATION_WEIGHT
cdef long long WORD
cdef long long HALF_WORD

@cython.final
cdef class Valuing:
    cdef Spreading spreading
    cdef int places, provinces, powers, center_count, unit_count
    cdef int[::1] province_of, reach_starts, reach, centers, unit_places, unit_powers, owners
    cdef int[::1] bearing, is_threatened, strength, competition
    cdef double[::1] threats, defences, worths, totals

    @cython.locals(index=cython.int)
    cpdef stand(self, list places, list powers, list owners)
    cdef void count_bearing(self) noexcept nogil
    @cython.locals(index=cython.int, center=cython.int)
    cpdef weigh(self, int power, list sizes, list attacks, double attack, double defence)
    cdef void threaten(self, int place, double size) noexcept nogil
    @cython.locals(place=cython.int, number=cython.int, worth=cython.double, weight=cython.double)
    cpdef spread(self, tuple steps, int rounding)
    @cython.locals(index=cython.int, place=cython.int, province=cython.int, wish=cython.double)
    cpdef scale(self, list wishes)
    @cython.locals(most=cython.int)
    cpdef count_presence(self, int power, int counts_occupant)
    cdef void count_occupants(self, int power, int change) noexcept nogil
    @cython.locals(place=cython.int)
    cpdef list values(self, int wraps, int is_winter)
    @cython.locals(extra=cython.double, value=cython.longlong)
    cdef long long value_at(self, int place, int wraps, int is_winter)
    cpdef tuple presence(self)
