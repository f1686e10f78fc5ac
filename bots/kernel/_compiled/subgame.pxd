# C types of `bots/kernel/subgame.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator
from bots.kernel._compiled.network cimport Network
from bots.kernel._compiled.playouts cimport Playouts
from bots.kernel._compiled.regrets cimport Regrets

cdef int AUTUMN
cdef int SUMMER
cdef int WINTER
cdef int BY_CENTERS
cdef int BY_NETWORK
cdef int DUMBBOT
cdef int WHOLE
cdef double PEACE
cdef int KNOWN
cdef int CHOICE_BITS
cdef int KEY_BITS
cdef unsigned long long MIXER
cdef long long WORD
cdef double SPAN

@cython.final
cdef class Subgame:
    cdef readonly Playouts game
    cdef readonly Simulator state
    cdef readonly Network network
    cdef readonly Regrets regrets
    cdef readonly int powers, provinces, room, stride, judgement, movements
    cdef long long[::1] codes, trial
    cdef readonly double[::1] priors, shares
    cdef readonly int[::1] unit_counts, choice
    cdef int[::1] origin
    cdef long long dice, seed, favour
    cdef readonly long long judged
    cdef int trial_power, answerer, is_remembering, visit
    cdef long long[::1] known_keys
    cdef int[::1] known_in
    cdef double[::1] known_shares

    cpdef enter(self, int[::1] origin, int judgement, int movements, long long seed)
    cpdef prepare(self, int[::1] origin)
    cdef void begin_at(self, int judgement, int movements, long long seed) noexcept nogil
    @cython.locals(number=cython.int, at=cython.int)
    cdef void add_plan(self, int power, double prior) noexcept nogil
    @cython.locals(first=cython.int)
    cdef void give(self, int power, int number) noexcept nogil
    @cython.locals(number=cython.int)
    cpdef int add(self, int power, object codes, double prior)
    cpdef list candidate(self, int power, int number)
    cpdef open(self)
    @cython.locals(mixed=cython.longlong)
    cdef double luck(self) noexcept nogil
    cdef void judge_choice(self, long long seed) noexcept nogil
    @cython.locals(key=cython.longlong, slot=cython.int, first=cython.int)
    cdef void recall_choice(self, long long seed) noexcept nogil
    cpdef void forget(self) noexcept nogil
    cdef void judge_position(self) noexcept nogil
    @cython.locals(total=cython.double)
    cdef void count_centers(self) noexcept nogil
    cdef void keep_peace(self) noexcept nogil
    cpdef run(self, int iterations)
    @cython.locals(seed=cython.longlong)
    cdef void iterate(self) noexcept nogil
    cdef void try_all(self, int power, long long seed) noexcept nogil
    cpdef count_on(self, long long code)
    @cython.locals(found=cython.int)
    cpdef void guess(self, double usual, int[::1] guesses, int count) noexcept nogil
    @cython.locals(total=cython.double, luck=cython.double)
    cdef int draw_usual(self, int power) noexcept nogil
    cpdef let_answer(self, int power)
    @cython.locals(index=cython.int, most=cython.int)
    cdef check_answer(self, long long[::1] codes, int[::1] guesses, int first, int end, double[::1] scores)
    @cython.locals(power=cython.int)
    cpdef answer(self, long long[::1] codes, int[::1] guesses, int first, int end, double[::1] scores)
    @cython.locals(power=cython.int)
    cpdef answer_by(self, int candidate, int[::1] guesses, int first, int end, double[::1] scores)
    cpdef list worths(self)
    cpdef list worth_of(self, list choice)
    @cython.locals(code=cython.longlong)
    cpdef list settle(self, int power, list codes)
