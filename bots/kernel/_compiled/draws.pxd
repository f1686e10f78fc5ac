# C types of `bots/kernel/draws.py`.
cimport cython

cdef int HELP_STAY
cdef int HELP_GO
cdef int PROMISED
cdef int PROMISED_GO
cdef int WRAPPING
cdef int EXACT
cdef int ROUNDED
cdef int WORDS
cdef int HALF_WAY
cdef long long WORD
cdef long long TOP_BIT
cdef long long LOW_BITS
cdef long long TWIST
cdef long long MASK_B
cdef long long MASK_C
cdef long long HALF_WORD
cdef long long MODIFIER
cdef double ROUNDER
cdef int LARGEST_KEY
cdef int MOST_WAITS
cdef int NOBODY

@cython.final
cdef class Draws:
    cdef int count, left_count, waits, shuffles, faced_alone, arithmetic, word
    cdef double alternative
    cdef int[::1] here, province_of, starts, near, near_counts, at, mover_to, competition, closed
    cdef int[::1] option_counts, options, left, settled, settled_goal, kinds, first, second
    cdef int[::1] is_ordered, numbers
    cdef long long[::1] values, option_values, left_values, words
    cdef double[::1] keys, fixed_keys

    @cython.locals(room=cython.int[::1], first=cython.int, province=cython.int)
    cdef make_room(self, int units, int options, int provinces)
    cpdef set_habits(self, int arithmetic, double alternative, int faced_alone, int shuffles)
    cpdef set_promise(self, int unit, int goal)
    @cython.locals(unit=cython.int)
    cpdef value(self, list values, list competition, object closed, int bonus)
    @cython.locals(count=cython.int)
    cdef inline void list_options(self, int unit, int bonus) noexcept nogil
    cdef inline int insert(self, int first, int count, int place, long long value) noexcept nogil
    cpdef take_chances(self, tuple state)
    cpdef tuple chances(self)
    @cython.locals(mixed=cython.longlong)
    cdef inline long long draw_word(self) noexcept nogil
    @cython.locals(mixed=cython.longlong, made=cython.longlong, following=cython.int, other=cython.int)
    cdef inline void twist(self) noexcept nogil
    @cython.locals(high=cython.longlong, low=cython.longlong)
    cdef inline double draw(self) noexcept nogil
    @cython.locals(nearest=cython.double)
    cdef inline double whole(self, double number) noexcept nogil
    @cython.locals(product=cython.longlong, share=cython.double)
    cdef inline double chance(self, long long value, long long following) noexcept nogil
    @cython.locals(place=cython.int, drawn=cython.double)
    cdef inline int pick(self) noexcept nogil
    @cython.locals(key=cython.double, number=cython.int, unit=cython.int)
    cpdef plan(self)
    cdef inline void give(self, int unit, int kind, int first, int second) noexcept nogil
    @cython.locals(best=cython.int, unit=cython.int)
    cdef inline int next_unit(self) noexcept nogil
    cdef inline int comes_before(self, int unit, int other) noexcept nogil
    cdef inline int settle(self, int unit) noexcept nogil
    @cython.locals(key=cython.double)
    cdef inline int must_wait(self, int unit, int place) noexcept nogil
    cdef inline int goes(self, int unit) noexcept nogil
    @cython.locals(is_held=cython.bint)
    cdef inline int order_to(self, int unit, int place) noexcept nogil
    @cython.locals(best=cython.longlong)
    cdef inline void use_idle_units(self) noexcept nogil
    cdef inline int help_at(self, int unit, int province) noexcept nogil
    cpdef list planned(self)
    cpdef list planned_codes(self, int[::1] movers, int armies, list promised)
    @cython.locals(head=cython.longlong, other=cython.longlong, goal=cython.longlong)
    cdef long long code_of(self, int unit, int[::1] movers, int armies, long long promised)
