"""The votes of a stored result, read once more from the answers in a ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.judges.reply import Verdict, read_answer
from gate.records.judge_run import short_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from gate.judges.prompts import Reply
    from gate.records.judge_run import Judgement
    from gate.records.judging import Answer


def recount(
    judgements: Iterable[tuple[str, Judgement]], answers: Mapping[str, Answer], *, reply: Reply
) -> Iterator[str]:
    """Say of every vote that the ledger does not bear out what is wrong with it.

    ``judgements`` are named as messages should name them; ``answers`` are a ledger's, by key.
    """
    found: dict[str, list[Answer]] = {}
    for key, answer in answers.items():
        found.setdefault(short_key(key), []).append(answer)
    for name, judgement in judgements:
        if len(judgement.keys) != len(judgement.votes):
            yield f"{name}: has {len(judgement.votes)} vote(s) and {len(judgement.keys)} key(s)"
            continue
        for run, (key, vote) in enumerate(zip(judgement.keys, judgement.votes, strict=True)):
            held = found.get(key, [])
            scores = {_score(answer, reply, judgement.elements) for answer in held}
            if not held and vote is not None:
                yield f"{name}: the ledger does not hold the answer to look {run}"
            elif held and vote not in scores:
                yield f"{name}: look {run} gave {vote}, and the ledger's answer gives another"


def _score(answer: Answer, reply: Reply, count: int) -> float | None:
    verdict = read_answer(answer, reply=reply, count=count)
    return verdict.score if isinstance(verdict, Verdict) else None
