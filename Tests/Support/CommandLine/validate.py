"""Validates lines of JSON that commands print against docs/command-line.schema.json.

Reads `[definition, line]` pairs as JSON from the file $LINES, and the schema from $SCHEMA. Stricter than the schema: a
member that it does not describe, and a text that is not among its examples, is an error, so that it stays complete.
"""

import json
import os
import sys

from jsonschema import Draft202012Validator

# Their values are schemas by name.
NAMED = ("properties", "$defs")


def strict(schema):
    if not isinstance(schema, dict):
        return [strict(each) for each in schema] if isinstance(schema, list) else schema
    result = {
        key: {name: strict(each) for name, each in value.items()} if key in NAMED else strict(value)
        for key, value in schema.items()
    }
    if "properties" in schema:
        result.setdefault("additionalProperties", False)
    if "examples" in schema:
        result["enum"] = schema["examples"]
    return result


with open(os.environ["SCHEMA"]) as file:
    schema = json.load(file)
Draft202012Validator.check_schema(schema)
schema = strict(schema)
del schema["anyOf"]
with open(os.environ["LINES"]) as file:
    pairs = json.load(file)
wrong = 0
for definition, line in pairs:
    if definition not in schema["$defs"]:
        wrong += 1
        print(f"{definition} is not defined")
        continue
    validator = Draft202012Validator(
        schema | {"$ref": f"#/$defs/{definition}"}, format_checker=Draft202012Validator.FORMAT_CHECKER
    )
    for error in validator.iter_errors(json.loads(line)):
        wrong += 1
        print(f"{definition}: {error.json_path}: {error.message}")
sys.exit(1 if wrong else 0)
