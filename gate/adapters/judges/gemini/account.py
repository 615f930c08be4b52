"""Who asks Gemini, and where: what the environment and the options say, before any call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.adapters.judges.address import checked_address, key_of
from gate.errors import JudgeUnusable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gate.records.judge_options import JudgeOptions

KEYS: Final = ("GOOGLE_API_KEY", "GEMINI_API_KEY")
"""Where a key is looked for; the first that is not empty is used."""
PROVIDER: Final = "gemini"
GEMINI: Final = "https://generativelanguage.googleapis.com/"
_LOCATION: Final = "global"
_SHORT_LIVED: Final = "auth_tokens/"


class Account(NamedTuple):
    """Who asks, and where: by a key, or as a project of Google Cloud (Vertex)."""

    vertex: bool
    base_url: str | None
    key: str | None
    key_name: str | None
    project: str | None = None
    location: str | None = None

    def __repr__(self) -> str:
        """Say it without the key."""
        where = self.base_url or self.location
        return f"Account({where!r}, project={self.project!r}, key_name={self.key_name!r})"


def base_url(options: JudgeOptions, environ: Mapping[str, str]) -> str | None:
    """Give the address that is asked; ``None`` for Vertex means its own for the location.

    Raises ``UsageInvalid`` for one that a key should not be sent to.
    """
    vertex = _is_vertex(environ)
    variable = "GOOGLE_VERTEX_BASE_URL" if vertex else "GOOGLE_GEMINI_BASE_URL"
    named = options.base_url or environ.get(variable)
    if not named:
        return None if vertex else GEMINI
    source = PROVIDER if options.base_url else f"{PROVIDER} ({variable})"
    return checked_address(named, provider=source).url


def account(options: JudgeOptions, environ: Mapping[str, str]) -> Account:
    """Find out who asks; loads nothing and connects to nothing.

    Vertex is chosen as Google's SDK chooses it, by ``GOOGLE_GENAI_USE_ENTERPRISE`` or
    ``GOOGLE_GENAI_USE_VERTEXAI``. There a project's own credentials are used where a project is
    named and no variable of a key is. Raises ``JudgeUnusable`` where there is no key.
    """
    vertex = _is_vertex(environ)
    address = base_url(options, environ)
    project = environ.get("GOOGLE_CLOUD_PROJECT", "").strip()
    if vertex and project and options.key_env is None:
        location = environ.get("GOOGLE_CLOUD_LOCATION", "").strip() or _LOCATION
        return Account(vertex, address, None, None, project, location)
    names = KEYS if options.key_env is None else (options.key_env,)
    name = next((name for name in names if environ.get(name, "").strip()), None)
    if name is None:
        wanted = " or ".join(names)
        also = ", nor a project in GOOGLE_CLOUD_PROJECT" if vertex else ""
        raise JudgeUnusable(
            f"{PROVIDER}: there is no key in {wanted}{also}",
            hint=f"set {wanted} in the environment of this step; nothing was asked",
        )
    key = key_of(environ, name=name, provider=PROVIDER)
    if key is not None and key.startswith(_SHORT_LIVED):
        raise JudgeUnusable(
            f"{PROVIDER}: {name} holds a short-lived token, which this API does not take",
            hint=f"set {name} to a key of the API",
        )
    return Account(vertex, address, key, name)


def _is_vertex(environ: Mapping[str, str]) -> bool:
    for name in ("GOOGLE_GENAI_USE_ENTERPRISE", "GOOGLE_GENAI_USE_VERTEXAI"):
        if name in environ:
            return environ[name].lower() in {"true", "1"}
    return False
