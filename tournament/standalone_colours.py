"""Colours of pictures that stand alone, without a page that lends them its own."""

INK, FAINT, GRID, PAPER = "#222222", "#666666", "#e4e4df", "#ffffff"
MORE, LESS = "#1f6fb2", "#c4622d"
"""What is above the equal share and below it; also two series beside each other."""
SERIES = ("#0072b2", "#d55e00", "#00866a", "#a8437d", "#a87400", "#3a8fc4", "#5b5b5b")
"""Series of points, in the colours that the page gives them by day."""
