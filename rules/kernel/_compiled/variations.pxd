# C types of `rules/kernel/variations.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator

cdef int MOVE
cdef int MOVE_BY_CONVOY
cdef int SUPPORT_HOLD

@cython.final
cdef class Variations:
    cdef readonly Simulator state
    cdef readonly int count, changed_count, affected_count
    cdef int mark, route_end
    cdef long long[::1] codes, order
    cdef int[::1] starts, note, kind, goal, goal_place, other, route_start, route_length
    cdef int[::1] moving, arriving, conqueror, part, first_unit, next_unit, marked, changed, affected
    cdef unsigned char[::1] is_dislodged, outcome

    @cython.locals(kept=cython.longlong[::1], begins=cython.int[::1])
    cpdef take(self, codes, starts)
    @cython.locals(number=cython.int)
    cpdef choose(self, numbers)
    cdef void judge_plan(self) noexcept nogil
    cdef void keep(self, int unit) noexcept nogil
    cdef void divide(self) noexcept nogil
    cdef void join(self, int province, int other) noexcept nogil
    cdef int part_of(self, int province) noexcept nogil
    cpdef int vary(self, int number) noexcept nogil
    cdef int judge(self, int number) noexcept nogil
    cdef int judge_changes(self) noexcept nogil
    cdef void change(self, long long code) noexcept nogil
    cdef int unique_changes(self) noexcept nogil
    cdef void find_affected(self) noexcept nogil
    cdef void affect(self, int province) noexcept nogil
    cpdef void go_back(self) noexcept nogil
    cdef void reset(self, int unit) noexcept nogil
    cdef void take_orders_back(self) noexcept nogil
    cdef void take_back(self, int unit) noexcept nogil
    cpdef judge_all(self, unsigned char[::1] outcomes)
    cdef repeat_outcomes(self, unsigned char[::1] outcomes)
    cdef void write_outcomes(self, int number, unsigned char[::1] outcomes) noexcept nogil
    cpdef void lay(self, Simulator after) noexcept nogil
