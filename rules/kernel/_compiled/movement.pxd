# C types of `rules/kernel/movement.py`.
cimport cython
from rules.kernel._compiled.numbered_orders cimport NumberedOrders

cdef class Movement(NumberedOrders):
    cdef long long[::1] order
    cdef readonly int[::1] note, kind, goal, other, moving, arriving, counting
    cdef readonly int[::1] least, most, least_foreign, most_foreign, attackers, next_attacker
    cdef int[::1] goal_place, route_start, route_length, routes, todo, reached, marked, marchers, helpers
    cdef readonly unsigned char[::1] is_matched
    cdef int is_trusted
    cdef int march_count, helper_count
    cdef int route_end, todo_count, reached_count, mark

    @cython.final
    cdef inline void begin_for_all(self) noexcept nogil
    @cython.final
    cdef inline void begin(self) noexcept nogil
    @cython.final
    @cython.locals(rest=cython.longlong)
    cdef inline int give(self, long long code) noexcept nogil
    @cython.final
    @cython.locals(rest=cython.longlong)
    cdef inline void order_unit(self, int province, long long code) noexcept nogil
    @cython.final
    cdef inline void keep_route(self, int province, long long number) noexcept nogil
    @cython.final
    cdef inline void prepare(self) noexcept nogil
    @cython.final
    @cython.locals(is_move=cython.int)
    cdef inline void open_orders(self, int[::1] units, int count) noexcept nogil
    @cython.final
    cdef inline void match_orders(self) noexcept nogil
    @cython.final
    cdef inline void open_move(self, int unit) noexcept nogil
    @cython.final
    @cython.locals(is_same=cython.bint)
    cdef inline void match(self, int unit) noexcept nogil
    @cython.final
    @cython.locals(target=cython.int)
    cdef inline int is_ordered_to(self, int unit, int goal) noexcept nogil
    @cython.final
    cdef inline int has_route(self, int army) noexcept nogil
    @cython.final
    cdef inline int is_on_route(self, int fleet, int army) noexcept nogil
    @cython.final
    cdef inline void open_support(self, int unit) noexcept nogil
    @cython.final
    cdef inline int is_foreign(self, int supporter) noexcept nogil
    @cython.final
    cdef inline int weigh_support(self, int unit) noexcept nogil
    @cython.final
    @cython.locals(is_foreign=cython.bint, is_move=cython.bint)
    cdef inline void settle_support(self, int unit, int state) noexcept nogil
    @cython.final
    cdef inline int convoy_stands(self, int army) noexcept nogil
    @cython.final
    cdef inline int is_head_to_head(self, int unit) noexcept nogil
    @cython.final
    @cython.locals(is_own=cython.bint)
    cdef inline int weigh_move(self, int unit) noexcept nogil
    @cython.final
    cdef inline int least_prevention(self, int unit) noexcept nogil
    @cython.final
    cdef inline int most_prevention(self, int unit) noexcept nogil
    @cython.final
    cdef inline void resolve(self) noexcept nogil
    @cython.final
    cdef inline void decide(self) noexcept nogil
    @cython.final
    cdef inline void decide_certain(self) noexcept nogil
    @cython.final
    cdef inline int is_open(self, int unit) noexcept nogil
    @cython.final
    @cython.locals(changed=cython.int)
    cdef inline int advance(self, int unit) noexcept nogil
    @cython.final
    cdef inline void decide_smallest_set(self) noexcept nogil
    @cython.final
    cdef inline int fail_convoys(self) noexcept nogil
    @cython.final
    cdef inline void turn_circle(self) noexcept nogil
    @cython.final
    cdef inline void collect(self, int node) noexcept nogil
    @cython.final
    cdef inline void reach(self, int node) noexcept nogil
    @cython.final
    cdef inline void reach_attackers(self, int province) noexcept nogil
    @cython.final
    cdef inline void reach_from_path(self, int army) noexcept nogil
    @cython.final
    @cython.locals(is_enemy=cython.bint)
    cdef inline void reach_from_support(self, int unit) noexcept nogil
    @cython.final
    @cython.locals(is_mover=cython.bint)
    cdef inline void reach_from_move(self, int unit) noexcept nogil
    @cython.final
    cdef inline void reach_strength(self, int unit) noexcept nogil
    @cython.final
    @cython.locals(is_support=cython.bint)
    cdef inline void reach_supports(self, int unit) noexcept nogil
