# C types of `bots/kernel/values.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator

cdef int ATTACK_IN_FALL
cdef int DEFENCE_IN_FALL
cdef int ATTACK
cdef int DEFENCE
cdef long long IMPULSE
cdef long long DETAIL

cdef class Values:
    cdef readonly Simulator state
    cdef readonly int provinces, locations, movers, powers, choice, center_total, valid_movers
    cdef short[::1] bearing
    cdef int[::1] paths, centers, sizes, ranking, counts, wishes, valued
    cdef int[::1] spots, bit_sizes, choice_start, choice_spots
    cdef long long[::1] bearers, pairs, bits
    cdef int is_counted
    cdef long long one
    cdef int[::1] known, is_choosy, threatened, threatened_end
    cdef int stamp, layer, style, attack, defence
    cdef int owners, priced, summed, span
    cdef long long[::1] values, level, following, sums
    cdef double[::1] spread, shares, prices, offers, common, ratings

    cdef list _list_paths(self)
    cdef list _list_spots(self)
    cdef list _list_choices(self)
    cdef _prepare(self)
    cdef _spread(self, int layer, int number)
    @cython.locals(first=cython.longlong, is_here=cython.bint, has_steps=cython.bint, weight=cython.longlong)
    cdef _radiate(self, int center, int style, tuple weights)
    @cython.final
    @cython.locals(total=cython.longlong, best=cython.longlong, found=cython.longlong)
    cdef inline void blur(self, int keeps) noexcept nogil
    @cython.final
    cdef inline long long whole(self, double number) noexcept nogil
    @cython.final
    cdef check_power(self, int power)
    cpdef set_wish(self, int power, int other, int factor)
    @cython.final
    cdef inline void mark_bearers(self) noexcept nogil
    @cython.final
    @cython.locals(before=cython.longlong)
    cdef inline void mark_bearer(self, int province, long long bit) noexcept nogil
    @cython.final
    cdef void count_bearing(self) noexcept nogil
    @cython.final
    cdef inline int has_rivals(self, int power, int province) noexcept nogil
    @cython.final
    cdef inline int has_strong_rivals(self, int power, int province) noexcept nogil
    @cython.final
    @cython.locals(most=cython.int)
    cdef inline int competition(self, int power, int province) noexcept nogil
    @cython.final
    @cython.locals(strangers=cython.longlong)
    cdef inline int threat(self, int power, int province) noexcept nogil
    @cython.final
    cdef int count_strangers(self, int power, int province) noexcept nogil
    @cython.final
    cdef inline void count_sizes(self, int style) noexcept nogil
    @cython.final
    cdef inline void rank_powers(self) noexcept nogil
    @cython.final
    cdef inline void value_all(self, int style) noexcept nogil
    @cython.final
    cdef inline void share_out(self) noexcept nogil
    @cython.final
    @cython.locals(felt=cython.double)
    cdef inline void hand_over(self, int number, int before, int after) noexcept nogil
    @cython.final
    cdef void add_up(self) noexcept nogil
    @cython.final
    @cython.locals(offer=cython.double, second=cython.double, third=cython.double, fourth=cython.double)
    cdef void add_offers(self, int owner, int row) noexcept nogil
    @cython.final
    @cython.locals(found=cython.int)
    cdef void price_own_centers(self) noexcept nogil
    @cython.final
    cdef inline long long value_at(self, int power, int mover) noexcept nogil
    @cython.final
    @cython.locals(total=cython.double)
    cdef inline long long make_value(self, int power, int mover) noexcept nogil
    @cython.final
    cdef inline long long wished(self, int power, int mover, double total) noexcept nogil
    @cython.final
    @cython.locals(offer=cython.double, price=cython.double, total=cython.double, second=cython.double, third=cython.double, fourth=cython.double)
    cdef void rate_options(self, int power, int mover) noexcept nogil
    @cython.final
    @cython.locals(total=cython.double)
    cdef double sum_for(self, int spot) noexcept nogil
    @cython.final
    @cython.locals(total=cython.double, price=cython.longlong)
    cdef double favor(self, int power, int spot) noexcept nogil
    @cython.final
    cdef inline long long spared(self, int power, int province, long long value) noexcept nogil
    @cython.final
    cdef inline long long scaled(self, long long value, long long wish) noexcept nogil
    @cython.locals(total=cython.longlong)
    @cython.final
    cdef inline long long total_value(self, int power) noexcept nogil
    cpdef list values_of(self, int power)
