"""What is decided on values alone: links, limits, waits, records."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.adapters.github.call import Call, Trouble
from gate.adapters.github.client import connect
from gate.adapters.github.pages import LinkRefused, next_page
from gate.adapters.github.patience import LONGEST, Budget, pause
from gate.adapters.github.reading import read_comment
from gate.adapters.github.refusal import read_trouble

BASE = "https://api.github.com"


@pytest.mark.parametrize(
    ("link", "found"),
    [
        (f'<{BASE}/a?page=2>; rel="next"', f"{BASE}/a?page=2"),
        (f"<{BASE}/a>; rel=next", f"{BASE}/a"),
        (f'<{BASE}/a>; title="x, y"; rel="last next"', f"{BASE}/a"),
        (f'<{BASE}/a,b;c>;rel="next",<{BASE}/d>;rel="last"', f"{BASE}/a,b;c"),
        (f'<{BASE}:443/a?page=2>; rel="next"', f"{BASE}/a?page=2"),
        (f'<{BASE.upper()}/a>; rel="next"', f"{BASE}/a"),
        (f'<{BASE}/a?b=c?d#e>; rel="next"', f"{BASE}/a?b=c?d"),
        (f'<{BASE}/a>; rel="nextish"', None),
        (f'<{BASE}/a>; xrel="next"', None),
        (f'<{BASE}/a>; rel="prev"', None),
        ("garbage <<>>;;;", None),
    ],
)
def test_a_link_is_read_as_the_standard_has_it(link, found):
    assert next_page(link, base=BASE) == found


def test_on_an_enterprise_server_a_link_stays_below_the_api():
    base = "https://ghe.example/api/v3"
    link = '<https://ghe.example/api/v3/repositories/1?page=2>; rel="next"'
    assert next_page(link, base=base) == f"{base}/repositories/1?page=2"
    assert next_page(link.replace("ghe", "GHE"), base=base) == f"{base}/repositories/1?page=2"
    with pytest.raises(LinkRefused, match="does not lie below"):
        next_page('<https://ghe.example/api/v30/x>; rel="next"', base=base)


@given(
    st.text(st.sampled_from("/:@.?#ahtps\\[]"), max_size=12).map(lambda text: f"{BASE}{text}")
    | st.sampled_from([f"{BASE}:443/x", f"{BASE.upper()}/x", "HTTPS://evil.example/x", "//evil/x"])
)
def test_whatever_a_path_looks_like_the_token_goes_to_the_one_host(path):
    client = connect({}, token="ghs_x", repository="o/r")  # noqa: S106 - opens nothing
    request = client._line._request(Call("GET", path, "a", "b"))
    assert (request.url.scheme, request.url.host, request.url.port) == (
        "https",
        "api.github.com",
        None,
    )


def test_a_link_of_any_length_is_read_at_once():
    with pytest.raises(LinkRefused, match="too long"):
        next_page("<" * 100_000, base=BASE)


@given(st.text(max_size=60), st.sampled_from(["http", "https", "HTTPS", ""]))
def test_no_link_leads_elsewhere(where, scheme):
    link = f'<{scheme}://{where}>; rel="next"'
    try:
        found = next_page(link, base=BASE)
    except LinkRefused:
        return
    assert found is None or found.startswith(f"{BASE}/")


@given(
    kind=st.sampled_from(["refused", "limited", "broken"]),
    wish=st.none() | st.floats(0, 1e6),
    tried=st.integers(1, 6),
    chance=st.floats(0, 1, exclude_max=True),
)
def test_a_wait_grants_the_wish_and_has_an_end(kind, wish, tried, chance):
    wait = pause(Trouble(kind, "?", wish=wish), tried=tried, chance=chance)
    if wait is not None:
        assert kind != "refused"
        assert tried < 4
        assert max(0.0, wish or 0.0) <= wait <= LONGEST
        assert kind == "broken" or wish is not None or wait >= 60.0


def test_a_budget_counts_what_is_nested_once_and_what_is_outside_not_at_all():
    at = [0.0]
    budget = Budget(10.0, clock=lambda: at[0])
    at[0] = 5.0
    with budget.spending():
        at[0] = 6.0
        with budget.spending():
            at[0] = 8.0
            assert budget.left() == 7.0
        at[0] = 9.0
    at[0] = 100.0
    assert budget.left() == 6.0


@pytest.mark.parametrize(
    ("status", "headers", "said", "kind"),
    [
        (403, {}, "Resource not accessible by integration", "refused"),
        (403, {"x-ratelimit-remaining": "4999"}, "Must have admin rights", "refused"),
        (403, {"x-ratelimit-remaining": "0"}, "Forbidden", "limited"),
        (403, {"retry-after": "5"}, "Forbidden", "limited"),
        (403, {}, "You have triggered an abuse detection mechanism", "limited"),
        (403, {}, "You have exceeded a secondary rate limit", "limited"),
        (429, {}, "", "limited"),
        (401, {}, "Bad credentials", "refused"),
        (404, {"retry-after": "5"}, "Not Found", "refused"),
        (408, {}, "", "broken"),
        (500, {}, "", "broken"),
        (504, {}, "We couldn't respond in time", "broken"),
        (304, {}, "", "refused"),
        (418, {}, "", "refused"),
    ],
)
def test_an_error_means_what_the_table_says(status, headers, said, kind):
    body = f'{{"message": "{said}"}}' if said else ""
    assert read_trouble(status, headers, body, needs="`x: y`", now=0.0).kind == kind


@pytest.mark.parametrize(
    ("headers", "wish"),
    [
        ({"retry-after": "5"}, 5.0),
        ({"x-ratelimit-reset": "130"}, 31.0),
        ({"x-ratelimit-reset": "130", "x-ratelimit-remaining": "0"}, 31.0),
        ({"x-ratelimit-reset": "130", "x-ratelimit-remaining": "60"}, None),
        ({"x-ratelimit-reset": "90", "x-ratelimit-remaining": "0"}, 1.0),
        ({"x-ratelimit-reset": "soon", "x-ratelimit-remaining": "0"}, None),
        ({}, None),
    ],
)
def test_a_limit_says_how_long_it_holds(headers, wish):
    assert read_trouble(429, headers, "", needs="", now=100.0).wish == wish


def test_the_fields_that_an_error_is_about_are_told():
    body = '{"message": "No", "errors": [{"field": "body", "code": "custom"}, "odd", null]}'
    assert "No (body custom; odd; None)" in read_trouble(422, {}, body, needs="", now=0.0).message


def test_a_header_that_is_no_request_id_is_not_quoted():
    headers = {"x-github-request-id": "a b<script>", "x-accepted-github-permissions": "`x`\n"}
    said = read_trouble(403, headers, "{}", needs="`x: y`", now=0.0).message
    assert "script" not in said
    assert "GitHub says" not in said


def test_a_comment_of_an_older_server_says_nothing_of_apps_or_hiding():
    found = read_comment({"id": 1, "body": None, "user": {"login": "a", "id": 2}})
    assert (found.body, found.by_app, found.minimized, found.url) == ("", False, False, "")


@pytest.mark.parametrize(("app", "by_app"), [({"id": 1}, True), (None, False)])
def test_a_comment_that_an_app_made_for_a_user_is_by_an_app(app, by_app):
    user = {"login": "a", "id": 2, "type": "User"}
    found = read_comment({"id": 1, "body": "", "user": user, "performed_via_github_app": app})
    assert found.by_app is by_app


@pytest.mark.parametrize(
    ("status", "said", "hint"),
    [
        (403, "Unable to create comment because issue is locked.", "unlock the conversation"),
        (403, "Repository was archived so is read-only.", "no other permission helps"),
        (410, "This issue was deleted", None),
    ],
)
def test_what_every_token_is_refused_is_told_apart(status, said, hint):
    found = read_trouble(status, {}, f'{{"message": "{said}"}}', needs="`x`", now=0.0)
    assert found.lasting
    assert (found.hint or "").startswith(hint or "")
    assert "lacks" not in found.message
    other = read_trouble(403, {}, '{"message": "no"}', needs="`x`", now=0.0)
    assert (other.lasting, other.hint is None) == (False, False)
