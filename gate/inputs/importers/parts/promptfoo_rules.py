"""What a verdict of promptfoo stands on: assertions, weights, thresholds and graders."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any, Final

from gate.inputs.importers.parts.rules_text import rules_text
from gate.records.json_text import canonical

_OF_TEST: Final = ("threshold", "assertScoringFunction")
_OPTIONS: Final = ("provider", "rubricPrompt", "factuality", "transform", "postprocess")
"""The options that grade, or that change what is graded; others are of the prompt."""
_GRADER: Final = "provider"
_SECRET: Final = re.compile(
    r"(?i)api_?key|secret|password|credential|cookie|authorization|headers|token$"
)


def rules_of(test: dict[str, Any]) -> str:
    """Give the rules of a test as canonical text, its variables not filled in.

    Graders that are more than a name are digests without their keys, for a new key is no new rule.

    >>> rules_of({"assert": [{"type": "equals", "value": "{{a}}"}], "options": {"prefix": "x"}})
    '{"assert":[{"type":"equals","value":"{{a}}"}]}'
    """
    declared, options = test.get("assert"), test.get("options")
    stands = {name: test.get(name) for name in _OF_TEST}
    stands["assert"] = declared if isinstance(declared, list) else []
    if isinstance(options, dict):
        stands["options"] = {
            name: options[name] for name in _OPTIONS if options.get(name) is not None
        }
    kept = {name: value for name, value in stands.items() if value not in (None, {})}
    return rules_text(_plain(kept))


def hides_its_grader(test: dict[str, Any]) -> bool:
    """Say whether a test has a grader of its own of which the file tells nothing.

    promptfoo writes so of one that is a program's file: its function is not in the file.

    >>> hides_its_grader({"options": {"provider": {"label": ""}}})
    True
    >>> hides_its_grader({"options": {"provider": "openai:gpt"}}), hides_its_grader({})
    (False, False)
    """
    options = test.get("options")
    grader = options.get(_GRADER) if isinstance(options, dict) else None
    return isinstance(grader, dict) and not any(grader.values())


def _plain(value: Any) -> Any:  # noqa: ANN401 - any of six types
    """Give graders as digests."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: _grader(each) if name == _GRADER else _plain(each) for name, each in value.items()
    }


def _grader(found: Any) -> str:  # noqa: ANN401 - any of six types
    if isinstance(found, str):
        return found
    return f"sha256:{sha256(canonical(_keyless(found)).encode()).hexdigest()[:16]}"


def _keyless(value: Any) -> Any:  # noqa: ANN401 - any of six types
    if isinstance(value, list):
        return [_keyless(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {name: _keyless(each) for name, each in value.items() if not _SECRET.search(name)}
