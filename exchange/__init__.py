"""Games to and from other programs: the saved games of the package `diplomacy`, DAIDE logs."""
