# C types of `bots/kernel/outcomes.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator

cdef int SLOTS
cdef int SLOT_SHIFT
cdef long long LARGEST

@cython.final
cdef class Outcomes:
    cdef int provinces, powers
    cdef unsigned long long turn
    cdef long long[::1] keys
    cdef unsigned long long[::1] spices
    cdef double[::1] worths

    cdef void forget(self) noexcept nogil
    @cython.locals(key=cython.ulonglong, way=cython.ulonglong, is_retreat_due=cython.bint)
    cdef long long key_of(self, Simulator judged) noexcept nogil
    cdef int slot_of(self, long long key) noexcept nogil
