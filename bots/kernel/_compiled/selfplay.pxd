# C types of `bots/kernel/selfplay.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator
from bots.kernel._compiled.lessons cimport Lessons
from bots.kernel._compiled.playouts cimport Playouts
from bots.kernel._compiled.subgame cimport Subgame

cdef int MOST_ITERATIONS

@cython.final
cdef class SelfPlay:
    cdef readonly Subgame subgame
    cdef readonly Lessons lessons
    cdef Playouts game
    cdef Simulator state
    cdef int powers, provinces, candidates, iterations, simple
    cdef int[::1] origin, is_simple

    cpdef set_up(self, int candidates, int iterations, int simple)
    cpdef play(self, long long seed, int last_year)
    @cython.locals(season=cython.int)
    cdef inline void play_on(self, long long seed, int last_year) noexcept nogil
    @cython.locals(count=cython.int, number=cython.int, dice=cython.longlong)
    cdef inline void move(self) noexcept nogil
    @cython.locals(number=cython.int)
    cdef inline void draw_candidate(self, int power) noexcept nogil
