"""What is written on a figure has room: it stays inside, and no words lie on others."""

from matplotlib.figure import Figure
from matplotlib.text import Text


def check_words(figure: Figure, name: str) -> None:
    """Fail if words leave the figure or cover each other."""
    figure.draw_without_rendering()
    boxes = [
        (text.get_text(), text.get_window_extent())
        for text in figure.findobj(Text)
        if text.get_text() and text.get_visible()
    ]
    for words, box in boxes:
        assert box.x0 >= 0, (name, words)
        assert box.y0 >= 0, (name, words)
        assert box.x1 <= figure.bbox.x1, (name, words)
        assert box.y1 <= figure.bbox.y1, (name, words)
    for number, (words, box) in enumerate(boxes):
        for other, other_box in boxes[number + 1 :]:
            wide = min(box.x1, other_box.x1) - max(box.x0, other_box.x0)
            high = min(box.y1, other_box.y1) - max(box.y0, other_box.y0)
            assert wide <= 2 or high <= 2, (name, words, other)
