# C types of `bots/kernel/playouts.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator
from bots.kernel._compiled.chain cimport Chain

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
cdef int WORTHIEST_LINKS
cdef int RANDOMBOT
cdef int POLICIES
cdef int STYLES
cdef int BY_VALUES
cdef int FRIENDLY
cdef int STAKE
cdef int MOST_MOVEMENTS
cdef int WHOLE
cdef int OCCUPIED

@cython.final
cdef class Playouts(Chain):
    cdef int[::1] policies, stakes, origin, friend, friend_part
    cdef int searcher, movements, judged, wants_any, worthiest, is_aimed
    cdef public long long phases

    cpdef reset(self)
    cpdef play_as_published(self, int is_published)
    cpdef spare(self, int power)
    cpdef set_policy(self, int power, int policy)
    cpdef object save(self)
    cdef void write(self, int[::1] rows, int first) noexcept nogil
    cpdef restore(self, int[::1] kept)
    @cython.locals(is_fine=cython.bint, mover=cython.int, owner=cython.int, holder=cython.int)
    cdef check_kept(self, int[::1] kept)
    cdef void go_to(self, int[::1] kept) noexcept nogil
    cdef void put(self, int[::1] kept, Simulator state) noexcept nogil
    cpdef value(self, int style)
    cpdef list sample(self, int power)
    cpdef list predict(self, int power, int policy)
    @cython.locals(number=cython.int)
    cpdef void draw_policies(self, int power) noexcept nogil
    cpdef void plan_all(self) noexcept nogil
    cdef void give_plans(self) noexcept nogil
    cdef void step_by_policies(self) noexcept nogil
    cpdef void settle_turn(self) noexcept nogil
    cpdef void run(self, int movements) noexcept nogil
    cdef void plan_simply(self, int power, int policy) noexcept nogil
    cdef int is_wanted(self, int power, int province) noexcept nogil
    cdef long long grab(self, int power, int unit, int policy) noexcept nogil
    cdef long long go_or_help(self, int unit, int place, int helps) noexcept nogil
    cdef int random_target(self, int power, int unit) noexcept nogil
    @cython.locals(is_near=cython.int)
    cdef int random_approach(self, int power, int unit) noexcept nogil
    @cython.locals(number=cython.int, is_settled=cython.bint)
    cdef long long random_step(self, int power, int unit) noexcept nogil
    cdef void plan_worthiest(self, int power) noexcept nogil
    cpdef int holdings(self, int power) except -1
    cpdef double share(self, int power) except -1
    @cython.locals(total=cython.longlong)
    cdef double share_of(self, int power) noexcept nogil
    cdef void stake(self, int center) noexcept nogil
    cdef void credit(self, int center, int power, int amount) noexcept nogil
    cpdef aim(self, int[::1] kept, int movements, int power)
    cdef check_movements(self, int movements)
    @cython.locals(before=cython.int)
    cdef check_sets(self, int[::1] starts, long codes, long room)
    cpdef weigh(self, long long[::1] ours, long long[::1] theirs, int[::1] starts, long long first_seed, double[::1] scores)
