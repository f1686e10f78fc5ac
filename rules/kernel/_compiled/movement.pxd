# C types of `rules/kernel/movement.py`.
cimport cython
from rules.kernel._compiled.numbered_orders cimport NumberedOrders

cdef int CONVOY
cdef int FIELD_BITS
cdef int FINE
cdef int HOLD
cdef int KIND_BITS
cdef int MOVE
cdef int MOVE_BY_CONVOY
cdef int MOVER_SHIFT
cdef int NO
cdef int NO_SUCH_UNIT
cdef int OPEN
cdef int OTHER_SHIFT
cdef int SUPPORT_HOLD
cdef int SUPPORT_MOVE
cdef int TARGET_SHIFT
cdef int YES

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
    cdef void begin(self) noexcept nogil
    @cython.final
    @cython.locals(rest=cython.longlong)
    cdef int give(self, long long code) noexcept nogil
    @cython.final
    cdef void keep_route(self, int province, long long number) noexcept nogil
    @cython.final
    cdef void prepare(self) noexcept nogil
    @cython.final
    cdef void open_orders(self, int[::1] units, int count) noexcept nogil
    @cython.final
    cdef void match_orders(self) noexcept nogil
    @cython.final
    cdef inline void open_move(self, int unit) noexcept nogil
    @cython.final
    @cython.locals(is_same=cython.bint)
    cdef void match(self, int unit) noexcept nogil
    @cython.final
    @cython.locals(target=cython.int)
    cdef int is_ordered_to(self, int unit, int goal) noexcept nogil
    @cython.final
    cdef int has_route(self, int army) noexcept nogil
    @cython.final
    cdef int is_on_route(self, int fleet, int army) noexcept nogil
    @cython.final
    cdef void open_support(self, int unit) noexcept nogil
    @cython.final
    cdef inline int is_foreign(self, int supporter) noexcept nogil
    @cython.final
    cdef inline int weigh_support(self, int unit) noexcept nogil
    @cython.final
    @cython.locals(is_foreign=cython.bint, is_move=cython.bint)
    cdef void settle_support(self, int unit, int state) noexcept nogil
    @cython.final
    cdef int convoy_stands(self, int army) noexcept nogil
    @cython.final
    cdef inline int is_head_to_head(self, int unit) noexcept nogil
    @cython.final
    @cython.locals(is_own=cython.bint)
    cdef int weigh_move(self, int unit) noexcept nogil
    @cython.final
    cdef inline int least_prevention(self, int unit) noexcept nogil
    @cython.final
    cdef inline int most_prevention(self, int unit) noexcept nogil
    @cython.final
    cdef void resolve(self) noexcept nogil
    @cython.final
    cdef void decide(self) noexcept nogil
    @cython.final
    cdef void decide_certain(self) noexcept nogil
    @cython.final
    cdef inline int is_open(self, int unit) noexcept nogil
    @cython.final
    @cython.locals(changed=cython.int)
    cdef inline int advance(self, int unit) noexcept nogil
    @cython.final
    cdef void decide_smallest_set(self) noexcept nogil
    @cython.final
    cdef int fail_convoys(self) noexcept nogil
    @cython.final
    cdef void turn_circle(self) noexcept nogil
    @cython.final
    cdef void collect(self, int node) noexcept nogil
    @cython.final
    cdef void reach(self, int node) noexcept nogil
    @cython.final
    cdef void reach_attackers(self, int province) noexcept nogil
    @cython.final
    cdef void reach_from_path(self, int army) noexcept nogil
    @cython.final
    @cython.locals(is_enemy=cython.bint)
    cdef void reach_from_support(self, int unit) noexcept nogil
    @cython.final
    @cython.locals(is_mover=cython.bint)
    cdef void reach_from_move(self, int unit) noexcept nogil
    @cython.final
    cdef void reach_strength(self, int unit) noexcept nogil
    @cython.final
    @cython.locals(is_support=cython.bint)
    cdef void reach_supports(self, int unit) noexcept nogil
