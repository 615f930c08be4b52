"""Reading bracketed lists as agents write them: JSON and its near misses, in linear time.

One pass over the text with an explicit stack: no character is read more than a few times,
nesting never touches Python's stack, and nothing is ever evaluated.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple, TypeAlias

from gate.metrics.escapes import unescape, unescape_json
from gate.records.json_text import MAX_DEPTH


class Numeral(str):
    """A number as it was written: no digit of it is lost to a binary float."""

    __slots__ = ()


Value: TypeAlias = "bool | str | list[Value] | dict[str, Value] | None"
"""What an element can be; an unquoted number is a :class:`Numeral`, every other text a str."""


class Reading(NamedTuple):
    """One list of a text: its elements and ``text[start:end]``, where they stand.

    ``closed`` is false for a list that the end of the text cuts off: it holds the elements
    that are provably whole. ``quoted`` is false where bare words or blanks stand in it.
    """

    items: list[Value]
    start: int
    end: int
    closed: bool
    quoted: bool


def read_lists(text: str) -> tuple[Reading, ...]:
    """Find the outermost lists of a text, in order.

    Besides JSON these are read: single and typographic quotes, ``True``, ``False``,
    ``None``, a comma before the end, line breaks and bad escapes inside strings, bare words
    (``[Paris, 12 km]``) and an empty place between commas, which is a null. ``NaN`` and
    ``Infinity`` are texts. A list that is broken otherwise, or nested deeper than
    :data:`~gate.records.json_text.MAX_DEPTH`, is none, but the whole lists in it are.
    Equal keys of one object: the last one counts.

    >>> [reading.items for reading in read_lists("Not [1] but ['Lima', 154,] or [Lima")]
    [['1'], ['Lima', '154']]
    """
    scan, position = _Scan(text), 0
    while (position := text.find("[", position)) >= 0:
        position = scan.read(position)
    return tuple(reading for reading in scan.found if reading.closed or reading.items)


def read_list_at(text: str, start: int, *, grouped: bool = False) -> Reading | None:
    """Read the whole list that starts at ``text[start]``, or ``None``.

    ``grouped`` takes a comma between digits as a thousands separator where exactly three
    digits follow.

    >>> read_list_at("[1,000,000, 500,000]", 0, grouped=True).items
    ['1,000,000', '500,000']
    """
    scan = _Scan(text, grouped=grouped)
    scan.read(start)
    found = next(iter(scan.found), None)
    return found if found is not None and found.closed and found.start == start else None


def read_value(text: str) -> Value:
    """Read a whole text as one JSON value or near miss; failing that, it is itself.

    >>> read_value("12.50"), read_value("'Lima'"), read_value("true"), read_value("Lima, Peru")
    ('12.50', 'Lima', True, 'Lima, Peru')
    """
    stripped = text.strip()
    if stripped.startswith("["):
        found = read_list_at(stripped, 0)
        return stripped if found is None or found.end < len(stripped) else found.items
    found = read_list_at(f"[{stripped}]", 0)
    if found is None or not found.quoted or found.end < len(stripped) + 2:
        return stripped
    return found.items[0] if len(found.items) == 1 else stripped


_INK: Final = re.compile(r"\S")
_PUNCTUATION: Final = "[]{},:"
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?=\s*[,\]}])")
_DOUBLE_QUOTED: Final = re.compile(r'"(?>(?:[^"\\]|\\.)*)"', re.DOTALL)
# An apostrophe ends a single-quoted text only where a separator follows: 'Côte d'Ivoire'.
_SINGLE_END: Final = re.compile(r"(?<!\\)'(?=\s*[,\]}:])")
_BARE_VALUE: Final = re.compile(r'[^,\[\]{}"\n]+')
_BARE_KEY: Final = re.compile(r'[^,\[\]{}":\n]+')
_THREE_DIGITS: Final = r"[0-9]{3}(?![0-9])"
_IN_GROUP: Final = re.compile(rf"-?[0-9]+,{_THREE_DIGITS}")
_BARE_GROUPED: Final = re.compile(rf'(?:[^,\[\]{{}}"\n]|(?<=[0-9]),(?={_THREE_DIGITS}))+')
_WORDS: Final[dict[str, Value]] = {
    "true": True,
    "True": True,
    "false": False,
    "False": False,
    "null": None,
    "None": None,
    "NaN": "NaN",
    "Infinity": "Infinity",
    "-Infinity": "-Infinity",
}


class _Frame:
    """A list or object that is still open; ``want`` says what may follow."""

    __slots__ = ("container", "key", "quoted", "start", "want")

    def __init__(self, opener: str, start: int) -> None:
        self.container: list[Value] | dict[str, Value] = [] if opener == "[" else {}
        self.want = "value" if opener == "[" else "key"
        self.start = start
        self.key = ""
        self.quoted = True

    def put(self, value: Value) -> None:
        if isinstance(self.container, list):
            self.container.append(value)
        else:
            self.container[self.key] = value
        self.want = "comma"


class _Scan:
    """One pass over one text; ``found`` holds the outermost lists that were read so far."""

    def __init__(self, text: str, *, grouped: bool = False) -> None:
        self.text = text
        self.grouped = grouped
        self.found: list[Reading] = []
        self.stack: list[_Frame] = []
        self.unclosed: set[str] = set()

    def read(self, start: int) -> int:
        """Read the list at ``start`` and say where to look for the next one."""
        self.stack = [_Frame("[", start)]
        position = start + 1
        while self.stack:
            found = _INK.search(self.text, position)
            if found is None:
                return self._cut_off(len(self.text))
            ink, position = found[0], found.start()
            if ink in _PUNCTUATION:
                if not self._punctuate(ink, position):
                    return position
                position += 1
            else:
                end = self._scalar(ink, position)
                if end is None:
                    return position
                position = end
        return position

    def _punctuate(self, ink: str, position: int) -> bool:
        frame = self.stack[-1]
        if ink in "[{":
            if frame.want != "value" or len(self.stack) >= MAX_DEPTH:
                return False
            self.stack.append(_Frame(ink, position))
            return True
        if ink in "]}":
            return self._close(ink, position)
        if ink == ":":
            ready, frame.want = frame.want == "colon", "value"
            return ready
        if frame.want == "value" and isinstance(frame.container, list):
            frame.container.append(None)
            frame.quoted = False
            return True
        ready = frame.want == "comma"
        frame.want = "value" if isinstance(frame.container, list) else "key"
        return ready

    def _close(self, ink: str, position: int) -> bool:
        frame = self.stack[-1]
        is_list = isinstance(frame.container, list)
        if (ink == "]") != is_list or frame.want not in {"comma", "value" if is_list else "key"}:
            return False
        self.stack.pop()
        self._record(frame, position + 1, closed=True)
        if self.stack:
            parent = self.stack[-1]
            parent.put(frame.container)
            parent.quoted &= frame.quoted
        return True

    def _record(self, frame: _Frame, end: int, *, closed: bool) -> None:
        while self.found and self.found[-1].start > frame.start:
            self.found.pop()  # it stands inside this one
        if isinstance(frame.container, list):
            self.found.append(
                Reading(frame.container, frame.start, end, closed=closed, quoted=frame.quoted)
            )

    def _cut_off(self, end: int) -> int:
        outer = self.stack[0]
        if all(frame.quoted for frame in self.stack):
            for inner, frame in zip(self.stack[:0:-1], self.stack[-2::-1], strict=True):
                if inner.container:
                    frame.put(inner.container)
            self._record(outer, end, closed=False)
        return end

    def _scalar(self, ink: str, position: int) -> int | None:
        frame = self.stack[-1]
        if frame.want not in {"value", "key"}:
            return None
        if ink == '"':
            scalar = self._double(position)
        elif ink == "'":
            scalar = self._single(position)
        elif ink == "“":
            scalar = self._typographic(position)
        else:
            scalar = self._unquoted(position)
        if scalar is None:
            return None
        value, end = scalar
        if frame.want == "value":
            frame.put(value)
        else:
            frame.key, frame.want = value if isinstance(value, str) else str(value), "colon"
        return end

    def _double(self, position: int) -> tuple[Value, int] | None:
        # Fails at most once a text: what starts a string later would have ended this one.
        found = _DOUBLE_QUOTED.match(self.text, position)
        if found is None:
            self._end_inside_string(position)
            return None
        return unescape_json(found[0]), found.end()

    def _single(self, position: int) -> tuple[Value, int] | None:
        if "'" not in self.unclosed:
            found = _SINGLE_END.search(self.text, position + 1)
            if found is not None:
                return unescape(self.text[position + 1 : found.start()]), found.end()
            self.unclosed.add("'")
        self._end_inside_string(position)
        return None

    def _typographic(self, position: int) -> tuple[Value, int] | None:
        if "“" not in self.unclosed:
            end = self.text.find("”", position + 1)
            if end >= 0:
                return self.text[position + 1 : end], end + 1
            self.unclosed.add("“")
        self._end_inside_string(position)
        return None

    def _end_inside_string(self, position: int) -> None:
        """Take a string without an end as the place where the answer was cut off, once."""
        if "end" not in self.unclosed:
            self.unclosed.add("end")
            self._cut_off(position)

    def _unquoted(self, position: int) -> tuple[Value, int] | None:
        frame = self.stack[-1]
        if frame.want == "key":
            pattern = _BARE_KEY
        elif self.grouped:
            pattern = _BARE_GROUPED
        else:
            pattern = _BARE_VALUE
        if not (self.grouped and _IN_GROUP.match(self.text, position)):
            number = _NUMBER.match(self.text, position)
            if number is not None:
                return Numeral(number[0]), number.end()
        found = pattern.match(self.text, position)
        if found is None:
            return None
        if found.end() == len(self.text):
            # The last word of a text that was cut off may be half a word.
            self._cut_off(position)
            return None
        word = found[0].rstrip()
        if word in _WORDS:
            return _WORDS[word], found.end()
        frame.quoted = False
        return word, found.end()
