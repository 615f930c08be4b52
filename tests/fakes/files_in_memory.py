"""Files that live in memory and can fail."""

from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import BinaryIO

from gate.errors import FileAbsent, ResultUnwritable
from gate.ports import Files


class MemoryFiles(Files):
    """Files in a dictionary; those named in ``full`` cannot be written."""

    def __init__(self, held: dict[str, bytes], *, full: Iterable[str] = ()) -> None:
        self.held = dict(held)
        self.full = frozenset(full)
        self.asked: list[str] = []

    def exists(self, path: str) -> bool:
        self.asked.append(path)
        return path in self.held

    def read(self, path: str, *, limit: int) -> bytes:
        self.asked.append(path)
        if path not in self.held:
            raise FileAbsent(f"{path}: no such file")
        assert len(self.held[path]) <= limit
        return self.held[path]

    def open(self, path: str) -> BinaryIO:
        self.asked.append(path)
        if path not in self.held:
            raise FileAbsent(f"{path}: no such file")
        return BytesIO(self.held[path])

    def lines(self, path: str, *, limit: int) -> Iterator[bytes]:
        yield from self.read(path, limit=limit).splitlines(keepends=True)

    def write(self, path: str, chunks: Iterable[str]) -> None:
        if path in self.full:
            raise ResultUnwritable(f"{path}: no space")
        self.held[path] = "".join(chunks).encode()

    def append(self, path: str, text: str) -> None:
        self.write(path, [self.held.get(path, b"").decode(), text])

    def keep(self, path: str, text: str) -> None:
        self.append(path, text)

    def remove(self, path: str) -> None:
        self.held.pop(path, None)
