# C types of `bots/kernel/playouts.py`.
cimport cython
from bots.kernel._compiled.planner cimport Planner

cdef int AUTUMN
cdef int FALL
cdef int HOLD
cdef int MOVE
cdef int SPRING
cdef int SUMMER
cdef int SUPPORT_HOLD
cdef int SUPPORT_MOVE
cdef int WINTER
cdef int DUMBBOT
cdef int WEAKEST
cdef int ANY_ORDERS
cdef int GRAB_OR_HOLD
cdef int GRAB_OR_ANY
cdef int SCRAMBLE
cdef int FAR_SCRAMBLE
cdef int WORTHIEST
cdef int RANDOMBOT
cdef int BY_VALUES
cdef int FRIENDLY
cdef int STAKE
cdef int WHOLE
cdef int OCCUPIED

@cython.final
cdef class Playouts(Planner):
    cdef int[::1] policies, stakes, kept, origin, friend, friend_part
    cdef int searcher, movements, judged
    cdef public long long phases

    cpdef reset(self)
    cpdef spare(self, int power)
    cpdef set_policy(self, int power, int policy)
    cpdef object save(self)
    cpdef void restore(self, int[::1] kept) noexcept nogil
    cpdef value(self, int style)
    cpdef list sample(self, int power)
    cpdef list predict(self, int power, int policy)
    @cython.locals(number=cython.int)
    cpdef void draw_policies(self, int power) noexcept nogil
    cpdef void plan_all(self) noexcept nogil
    cpdef void give_plans(self) noexcept nogil
    cpdef void step_by_policies(self) noexcept nogil
    cpdef void settle_turn(self) noexcept nogil
    cpdef void run(self, int movements) noexcept nogil
    cdef void plan_simply(self, int power, int policy) noexcept nogil
    cdef long long any_order(self, int unit) noexcept nogil
    cdef int is_target(self, int power, int province) noexcept nogil
    cdef int is_conquering(self, int power, int unit) noexcept nogil
    cdef long long grab(self, int power, int unit, int policy) noexcept nogil
    cdef long long go_or_help(self, int unit, int place, int helps) noexcept nogil
    cdef int random_target(self, int power, int unit) noexcept nogil
    @cython.locals(is_near=cython.int)
    cdef int random_approach(self, int power, int unit) noexcept nogil
    @cython.locals(number=cython.int, is_settled=cython.bint)
    cdef long long random_step(self, int power, int unit) noexcept nogil
    cpdef void plan_worthiest(self, int power) noexcept nogil
    cpdef int holdings(self, int power) noexcept nogil
    @cython.locals(total=cython.longlong)
    cpdef double share(self, int power) noexcept nogil
    cdef void stake(self, int center) noexcept nogil
    cdef void credit(self, int center, int power, int amount) noexcept nogil
    cpdef aim(self, int[::1] kept, int movements, int power)
    cpdef weigh(self, long long[::1] ours, long long[::1] theirs, int[::1] starts, long long first_seed, double[::1] scores)
