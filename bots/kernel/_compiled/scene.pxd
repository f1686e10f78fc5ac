# C types of `bots/kernel/scene.py`.
cimport cython
from rules.kernel._compiled.simulator cimport Simulator

cdef int YOU
cdef int ENEMY
cdef int NOBODY
cdef int NONE_NEAR
cdef int YOU_NEAR
cdef int ENEMY_NEAR
cdef int FAR

@cython.final
cdef class Scene:
    cdef Simulator state
    cdef bint is_wide
    cdef int provinces, powers, movers
    cdef int[::1] total, own, is_measured, distances, edge

    cdef inline void count_near(self, int mover, int power) noexcept nogil
    @cython.locals(code=cython.longlong, power=cython.int, own=list, found=list)
    cpdef list own_choices(self)
    cdef inline int is_own(self, int power, long long code) noexcept nogil
    @cython.locals(found=cython.longlong, change=cython.longlong, nearest=cython.longlong, mover=cython.int, goal=cython.int)
    cpdef vector(self, int power, long long code)
    cdef inline int is_known(self, int power, long long code) noexcept nogil
    cdef inline void measure(self, int power) noexcept nogil
    @cython.locals(mover=cython.int, target=cython.int, other=cython.int, goal=cython.int, present=cython.int)
    cdef inline int narrow(self, int power, long long code) noexcept nogil
    cdef inline int place(self, int power, int province) noexcept nogil
    cdef inline int target(self, int power, int province, int sees) noexcept nogil
    cdef inline int adjacent(self, int power, int province, int without) noexcept nogil
