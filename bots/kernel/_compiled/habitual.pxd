# C types of `bots/kernel/habitual.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator
from bots.kernel._compiled.lessons cimport Lessons
from bots.kernel._compiled.playouts cimport Playouts
from bots.kernel._compiled.policy cimport Policy


@cython.final
cdef class Habitual:
    cdef readonly Policy policy
    cdef readonly Lessons lessons
    cdef Playouts game
    cdef Simulator state
    cdef int powers, simple, heat_count
    cdef double[::1] heats
    cdef int[::1] habits

    cpdef set_up(self, int simple, object heats)
    cpdef play(self, long long seed, int last_year)
    @cython.locals(season=cython.int)
    cdef void play_on(self, long long seed, int last_year) noexcept nogil
    cdef void move(self) noexcept nogil
