"""Write HTML and SVG as nested elements; whatever is not markup already is escaped."""

import html
from typing import Any

from torres_mcts.core.errors import printable

VOID = ("br", "hr", "input", "link", "meta")


class Markup(str):
    """Text that is markup already, not to be escaped again."""

    __slots__ = ()


def escape(value: Any) -> Markup:
    """Return a value as markup: texts are escaped, signs that no browser should meet are spelled out.

    >>> escape("<b>")
    '&lt;b&gt;'
    """
    return value if isinstance(value, Markup) else Markup(html.escape(printable(str(value))))


def join(*parts: Any) -> Markup:
    """Return parts one after the other; None is nothing."""
    return Markup("".join(escape(part) for part in parts if part is not None))


def element(name: str, /, *parts: Any, **attributes: Any) -> Markup:
    """Return an element with its parts inside.

    An underscore in an attribute's name stands for a hyphen, one at its end for nothing; None and False leave it out.

    >>> element("a", "here", class_="way", data_value=3, hidden=True)
    '<a class="way" data-value="3" hidden>here</a>'
    """
    words = [name]
    for key, value in attributes.items():
        key = key.rstrip("_").replace("_", "-")
        if value is True:
            words.append(key)
        elif value is not None and value is not False:
            words.append(f'{key}="{escape(short(value))}"')
    start = f"<{' '.join(words)}>"
    return Markup(start if name in VOID else f"{start}{join(*parts)}</{name}>")


def short(value: Any) -> Any:
    """Write a fractional number with at most two places, as drawings need it.

    >>> short(0.1 + 0.2), short(2.0), short(-0.001)
    ('0.3', '2', '0')
    """
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else value
