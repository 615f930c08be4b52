"""A house in which the commands are run on files of an invented tool."""

import pytest

from gate.inputs.importers.table import IMPORTERS
from invented_tool import CASE, SAFE


class Tool:
    """Writes files of an invented tool, and runs the commands on them."""

    def __init__(self, house, module):
        self.house = house
        self.line = module.line

    def write(self, *lines, name="log"):
        return self.house.text(name, "".join(lines))

    def answers(self, *, a=1.0, b=1.0, case_a=None, case_b=None):
        return (
            self.line(id="a", output="Paris", scores={"match": a}, case=case_a or CASE),
            self.line(id="b", output="no", scores={"match": b}, case=case_b or SAFE),
        )

    def score(self, *options, scorer="recorded"):
        given = ("--predictions", "log", "--scorer", scorer)
        return self.house.run("score", *given, "--out", "scored", *options)

    def accept(self, *lines, reason=None, scorer="recorded"):
        """Pin what ``lines`` hold."""
        self.write(*(lines or self.answers()))
        assert self.score(scorer=scorer).status == 0
        because = () if reason is None else ("--reason", reason)
        done = self.promote(*because)
        assert done.status == 0, done.err

    def promote(self, *options, result="scored/result.json"):
        return self.house.run(
            "baseline", "promote", "--result", result, "--to", "b.json", *options
        )

    def check(self, *options, baseline=True):
        given = ("--predictions", "log", *(("--baseline", "b.json") if baseline else ()))
        return self.house.run("check", *given, *options)


@pytest.fixture
def tool(house, fakes, monkeypatch):
    module = fakes("invented_tool")
    monkeypatch.setitem(IMPORTERS, "invented", module.__name__)
    return Tool(house, module)
