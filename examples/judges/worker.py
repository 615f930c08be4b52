"""A judge as a worker: it speaks the protocol, and grades by plain rules instead of a model.

Standard library only. Call a model of yours in ``verdict`` and keep the rest.
"""

import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

HELLO = {"protocol": 1, "name": "plain-rules", "version": "1", "concurrency": 4}
OUTPUT = Lock()
LIST = re.compile(r"\[([^\[\]]*)\]")
ITEM = re.compile(r"\"[^\"]*\"|'[^']*'|[^,\"']+(?:,\d{3}\b)*")
NUMBER = re.compile(r"([+-]?[\d,]*\.?\d+)\s*(?:°\s*([NESW])?|[^\W\d]+[²³]?)?")


def main():
    """Say hello, then answer every line of the standard input until there is none."""
    print(json.dumps({"hello": HELLO}), flush=True)
    with ThreadPoolExecutor(HELLO["concurrency"]) as pool:
        for line in sys.stdin:
            pool.submit(answer, json.loads(line))


def answer(request):
    """Write one line for one request: a verdict, or what went wrong."""
    reply = {"id": request["id"]}
    try:
        reply["json"] = verdict(request["prompt"], request["schema"])
    except Exception as error:  # noqa: BLE001 - somebody waits for a reply, whatever went wrong
        reply["error"] = {"kind": "server", "retryable": True, "message": repr(error)}
    with OUTPUT:  # lines of two threads must not mix
        print(json.dumps(reply), flush=True)


def verdict(prompt, schema):
    """Grade the response that ``prompt`` holds, in the form that ``schema`` asks for."""
    parts = parts_of(prompt)
    if "better" in schema["properties"]:
        return by_comparison(parts["reference"], parts["response_1"], parts["response_2"])
    grade = by_elements if "elements" in schema["properties"] else by_reference
    return grade(parts["reference"], parts["response"])


def parts_of(prompt):
    """Take the parts out of their tags: all bear one suffix, which no part can contain."""
    suffix = re.search(r"^<query-([0-9a-f]{32})>$", prompt, re.MULTILINE)[1]
    found = re.findall(rf"<(\w+)-{suffix}>\n(.*?)\n</\1-{suffix}>", prompt, re.DOTALL)
    return dict(found)


def by_elements(reference, response):
    """Score each golden element; the reference has one a line, such as ``1: "Paris"``."""
    golden = [json.loads(line.partition(": ")[2]) for line in reference.splitlines()]
    given = items_of(response, len(golden))
    elements = [
        {
            "depends_on_primary": False,
            "index": index,
            "reason": f"{got or 'nothing'} for {wanted}",
            "score": credit(wanted, got),
        }
        for index, (wanted, got) in enumerate(zip(golden, given, strict=True), 1)
    ]
    # Plain rules do not know what a query is about: no element is the primary one.
    return {"elements": elements, "primary_entity_correct": True, "primary_index": 0}


def items_of(response, count):
    """Give the ``count`` items of the last bracketed list; all empty if it has not so many."""
    lists = LIST.findall(response)
    items = [item.strip(" \n\"'") for item in ITEM.findall(lists[-1])] if lists else []
    items = [item for item in items if item]
    return items if len(items) == count else [""] * count


def credit(wanted, got):
    """Give 1 for the same name, with up to two words more, or for a number within 1 %.

    A number earns less the further off it is, from 50 % on nothing; its unit is not looked at.
    """
    if isinstance(wanted, bool) or not isinstance(wanted, (int, float)):
        missing, added = words(wanted) - words(got), words(got) - words(wanted)
        return 1.0 if got and not missing and len(added) <= 2 else 0.0
    found = NUMBER.fullmatch(got.replace("−", "-"))
    if not found:
        return 0.0
    number = float(found[1].replace(",", "")) * (-1 if found[2] in {"S", "W"} else 1)
    off = abs(number - wanted) / (abs(wanted) or 1)
    return 1.0 if off <= 0.01 else round(max(0.0, 1 - 2 * off), 3)


def by_reference(reference, response):
    """Rate 2 where all words of the reference occur in the response, 1 for half of them."""
    wanted, said = words(reference), words(response)
    share = len(wanted & said) / len(wanted) if wanted else 0.0
    assessment = f"The response holds {share:.0%} of the words of the reference."
    return {"assessment": assessment, "rating": 2 if share == 1 else int(2 * share)}


def by_comparison(reference, first, second):
    """Say which of two responses is better by their ratings: an audit of the judge asks that."""
    one, two = (by_reference(reference, response)["rating"] for response in (first, second))
    better = 0 if one == two else 1 if one > two else 2
    return {"assessment": f"By their ratings: {one} and {two}.", "better": better}


def words(value):
    """Give the words of a text, in small letters."""
    return frozenset(re.findall(r"\w+", str(value).casefold()))


if __name__ == "__main__":
    main()
