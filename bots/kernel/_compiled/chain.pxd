# C types of `bots/kernel/chain.py`.
cimport cython
from bots.kernel._compiled.planner cimport Planner

cdef int HOLD
cdef int KIND_BITS
cdef int MOVE
cdef int SUPPORT_HOLD
cdef int SUPPORT_MOVE
cdef int FRIENDLY

cdef class Chain(Planner):
    cdef int width, own_count
    cdef int[::1] own_units, link_goals, link_counts
    cdef long long[::1] link_codes

    @cython.final
    cdef void list_own_units(self, int power) noexcept nogil
    @cython.final
    cdef int is_target(self, int power, int province) noexcept nogil
    @cython.final
    cdef int is_conquering(self, int power, int unit) noexcept nogil
    @cython.final
    @cython.locals(threshold=cython.longlong)
    cdef void list_links(self, int power, int prunes) noexcept nogil
    @cython.final
    cdef void list_unit_links(self, int power, int number) noexcept nogil
    @cython.final
    cdef void add_link(self, int number, long long code, int goal) noexcept nogil
    @cython.final
    cdef void add_hold_link(self, int number) noexcept nogil
    @cython.final
    cdef void add_move_links(self, int power, int number, int only_targets) noexcept nogil
    @cython.final
    @cython.locals(code=cython.longlong)
    cdef void add_support_links(self, int number) noexcept nogil
    @cython.final
    @cython.locals(value=cython.longlong)
    cdef int worthiest_link(self, int power, int number) noexcept nogil
    @cython.final
    @cython.locals(value=cython.longlong)
    cdef void prune_links(self, int power, int number, long long threshold) noexcept nogil
    @cython.final
    cdef void plan_worthiest_links(self, int power) noexcept nogil
