# C types of `rules/kernel/legality.py`.
cimport cython
from rules.kernel._compiled.state cimport State

cdef int CONVOY
cdef int FIELD_BITS
cdef int FINE
cdef int HOLD
cdef int KIND_BITS
cdef int MOVE
cdef int MOVE_BY_CONVOY
cdef int MOVER_SHIFT
cdef int NO_SUCH_ARMY
cdef int NO_SUCH_FLEET
cdef int NO_SUCH_UNIT
cdef int NOT_ADJACENT
cdef int NOT_AT_SEA
cdef int OTHER_SHIFT
cdef int SUPPORT_HOLD
cdef int SUPPORT_MOVE
cdef int TARGET_SHIFT
cdef int FIRST_ROOM
cdef int MOST_BITS

cdef class Legality(State):
    cdef int linked, room, found_count, group_count, passenger_count
    cdef object found_store
    cdef long long one, most_reaches
    cdef long long[::1] found, ports, no_ports, reaches
    cdef int[::1] nobody, nothing, caller_count, ferried, ferried_count, passages, first_caller, caller, next_caller, group, fleet_start, fleets
    cdef int[::1] coast_start, coasts, walk, passengers
    cdef unsigned char[::1] walked

    cdef make_room(self, int room)
    @cython.final
    @cython.locals(is_known=cython.bint)
    cdef int has_mover(self, long long code) noexcept nogil
    @cython.final
    cdef int mover_in(self, long long code) noexcept nogil
    @cython.final
    cdef int judge(self, long long code) noexcept nogil
    @cython.final
    cdef int judge_fields(self, int kind, int mover, int target, long long rest) noexcept nogil
    @cython.final
    cdef int judge_support_move(self, int mover, int other, int goal) noexcept nogil
    @cython.final
    @cython.locals(is_mistaken=cython.bint, is_fleet_at_sea=cython.bint)
    cdef int judge_convoy(self, int mover, int other, int goal) noexcept nogil
    @cython.final
    cdef int judge_move_by_convoy(self, int mover, int goal, long long number) noexcept nogil
    @cython.final
    cdef void add(self, long long code) noexcept nogil
    @cython.final
    cdef void survey(self) noexcept nogil
    @cython.final
    cdef void group_fleets(self) noexcept nogil
    @cython.final
    @cython.locals(needed=cython.longlong, bit=cython.longlong)
    cdef long long find_reaches(self, int fleet, int group) noexcept nogil
    @cython.final
    cdef void flood(self, int start, int avoid, long long bit) noexcept nogil
    @cython.final
    cdef void group_around(self, int start) noexcept nogil
    @cython.final
    cdef int is_carried(self, int army, int goal, int supporter) noexcept nogil
    @cython.final
    @cython.locals(head=cython.longlong)
    cdef void list_orders(self, int province) noexcept nogil
    @cython.final
    cdef inline int is_alone(self, int fleet) noexcept nogil
    @cython.final
    @cython.locals(head=cython.longlong)
    cdef void list_supports(self, int province, int goal) noexcept nogil
    @cython.final
    cdef void add_pair(self, long long head, long long other) noexcept nogil
    @cython.final
    cdef void list_convoy_supports(self, int province, int goal, long long head) noexcept nogil
    @cython.final
    @cython.locals(head=cython.longlong, needed=cython.longlong)
    cdef void list_convoys(self, int province) noexcept nogil
    @cython.final
    cdef void list_moves_by_convoy(self, int province) noexcept nogil
    @cython.final
    cdef void walk_from(self, int army, int first) noexcept nogil
    @cython.final
    cdef void list_landings(self, int army, int depth) noexcept nogil
    @cython.final
    @cython.locals(number=cython.longlong)
    cdef void add_landing(self, long long army, long long goal, int depth) noexcept nogil
