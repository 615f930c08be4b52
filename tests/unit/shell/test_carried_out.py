"""What a posting run wishes is done by the host, call by call."""

import pytest

from gate.errors import HostFailed
from gate.publish.comment import ACTIONS_BOT, Stamp, stamped
from gate.publish.posting import posting
from gate.records.host import HostComment, Pull
from gate.records.marker import MARKER
from gate.shell.posting import carried_out

HEAD = "b" * 40
NOW = Stamp("default", 7, 1, HEAD)
BODY = f"{MARKER}\n## FAIL\n"


class RecordingHost:
    """The calls of comments, in memory; ``refuses`` names those that fail."""

    def __init__(self, *kept, refuses=(), gone=False):
        self.kept = {one.id: one for one in kept}
        self.calls, self._refuses, self._gone = [], refuses, gone

    def _called(self, name):
        self.calls.append(name)
        if name in self._refuses:
            if self._gone:
                self.kept.clear()
                self._refuses = ()
            raise HostFailed(name)

    def pull(self, number):
        self._called("pull")
        return Pull(
            number=number,
            state="open",
            head_sha=HEAD,
            base_sha="a" * 40,
            base_ref="main",
            base_repository="o/r",
            head_repository="o/r",
        )

    def comments(self, number):
        assert number == 3
        self._called("comments")
        return tuple(self.kept.values())

    def create_comment(self, number, body):
        assert number == 3
        self._called("create")
        return self._keep(max(self.kept, default=0) + 1, body)

    def update_comment(self, comment, body):
        self._called("update")
        return self._keep(comment, body)

    def delete_comment(self, comment):
        self._called("delete")
        self.kept.pop(comment, None)

    def _keep(self, number, body):
        self.kept[number] = comment(number, body)
        return self.kept[number]


def comment(number, body):
    url = f"https://example.org/{number}"
    return HostComment(id=number, body=body, author=ACTIONS_BOT, author_id=1, by_app=True, url=url)


def old(number):
    return comment(number, stamped(BODY, NOW._replace(run=6)))


def post(host, mode="update"):
    talk = posting(f"{BODY}new", mode=mode, stamp=NOW, author=ACTIONS_BOT)
    return carried_out(talk, host, number=3)


def test_a_first_comment_is_created_and_its_address_given():
    host = RecordingHost()
    assert post(host)[:2] == ("created", "https://example.org/1")
    assert host.calls == ["comments", "pull", "create", "comments", "pull"]


def test_a_comment_is_replaced_and_a_duplicate_taken_away():
    host = RecordingHost(old(1), old(2))
    assert post(host).done == "updated"
    assert list(host.kept) == [1]


def test_a_comment_can_be_posted_anew():
    host = RecordingHost(old(1))
    assert post(host, "recreate").done == "recreated"
    assert list(host.kept) == [2]


def test_switched_off_no_call_is_made():
    host = RecordingHost(old(1))
    assert post(host, "off").done == "nothing"
    assert host.calls == []


@pytest.mark.parametrize("call", ["comments", "pull", "create"])
def test_a_call_that_fails_is_not_hidden(call):
    with pytest.raises(HostFailed, match=call):
        post(RecordingHost(refuses=(call,)))


def test_a_comment_that_cannot_be_replaced_is_not_hidden_either():
    with pytest.raises(HostFailed, match="update"):
        post(RecordingHost(old(1), refuses=("update",)))


def test_a_comment_that_is_gone_is_posted_anew():
    host = RecordingHost(old(1), refuses=("update",), gone=True)
    assert post(host).done == "created"
