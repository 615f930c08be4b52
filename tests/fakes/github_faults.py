"""What a GitHub may answer instead of what is so."""

import json

import loopback
from github_documents import error
from loopback import breaks_off, disconnect, drip, hang, spelt


def refuses(code, message, *, errors=None, **headers):
    """Answer with an error as GitHub spells it."""

    def step(handler, asked):
        del asked
        handler.give(error(code, message, errors=errors)._replace(headers=spelt(headers)))

    return step


def no_permission(accepted="issues=write; pull_requests=write"):
    return refuses(
        403, "Resource not accessible by integration", X_Accepted_GitHub_Permissions=accepted
    )


def limited(code=429, **headers):
    return refuses(code, "API rate limit exceeded for installation ID 1.", **headers)


def secondary(code=403, **headers):
    said = "You have exceeded a secondary rate limit. Please wait a few minutes."
    return refuses(code, said, **headers)


def page(code=502):
    """Answer as a proxy in front of GitHub does."""
    return loopback.sends(code, b"<html>Unicorn!</html>")


def lost(code=502):
    """Do what was asked, and say that it failed."""

    def step(handler, asked):
        handler.perform(asked)
        refuses(code, "Server Error")(handler, asked)

    return step


def link_to(address):
    """Answer honestly, but for where the next page is."""

    def step(handler, asked):
        answer = handler.perform(asked)
        handler.give(answer._replace(headers={"Link": f'<{address}>; rel="next"'}))

    return step


def redirect_to(address, code=301):
    return loopback.redirect_to(address, code)


def first(action):
    """Let something happen at the host before the request is answered honestly."""

    def step(handler, asked):
        action(handler.server)
        handler.give(handler.perform(asked))

    return step


def sends(code, body, **headers):
    """Answer with these bytes, and call them JSON."""
    return loopback.sends(code, body, **{"Content_Type": "application/json", **headers})


def held(handler, asked):
    """Do what was asked, and give the body of saying so."""
    return json.dumps(handler.perform(asked).body).encode()


half = breaks_off(held)


def echo_token(handler, asked):
    """Give the token back in every place that an error has."""
    token = asked.headers["authorization"].partition(" ")[2]
    errors = [{"field": token, "code": token[:-2], "message": token}]
    refuses(403, f"no {token}", errors=errors, X_GitHub_Request_Id=token, X_Echo=token)(
        handler, asked
    )


FAULTS = {
    "disconnect": disconnect,
    "drip": drip,
    "echo_token": echo_token,
    "half": half,
    "hang": hang,
    "limited": limited(retry_after="1"),
    "lost": lost(),
    "no_permission": no_permission(),
    "page": page(),
    "secondary": secondary(),
    "server_error": refuses(500, "Server Error"),
}
"""By name, for whoever scripts from another process."""
