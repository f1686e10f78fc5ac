# C types of `rules/kernel/numbered_orders.py`.
cimport cython
from rules.kernel._compiled.legality cimport Legality

cdef int CONVOY
cdef int HOLD
cdef int MOVE
cdef int MOVER_SHIFT
cdef int OTHER_SHIFT
cdef int SUPPORT_HOLD
cdef int SUPPORT_MOVE
cdef int TARGET_SHIFT
cdef int MOST_BITS

cdef class NumberedOrders(Legality):
    @cython.final
    cdef int count_orders(self, int province) noexcept nogil
    @cython.final
    @cython.locals(head=cython.longlong, other=cython.longlong)
    cdef long long order_at(self, int province, int number) noexcept nogil
    @cython.final
    cdef int count_convoys(self, int province) noexcept nogil
    @cython.final
    @cython.locals(head=cython.longlong, other=cython.longlong)
    cdef long long convoy_at(self, int province, int number) noexcept nogil
    @cython.final
    cdef int count_moves_by_convoy(self, int province) noexcept nogil
    @cython.final
    cdef int count_landings(self, int sea) noexcept nogil
    @cython.final
    cdef long long move_by_convoy_at(self, int province, int number) noexcept nogil
    @cython.final
    cdef int caller_at(self, int province, int goal, int number) noexcept nogil
    @cython.final
    cdef void find_ferried(self, int goal) noexcept nogil
    @cython.final
    @cython.locals(others=cython.longlong, is_crowded=cython.bint)
    cdef int count_ferried(self, int province, int goal) noexcept nogil
    @cython.final
    @cython.locals(bit=cython.longlong)
    cdef void link_without(self, int fleet) noexcept nogil
    @cython.final
    cdef int ferried_at(self, int province, int goal, int number) noexcept nogil
