# C types of `rules/kernel/simulator.py`.
cimport cython
from rules.kernel._compiled.verdicts cimport Verdicts

cdef long long WORD

@cython.final
cdef class Simulator(Verdicts):
    cdef object start_store
    cdef int[::1] starts
    cdef int[::1] retreat_to, arrivals, goers
    cdef readonly int[::1] budget, center_count
    cdef long long[::1] plan

    cpdef copy(self, Simulator other)
    @cython.final
    cdef inline void take_over(self, Simulator other) noexcept nogil
    cpdef void adjudicate_given(self) noexcept nogil
    cpdef bytes judge_all(self, list codes)
    cpdef judge_batch(self, long long[::1] codes, int[::1] starts, unsigned char[::1] outcomes)
    @cython.final
    cdef inline void judge_slice(self, long long[::1] codes, int first, int end, unsigned char[::1] outcomes) noexcept nogil
    @cython.final
    cdef inline int outcome_of(self, int place) noexcept nogil
    cpdef void apply_movement(self) noexcept nogil
    @cython.final
    @cython.locals(is_army=cython.bint, going=cython.int)
    cdef inline void move_in(self, Simulator after) noexcept nogil
    @cython.final
    @cython.locals(is_free=cython.bint)
    cdef inline void find_retreats(self, int province, Simulator after) noexcept nogil
    @cython.final
    @cython.locals(is_open=cython.bint)
    cdef inline void give_retreat(self, long long code) noexcept nogil
    @cython.final
    @cython.locals(is_army=cython.bint)
    cdef inline void apply_retreats(self) noexcept nogil
    @cython.final
    @cython.locals(mover=cython.longlong, target=cython.longlong)
    cdef inline void list_retreats(self, int province) noexcept nogil
    @cython.locals(is_due=cython.bint)
    cpdef int count_budgets(self) noexcept nogil
    @cython.final
    cdef inline int can_build(self, int power, int province) noexcept nogil
    @cython.final
    cdef inline void give_adjustment(self, long long code) noexcept nogil
    @cython.final
    cdef inline void build(self, int mover, int province) noexcept nogil
    @cython.final
    cdef inline void remove_automatically(self) noexcept nogil
    @cython.final
    cdef inline int most_distant(self, int power) noexcept nogil
    @cython.final
    @cython.locals(best_is_fleet=cython.bint, is_fleet=cython.bint)
    cdef inline int goes_before(self, int power, int province, int best) noexcept nogil
    @cython.final
    @cython.locals(is_own=cython.bint)
    cdef inline void list_adjustments(self, long long power) noexcept nogil
    @cython.final
    @cython.locals(is_due=cython.bint, is_taken=cython.bint)
    cdef inline void finish_year(self) noexcept nogil
    @cython.final
    cdef inline void find_winner(self) noexcept nogil
    cpdef void next_turn(self) noexcept nogil
    cpdef void start_phase(self) noexcept nogil
    cpdef void give_any(self, long long code) noexcept nogil
    @cython.final
    cdef inline void end_phase(self) noexcept nogil
    @cython.locals(code=cython.longlong)
    cpdef step(self, list codes)
    cpdef list legal(self, int place)
    @cython.final
    cdef inline void list_any(self, int place) noexcept nogil
    cpdef list legal_all(self)
    cpdef tuple legal_arrays(self)
    @cython.final
    cdef inline int list_everything(self) noexcept nogil
    @cython.final
    cdef inline void prepare_lists(self) noexcept nogil
    cpdef void seed(self, long long seed) noexcept nogil
    @cython.final
    cdef inline long long pick(self) noexcept nogil
    cpdef void step_by_dice(self) noexcept nogil
    @cython.final
    cdef inline void order_by_dice(self) noexcept nogil
    @cython.final
    cdef inline void retreat_by_dice(self) noexcept nogil
    @cython.final
    cdef inline void adjust_by_dice(self) noexcept nogil
    cpdef int play(self, int last_year, int most_phases)
