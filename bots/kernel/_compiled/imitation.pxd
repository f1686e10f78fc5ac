# C types of `bots/kernel/imitation.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator
from bots.kernel._compiled.examples cimport Examples
from bots.kernel._compiled.playouts cimport Playouts
from bots.kernel._compiled.policy cimport Policy

cdef extern from "math.h" nogil:
    double log(double)
    float square_root "sqrtf"(float)

cdef int LARGEST
cdef double TINY

@cython.final
cdef class Imitator:
    cdef readonly Policy policy
    cdef Playouts game
    cdef Simulator state
    cdef readonly int hidden, count
    cdef readonly float[::1] moved
    cdef double[::1] slopes
    cdef public float rate
    cdef readonly double loss
    cdef readonly long decisions, hits, strange

    cpdef scatter(self, long long seed)
    cpdef take(self, float[::1] weights, float[::1] moved)
    cpdef list rounded(self)
    cpdef forget_loss(self)
    @cython.locals(first=cython.int, unit=cython.int, place=cython.int, option=cython.int)
    cdef void study(self, Examples examples, int number, int power, int learns) noexcept nogil
    @cython.locals(total=cython.double, first=cython.int, end=cython.int, best=cython.int, error=cython.double)
    cdef void decide(self, int unit, int option, int learns) noexcept nogil
    @cython.locals(base=cython.int, first=cython.int)
    cdef void move_option(self, int unit, int option, double error) noexcept nogil
    @cython.locals(first=cython.int)
    cdef void move_position(self, int power) noexcept nogil
    cdef void move(self, int index, float slope) noexcept nogil
    cpdef go_through(self, Examples examples, int[::1] order, int first, int end, int learns)
