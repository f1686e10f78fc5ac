"""A board as flat arrays of integers."""

from attrs import frozen


@frozen
class Tables:
    """What the kernel knows of a board. Lists of lists are flat, with `..._start` as their index.

    Locations 0 to `provinces` - 1 are the provinces themselves, the rest their coasts. Movers (see
    `codes`) are numbered armies first.
    """

    provinces: int
    locations: int
    powers: int
    centers_to_win: int
    # By location and by mover: the province.
    province_of: list[int]
    mover_province: list[int]
    # By province.
    is_sea: bytearray
    is_coastal: bytearray  # armies and fleets may both stand there
    is_center: bytearray
    rank: list[int]  # the place in alphabetical order
    # By mover: the locations it can go to, and the provinces of those.
    step_start: list[int]
    steps: list[int]
    near_start: list[int]
    near: list[int]
    can_step: bytearray  # mover by location
    can_reach: bytearray  # mover by province
    # By province: the provinces from which some unit reaches it, and the seas that touch it.
    around_start: list[int]
    around: list[int]
    sea_start: list[int]
    seas: list[int]
    touches: bytearray  # province by province: the second is a sea that touches the first
    # By power and province.
    is_home: bytearray
    distance: list[int]
    # By province: the movers that can be built there, armies first.
    build_start: list[int]
    builds: list[int]

    @property
    def movers(self) -> int:
        """How many movers there are."""
        return self.provinces + self.locations

    @property
    def largest_choice(self) -> int:
        """The most steps that any mover has."""
        return max(
            (after - before)
            for before, after in zip(self.step_start, self.step_start[1:], strict=False)
        )
