"""What the searching players share: the position in the kernel, the clock, order sets to try."""
