# C types of `bots/kernel/chain.py`.
cimport cython
from bots.kernel._compiled.planner cimport Planner

cdef class Chain(Planner):
    cdef int width, own_count
    cdef int[::1] own_units, link_goals, link_counts
    cdef long long[::1] link_codes

    @cython.final
    cdef inline void list_own_units(self, int power) noexcept nogil
    @cython.final
    cdef inline int is_target(self, int power, int province) noexcept nogil
    @cython.final
    cdef inline int is_conquering(self, int power, int unit) noexcept nogil
    @cython.final
    @cython.locals(threshold=cython.longlong)
    cdef inline void list_links(self, int power, int prunes) noexcept nogil
    @cython.final
    cdef inline void list_unit_links(self, int power, int number) noexcept nogil
    @cython.final
    cdef inline void add_link(self, int number, long long code, int goal) noexcept nogil
    @cython.final
    cdef inline void add_hold_link(self, int number) noexcept nogil
    @cython.final
    cdef inline void add_move_links(self, int power, int number, int only_targets) noexcept nogil
    @cython.final
    @cython.locals(code=cython.longlong)
    cdef inline void add_support_links(self, int number) noexcept nogil
    @cython.final
    @cython.locals(value=cython.longlong)
    cdef inline int worthiest_link(self, int power, int number) noexcept nogil
    @cython.final
    @cython.locals(value=cython.longlong)
    cdef inline void prune_links(self, int power, int number, long long threshold) noexcept nogil
    @cython.final
    cdef inline void plan_worthiest_links(self, int power) noexcept nogil
