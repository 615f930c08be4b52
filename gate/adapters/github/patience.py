"""When GitHub is asked again, and how long the whole of a run may wait for it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gate.adapters.github.call import Trouble

TRIES: Final = 4
"""Times that one thing is asked for, the first among them."""
FIRST: Final = 0.5
"""Seconds before the second try of what broke, at most; it doubles."""
PEACE: Final = 60.0
"""Seconds that GitHub wants to be left alone where it limits a rate and names no time."""
LONGEST: Final = 300.0
"""Seconds of peace that are granted; whoever wants more is not asked again."""
TOTAL: Final = 30.0
"""Seconds that a run spends on its host, over all that it asks there."""


def pause(trouble: Trouble, *, tried: int, chance: float) -> float | None:
    """Give the seconds to wait before another try; ``None`` where none is to follow.

    ``tried`` counts the tries so far, ``chance`` is from [0, 1). What broke is tried after a
    draw from 0 to a bound that doubles, so that those who failed together do not come back
    together. What the host wishes is granted, never less.

    >>> from gate.adapters.github.call import Trouble
    >>> pause(Trouble("refused", "no"), tried=1, chance=0.5) is None
    True
    >>> [pause(Trouble("broken", "?"), tried=tried, chance=0.5) for tried in (1, 2, 3, 4)]
    [0.25, 0.5, 1.0, None]
    >>> [pause(Trouble("limited", "slow"), tried=tried, chance=0.5) for tried in (1, 2)]
    [62.5, 122.5]
    >>> pause(Trouble("limited", "slow", wish=7.0), tried=1, chance=0.5)
    7.0
    """
    if trouble.kind == "refused" or tried >= TRIES:
        return None
    if trouble.kind == "broken":
        wait = max(chance * FIRST * 2.0 ** (tried - 1), trouble.wish or 0.0)
    elif trouble.wish is not None:
        wait = trouble.wish
    else:
        wait = PEACE * 2.0 ** (tried - 1) + 5.0 * chance
    return wait if wait <= LONGEST else None


class Budget:
    """The time a run may spend on its host; what passes in between does not count."""

    def __init__(self, seconds: float, *, clock: Callable[[], float]) -> None:
        """Begin with all of ``seconds``; ``clock`` is monotonic."""
        self.seconds = seconds
        self._clock = clock
        self._spent = 0.0
        self._since: float | None = None

    @contextmanager
    def spending(self) -> Iterator[None]:
        """Count the time that passes inside; once, where one stands in another."""
        if self._since is not None:
            yield
            return
        self._since = self._clock()
        try:
            yield
        finally:
            self._spent += self._clock() - self._since
            self._since = None

    def left(self) -> float:
        """Give the seconds that are left, never fewer than none."""
        running = 0.0 if self._since is None else self._clock() - self._since
        return max(0.0, self.seconds - self._spent - running)
