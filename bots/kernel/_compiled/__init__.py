"""The players' kernel modules as compiled by Cython; empty where there was no compiler."""
