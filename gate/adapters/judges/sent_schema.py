"""The part of a JSON Schema that every provider takes."""

from __future__ import annotations

from typing import Any, Final

from gate.records.json_text import loads

_UNKNOWN: Final = frozenset(
    (
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minLength", "maxLength", "pattern", "format"),
        *("minItems", "maxItems", "uniqueItems"),
    )
)
"""Limits that some servers refuse a schema for; replies are held against them here."""


def sent_schema(schema_text: str) -> dict[str, Any]:
    """Give a schema without what some servers refuse; a property may be called like a keyword.

    >>> sent_schema('{"properties": {"format": {"maximum": 1, "type": "number"}}}')
    {'properties': {'format': {'type': 'number'}}}
    """
    found: dict[str, Any] = _without(loads(schema_text))
    return found


def _without(schema: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(schema, list):
        return [_without(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {}
    for key, value in schema.items():
        if key == "properties" and isinstance(value, dict):
            kept[key] = {name: _without(inner) for name, inner in value.items()}
        elif key not in _UNKNOWN:
            kept[key] = value if key in {"enum", "const", "required"} else _without(value)
    return kept
