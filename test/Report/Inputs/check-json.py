"""Checks JSON reports against docs/report.schema.json, which must name every
field that they have: check-json.py SCHEMA REPORT..."""

import json
import sys

import jsonschema


def forbid_more(schema):
    """Makes fields that the schema does not name an error."""
    if isinstance(schema, dict):
        if schema.get("type") == "object" and "properties" in schema:
            schema["additionalProperties"] = False
        for value in schema.values():
            forbid_more(value)
    elif isinstance(schema, list):
        for value in schema:
            forbid_more(value)


schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
forbid_more(schema)
for path in sys.argv[2:]:
    jsonschema.validate(json.load(open(path)), schema)
print(len(sys.argv) - 2, "reports are valid")
