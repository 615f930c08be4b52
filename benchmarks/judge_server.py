"""A judge on loopback that answers every question alike, after a latency.

    python benchmarks/judge_server.py LATENCY_MS

It prints its port and serves OpenAI's, Anthropic's and Gemini's API until it is ended, and at
``/count`` how many questions it was asked. It is as
cheap as a server can be, so that what is measured is who asks.
"""

from __future__ import annotations

import asyncio
import json
import sys

VERDICT = '{"assessment": "The response gives the value that the reference has.", "rating": 2}'
OPENAI = {
    "model": "judge-2026-07-01",
    "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": VERDICT}}],
    "usage": {"prompt_tokens": 900, "completion_tokens": 30, "total_tokens": 930},
}
ANTHROPIC = {
    "type": "message",
    "model": "judge-2026-07-01",
    "content": [{"type": "text", "text": VERDICT}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 900, "output_tokens": 30},
}
GEMINI = {
    "modelVersion": "judge-2026-07-01",
    "candidates": [
        {"content": {"role": "model", "parts": [{"text": VERDICT}]}, "finishReason": "STOP"}
    ],
    "usageMetadata": {"promptTokenCount": 900, "candidatesTokenCount": 30},
}
_LENGTH = b"content-length:"


def reply_to(head: bytes) -> bytes:
    """Give the whole reply to a request of this head."""
    path = head.split(b" ", 2)[1]
    document = ANTHROPIC if path.endswith(b"/messages") else OPENAI
    body = json.dumps(GEMINI if b":generateContent" in path else document).encode()
    return _whole(body)


def _whole(body: bytes) -> bytes:
    start = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return start.encode() + b"\r\n\r\n" + body


async def serve(latency: float) -> None:
    """Serve until the process is ended."""
    asked = 0

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                if head.startswith(b"GET /count "):
                    writer.write(_whole(str(asked).encode()))
                    continue
                length = head.lower().split(_LENGTH, 1)[1].split(b"\r\n", 1)[0]
                await reader.readexactly(int(length))
                asked += 1
                await asyncio.sleep(latency)
                writer.write(reply_to(head))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1]) / 1000))
