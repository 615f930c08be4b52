"""JSON Schema (draft 2020-12) of the two files that other programs read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from gate.records.base import Record

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
RESULT: Final = "result.schema.json"
BASELINE: Final = "baseline.schema.json"


def schemas() -> dict[str, str]:
    """Give the text of each schema file by its name, made from the records as written."""
    import json

    from gate.records.baseline import Baseline
    from gate.records.report import Report

    made = {
        RESULT: _schema(Report, title="agent-eval-gate result"),
        BASELINE: _schema(Baseline, title="agent-eval-gate baseline"),
    }
    return {name: json.dumps(schema, indent=2) + "\n" for name, schema in made.items()}


def _schema(record: type[Record], *, title: str) -> dict[str, Any]:
    from pydantic.json_schema import GenerateJsonSchema

    from gate.records.json_text import loads

    class AsWritten(GenerateJsonSchema):
        """Every field is written, and a field kept as JSON text is written as its object."""

        def ser_schema(self, schema: Any) -> dict[str, Any] | None:  # noqa: ANN401 - pydantic's
            if schema.get("function") is loads:
                return {"type": "object"}
            return super().ser_schema(schema)

        def field_is_required(self, field: Any, total: bool) -> bool:  # noqa: ANN401, ARG002, FBT001
            return True

    made = record.model_json_schema(schema_generator=AsWritten, mode="serialization")
    return {"$schema": DIALECT, **made, "title": title}
