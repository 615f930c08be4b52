"""The same judge as a program that is started for each question: a text in, a JSON object out."""

import json
import sys

from worker import verdict

prompt = sys.stdin.read()
schema = json.loads(prompt.rpartition("The JSON Schema of the reply: ")[2])
print(json.dumps(verdict(prompt, schema)))
