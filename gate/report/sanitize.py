r"""The one sanitiser: text that others wrote, made harmless where people read it.

Case ids, labels, references, answers, errors and tool names are untrusted: they may hold
terminal escapes, text that runs backwards, invisible instructions, workflow commands,
mentions, links, tables or a forged verdict. Two steps, each safe by construction:
:func:`visible` leaves one printable line, and :func:`inert`, :func:`prose`, :func:`marked`
and :func:`fenced` bring that into Markdown. Only they make :class:`Inert`.

GitHub looks for mentions, issue numbers, commit ids and addresses in the *rendered* text,
where an entity or a backslash no longer protects anything; code is the one place where it
looks for nothing. So whatever is not plainly a word or a number becomes code.
"""

from __future__ import annotations

import re
from typing import Final

EMPTY: Final = "(empty)"
_BLANKS: Final = "\u00a0\u202f\u3000"
"""Spaces that are seen as spaces; everything else that is not printable is spelt out."""
_NAMES: Final = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
_SEEN: Final = dict.fromkeys(map(ord, (*_BLANKS, *_NAMES)))
_ENTITIES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_OTHER: Final = re.compile(r"[^ -~]")
_HIDDEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U0001d159\U000e0100-\U000e01ef]"
)
"""Fillers and variation selectors: printable by category, and yet nothing is seen."""
_COMMAND: Final = re.compile(r"(^|\s)::")
"""The runner obeys ``::`` after any white space; text may be wrapped after white space."""


def visible(text: str) -> str:
    r"""Give one printable line: whatever cannot be seen is spelt out.

    Line ends become ``\n``; control characters (ESC included), bidirectional controls,
    zero-width, tag, filler, private and unassigned characters, variation selectors and lone
    surrogates become ``\u{hex}``. No ``::`` follows the start or white space and ``##[``
    occurs nowhere, so no runner takes the text for a command. Stable: a second pass changes
    nothing.

    >>> visible("a\x1b[31mred\nnext"), visible("abc\u202edef")
    ('a\\u{1b}[31mred\\nnext', 'abc\\u{202e}def')
    >>> visible("::error::x"), visible("##[error]x"), visible("std::sort")
    ('\\u{3a}:error::x', '#\\u{23}[error]x', 'std::sort')
    """
    if not text.isprintable() or _HIDDEN.search(text):  # far slower than to see that all is seen
        text = _OTHER.sub(_spell, text)
    return uncommanded(text)


def uncommanded(line: str) -> str:
    r"""Break whatever in ``line`` a runner would take for a workflow command.

    >>> uncommanded("  ::stop-commands::x")
    '  \\u{3a}:stop-commands::x'
    """
    return _COMMAND.sub(r"\1\\u{3a}:", line).replace("##[", r"#\u{23}[")


def has_invisible(text: str) -> bool:
    r"""Say whether ``text`` holds characters that are not seen (line ends and tabs aside).

    >>> has_invisible("plain\n\ttext"), has_invisible("zero\u200bwidth")
    (False, True)
    """
    seen = text.translate(_SEEN)
    return not seen.isprintable() or _HIDDEN.search(seen) is not None


def excerpt(text: str, *, limit: int) -> str:
    """Give ``visible(text)`` in at most ``limit`` characters, and say how many were cut.

    What is said about the cut comes on top of ``limit``; characters are those of ``text``.

    >>> excerpt("abcdefgh", limit=8), excerpt("abcdefgh", limit=3)
    ('abcdefgh', 'abc … (+5 characters)')
    """
    head = text[:limit]
    shown = visible(head)
    while len(shown) > limit:
        # Spelling makes text longer, at most tenfold: take less of it until it fits.
        head = head[: min(len(head) - 1, len(head) * limit // len(shown))]
        shown = visible(head)
    cut = len(text) - len(head)
    if not cut:
        return shown
    return f"{shown} … (+{cut:,} {'character' if cut == 1 else 'characters'})"


class Inert(str):
    """Markdown that this module made, so that it is not escaped again."""

    __slots__ = ()

    def __html__(self) -> str:
        """Tell a template engine that escapes that this is done."""
        return str(self)


def inert(text: str) -> Inert:
    r"""Give ``text`` as one Markdown code span, fit for a table cell too.

    The span is fenced by more backticks than the text has in a row. Renderers disagree on
    how a pipe is escaped inside code inside a table, so a pipe is spelt out.

    >>> str(inert("qa-1")), str(inert("a`b")), str(inert("`"))
    ('`qa-1`', '``a`b``', '`` ` ``')
    >>> str(inert("a|b")), str(inert(""))
    ('`a\\u{7c}b`', '(empty)')
    """
    line = visible(text).replace("|", r"\u{7c}")
    if not line:
        return Inert(EMPTY)
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if line[0] in "` " or line[-1] in "` " else ""
    return Inert(ticks + pad + line + pad + ticks if line.strip(" ") else ticks + line + ticks)


def prose(text: str) -> Inert:
    """Give a sentence that reads as one: words and numbers plain, anything else as code.

    White space collapses. A word is letters, with single hyphens or apostrophes between
    them; a number has at most six digits in a row (seven may be a commit id).

    >>> str(prose("rate fell 0.333 (allowed 0.05): see qa-2, @team and pass_rate."))
    'rate fell 0.333 (allowed 0.05): see `qa-2`, `@team` and `pass_rate`.'
    >>> str(prose("www. and mailto: begin addresses"))
    '`www`. and `mailto`: begin addresses'
    >>> str(prose("1. p < 0.01"))
    '1&#46; p &lt; 0.01'
    """
    words = [word for word in visible(text).split(" ") if word]
    if not words:
        return Inert(EMPTY)
    first, *rest = words
    return Inert(" ".join((_first_word(first), *map(_word, rest))))


def marked(text: str) -> Inert:
    """Give a sentence of ours, in which two backticks enclose one code span; else as prose.

    What it quotes of others stays as inert as ever, but may lose backticks of its own.

    >>> str(marked('set `allow = ["a", "b"]` (`min`), or as qa-2.'))
    'set `allow = ["a", "b"]` (`min`), or as `qa-2`.'
    """
    first, *rest = _MARKED.findall(visible(text)) or [""]
    if not first:
        return Inert(EMPTY)
    head = _first_word(first) if "`" not in first else _span(first)
    return Inert(" ".join((head, *map(_span, rest))))


def fenced(text: str, *, language: str = "") -> Inert:
    r"""Give ``text`` as a fenced block; line ends stay, everything else is visible.

    ``language`` is a name of ours, never text of others. The fence is longer than every run
    of backticks inside.

    >>> str(fenced("a\n```\nb"))
    '````\na\n```\nb\n````'
    """
    body = "\n".join(visible(line) for line in text.split("\n"))
    ticks = "`" * max(3, _longest_run(body) + 1)
    return Inert(f"{ticks}{language}\n{body}\n{ticks}")


def _spell(found: re.Match[str]) -> str:
    char = found[0]
    if char in _BLANKS or (char.isprintable() and not _HIDDEN.match(char)):
        return char
    return _NAMES.get(char) or f"\\u{{{ord(char):x}}}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


_SPAN: Final = r"\(?`[^`]+`[.,;:!?)]*"
"""Words between two backticks; quotes around those mean that they are text of others."""
_MARKED: Final = re.compile(rf"(?<![^ ])(?:{_SPAN}(?![^ ])|[^ ]+)")
_PARTS: Final = re.compile(r"""(["'(“‘]*)(.*?)([.,;:!?%)"'”’]*)""", re.DOTALL)
_PLAIN: Final = re.compile(
    r"""[^\W\d_]+(?:['’-][^\W\d_]+)*      # letters
        | [-+−]?[0-9]{1,6}(?:[.,][0-9]{1,6})*  # a number
        | [-+−=<>≤≥±→·–—…]?               # a sign between them
    """,
    re.VERBOSE,
)
_COMMIT: Final = re.compile(r"[0-9a-f]{7,}", re.IGNORECASE)
_ADDRESSES: Final = frozenset(("www", "mailto", "xmpp"))
"""Words that a full stop or a colon behind them makes the beginning of an address."""


def _word(word: str) -> str:
    opening, core, closing = _parts(word)
    # What follows a sign could make the beginning of a tag of it, as "!" does of "<".
    begins = (core == "<" or core.lower() in _ADDRESSES) and closing
    if not _PLAIN.fullmatch(core) or _COMMIT.fullmatch(core) or begins:
        return opening + inert(core) + closing
    # A sign alone could begin a list or underline a heading; an entity never does.
    return (
        opening
        + (f"&#{ord(core)};" if core in {"-", "+", "="} else core.translate(_ENTITIES))
        + closing
    )


def _span(word: str) -> str:
    opening, mark, rest = word.partition("`")
    core, closed, closing = rest.partition("`")
    if mark and closed and re.fullmatch(_SPAN, word):
        return opening + inert(core) + closing
    return _word(word)


def _first_word(word: str) -> str:
    """As :func:`_word`, where ``1.`` or ``1)`` would begin a list."""
    opening, core, closing = _parts(word)
    if core.isdigit() and closing[:1] in {".", ")"}:
        closing = f"&#{ord(closing[0])};{closing[1:]}"
        return opening + _word(core) + closing
    return _word(word)


def _parts(word: str) -> tuple[str, str, str]:
    found = _PARTS.fullmatch(word)
    return ("", word, "") if found is None else (found[1], found[2], found[3])
