"""A real browser for tests: pages as it builds them, and pictures of them."""

import shutil
import subprocess
from pathlib import Path

ARTEFACTS = Path(__file__).resolve().parent.parent / "artefacts"
_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find_browser() -> str | None:
    """Return the browser on PATH, if any."""
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


def _run(profile: Path, *arguments: str) -> str:
    program = find_browser()
    assert program is not None
    flags = ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")
    network = ("--disable-background-networking", "--proxy-server=127.0.0.1:9", "--no-first-run")
    done = subprocess.run(
        [program, *flags, *network, f"--user-data-dir={profile}", *arguments],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    return done.stdout


def built_page(url: str, profile: Path) -> str:
    """Return the page after its scripts have run."""
    return _run(profile, "--virtual-time-budget=2000", "--dump-dom", url)


def picture(url: str, name: str, size: tuple[int, int], profile: Path) -> Path:
    """Take a picture of a page and keep it among the artefacts."""
    ARTEFACTS.mkdir(exist_ok=True)
    path = ARTEFACTS / name
    path.unlink(missing_ok=True)
    width, height = size
    _run(profile, f"--window-size={width},{height}", f"--screenshot={path}", url)
    return path
