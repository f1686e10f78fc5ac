# C types of `rules/kernel/verdicts.py`.
cimport cython
from rules.kernel._compiled.movement cimport Movement

cdef class Verdicts(Movement):
    cdef readonly int[::1] result, conqueror
    cdef readonly unsigned char[::1] is_dislodged, is_contested
    cdef unsigned char[::1] nowhere

    @cython.final
    cdef inline void conclude(self) noexcept nogil
    @cython.final
    @cython.locals(is_beaten=cython.bint)
    cdef inline void conclude_units(self, int[::1] units, int count) noexcept nogil
    @cython.final
    @cython.locals(is_move=cython.bint)
    cdef inline void find_contested(self) noexcept nogil
    @cython.final
    @cython.locals(is_convoyed=cython.bint)
    cdef inline void conclude_orders(self) noexcept nogil
    @cython.final
    @cython.locals(is_left=cython.bint, is_vacant=cython.bint)
    cdef inline void contest(self, int unit) noexcept nogil
    @cython.final
    cdef inline int failure_of_convoyed(self, int army) noexcept nogil
    @cython.final
    cdef inline int is_used(self, int fleet, int army) noexcept nogil
