"""Gemini, asked through Google's own SDK, of which only the asking is used.

The SDK builds the request, signs it and sends it once, over a transport of ours. It retries
nothing, follows nothing, calls nothing and reads nothing of the reply: its reading accepts
``NaN`` and turns what it cannot read into silence.
"""

from __future__ import annotations

import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from gate.adapters.judges.gemini.account import GEMINI, PROVIDER, account
from gate.adapters.judges.gemini.reply import failed, read_refusal, read_reply
from gate.errors import JudgeUnusable, UsageInvalid
from gate.ports import Provider
from gate.records.json_text import loads
from gate.report.redact import redactor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import httpx2
    from google.auth.credentials import Credentials

    from gate.adapters.bounded import Bounded
    from gate.adapters.judges.gemini.account import Account
    from gate.records.judge_options import JudgeOptions
    from gate.records.judge_words import AnswerStatus
    from gate.records.judging import Attempt, Question

_SCOPE: Final = "https://www.googleapis.com/auth/cloud-platform"
_PARAMS: Final = {"temperature": "temperature", "seed": "seed", "max_tokens": "max_output_tokens"}
_LOGGERS: Final = ("google", "google_genai", "httpcore2", "httpx2")


def connect(
    options: JudgeOptions, environ: Mapping[str, str], *, model: str, params: str
) -> Gemini:
    """Make the provider, without a call; ``params`` is what is sent besides the question.

    Raises ``UsageInvalid`` for an address, a model or a parameter that cannot be, and
    ``JudgeUnusable`` where there is no key or there are no credentials.
    """
    sent = _sent(params)
    _check_model(model)
    who = account(options, environ)
    _silence()
    credentials = _credentials(who.project) if who.project is not None else None
    try:
        return Gemini(who, model=model, sent=sent, credentials=credentials)
    except (ImportError, ValueError) as error:
        # The SDK reads variables of its own, of which some cannot be obeyed here.
        said = _hider(who.key, credentials)(f"{type(error).__name__}: {error}")
        raise JudgeUnusable(
            f"{PROVIDER}: Google's SDK cannot be set up ({said[:300]})",
            hint="look at the variables GOOGLE_GENAI_… of this step; nothing was asked",
        ) from None


class Gemini(Provider):
    """One model of Gemini, for many threads."""

    def __init__(
        self,
        who: Account,
        *,
        model: str,
        sent: Mapping[str, Any],
        credentials: Credentials | None = None,
    ) -> None:
        """Load the SDK, and put it on a transport that ends."""
        import httpx2
        from google import genai
        from google.auth.exceptions import GoogleAuthError
        from google.genai import types
        from google.genai.client import DebugConfig

        from gate.adapters.bounded import (
            FAILURES,
            TIMEOUTS,
            BodyTooLarge,
            Bounded,
            bounded_client,
        )

        secure = not (who.base_url or GEMINI).startswith("http:")
        self._line: Bounded = Bounded(secure=secure)
        self._http = bounded_client(self._line)
        self._http.event_hooks = {"response": [_refuse]}
        self._foreseen = (_Refused, GoogleAuthError, BodyTooLarge, *TIMEOUTS, *FAILURES)
        self._types = types
        self._settings, self._content, self._part = (
            _quick(model) for model in (types.GenerateContentConfig, types.Content, types.Part)
        )
        self._model = model
        self._sent = dict(sent)
        # The same for nearly all questions of a run, and dear to make: the SDK checks each field.
        self._configured = lru_cache(maxsize=16)(self._config)
        self._hide = _hider(who.key, credentials)
        # The SDK needs its client to be kept; with both of its HTTP clients given, it makes
        # none that would ask the environment for a proxy. The asynchronous one is never used.
        self._client = genai.Client(
            vertexai=who.vertex,
            api_key=who.key,
            credentials=credentials,
            project=who.project,
            location=who.location,
            debug_config=DebugConfig(client_mode=None),
            http_options=types.HttpOptions(
                base_url=who.base_url,
                httpx_client=self._http,
                httpx_async_client=httpx2.AsyncClient(
                    transport=httpx2.MockTransport(_nowhere), trust_env=False
                ),
            ),
        )

    def ask(self, question: Question, *, timeout: float) -> Attempt:
        """Ask once, within ``timeout`` seconds in all."""
        config = self._configured(question.system, question.schema_text, timeout)
        try:
            with self._line.within(timeout):
                reply = self._client.models.generate_content(
                    model=self._model, contents=self._said(question.prompt), config=config
                )
        except self._foreseen as error:
            return self._attempt(error, timeout=timeout)
        raw = reply.sdk_http_response
        return read_reply("" if raw is None else raw.body or "", hide=self._hide)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()
        self._http.close()

    def _attempt(self, error: Exception, *, timeout: float) -> Attempt:
        from google.auth.exceptions import TransportError

        from gate.adapters.bounded import FAILURES, TIMEOUTS, BodyTooLarge, broken

        if isinstance(error, _Refused):
            sent = error.response
            return read_refusal(
                sent.status_code, sent.text, sent.headers, now=time.time(), hide=self._hide
            )
        if isinstance(error, TIMEOUTS):
            return self._failed("timeout", f"no whole reply within {timeout:g} s")
        if isinstance(error, FAILURES):
            return self._failed(*broken(error))
        if isinstance(error, BodyTooLarge):
            return self._failed("server", str(error))
        if isinstance(error, TransportError):
            return self._failed("transport", f"no access token could be fetched ({error})")
        return self._failed("auth", f"no access token is given; check the credentials ({error})")

    def _failed(self, status: AnswerStatus, message: str) -> Attempt:
        return failed(status, message, hide=self._hide)

    def _config(self, system: str, schema_text: str, timeout: float) -> Any:  # noqa: ANN401 - the SDK's
        types = self._types
        return self._settings(
            # Milliseconds. The server is told by it, so that it does not go on for nobody.
            http_options=types.HttpOptions(timeout=max(1, round(timeout * 1000))),
            system_instruction=self._said(system),
            response_mime_type="application/json",
            response_json_schema=loads(schema_text),
            should_return_http_response=True,
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
            automatic_continuation=False,
            **self._sent,
        )

    def _said(self, text: str) -> Any:  # noqa: ANN401 - the SDK's
        return self._content(role="user", parts=[self._part(text=text)])


def _quick(model: Any) -> Any:  # noqa: ANN401 - the SDK's
    """Give the SDK's model with a quick answer to what the SDK asks it some ninety times a call.

    ``name in model`` goes through all its fields, and is never so: these are pairs.
    """
    return type(model.__name__, (model,), {"__contains__": lambda _model, _name: False})


class _Refused(Exception):
    """Any HTTP status but 200, before the SDK reads it: some bodies make it stumble."""

    def __init__(self, response: httpx2.Response) -> None:
        super().__init__()
        self.response = response


def _refuse(response: httpx2.Response) -> None:
    response.encoding = "utf-8"  # JSON is; what a header names may be no encoding of text
    if response.status_code != 200:  # noqa: PLR2004 - the only one that brings a reply
        response.read()
        raise _Refused(response)


def _nowhere(request: object) -> Any:  # noqa: ANN401 - it never answers
    raise AssertionError(f"asked asynchronously: {request!r}")


def _sent(params: str) -> dict[str, Any]:
    found = loads(params)
    unknown = sorted(set(found) - set(_PARAMS))
    if unknown:
        raise UsageInvalid(f"{PROVIDER}: no parameter is named {unknown[0]!r}")
    return {_PARAMS[name]: value for name, value in found.items()}


def _check_model(model: str) -> None:
    # The name becomes a part of the address.
    if not model or ".." in model or any(c in "?&#%\\" or not c.isprintable() for c in model):
        raise UsageInvalid(f"{PROVIDER}: {model[:80]!r} is no model's name")


def _credentials(project: str) -> Credentials:
    from google.auth.exceptions import GoogleAuthError

    from gate.adapters.judges.gemini.token import default_credentials

    try:
        return default_credentials([_SCOPE])
    except GoogleAuthError as error:
        raise JudgeUnusable(
            f"{PROVIDER}: no credentials of Google Cloud were found for the project {project!r}: "
            f"{' '.join(str(error).split())[:300]}",
            hint="sign in before this step (GOOGLE_APPLICATION_CREDENTIALS); nothing was asked",
        ) from None


def _hider(key: str | None, credentials: Credentials | None) -> Callable[[str], str]:
    if key is not None:
        return redactor([key])

    def hide(text: str) -> str:
        # The token changes within the hour.
        token = getattr(credentials, "token", None)
        return redactor([token])(text) if isinstance(token, str) else text

    return hide


def _silence() -> None:
    """Let no library log: at some levels they write down headers."""
    import logging

    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
