"""Compile the kernels of rules and players where Cython and a C compiler are present."""

import os

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

MODULES = {
    "rules": ("state", "legality", "movement", "simulator"),
    "bots": ("values", "planner", "playouts", "actions"),
}
DIRECTIVES = {
    "auto_pickle": False,
    "annotation_typing": False,  # the C types stand in the .pxd files
    "boundscheck": False,
    "cdivision": True,  # nothing negative is ever divided
    "infer_types": True,
    "initializedcheck": False,
    "wraparound": False,
}


def compiled_kernels() -> list[Extension]:
    """Return the optional extensions: a failing compiler must not stop the installation.

    The same sources also run as they are, so the compiled modules live under names of their own.
    """
    try:
        from Cython.Build import cythonize  # noqa: PLC0415 - absent on some machines
    except ImportError:
        return []
    extensions = [
        Extension(
            f"{package}.kernel._compiled.{name}",
            [f"{package}/kernel/{name}.py"],
            extra_compile_args=["-O2", "-g0"] if os.name == "posix" else [],
        )
        for package, names in MODULES.items()
        for name in names
    ]
    modules: list[Extension] = cythonize(
        extensions, compiler_directives=DIRECTIVES, language_level=3, build_dir="build", force=True
    )
    for module in modules:
        module.optional = True  # here, because cythonize does not hand it on
    return modules


class ParallelBuild(build_ext):
    """Compiles as many modules at once as there are cores: that is most of the first set-up."""

    def finalize_options(self) -> None:
        """Use all cores unless the user says otherwise."""
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()


setup(ext_modules=compiled_kernels(), cmdclass={"build_ext": ParallelBuild})
