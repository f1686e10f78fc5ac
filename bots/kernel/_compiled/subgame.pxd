# C types of `bots/kernel/subgame.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator
from rules.kernel._compiled.variations cimport Variations
from bots.kernel._compiled.network cimport Network
from bots.kernel._compiled.outcomes cimport Outcomes
from bots.kernel._compiled.playouts cimport Playouts
from bots.kernel._compiled.regrets cimport Regrets

cdef double PEACE
cdef long long WORD
cdef double SPAN
cdef int MOST_ITERATIONS

@cython.final
cdef class Subgame:
    cdef readonly Playouts game
    cdef readonly Simulator state
    cdef readonly Network network
    cdef Variations variations
    cdef Outcomes outcomes
    cdef Simulator turn
    cdef readonly Regrets regrets
    cdef readonly int powers, provinces, room, stride, judgement, movements
    cdef long long[::1] codes
    cdef readonly double[::1] priors, shares, planned
    cdef readonly int[::1] unit_counts, choice
    cdef int[::1] origin, kept
    cdef int is_entered
    cdef long long dice, seed, favour
    cdef readonly long long judged
    cdef int answerer

    cpdef enter(self, int[::1] origin, int judgement, int movements, long long seed)
    @cython.locals(season=cython.int)
    cdef check_entered(self)
    cdef check_effort(self, long long candidates, int iterations)
    cdef prepare(self, int[::1] origin)
    cdef check_code(self, long long code)
    @cython.locals(kind=cython.int, mover=cython.int, target=cython.int)
    cdef inline int is_order(self, long long code) noexcept nogil
    cdef inline void begin_at(self, int judgement, int movements, long long seed) noexcept nogil
    @cython.locals(number=cython.int, at=cython.int)
    cdef inline void add_plan(self, int power, double prior) noexcept nogil
    @cython.locals(first=cython.int)
    cdef inline void give(self, int power, int number, Simulator state) noexcept nogil
    @cython.locals(number=cython.int)
    cpdef int add(self, int power, object codes, double prior)
    cpdef list candidate(self, int power, int number)
    cpdef open(self)
    @cython.locals(mixed=cython.longlong)
    cdef inline double luck(self) noexcept nogil
    cdef inline void begin_choice(self, int but) noexcept nogil
    cdef inline void judge_plan(self, long long seed) noexcept nogil
    cdef inline void judge_variation(self, int power, long long[::1] codes, int first, long long seed) noexcept nogil
    @cython.locals(key=cython.longlong, slot=cython.int, first=cython.int)
    cdef inline void judge_outcome(self, long long seed) noexcept nogil
    cdef inline void play_outcome(self) noexcept nogil
    cdef inline void judge_position(self) noexcept nogil
    @cython.locals(total=cython.double)
    cdef inline void count_centers(self) noexcept nogil
    cdef inline void keep_peace(self) noexcept nogil
    cpdef run(self, int iterations)
    @cython.locals(seed=cython.longlong)
    cdef inline void iterate(self) noexcept nogil
    @cython.locals(first=cython.int, chosen=cython.int)
    cdef inline void try_all(self, int power, long long seed) noexcept nogil
    cpdef count_on(self, long long code)
    @cython.locals(found=cython.int)
    cpdef guess(self, double usual, int[::1] guesses, int count)
    @cython.locals(total=cython.double, luck=cython.double)
    cdef inline int draw_usual(self, int power) noexcept nogil
    cpdef let_answer(self, int power)
    @cython.locals(index=cython.int, most=cython.int, units=cython.int, sets=cython.int)
    cdef int check_answer(self, long long[::1] codes, int[::1] guesses, int first, int end, double[::1] scores) except -1
    @cython.locals(power=cython.int, sets=cython.int, units=cython.int, count=cython.int)
    cpdef answer(self, long long[::1] codes, int[::1] guesses, int first, int end, double[::1] scores)
    cpdef list worths(self)
    cpdef list worth_of(self, list choice)
    @cython.locals(code=cython.longlong)
    cpdef list settle(self, int power, list codes)
