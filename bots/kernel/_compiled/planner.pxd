# C types of `bots/kernel/planner.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator
from bots.kernel._compiled.values cimport Values

cdef int BUILD
cdef int FIELD_BITS
cdef int HOLD
cdef int KIND_BITS
cdef int MOVE
cdef int MOVE_BY_CONVOY
cdef int MOVER_SHIFT
cdef int OTHER_SHIFT
cdef int REMOVE
cdef int RETREAT
cdef int SUPPORT_HOLD
cdef int SUPPORT_MOVE
cdef int TARGET_SHIFT
cdef int PER_MILLE
cdef int UNPLANNED

cdef class Planner(Values):
    cdef long long[::1] plan, fixed, weights
    cdef int goal_count, has_fixed, closed_for, queue_length, option_count
    cdef unsigned char[::1] closed
    cdef int[::1] goals, mover_to, queue, options, taken, alternative, steepness

    cpdef set_chance(self, int power, int alternative, int steepness)
    cpdef clear_fixed(self)
    cpdef fix(self, long long code)
    cpdef close(self, int province, int power)
    @cython.final
    cdef void begin_plan(self, int power) noexcept nogil
    @cython.final
    @cython.locals(goal=cython.int)
    cdef void take(self, int unit, long long code) noexcept nogil
    @cython.final
    @cython.locals(other=cython.int)
    cdef void shuffle(self) noexcept nogil
    @cython.final
    cdef void plan_power(self, int power) noexcept nogil
    @cython.final
    cdef void wait_for(self, int index, int other) noexcept nogil
    @cython.final
    @cython.locals(code=cython.longlong)
    cdef int settle(self, int power, int unit, int waits) noexcept nogil
    @cython.final
    cdef int is_own(self, int power, int province) noexcept nogil
    @cython.final
    @cython.locals(value=cython.longlong)
    cdef void list_options(self, int power, int unit) noexcept nogil
    @cython.final
    @cython.locals(value=cython.longlong, gap=cython.longlong, left=cython.longlong)
    cdef int pick_option(self, int power) noexcept nogil
    @cython.final
    @cython.locals(head=cython.longlong, aim=cython.longlong, rest=cython.longlong)
    cdef long long code_of(self, int kind, int unit, int target, int other) noexcept nogil
    @cython.final
    cdef long long order_to(self, int power, int unit, int mover) noexcept nogil
    @cython.final
    cdef int leaves(self, int unit) noexcept nogil
    @cython.final
    @cython.locals(best=cython.longlong, value=cython.longlong, code=cython.longlong)
    cdef void use_idle_units(self, int power) noexcept nogil
    @cython.final
    cdef long long help_at(self, int power, int unit, int province) noexcept nogil
    @cython.final
    cdef void order_retreats(self) noexcept nogil
    @cython.final
    @cython.locals(is_open=cython.bint, most=cython.longlong, value=cython.longlong)
    cdef void order_retreat(self, int province) noexcept nogil
    @cython.final
    cdef void order_adjustments(self) noexcept nogil
    @cython.final
    @cython.locals(most=cython.longlong, value=cython.longlong)
    cdef int best_build(self, int power) noexcept nogil
    @cython.final
    @cython.locals(least=cython.longlong, value=cython.longlong)
    cdef int worst_unit(self, int power) noexcept nogil
    cpdef list planned(self, int power)
