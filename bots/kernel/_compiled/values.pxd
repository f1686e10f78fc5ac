# C types of `bots/kernel/values.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator

cdef int ATTACK_IN_FALL
cdef int DEFENCE_IN_FALL
cdef int ATTACK
cdef int DEFENCE
cdef long long IMPULSE
cdef long long DETAIL
cdef long long GONE

cdef class Values:
    cdef readonly Simulator state
    cdef readonly int provinces, locations, movers, powers, choice, center_total, valid_movers
    cdef int[::1] centers, bearing, sizes, counts, wishes, valued
    cdef int[::1] known, versions, weighed, threatened, threatened_end
    cdef int[::1] is_choosy, has_offers, options, listed, felt_start, felt
    cdef int stamp, layer, style, attack, defence, option_count, closed_for
    cdef int owners, ranked, listed_count, priced
    cdef unsigned char[::1] closed
    cdef long long[::1] spread, values, prices, level, following, sums
    cdef long long[::1] shares, worth, offers, weights, listed_values

    cdef _prepare(self)
    cdef _spread(self, int layer, int number)
    @cython.locals(first=cython.longlong, is_here=cython.bint, has_steps=cython.bint, weight=cython.longlong)
    cdef _radiate(self, int center, int style, tuple weights)
    @cython.final
    @cython.locals(total=cython.longlong, best=cython.longlong, found=cython.longlong)
    cdef inline void blur(self, int keeps) noexcept nogil
    @cython.final
    cdef check_power(self, int power)
    cpdef set_wish(self, int power, int other, int factor)
    @cython.final
    cdef inline void count_bearing(self) noexcept nogil
    @cython.final
    @cython.locals(most=cython.int)
    cdef inline int competition(self, int power, int province) noexcept nogil
    @cython.final
    @cython.locals(found=cython.int, size=cython.int)
    cdef inline int threat(self, int power, int province) noexcept nogil
    @cython.final
    cdef inline void count_sizes(self, int style) noexcept nogil
    @cython.final
    cdef inline void value_all(self, int style) noexcept nogil
    @cython.final
    cdef inline void share_out(self) noexcept nogil
    @cython.final
    @cython.locals(amount=cython.longlong)
    cdef inline void hand_over(self, int number, int before, int after) noexcept nogil
    @cython.final
    @cython.locals(price=cython.longlong)
    cdef inline void make_offers(self, int power) noexcept nogil
    @cython.final
    cdef inline void price_own_centers(self) noexcept nogil
    @cython.final
    @cython.locals(total=cython.longlong)
    cdef inline long long worth_of(self, int mover) noexcept nogil
    @cython.final
    @cython.locals(total=cython.longlong)
    cdef inline long long offered(self, int power, int mover) noexcept nogil
    @cython.final
    cdef inline long long value_at(self, int power, int mover) noexcept nogil
    @cython.final
    @cython.locals(total=cython.longlong)
    cdef inline long long make_value(self, int power, int mover) noexcept nogil
    @cython.final
    cdef inline void list_options(self, int power, int unit) noexcept nogil
    @cython.final
    @cython.locals(most=cython.longlong, best=cython.int)
    cdef inline void rank_options(self, int count) noexcept nogil
    @cython.final
    cdef inline void drop_option(self, int place) noexcept nogil
    @cython.final
    cdef inline long long spared(self, int power, int province, long long value) noexcept nogil
    @cython.final
    cdef inline long long scaled(self, long long value, long long wish) noexcept nogil
    @cython.locals(total=cython.longlong)
    @cython.final
    cdef inline long long total_value(self, int power) noexcept nogil
    cpdef list values_of(self, int power)
