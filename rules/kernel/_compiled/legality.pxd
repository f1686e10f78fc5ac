# C types of `rules/kernel/legality.py`.
cimport cython
from rules.kernel._compiled.state cimport State

cdef int FIRST_ROOM

cdef class Legality(State):
    cdef int room, found_count, group_count, passenger_count
    cdef object found_store
    cdef long long one, most_reaches
    cdef long long[::1] found, ports, reaches
    cdef int[::1] first_caller, caller, next_caller, group, fleet_start, fleets
    cdef int[::1] coast_start, coasts, walk, passengers, shore_start, shores, strait_start, straits
    cdef unsigned char[::1] walked, is_alone

    cdef _list_shores(self, object tables)
    cdef make_room(self, int room)
    @cython.final
    @cython.locals(is_known=cython.bint)
    cdef inline int has_mover(self, long long code) noexcept nogil
    @cython.final
    cdef inline int mover_in(self, long long code) noexcept nogil
    @cython.final
    cdef inline int judge(self, long long code) noexcept nogil
    @cython.final
    cdef inline int judge_fields(self, int kind, int mover, int target, long long rest) noexcept nogil
    @cython.final
    cdef inline int judge_support_move(self, int mover, int other, int goal) noexcept nogil
    @cython.final
    @cython.locals(is_mistaken=cython.bint, is_fleet_at_sea=cython.bint)
    cdef inline int judge_convoy(self, int mover, int other, int goal) noexcept nogil
    @cython.final
    cdef inline int judge_move_by_convoy(self, int mover, int goal, long long number) noexcept nogil
    @cython.final
    cdef inline void add(self, long long code) noexcept nogil
    @cython.final
    cdef inline void add_if(self, long long code, bint is_wanted) noexcept nogil
    @cython.final
    cdef inline void survey(self) noexcept nogil
    @cython.final
    cdef inline void group_fleets(self) noexcept nogil
    @cython.final
    @cython.locals(needed=cython.longlong, bit=cython.longlong)
    cdef inline long long find_reaches(self, int fleet, int group) noexcept nogil
    @cython.final
    cdef inline void flood(self, int start, int avoid, long long bit) noexcept nogil
    @cython.final
    @cython.locals(is_new=cython.int)
    cdef inline int sail_on(self, int fleet, int avoid, int depth) noexcept nogil
    @cython.final
    @cython.locals(bit=cython.longlong, is_new=cython.int, coast=cython.int, end=cython.int)
    cdef inline void group_around(self, int start) noexcept nogil
    @cython.final
    cdef inline int is_carried(self, int army, int goal, int supporter) noexcept nogil
    @cython.final
    @cython.locals(head=cython.longlong)
    cdef inline void list_orders(self, int province) noexcept nogil
    @cython.final
    @cython.locals(head=cython.longlong)
    cdef inline void list_supports(self, int province, int goal) noexcept nogil
    @cython.final
    cdef inline void add_pair(self, long long head, long long other) noexcept nogil
    @cython.final
    cdef inline void list_convoy_supports(self, int province, int goal, long long head) noexcept nogil
    @cython.final
    @cython.locals(head=cython.longlong, needed=cython.longlong)
    cdef inline void list_convoys(self, int province) noexcept nogil
    @cython.final
    cdef inline void list_moves_by_convoy(self, int province) noexcept nogil
    @cython.final
    cdef inline void walk_from(self, int army, int first) noexcept nogil
    @cython.final
    cdef inline void list_landings(self, int army, int depth) noexcept nogil
    @cython.final
    @cython.locals(number=cython.longlong)
    cdef inline void add_landing(self, long long army, long long goal, int depth) noexcept nogil
