# C types of `rules/kernel/state.py`.
cimport cython

cdef long long LARGEST_PATH

cdef class State:
    cdef readonly object tables
    cdef int center_total
    cdef readonly int provinces, locations, movers, powers, centers_to_win, choice
    cdef int[::1] province_of, mover_province, rank, step_start, steps, near_start, near
    cdef int[::1] sea_start, seas, distance, build_start, builds, homes, home_start, centers
    cdef unsigned char[::1] is_sea, is_coastal, is_center, can_step, can_reach, touches, is_home
    cdef readonly int[::1] unit, power, out, out_power, owner
    cdef int[::1] units, path, seen, stack
    cdef readonly unsigned char[::1] retreat_open
    cdef int stamp, is_stale, listing
    cdef readonly int unit_count, out_count, season, year, winner

    cpdef clear(self)
    @cython.final
    cdef check_unit(self, int mover, int power)
    @cython.final
    cdef check_province(self, int province)
    cpdef set_turn(self, int season, int year)
    cpdef place_unit(self, int mover, int power)
    @cython.locals(mover=cython.int, power=cython.int)
    cpdef place_units(self, list units)
    cpdef place_dislodged(self, int mover, int power)
    cpdef allow_retreat(self, int province, int location)
    cpdef set_owner(self, int province, int power)
    @cython.final
    cdef inline void list_units(self) noexcept nogil
    @cython.final
    cdef inline int sails(self, int start, int goal, int other_goal, int avoid) noexcept nogil
    @cython.final
    cdef inline int carries(self, int start, int goal, int avoid) noexcept nogil
    @cython.final
    cdef inline int carries_through(self, int start, int goal, int fleet) noexcept nogil
    @cython.final
    @cython.locals(number=cython.longlong, factor=cython.longlong, ends=cython.bint)
    cdef inline long long pack_path(self, int start, int goal, int length) noexcept nogil
    @cython.final
    @cython.locals(ends=cython.bint)
    cdef inline int unpack_path(self, int start, int goal, long long number) noexcept nogil
