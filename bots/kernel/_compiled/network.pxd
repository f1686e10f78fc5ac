# C types of `bots/kernel/network.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator
from bots.kernel._compiled.playouts cimport Playouts

cdef extern from "math.h" nogil:
    double exp(double)

@cython.final
cdef class Network:
    cdef readonly Playouts game
    cdef readonly Simulator state
    cdef readonly int hidden, powers, provinces, center_total, inputs
    cdef int owner_base, size_base, season_base, active_count, season, mark_count
    cdef int[::1] active, mark_power, marked, sizes, unit_counts
    cdef int subjects, width
    cdef int[::1] weights, sums, facts, added, tallies
    cdef double[::1] levels, outputs
    cdef readonly int weight_count, bias_base, output_base, output_bias_base, mark_base
    cdef readonly double[::1] scores, shares

    @cython.locals(season=cython.int, fact=cython.int, owner=cython.int, size=cython.int)
    cdef inline void note_facts(self) noexcept nogil
    cdef inline void list_facts(self) noexcept nogil
    @cython.locals(count=cython.int)
    cdef inline void list_active(self) noexcept nogil
    @cython.locals(surplus=cython.int)
    cdef inline void list_marks(self) noexcept nogil
    cdef inline void mark(self, int power, int fact) noexcept nogil
    @cython.locals(holder=cython.int, most=cython.int, second=cython.int, bearing=cython.int, others=cython.int, presence=cython.int, ours=cython.int, theirs=cython.int, relation=cython.int, standing=cython.int, fact=cython.int)
    cdef inline void mark_center(self, int center) noexcept nogil
    @cython.locals(score=cython.double, total=cython.double, one=cython.double, two=cython.double, three=cython.double, four=cython.double)
    cdef inline void judge(self) noexcept nogil
    @cython.locals(fact=cython.int)
    cdef inline void add_rows(self) noexcept nogil
    cdef void add_row(self, int first, int factor) noexcept nogil
    @cython.locals(base=cython.int)
    cdef inline void weigh_marks(self) noexcept nogil
    @cython.locals(highest=cython.double, total=cython.double)
    cdef inline void share_out(self) noexcept nogil
    cdef inline int is_alive(self, int power) noexcept nogil
    cpdef list judged(self)
