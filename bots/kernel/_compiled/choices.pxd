# C types of `bots/kernel/choices.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator
from bots.kernel._compiled.playouts cimport Playouts

cdef long long MOVE_BY_CONVOY

cdef class Choices:
    cdef readonly Playouts game
    cdef readonly Simulator state
    cdef readonly int powers, provinces, locations, movers, power, season, unit_count, count
    cdef readonly int slot_total, fact_total
    cdef int owner_base, holder_base, mark_base, source_base, rank_base, size_base, planned_base, here_base
    cdef int[::1] units, number_at, first, deeds, goals, partners, tails, slots, facts
    cdef long long[::1] codes
    cdef int[::1] go_slot, back_slot, carry_slot, stay_slot, slot_deeds, slot_movers, slot_goals

    @cython.locals(at=cython.int)
    cdef _number_slots(self)
    @cython.locals(at=cython.int, sea=cython.int)
    cdef _number_passages(self, int army)
    cdef int _new_slot(self, int deed, int mover, int goal) except -1
    cpdef list slot_list(self)
    @cython.final
    cdef int is_passage(self, int army, int sea, int goal) noexcept nogil
    @cython.final
    cdef void list_choices(self, int power) noexcept nogil
    @cython.final
    cdef void list_unit(self, int unit) noexcept nogil
    @cython.final
    cdef int is_closed(self, int goal) noexcept nogil
    @cython.final
    cdef void add_fixed(self, int unit, long long code) noexcept nogil
    @cython.final
    cdef void add_supports(self, int unit, int goal) noexcept nogil
    @cython.final
    cdef void add_journeys(self, int army) noexcept nogil
    @cython.final
    @cython.locals(path=cython.longlong, head=cython.longlong, aim=cython.longlong, kind=cython.longlong)
    cdef long long journey(self, int army, int sea, int goal) noexcept nogil
    @cython.final
    cdef void add_convoys(self, int sea) noexcept nogil
    @cython.final
    @cython.locals(at=cython.int, unit=cython.int, head=cython.int, base=cython.int, owner=cython.int, holder=cython.int, ours=cython.int, theirs=cython.int, standing=cython.int, mark=cython.int, pair=cython.int)
    cdef void add(self, long long code, int deed, int goal, int partner, int slot) noexcept nogil
    @cython.final
    cdef int relation(self, int province) noexcept nogil
    @cython.final
    @cython.locals(ours=cython.int, theirs=cython.int)
    cdef int source(self, int head, int unit) noexcept nogil
    @cython.final
    @cython.locals(at=cython.int, rank=cython.int, step=cython.int)
    cdef int rank(self, int head, int goal) noexcept nogil
    @cython.final
    cdef int sized(self, int deed, int owner) noexcept nogil
