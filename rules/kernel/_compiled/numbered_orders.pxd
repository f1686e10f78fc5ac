# C types of `rules/kernel/numbered_orders.py`.
cimport cython
from rules.kernel._compiled.legality cimport Legality

cdef long long WORD, TWOS, FOURS, EIGHTS

cdef class NumberedOrders(Legality):
    cdef int[::1] offers, land_offers, tally, seat, around_start, callers, caller_end, rows
    cdef int[::1] landings, passages
    cdef long long dice_a, dice_b, dice_c, dice_d
    cdef long long[::1] carried, group_passengers, links, part_passengers
    cdef long long needed
    cdef int is_crowded, linked, landed, sure_length

    cdef _number_tables(self, object tables)
    @cython.final
    @cython.locals(callers=cython.int)
    cdef inline void number_orders(self) noexcept nogil
    @cython.final
    @cython.locals(mask=cython.longlong, others=cython.longlong)
    cdef inline void find_carried(self) noexcept nogil
    @cython.final
    cdef inline long long seat_of(self, int province) noexcept nogil
    @cython.final
    cdef inline int count_bits(self, long long mask) noexcept nogil
    @cython.final
    cdef inline int count_orders(self, int province) noexcept nogil
    @cython.final
    @cython.locals(head=cython.longlong, step=cython.int)
    cdef inline long long order_at(self, int province, int number) noexcept nogil
    @cython.final
    @cython.locals(other=cython.longlong)
    cdef inline long long support_at(self, int province, int goal, int number) noexcept nogil
    @cython.final
    @cython.locals(index=cython.int)
    cdef inline int caller_at(self, int province, int goal, int number) noexcept nogil
    @cython.final
    cdef inline int count_ferried(self, int province, int goal) noexcept nogil
    @cython.final
    cdef inline int is_ferried(self, int army, int goal, int supporter) noexcept nogil
    @cython.final
    @cython.locals(mask=cython.longlong, index=cython.int)
    cdef inline int ferried_at(self, int province, int goal, int number) noexcept nogil
    @cython.final
    @cython.locals(mask=cython.longlong, allowed=cython.longlong, groups=cython.longlong, parts=cython.longlong)
    cdef inline long long find_ferried(self, int province, int goal) noexcept nogil
    @cython.final
    cdef inline void link_without(self, int fleet) noexcept nogil
    @cython.final
    @cython.locals(bit=cython.longlong, mask=cython.longlong)
    cdef inline void link_part(self, int start, int part) noexcept nogil
    @cython.final
    cdef inline int count_convoys(self, int province) noexcept nogil
    @cython.final
    @cython.locals(missing=cython.longlong, count=cython.int)
    cdef inline int count_goals(self, int army, int group) noexcept nogil
    @cython.final
    @cython.locals(head=cython.longlong, other=cython.longlong, missing=cython.longlong, army=cython.int, goals=cython.int, goal=cython.int)
    cdef inline long long convoy_at(self, int province, int number) noexcept nogil
    @cython.final
    cdef inline int count_moves_by_convoy(self, int province) noexcept nogil
    @cython.final
    cdef inline int is_small(self, int sea) noexcept nogil
    @cython.final
    cdef inline long long move_by_convoy_at(self, int province, int number) noexcept nogil
    @cython.final
    @cython.locals(head=cython.longlong, path=cython.longlong)
    cdef inline long long passage_at(self, int army, int sea, int number) noexcept nogil
    @cython.final
    cdef inline int count_landings(self, int army, int sea) noexcept nogil
    @cython.final
    @cython.locals(depth=cython.int, count=cython.int, more=cython.int)
    cdef inline int count_passages(self, int army, int first, int number) noexcept nogil
    @cython.final
    @cython.locals(mixed=cython.longlong)
    cdef inline long long roll(self) noexcept nogil
    @cython.final
    @cython.locals(dice=cython.uint)
    cdef inline int throw(self, unsigned int count) noexcept nogil
    @cython.final
    @cython.locals(count=cython.int)
    cdef inline long long draw_order(self, int province) noexcept nogil
