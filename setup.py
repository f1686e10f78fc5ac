"""Compile the rules kernel when Cython and a C compiler are here; install without it otherwise."""

from pathlib import Path

from setuptools import Extension, setup


def compiled_kernel() -> list[Extension]:
    """Return the optional extension: a failing compiler must not stop the installation."""
    if not Path("rules/kernel/core.py").exists():
        return []
    try:
        from Cython.Build import cythonize  # noqa: PLC0415 - absent on some machines
    except ImportError:
        return []
    kernel = Extension("rules.kernel._compiled", ["rules/kernel/core.py"], optional=True)
    modules: list[Extension] = cythonize([kernel], language_level=3)
    return modules


setup(ext_modules=compiled_kernel())
