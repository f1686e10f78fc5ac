# C types of `bots/kernel/examples.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator
from bots.kernel._compiled.lessons cimport Lessons
from bots.kernel._compiled.playouts cimport Playouts
from bots.kernel._compiled.policy cimport Policy
from bots.kernel._compiled.subgame cimport Subgame

cdef int NOTHING

@cython.final
cdef class Examples:
    cdef readonly Subgame subgame
    cdef readonly Policy policy
    cdef readonly Lessons lessons
    cdef Playouts game
    cdef Simulator state
    cdef int powers, provinces, planned, learned, varied, iterations, simple
    cdef long long[::1] orders
    cdef int[::1] origin, is_simple

    cpdef set_up(self, int planned, int learned, int varied, int iterations, int simple)
    cpdef clear(self)
    cpdef show(self, int number)
    cdef check_order(self, int[::1] order, int first, int end)
    cpdef play(self, long long seed, int last_year)
    cdef void play_on(self, long long seed, int last_year) noexcept nogil
    @cython.locals(number=cython.int)
    cdef void move(self) noexcept nogil
    cdef void search(self) noexcept nogil
    cdef void draw_candidates(self, int power) noexcept nogil
    @cython.locals(number=cython.int, first=cython.int)
    cdef void vary_candidates(self, int power) noexcept nogil
    @cython.locals(number=cython.int, base=cython.int, at=cython.int)
    cdef void note(self) noexcept nogil
    cpdef list orders_of(self, int number, int power)
