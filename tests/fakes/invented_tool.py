"""An importer of a tool that nobody has: each line says what is found, in the seam's own words."""

import json

from gate.inputs.importers.found import Found, FoundCase, Gap, RecordedScore, Remark, Wrong

NAME = "invented"
TITLE = "Invented"
DOC = "Nobody's."
MARK = '"invented":'
CASE = {"input": "Capital of France?", "reference": "Paris", "labels": ["qa"]}
SAFE = {"input": "The key?", "reference": "no", "labels": ["safety"]}
"""What its answers are about, where a test says nothing else."""


def recognises(opening):
    return opening.startswith(b"{" + MARK.encode())


def found(source, options):
    for number, line in source.lines():
        record = json.loads(line)
        kind = record.pop("invented")
        if kind != "found":
            yield (
                {"gap": Gap, "remark": Remark}[kind](record["said"])
                if kind != "wrong"
                else (Wrong(f"line {number}", record["said"]))
            )
            continue
        case = record.pop("case", None)
        scores = record.pop("scores", {})
        headline = record.pop("headline", None)
        record["id"] = record.pop(options.id_field or "case_id")
        yield Found(
            place=record.pop("place", f"line {number}"),
            scores=tuple(
                RecordedScore(name, value, headline=name == headline)
                for name, value in scores.items()
            ),
            case=None
            if case is None
            else FoundCase(**{key: as_held(value) for key, value in case.items()}),
            **{key: as_held(value) for key, value in record.items()},
        )


def as_held(value):
    """Give lists as the seam has them, which are tuples all the way down."""
    return tuple(map(as_held, value)) if isinstance(value, list) else value


def line(kind="found", **fields):
    if "id" in fields:
        fields["case_id"] = fields.pop("id")
    return json.dumps({"invented": kind, **fields}, separators=(",", ":")) + "\n"
