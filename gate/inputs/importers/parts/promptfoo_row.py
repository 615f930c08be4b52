"""One result of promptfoo: which test it is of, and what was answered."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.inputs.fields import expected, read_name
from gate.inputs.importers.found import FoundCase
from gate.inputs.importers.parts.dotted import dotted
from gate.inputs.importers.parts.labels import FIELDS, labels_of
from gate.inputs.importers.parts.promptfoo_rules import rules_of
from gate.inputs.importers.source import number
from gate.records.json_text import as_text, canonical

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_TEST: Final = 10_000_000
"""``testIdx``, at most."""
MAX_COLUMN: Final = 1_000
"""``promptIdx``, at most."""
CRASHED: Final = 2
MAX_FILLED: Final = 1_000_000
"""Characters of a reference whose variables are filled in, at most."""
NO_OUTPUT: Final = "promptfoo recorded no output"
STRIPPED: Final = "[output stripped]"
_NO_MESSAGE: Final = "promptfoo recorded an error without a message"
_GOLDEN: Final = frozenset(
    (
        "equals", "contains", "icontains", "starts-with", "similar", "factuality",
        "model-graded-factuality", "rouge-n", "bleu", "gleu", "meteor", "levenshtein",
    )
)  # fmt: skip
"""Assertions whose value is an answer, or a piece of it, that is right."""
_VARIABLE: Final = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_PLACE: Final = re.compile(r"Row #[0-9]+")
"""What promptfoo calls a test that stood in a table without a description: a mere position."""
_NAMES: Final = ("id", "testCaseId")
_OF_THE_RUN: Final = ("tracingEnabled", "evaluationId")
_FEW: Final = 10_000
_TIMES: Final = 4
"""A reference of more than :data:`_FEW` characters is at most so much longer than its parts."""
_LABEL: Final = 60
"""Characters of a prompt's label in an id; of a longer one, there is a digest."""


class RowRefused(ValueError):
    """A result is not as promptfoo writes one; the message names the key."""


class Row(NamedTuple):
    """Which test, and which column of prompt and provider, a result is of.

    ``key`` is the test's id without its column. ``declared`` says that its author gave it as an
    id. ``content`` digests what is asked and how it is checked, for tests that share a key.
    ``restricted`` says that the test does not concern every column.
    """

    test: int
    column: int
    key: str
    declared: bool
    content: str
    variant: tuple[str, str]
    restricted: bool


def read_row(record: dict[str, Any], *, id_field: str | None) -> Row:
    """Read which test a result is of. Raises ``RowRefused``."""
    test = one_of(record, "testCase", dict)
    if test is None:
        raise RowRefused("`testCase`: is missing")
    content = "sha256:" + _digest(
        {key: test[key] for key in ("vars", "assert", "threshold") if test.get(key) is not None}
    )
    key, declared = _key(test, content, id_field)
    return Row(
        test=_index(record, "testIdx", MAX_TEST),
        column=_index(record, "promptIdx", MAX_COLUMN),
        key=key,
        declared=declared,
        content=content,
        variant=_variant(record),
        restricted=test.get("providers") is not None or test.get("prompts") is not None,
    )


def one_of(record: dict[str, Any], name: str, kind: type) -> Any:  # noqa: ANN401 - as ``kind`` says
    """Give a field of one kind, or ``None`` where it is absent. Raises ``RowRefused``."""
    found = record.get(name)
    if found is not None and type(found) is not kind:
        wanted = {dict: "an object", list: "a list", bool: "true or false"}[kind]
        raise RowRefused(expected(name, wanted, found))
    return found


def answer(record: dict[str, Any]) -> tuple[str | None, str | None]:
    """Give the output, or else the error, of a result. Raises ``RowRefused``.

    ``error`` is filled where no more than an assertion failed: ``failureReason`` decides.
    """
    reason = record.get("failureReason")
    if reason is not None and (type(reason) is not int or not 0 <= reason <= CRASHED):
        raise RowRefused("`failureReason`: expected 0, 1 or 2")
    response = record.get("response")
    said = response if isinstance(response, dict) else {}
    output = said.get("output")
    if output == STRIPPED:
        raise RowRefused(
            "`response.output`: was stripped (PROMPTFOO_STRIP_RESPONSE_OUTPUT): no answer is left"
        )
    crashed = reason == CRASHED if reason is not None else said.get("error") is not None
    if not crashed and output is not None:
        return as_text(output), None
    for message in (record.get("error"), said.get("error")):
        if message is not None and message != "":
            return None, as_text(message)
    return None, _NO_MESSAGE if crashed else NO_OUTPUT


def tools(record: dict[str, Any]) -> tuple[str, ...] | None:
    """Name the tools called, where the provider says: in its metadata, or as its output."""
    response = record.get("response")
    if not isinstance(response, dict):
        return None
    metadata, output = response.get("metadata"), response.get("output")
    if isinstance(metadata, dict) and isinstance(metadata.get("toolCalls"), list):
        return _texts([_member(call, "name") for call in metadata["toolCalls"]])
    if isinstance(output, list) and output:
        return _texts([_member(_member(call, "function"), "name") for call in output])
    return None


def amounts(record: dict[str, Any]) -> tuple[float | None, float | None]:
    """Give cost and time, where the provider was asked and said them.

    The result's own ``cost`` is 0 where nobody knows; what came out of a cache took no time.
    """
    response = record.get("response")
    if not isinstance(response, dict) or response.get("cached") is True:
        return None, None
    return _amount(response.get("cost")), _amount(record.get("latencyMs"))


def case(record: dict[str, Any]) -> FoundCase | None:
    """Give the test as a case: ``None`` where its variables were stripped."""
    test = record["testCase"]
    variables = test.get("vars")
    if not isinstance(variables, dict):
        return None
    metadata = test.get("metadata")
    kept = metadata if isinstance(metadata, dict) else {}
    dropped = {*_NAMES, *FIELDS, *_OF_THE_RUN}
    return FoundCase(
        input=_input(variables, record.get("prompt")),
        reference=_reference(test.get("assert"), variables),
        labels=labels_of(metadata),
        metadata=canonical({name: kept[name] for name in kept if name not in dropped}),
        rules=rules_of(test),
    )


def _input(variables: dict[str, Any], prompt: object) -> str:
    if len(variables) == 1:
        return as_text(next(iter(variables.values())))
    if variables:
        return canonical(variables)
    raw = _member(prompt, "raw")
    return raw if isinstance(raw, str) else ""


def _reference(assertions: object, variables: dict[str, Any]) -> str | None:
    """Give the value of the first assertion that says what is right, its variables filled in.

    One that would grow out of all proportion stays a template.
    """
    for assertion in assertions if isinstance(assertions, list) else ():
        kind, value = _member(assertion, "type"), _member(assertion, "value")
        if not isinstance(kind, str) or kind not in _GOLDEN or value is None:
            continue
        return _filled(value, variables) if isinstance(value, str) else canonical(value)
    return None


def _filled(template: str, variables: dict[str, Any]) -> str | None:
    if template.startswith("file://"):
        return None
    places = _VARIABLE.findall(template)
    if not variables.keys() >= set(places):
        return None
    rest = _VARIABLE.sub("", template)
    if "{{" in rest or "{%" in rest:
        return None  # more than a name: only the tool's own engine knows
    texts = {name: as_text(variables[name]) for name in set(places)}
    parts = len(template) + sum(map(len, texts.values()))
    filled = len(rest) + sum(len(texts[name]) for name in places)
    if filled > min(MAX_FILLED, max(_FEW, _TIMES * parts)):
        return template
    return _VARIABLE.sub(lambda match: texts[match[1]], template)


def _key(test: dict[str, Any], content: str, id_field: str | None) -> tuple[str, bool]:
    if id_field is not None:
        try:
            return _named(f"testCase.{id_field}", dotted(test, id_field)), True
        except KeyError:
            raise RowRefused(f"`testCase.{id_field}`: is missing") from None
    metadata = test.get("metadata")
    for name in _NAMES:
        if (found := _member(metadata, name)) is not None:
            return _named(f"testCase.metadata.{name}", found), True
    if test.get("id") is not None:
        return _named("testCase.id", test["id"]), True
    description = test.get("description")
    if isinstance(description, str) and description.strip() and not _PLACE.fullmatch(description):
        return _named("testCase.description", description), False
    if test.get("vars") is None:
        raise RowRefused(
            "`testCase.vars`: is missing (PROMPTFOO_STRIP_TEST_VARS?), and the test has no "
            "`metadata.id` and no `description`: nothing says which test this is"
        )
    return content, False


def _named(field: str, value: object) -> str:
    problems: list[str] = []
    name = read_name(field, value, problems)
    if name is None:
        raise RowRefused(problems[0])
    return name


def _variant(record: dict[str, Any]) -> tuple[str, str]:
    provider, label = record.get("provider"), _member(record.get("prompt"), "label")
    names = (_member(provider, "label"), _member(provider, "id"), provider)
    name = next((each for each in names if isinstance(each, str) and each), "provider")
    prompt = label if isinstance(label, str) and label else "prompt"
    return _short(name), _short(prompt)


def _short(text: str) -> str:
    plain = len(text) <= _LABEL and text.isprintable()
    return text if plain else f"sha256:{_digest(text)}"


def _digest(value: object) -> str:
    return sha256(canonical(value).encode()).hexdigest()[:16]


def _index(record: dict[str, Any], name: str, most: int) -> int:
    found = record.get(name)
    if type(found) is not int or not 0 <= found <= most:
        raise RowRefused(f"`{name}`: expected a whole number from 0 to {most}")
    return found


def _amount(found: object) -> float | None:
    amount = None if isinstance(found, bool) else number(found)
    return amount if amount is not None and amount >= 0 else None


def _member(value: object, name: str) -> Any:  # noqa: ANN401 - any of six types
    return value.get(name) if isinstance(value, dict) else None


def _texts(names: Sequence[object]) -> tuple[str, ...] | None:
    texts = tuple(name for name in names if isinstance(name, str) and name)
    return texts if len(texts) == len(names) else None
