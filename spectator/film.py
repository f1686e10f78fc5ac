"""Films: stills one after the other in an animated GIF, small because little changes in between."""

import io
from collections.abc import Iterable
from typing import Any

from spectator.stills import needed

COLOURS = 96  # of the first picture, besides those of the theme
CLEAR = 255  # the entry of the palette that means: as before
LAST = 4000  # milliseconds that the last picture stays


def gif(frames: Iterable[tuple[bytes, int]], colours: Iterable[str]) -> bytes:
    """Join PNG files, each with the milliseconds it is shown; all in one palette."""
    image, chops = needed("PIL.Image"), needed("PIL.ImageChops")
    changes: list[Any] = []
    times: list[int] = []
    palette = before = None
    for data, milliseconds in frames:
        picture = image.open(io.BytesIO(data)).convert("RGB")
        palette = palette or _palette(picture, colours)
        # Without dithering, what has not changed has the colours that it had.
        now = picture.quantize(palette=palette, dither=0)
        change = now.copy()
        if before is not None:
            same = chops.difference(now, before).point([255] + [0] * 255, "L")
            change.paste(CLEAR, mask=same)
        changes.append(change)
        times.append(milliseconds)
        before = now
    times[-1] = max(times[-1], LAST)
    return _joined(changes, times)


def _palette(picture: Any, colours: Iterable[str]) -> Any:  # noqa: ANN401 - Pillow is an extra
    """Take the colours of a picture, and those of the theme, as some are seldom and matter."""
    numbers = picture.quantize(COLOURS).getpalette()[: 3 * COLOURS]
    for colour in sorted(set(colours))[: CLEAR - COLOURS]:
        numbers += bytes.fromhex(colour.removeprefix("#"))
    palette = needed("PIL.Image").new("P", (1, 1))
    palette.putpalette(numbers + numbers[:3] * (256 - len(numbers) // 3))
    return palette


def _joined(changes: list[Any], times: list[int]) -> bytes:
    out = io.BytesIO()
    changes[0].save(
        out,
        format="GIF",
        save_all=True,
        append_images=changes[1:],
        duration=times,
        loop=0,
        transparency=CLEAR,
        disposal=1,
        optimize=False,
    )
    return out.getvalue()
