"""Nouns: frozen, closed, hashable values that every stage shares.

Two kinds, one rule. What exists once a run is a :class:`~gate.records.base.Record`
(a pydantic model); what exists once a case or once a prediction is a pydantic
dataclass with slots (:func:`~gate.records.base.row`), which takes a quarter of the
memory. Both refuse unknown fields, wrong types, NaN and infinity, and hold tuples.

The modules of records leave their annotations unquoted (no ``from __future__ import
annotations``): pydantic wants the types themselves, and a thousand texts would be compiled at
every start.
"""
