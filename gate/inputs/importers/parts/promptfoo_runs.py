"""What a first pass over promptfoo's results tells: repeats, columns, tests that are missing."""

from __future__ import annotations

from array import array
from hashlib import sha256
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.parts.promptfoo_row import Row

_LISTED: Final = 5


class Runs:
    """Some 30 bytes of each result, in the order of the file.

    Results come in the order in which they were done, and a repeat is no more than another
    ``testIdx``: so each result's repeat is known only when all have been seen.
    """

    def __init__(self) -> None:
        """Know of no result yet."""
        self._tests = array("q")
        self._columns = array("h")
        self._keys = array("Q")
        self._contents = array("Q")
        self._repeats = array("l")
        self._restricted: set[int] = set()
        self._names: dict[int, tuple[int, tuple[str, str]]] = {}
        self._shared: set[int] = set()
        self.variants: dict[int, str] = {}

    def add(self, row: Row) -> None:
        """Take one result; call :meth:`close` after the last."""
        self._tests.append(row.test)
        self._columns.append(row.column)
        self._keys.append(_short(row.key))
        self._contents.append(_short(row.content))
        if row.restricted:
            self._restricted.add(row.test)
        named = self._names.get(row.column)
        # A test may bring a provider of its own: the first test says what a column is called.
        if named is None or row.test < named[0]:
            self._names[row.column] = (row.test, row.variant)

    def close(self) -> None:
        """Give repeats their numbers and columns their names."""
        tests, keys, contents = self._tests, self._keys, self._contents
        order = sorted(range(len(tests)), key=tests.__getitem__)
        order.sort(key=contents.__getitem__)
        order.sort(key=keys.__getitem__)
        self._repeats = array("l", bytes(array("l").itemsize * len(tests)))
        last, repeat = -1, 0
        for at in order:
            if last < 0 or keys[at] != keys[last]:
                repeat = 0
            elif contents[at] != contents[last]:
                self._shared.add(keys[at])
                repeat = 0
            elif tests[at] != tests[last]:
                repeat += 1
            self._repeats[at] = repeat
            last = at
        self.variants = _spelt({column: name for column, (_, name) in self._names.items()})

    def repeat(self, at: int) -> int:
        """Give the number of the run, from 0, of the result at this place."""
        return self._repeats[at]

    def shares_key(self, at: int) -> bool:
        """Say whether this result's key is that of several different tests."""
        return self._keys[at] in self._shared

    def holes(self) -> Iterator[str]:
        """Say which results are missing: tests are numbered from 0, in every column."""
        seen: dict[int, int] = {}
        columns = sorted(self._names)
        bit = {column: 1 << at for at, column in enumerate(columns)}
        for test, column in zip(self._tests, self._columns, strict=True):
            seen[test] = seen.get(test, 0) | bit[column]
        if not seen:
            return
        absent = max(seen) + 1 - len(seen)
        if absent:
            which = _some(_absent(seen))
            yield f"{absent} of {max(seen) + 1} tests have no result (testIdx {which})"
        every = (1 << len(columns)) - 1
        partial = sorted(
            test for test, has in seen.items() if has != every and test not in self._restricted
        )
        if partial:
            yield (
                f"{len(partial)} tests lack the result of a prompt or provider that others have "
                f"(testIdx {_some(iter(partial))})"
            )


def _absent(seen: dict[int, int]) -> Iterator[int]:
    return (test for test in range(max(seen) + 1) if test not in seen)


def _some(tests: Iterator[int]) -> str:
    listed = [str(test) for test, _ in zip(tests, range(_LISTED + 1), strict=False)]
    return ", ".join(listed[:_LISTED]) + (" …" if len(listed) > _LISTED else "")


def _spelt(names: dict[int, tuple[str, str]]) -> dict[int, str]:
    """Name each column by provider and prompt, equal names by their order; one needs no name.

    >>> _spelt({0: ("echo", "short"), 2: ("echo", "long"), 1: ("echo", "short")})
    {0: 'echo, short', 1: 'echo, short #2', 2: 'echo, long'}
    >>> _spelt({0: ("echo", "short")})
    {0: ''}
    """
    if len(names) == 1:
        return dict.fromkeys(names, "")
    count: dict[tuple[str, str], int] = {}
    spelt = {}
    for column in sorted(names):
        name = names[column]
        count[name] = count.get(name, 0) + 1
        again = f" #{count[name]}" if count[name] > 1 else ""
        spelt[column] = f"{', '.join(name)}{again}"
    return spelt


def _short(text: str) -> int:
    return int.from_bytes(sha256(text.encode("utf-8", "replace")).digest()[:8], "big")
