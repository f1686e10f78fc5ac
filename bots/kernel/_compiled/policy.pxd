# C types of `bots/kernel/policy.py`.
cimport cython
from bots.kernel._compiled.choices cimport Choices
from bots.kernel._compiled.network cimport Network

cdef extern from "math.h" nogil:
    double exp(double)

cdef int UNCHOSEN
cdef int FREE
cdef int STAYS
cdef int STAYING
cdef int LEAVING
cdef double SPAN
cdef int ROLLS

@cython.final
cdef class Policy(Choices):
    cdef readonly Network network
    cdef readonly int hidden, inputs, weight_count, power_base, slot_base, fact_base
    cdef readonly float[::1] weights
    cdef double[::1] sums, mood, scores, chances
    cdef public double heat
    cdef int[::1] stage, wish, chosen, held, goer, backed, order, freed, permitted
    cdef unsigned char[::1] is_near
    cdef public int bold, loose

    cdef _measure(self)
    cpdef load(self, object weights)
    @cython.locals(first=cython.int)
    cdef void look(self) noexcept nogil
    @cython.locals(first=cython.int, mood=cython.double, score=cython.double)
    cdef void list_scores(self, int power) noexcept nogil
    @cython.locals(other=cython.int, unit=cython.int)
    cdef void begin(self) noexcept nogil
    @cython.locals(army=cython.int, fleet=cython.int)
    cdef void choose(self, int number, int option) noexcept nogil
    cdef void join(self, int number, int goal, int partner) noexcept nogil
    cdef int is_permitted(self, int number, int option) noexcept nogil
    cdef int may_go(self, int unit, int goal) noexcept nogil
    cdef int may_back(self, int unit, int partner, int goal) noexcept nogil
    cdef int is_free(self, int number) noexcept nogil
    cdef int is_idle(self, int fleet) noexcept nogil
    cdef int may_sail(self, int army, int goal) noexcept nogil
    cdef int planned_fact(self, int option) noexcept nogil
    cdef int here_fact(self, int unit, int option) noexcept nogil
    @cython.locals(highest=cython.double, score=cython.double, total=cython.double)
    cdef double weigh(self, int number) noexcept nogil
    @cython.locals(total=cython.double, luck=cython.double, found=cython.int)
    cdef int pick(self, int number) noexcept nogil
    @cython.locals(option=cython.int, number=cython.int)
    cdef void complete(self) noexcept nogil
    cdef void draw(self) noexcept nogil
    @cython.locals(moved=cython.int, option=cython.int)
    cdef void vary(self) noexcept nogil
    @cython.locals(changed=cython.int, place=cython.int)
    cdef void free_around(self, int moved) noexcept nogil
    cdef int helps_freed(self, int number) noexcept nogil
    cdef int option_of(self, int number, long long code) noexcept nogil
    @cython.locals(found=cython.int, count=cython.int)
    cdef int any_option(self, int number) noexcept nogil
    cpdef enter(self, int power)
    cpdef list sample(self)
    @cython.locals(number=cython.int, option=cython.int, total=cython.double)
    cpdef list odds(self, int place)
