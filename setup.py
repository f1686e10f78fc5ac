"""Compile the kernels of rules and players where Cython and a C compiler are present.

With `DAIDE_PURE=1` nothing is compiled, and a wheel fits every machine: the one to publish beside
the sdist.
"""

import logging
import os
import runpy

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

MODULES = {
    "rules": (
        "state",
        "legality",
        "numbered_orders",
        "movement",
        "verdicts",
        "simulator",
        "variations",
    ),
    "bots": (
        *("values", "planner", "chain", "playouts", "actions", "prospects"),
        *("chances", "draws", "foreseen", "spreading", "valuing"),
        *("network", "lessons", "learning", "regrets", "outcomes", "subgame", "selfplay"),
        *("choices", "policy", "examples", "imitation", "habitual"),
        *("scene", "memory", "fitting"),
    ),
}
# What Cython would repeat in every module is compiled once: half of the time, a third of the code.
SHARED = "rules.kernel._compiled._cyutility"
# What these say in capital letters, the compiler takes for numbers, not for variables that it would
# have to load; no module may mean something else by such a name.
CONSTANTS = (
    "rules/kernel/codes.py",
    "bots/kernel/habits.py",
    "bots/kernel/facts.py",
    "bots/kernel/deeds.py",
)
LARGE = 1 << 31  # what is larger is a variable
DIRECTIVES = {
    "auto_pickle": False,
    "annotation_typing": False,  # the C types stand in the .pxd files
    "boundscheck": False,
    "cdivision": True,  # nothing negative is ever divided
    "infer_types": True,
    "initializedcheck": False,
    "wraparound": False,
}


def kernels() -> list[Extension]:
    """Return the modules to compile.

    The same sources also run as they are, so the compiled modules live under names of their own.
    """
    sources = {
        f"{package}.kernel._compiled.{name}": f"{package}/kernel/{name}.py"
        for package, names in MODULES.items()
        for name in names
    }
    sources[SHARED] = f"{SHARED.replace('.', '/')}.c"
    # Python's own flags promise that numbers run over. No index here does, and where the compiler
    # may count on that, it widens none of them one by one, and works on rows of numbers at once.
    arguments = ["-O3", "-g0", "-fno-wrapv"] if os.name == "posix" else []
    return [
        Extension(name, [source], extra_compile_args=arguments) for name, source in sources.items()
    ]


def constants() -> dict[str, int]:
    """Return the numbers that all modules mean by the same names."""
    return {
        name: value
        for source in CONSTANTS
        for name, value in runpy.run_path(source).items()
        if name.isupper() and isinstance(value, int) and abs(value) < LARGE
    }


class KernelBuild(build_ext):
    """Compiles as many modules at once as there are cores; all of them, or none.

    Cython works only when something is to be built: an installer asks for other things first, and
    runs this file each time. Whatever goes wrong, the plain sources remain, so it is only said.
    """

    def finalize_options(self) -> None:
        """Use all cores unless the user says otherwise."""
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def build_extensions(self) -> None:
        """Compile, or leave it."""
        try:
            from Cython.Build import cythonize  # noqa: PLC0415 - absent on some machines

            made = cythonize(
                self.extensions,
                compiler_directives=DIRECTIVES,
                compile_time_env=constants(),
                language_level=3,
                build_dir="build",
                force=True,
                quiet=True,
                shared_utility_qualified_name=SHARED,
            )
            sources = {each.name: each.sources for each in made}
            for extension in self.extensions:
                extension.sources = sources[extension.name]
            super().build_extensions()
        except Exception as error:  # noqa: BLE001 - see above
            self.extensions = []
            logging.getLogger().warning(
                "the kernel is not compiled, games will take longer: %s", error
            )


PURE = os.environ.get("DAIDE_PURE") == "1"
setup(ext_modules=[] if PURE else kernels(), cmdclass={"build_ext": KernelBuild})
