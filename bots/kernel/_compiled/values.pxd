# C types of `bots/kernel/values.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator

cdef int FALL
cdef int AUTUMN
cdef int DUMBBOT
cdef int WEAKEST
cdef int STYLES
cdef int ATTACK_IN_FALL
cdef int DEFENCE_IN_FALL
cdef int ATTACK
cdef int DEFENCE
cdef long long IMPULSE
cdef long long DETAIL
cdef int WHOLE

cdef class Values:
    cdef readonly Simulator state
    cdef readonly int provinces, locations, movers, powers, choice, center_total, valid_movers
    cdef int[::1] centers, bearing, sizes, counts, wishes, valued, is_due
    cdef int base, stamp
    cdef long long[::1] spread, values, prices, level, following, sums

    cdef _prepare(self)
    @cython.locals(first=cython.longlong, is_here=cython.bint, has_steps=cython.bint, weight=cython.longlong)
    cdef _radiate(self, int center, int style, tuple weights)
    @cython.final
    @cython.locals(total=cython.longlong, best=cython.longlong, found=cython.longlong)
    cdef void blur(self, int keeps) noexcept nogil
    @cython.final
    cdef check_power(self, int power)
    cpdef set_wish(self, int power, int other, int factor)
    @cython.final
    cdef void count_bearing(self) noexcept nogil
    @cython.final
    cdef int competition(self, int power, int province) noexcept nogil
    @cython.final
    cdef int threat(self, int power, int province, int style) noexcept nogil
    @cython.final
    cdef void count_sizes(self, int style) noexcept nogil
    @cython.final
    cdef void value_all(self, int style) noexcept nogil
    @cython.final
    cdef void value_retreats(self, int style) noexcept nogil
    @cython.final
    cdef void survey_centers(self, int style) noexcept nogil
    @cython.final
    @cython.locals(price=cython.longlong, attack=cython.int, defence=cython.int)
    cdef void price_centers(self, int power, int style) noexcept nogil
    @cython.final
    @cython.locals(total=cython.longlong)
    cdef long long value_at(self, int power, int mover) noexcept nogil
    @cython.final
    cdef long long spared(self, int power, int province, long long value) noexcept nogil
    @cython.final
    cdef long long scaled(self, long long value, long long wish) noexcept nogil
    @cython.locals(total=cython.longlong)
    @cython.final
    cdef long long total_value(self, int power) noexcept nogil
    cpdef list values_of(self, int power)
