# C types of `bots/kernel/memory.py`.
cimport cython

cdef extern from "math.h" nogil:
    double exp(double)
    double log(double)

cdef int SCALE
cdef double UNKNOWN
cdef double AGE_FACTOR
cdef long long ONES
cdef long long TWOS
cdef long long THREES
cdef long long ALL_FEATURES
cdef int FIELDS
cdef long long PAIR
cdef int PAIR_BITS
cdef long long LOW_BITS
cdef long long MIXER
cdef long long OTHER_MIXER
cdef double ROUNDER
cdef int REMEMBERED
cdef int FIRST_ROOM
cdef int LARGEST
cdef long long LARGEST_VECTOR

@cython.final
cdef class Memory:
    cdef int sizes, count, room, one_count, touched_count
    cdef long long stamp, rate_stamp
    cdef double rate
    cdef int[::1] ones, weights, ages, given, touched, table
    cdef long long[::1] keys, stamps, rate_stamps
    cdef double[::1] gammas, rate_gammas, totals, trusts, scores

    cdef make_room(self, int room)
    @cython.locals(mixed=cython.longlong)
    cdef inline int slot_of(self, long long key) noexcept nogil
    cdef inline int find(self, long long key) noexcept nogil
    cdef inline int number_of(self, long long key) except -1
    cdef check(self, long long key, long long times)
    @cython.locals(low=cython.longlong, high=cython.longlong)
    cdef inline long long pair_key(self, int one, int other) noexcept nogil
    cpdef put(self, long long key, int weight, int age)
    cpdef put_pair(self, long long one, long long other, int weight, int age)
    @cython.locals(trust=cython.double)
    cdef inline void note(self, int number, int weight, int age) noexcept nogil
    @cython.locals(key=cython.longlong, other=cython.longlong)
    cpdef list entries(self)
    @cython.locals(kind=cython.int, value=cython.int)
    cdef inline void list_features(self, long long vector) noexcept nogil
    @cython.locals(mean=cython.double, score=cython.double)
    cpdef double score(self, long long vector) except -1.0
    @cython.locals(total=cython.double, trust=cython.double)
    cdef inline double mean_of(self, int size, double score) noexcept nogil
    @cython.locals(vector=cython.longlong, count=cython.int)
    cpdef learn_vectors(self, dict counts, bint success, double rate)
    cdef inline int give_all(self, int size, int times) except -1
    cdef inline void give(self, int number, int times) noexcept nogil
    cpdef give_key(self, long long key, int times)
    cpdef give_pair(self, long long one, long long other, int times)
    @cython.locals(count=cython.int)
    cpdef learn_given(self, bint success, double rate)
    @cython.locals(shrunk=cython.double)
    cdef inline int updated(self, int weight, int age, int count, int goal) except? -1
    cdef inline double gamma(self, int age) except? -1.0
    cdef inline double rate_gamma(self, int age) except? -1.0

cdef long long key_of(int size, int a, int b, int c) noexcept nogil
