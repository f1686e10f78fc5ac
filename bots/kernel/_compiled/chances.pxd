# C types of `bots/kernel/chances.py`.
cimport cython
from bots.kernel._compiled.playouts cimport Playouts

cdef int LEVELS
cdef int STRONGEST
cdef double UNKNOWN
cdef double LEAST_GAIN

@cython.final
cdef class Chances:
    cdef Playouts game
    cdef int provinces, powers, movers, unit_count, owned_count
    cdef double center_weight, loss, prey
    cdef double[::1] at_most, stays, flow, gains, calm, strength, success, beaten
    cdef long long[::1] plan, saved
    cdef int[::1] units, owned, goal, comer, clash, helper, next_helper, carried
    cdef int[::1] around_start, around

    cpdef weigh(self, double center_weight, double loss, double prey)
    cpdef set_gain(self, int power, int mover, double gain)
    cdef check_power(self, int power)
    @cython.locals(parts=cython.longlong)
    cdef check_code(self, long long code)
    cdef check_changes(self, int count, int[::1] starts, int[::1] units, long long[::1] codes)
    cpdef forget(self)
    @cython.locals(chance=cython.double)
    cpdef face(self, int power)
    @cython.locals(rest=cython.double, chance=cython.double, now=cython.double)
    cpdef blend(self, int power, double share)
    @cython.locals(rest=cython.double, now=cython.double)
    cdef inline void blend_unit(self, int unit, double share) noexcept nogil
    cpdef put(self, long long code)
    cpdef take_plan(self, int power)
    cpdef list ordered(self)
    @cython.locals(total=cython.double)
    cdef inline double expected(self, int power) noexcept nogil
    cpdef double judge(self, int power)
    @cython.locals(code=cython.longlong)
    cdef inline void read_plan(self) noexcept nogil
    @cython.locals(code=cython.longlong)
    cdef inline void read_help(self, int unit) noexcept nogil
    @cython.locals(chance=cython.double, keeps=cython.double)
    cdef inline void add_up(self, int unit) noexcept nogil
    @cython.locals(chance=cython.double)
    cdef inline double uncut(self, int helper, int goal) noexcept nogil
    @cython.locals(left=cython.double, total=cython.double, prey=cython.double, weaker=cython.double, chance=cython.double)
    cdef inline void resolve(self, int unit) noexcept nogil
    @cython.locals(chance=cython.double)
    cdef inline double fall(self, int unit) noexcept nogil
    @cython.locals(falls=cython.double, staying=cython.double, success=cython.double)
    cdef inline double worth_of(self, int power, int unit) noexcept nogil
    @cython.locals(entered=cython.double, gone=cython.double)
    cdef inline double danger(self, int center) noexcept nogil
    @cython.locals(best=cython.double, before=cython.double, worth=cython.double)
    cpdef double climb(self, int power, int[::1] starts, int[::1] units, long long[::1] codes, int passes)
