# C types of `bots/kernel/planner.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator
from bots.kernel._compiled.values cimport Values

cdef int UNPLANNED
cdef long long GONE

cdef class Planner(Values):
    cdef long long[::1] plan, fixed
    cdef long long[::1] weights, keys, best_keys, second_keys, listed
    cdef int[::1] key_counts
    cdef int room
    cdef unsigned char[::1] closed
    cdef int option_count, closed_for, ranked, looking, looked_at
    cdef long long last_key
    cdef int goal_count, has_fixed, queue_length, mustered
    cdef int[::1] options, goals, mover_to, queue, troops, troop_ends, taken, alternative, steepness

    cpdef set_chance(self, int power, int alternative, int steepness)
    cpdef clear_fixed(self)
    cpdef fix(self, long long code)
    cpdef close(self, int province, int power)
    @cython.final
    cdef inline void begin_plan(self, int power) noexcept nogil
    @cython.final
    cdef inline void muster(self) noexcept nogil
    @cython.final
    @cython.locals(goal=cython.int)
    cdef inline void take(self, int unit, long long code) noexcept nogil
    @cython.final
    @cython.locals(other=cython.int)
    cdef inline void shuffle(self) noexcept nogil
    @cython.final
    cdef inline void plan_power(self, int power) noexcept nogil
    @cython.final
    cdef inline void wait_for(self, int index, int other) noexcept nogil
    @cython.final
    @cython.locals(code=cython.longlong)
    cdef inline int settle(self, int power, int unit, int waits) noexcept nogil
    @cython.final
    cdef inline int is_own(self, int power, int province) noexcept nogil
    @cython.final
    @cython.locals(listed=cython.longlong, is_plain=cython.bint)
    cdef inline void list_options(self, int power, int unit) noexcept nogil
    @cython.final
    @cython.locals(best=cython.longlong, second=cython.longlong, key=cython.longlong, count=cython.int)
    cdef inline void list_keys(self, int power, int unit) noexcept nogil
    @cython.final
    cdef void favor_options(self, int power, int mover) noexcept nogil
    @cython.final
    @cython.locals(best=cython.longlong, second=cython.longlong, key=cython.longlong, count=cython.int)
    cdef void leave_out_closed(self, int unit) noexcept nogil
    @cython.final
    @cython.locals(number=cython.int)
    cdef inline void add_option(self, int mover, long long key) noexcept nogil
    @cython.final
    cdef inline void rank_options(self, int count) noexcept nogil
    @cython.final
    @cython.locals(best=cython.longlong, last=cython.longlong, key=cython.longlong, has_closed=cython.bint)
    cdef void rank_more(self, int count) noexcept nogil
    @cython.final
    cdef inline void drop_option(self, int place) noexcept nogil
    @cython.final
    @cython.locals(value=cython.double, gap=cython.double, left=cython.double, share=cython.longlong)
    cdef inline int pick_option(self, int power) noexcept nogil
    @cython.final
    @cython.locals(head=cython.longlong, aim=cython.longlong, rest=cython.longlong)
    cdef inline long long code_of(self, int kind, int unit, int target, int other) noexcept nogil
    @cython.final
    cdef inline long long order_to(self, int power, int unit, int mover) noexcept nogil
    @cython.final
    cdef inline int leaves(self, int unit) noexcept nogil
    @cython.final
    @cython.locals(best=cython.longlong, value=cython.longlong, code=cython.longlong)
    cdef inline void use_idle_units(self, int power) noexcept nogil
    @cython.final
    cdef inline long long help_at(self, int power, int unit, int province) noexcept nogil
    @cython.final
    cdef inline void order_retreats(self) noexcept nogil
    @cython.final
    @cython.locals(is_open=cython.bint, most=cython.longlong, value=cython.longlong)
    cdef inline void order_retreat(self, int province) noexcept nogil
    @cython.final
    cdef inline void order_adjustments(self) noexcept nogil
    @cython.final
    @cython.locals(most=cython.longlong, value=cython.longlong)
    cdef inline int best_build(self, int power) noexcept nogil
    @cython.final
    @cython.locals(least=cython.longlong, value=cython.longlong)
    cdef inline int worst_unit(self, int power) noexcept nogil
    cpdef list planned(self, int power)
