"""What Gemini is asked and what it says: the honest reply, and errors as it spells them."""

import json
import re
from typing import NamedTuple

MODEL_VERSION = "gemini-fake-001"
PART = re.compile(r"<(\w+)-([0-9a-f]{32})>\n(.*?)\n</\1-\2>", re.DOTALL)
NUMBERED = re.compile(r"(\d+): (.*)")


class Asked(NamedTuple):
    """One request as it came; header names in lower case."""

    path: str
    headers: dict
    body: dict

    @property
    def prompt(self):
        return self.body["contents"][0]["parts"][0]["text"]

    @property
    def config(self):
        return self.body.get("generationConfig", {})

    @property
    def parts(self):
        return {name: text for name, _, text in PART.findall(self.prompt)}


def honest(asked):
    """Grade by plain sight: what occurs in the response part as words of its own is right."""
    response = asked.parts.get("response", "")
    reference = asked.parts.get("reference", "")
    if "elements" not in asked.config["responseJsonSchema"]["properties"]:
        found = occurs(reference, response)
        said = "the reference stands in it" if found else "the reference does not stand in it"
        return json.dumps({"assessment": said, "rating": 2 if found else 0})
    elements = []
    for number, text in NUMBERED.findall(reference):
        found = occurs(plain(text), response)
        elements.append(
            {
                "depends_on_primary": False,
                "index": int(number),
                "reason": "found" if found else "not found",
                "score": 1.0 if found else 0.0,
            }
        )
    return json.dumps({"elements": elements, "primary_entity_correct": True, "primary_index": 0})


def plain(text):
    """Give a golden element without the quotation marks of JSON."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, str) else text


def occurs(text, within):
    wanted = text.strip()
    if not wanted:
        return False
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", within, re.IGNORECASE) is not None


def reply(text, *, finish="STOP", parts=None, **more):
    """Give the body of a reply that says ``text``."""
    said = parts if parts is not None else [{"text": text}]
    content = {"content": {"parts": said, "role": "model"}} if text is not None or parts else {}
    return {
        "candidates": [{**content, "finishReason": finish, "index": 0}],
        "usageMetadata": {
            "promptTokenCount": 120,
            "candidatesTokenCount": 30,
            "thoughtsTokenCount": 45,
            "totalTokenCount": 195,
        },
        "modelVersion": MODEL_VERSION,
        "responseId": "r-1",
        **more,
    }


def refusal(code, status, message, *details):
    return {"error": {"code": code, "message": message, "status": status, "details": details}}


def retry_info(delay):
    return {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}


def error_info(reason):
    return {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": reason,
        "domain": "googleapis.com",
    }


def quota(identity):
    violation = {"quotaMetric": "generate_content_requests", "quotaId": identity}
    return {
        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
        "violations": [violation],
    }
