# C types of `bots/kernel/fitting.py`.
cimport cython
from bots.kernel._compiled.memory cimport Memory

cdef double UNKNOWN
cdef int STAYS
cdef int FREE
cdef int WIDEST
cdef long long WITHOUT_PATH
cdef long long PATTERN_BITS

@cython.final
cdef class Fitting:
    cdef bint has_convoys, may_exchange
    cdef int provinces, locations, movers, units, width, first, count, done, next_count
    cdef double sum_score
    cdef int[::1] mover_province, province_of, numbers, goals, stays, wishes, parents, next_numbers
    cdef long long[::1] codes, given, next_codes
    cdef double[::1] scores, singles, single_trusts, pairs, pair_trusts, next_scores

    cpdef begin(self, int units, int width)
    cdef make_room(self, int units, int width)
    @cython.locals(code=cython.longlong)
    cpdef int grow(self, list codes, list scores) except -1
    @cython.locals(code=cython.longlong, number=cython.int)
    cpdef int grow_pairs(self, list codes, Memory memory) except -1
    cpdef force(self, long long code, double score)
    cpdef list sets(self)
    @cython.locals(is_known=cython.bint)
    cdef check(self, long long code)
    cdef inline int moves(self, int kind) noexcept nogil
    @cython.locals(kind=cython.int)
    cdef inline int fits(self, int slot, long long code) noexcept nogil
    @cython.locals(its=cython.longlong)
    cdef inline int comes_from(self, int base, int place, int goal) noexcept nogil
    @cython.locals(its=cython.longlong)
    cdef inline int serves(self, int base, long long code) noexcept nogil
    cdef inline int wish_of(self, long long code) noexcept nogil
    cdef inline void keep(self, int slot, long long code, int number, double score) noexcept nogil
    cdef inline int turn_over_pairs(self, Memory memory) noexcept nogil
    cdef inline int turn_over(self, int is_forced) noexcept nogil
    @cython.locals(code=cython.longlong)
    cdef inline void extend(self, int slot, int to, int index, int is_forced) noexcept nogil
    @cython.locals(kind=cython.int)
    cdef inline void mark(self, int base, int here, long long code) noexcept nogil
    @cython.locals(total=cython.double, trust=cython.double, pairs=cython.double, pair_trust=cython.double)
    cdef inline void add_up(self, int slot, int number, Memory memory, int to) noexcept nogil

cdef long long pattern_of(long long code) noexcept nogil
