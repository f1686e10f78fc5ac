# C types of `bots/kernel/actions.py`.
cimport cython
from bots.kernel._compiled.playouts cimport Playouts

cdef long long MIXER
cdef int SLOTS
cdef int MOST_ACTIONS
cdef long long LARGEST_HASH
cdef int TRIES
cdef int FEW

@cython.final
cdef class Actions:
    cdef Playouts game
    cdef int width, unit_count, room, count, cap, prunes, power, rules
    cdef long long threshold
    cdef object found_store, worth_store
    cdef int[::1] units, goals, option_goals, option_counts, parents, choices, next_parent
    cdef double[::1] inverse_roots
    cdef long long[::1] chosen, option_codes, found, worths, slots, sums

    cpdef tuple list_actions(self, int power, int cap, int prunes, int rules)
    cdef inline void list_all(self) noexcept
    cdef inline void copy_links(self) noexcept nogil
    @cython.locals(code=cython.longlong, row=cython.int, place=cython.int, depth=cython.int, number=cython.int, back=cython.int, count=cython.int)
    cdef inline void list_best(self) noexcept nogil
    @cython.locals(most=cython.longlong, worth=cython.longlong, best=cython.int, row=cython.int, number=cython.int, option=cython.int, parent=cython.int)
    cdef inline int merge(self, int depth, int count) noexcept nogil
    cdef inline void descend(self, int depth) noexcept nogil
    @cython.locals(is_first=cython.bint, number=cython.int)
    cdef inline void draw_all(self) noexcept nogil
    @cython.locals(value=cython.longlong)
    cdef inline int worthiest(self, int depth) noexcept nogil
    @cython.locals(mixed=cython.longlong, slot=cython.int)
    cdef inline int is_new(self) noexcept nogil
    @cython.locals(worth=cython.longlong)
    cdef inline void keep(self) noexcept nogil
    cdef inline void choose(self, int depth, int number) noexcept nogil
    cdef inline void list_options(self, int depth) noexcept nogil
    cdef inline void add(self, int depth, long long code, int goal) noexcept nogil
    cdef inline void add_hold(self, int depth) noexcept nogil
    cdef inline void add_moves(self, int depth, int only_targets) noexcept nogil
    cdef inline int is_claimed(self, int depth, int province) noexcept nogil
    @cython.locals(code=cython.longlong)
    cdef inline void add_supports(self, int depth) noexcept nogil
    @cython.locals(value=cython.longlong)
    cdef inline void prune(self, int depth) noexcept nogil
    @cython.locals(scale=cython.double, bound=cython.double, highest=cython.double, total=cython.double)
    cpdef int best_child(self, double[::1] rewards, int[::1] visits, int count, double exploration)
    cpdef follow(self, int[::1] kept, long long[::1] ours, int number, list theirs)
    cdef inline int count_units(self, int[::1] kept) noexcept nogil
