# C types of `bots/kernel/lessons.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator
from bots.kernel._compiled.playouts cimport Playouts

cdef int MOST_YEARS
cdef int MOST_LESSONS

@cython.final
cdef class Lessons:
    cdef readonly Playouts game
    cdef readonly Simulator state
    cdef readonly int powers, provinces, width, room, count
    cdef readonly double patience
    cdef readonly short[::1] positions
    cdef readonly double[::1] targets
    cdef readonly int[::1] years
    cdef int[::1] spreads
    cdef int[::1] opening
    cdef int first, first_year, years_closed
    cdef double[::1] yearly

    cpdef clear(self)
    cpdef void begin_game(self) noexcept nogil
    @cython.locals(base=cython.int)
    cpdef void note(self) noexcept nogil
    @cython.locals(total=cython.double, base=cython.int)
    cpdef void close_year(self) noexcept nogil
    @cython.locals(base=cython.int, year=cython.int)
    cpdef void end_game(self) noexcept nogil
    @cython.locals(season=cython.int)
    cdef int begin_turn(self) noexcept nogil
    cdef void end_turn(self, int season) noexcept nogil
    @cython.locals(number=cython.int)
    cdef void spread(self, int power) noexcept nogil
    @cython.locals(base=cython.int)
    cdef void put(self, int number) noexcept nogil
    cpdef show(self, int number)
    cdef check_year(self, int last_year)
    cpdef play(self, long long seed, int last_year)
    @cython.locals(season=cython.int)
    cdef inline void play_on(self, long long seed, int last_year) noexcept nogil
