# C types of `bots/kernel/playouts.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator
from bots.kernel._compiled.chain cimport Chain

cdef int STAKE
cdef int MOST_MOVEMENTS
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
    cdef inline void write(self, int[::1] rows, int first) noexcept nogil
    cpdef restore(self, int[::1] kept)
    @cython.locals(is_fine=cython.bint, mover=cython.int, owner=cython.int, holder=cython.int)
    cdef check_kept(self, int[::1] kept)
    cdef inline void go_to(self, int[::1] kept) noexcept nogil
    cdef inline void put(self, int[::1] kept, Simulator state) noexcept nogil
    cpdef value(self, int style)
    cpdef list sample(self, int power)
    cpdef list predict(self, int power, int policy)
    @cython.locals(number=cython.int)
    cpdef void draw_policies(self, int power) noexcept nogil
    cpdef void plan_all(self) noexcept nogil
    cdef inline void give_plans(self) noexcept nogil
    cdef inline void step_by_policies(self) noexcept nogil
    cpdef void settle_turn(self) noexcept nogil
    cpdef void run(self, int movements) noexcept nogil
    cdef inline void plan_simply(self, int power, int policy) noexcept nogil
    cdef inline int is_wanted(self, int power, int province) noexcept nogil
    cdef inline long long grab(self, int power, int unit, int policy) noexcept nogil
    cdef inline long long go_or_help(self, int unit, int place, int helps) noexcept nogil
    cdef inline int random_target(self, int power, int unit) noexcept nogil
    @cython.locals(is_near=cython.int)
    cdef inline int random_approach(self, int power, int unit) noexcept nogil
    @cython.locals(number=cython.int, is_settled=cython.bint)
    cdef inline long long random_step(self, int power, int unit) noexcept nogil
    cdef inline void plan_worthiest(self, int power) noexcept nogil
    cpdef int holdings(self, int power) except -1
    cpdef double share(self, int power) except -1
    @cython.locals(total=cython.longlong)
    cdef inline double share_of(self, int power) noexcept nogil
    cdef inline void stake(self, int center) noexcept nogil
    cdef inline void credit(self, int center, int power, int amount) noexcept nogil
    cpdef aim(self, int[::1] kept, int movements, int power)
    cdef check_movements(self, int movements)
    @cython.locals(before=cython.int)
    cdef check_sets(self, int[::1] starts, long codes, long room)
    cpdef weigh(self, long long[::1] ours, long long[::1] theirs, int[::1] starts, long long first_seed, double[::1] scores)
