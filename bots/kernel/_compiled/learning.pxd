# C types of `bots/kernel/learning.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator
from bots.kernel._compiled.lessons cimport Lessons
from bots.kernel._compiled.network cimport Network

cdef extern from "math.h" nogil:
    double log(double)
    float square_root "sqrtf"(float)

cdef int LARGEST
cdef double TINY

@cython.final
cdef class Learner:
    cdef readonly Network network
    cdef readonly int hidden, powers, inputs, count
    cdef int bias_base, output_base, output_bias_base, mark_base
    cdef readonly float[::1] weights, moved
    cdef float[::1] sums, slopes
    cdef double[::1] errors, target
    cdef public float rate
    cdef readonly double loss, squares
    cdef readonly int studied

    cpdef scatter(self, long long seed)
    cpdef take(self, float[::1] weights, float[::1] moved)
    cpdef list rounded(self)
    cpdef forget_loss(self)
    @cython.locals(total=cython.float, first=cython.int, base=cython.int)
    cdef inline void forward(self) noexcept nogil
    cdef inline void measure(self) noexcept nogil
    @cython.locals(share=cython.double, gap=cython.double)
    cdef inline void note_loss(self) noexcept nogil
    @cython.locals(error=cython.float, first=cython.int, base=cython.int)
    cdef inline void study(self) noexcept nogil
    cdef inline void move(self, int index, float slope) noexcept nogil
    @cython.locals(slope=cython.float)
    cdef inline void move_row(self, int first) noexcept nogil
    cpdef go_through(self, Lessons lessons, int[::1] order, int first, int end, int learns)
