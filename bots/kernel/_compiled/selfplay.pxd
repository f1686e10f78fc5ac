# C types of `bots/kernel/selfplay.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator
from bots.kernel._compiled.lessons cimport Lessons
from bots.kernel._compiled.playouts cimport Playouts
from bots.kernel._compiled.policy cimport Policy
from bots.kernel._compiled.subgame cimport Subgame

cdef int SEARCHES
cdef int PLANS
cdef int DRAWS

@cython.final
cdef class SelfPlay:
    cdef readonly Subgame subgame
    cdef readonly Lessons lessons
    cdef Playouts game
    cdef Simulator state
    cdef Policy policy
    cdef int powers, provinces, candidates, proposed, iterations, simple, drawing, heat_count
    cdef int[::1] origin, habits, spread_of, heat_of
    cdef double[::1] heats

    cpdef set_up(self, int candidates, int iterations, int simple)
    cpdef ask(self, Policy policy, int candidates, int drawing, object heats)
    cpdef play(self, long long seed, int last_year)
    @cython.locals(luck=cython.int)
    cdef inline void cast(self, int power) noexcept nogil
    @cython.locals(season=cython.int)
    cdef inline void play_on(self, long long seed, int last_year) noexcept nogil
    @cython.locals(number=cython.int, dice=cython.longlong)
    cdef inline void move(self) noexcept nogil
    cdef inline void value(self) noexcept nogil
    cdef inline void plan(self, int power) noexcept nogil
    cdef inline void set_spread(self, int power, int number) noexcept nogil
    cdef inline void draw_candidates(self, int power) noexcept nogil
