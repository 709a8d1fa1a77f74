"""Checks what SARIF 2.1.0 demands of a log with one run, and that its fixes,
applied, give another file: check-sarif.py LOG SOURCE [EXPECTED].

Section numbers are those of the standard."""

import json
import re
import sys
from urllib.parse import unquote, urlparse

log = json.load(open(sys.argv[1]))
assert log["version"] == "2.1.0"  # 3.13.2
assert log["$schema"].endswith("sarif-schema-2.1.0.json")  # 3.13.3
(run,) = log["runs"]  # 3.13.4
driver = run["tool"]["driver"]  # 3.18.2
assert driver["name"] == "cuda-opt" and driver["version"]  # 3.19.8
assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")  # 3.14.27
rules = driver["rules"]
identifiers = [rule["id"] for rule in rules]
assert len(set(identifiers)) == len(identifiers)  # 3.49.3
for rule in rules:
    assert re.fullmatch(r"[a-z0-9-]+", rule["id"])
    assert rule["fullDescription"]["text"]  # 3.49.10
    assert rule.get("help", {"text": "x"})["text"]  # 3.49.11
bases = run["originalUriBaseIds"]  # 3.14.14
assert all(base["uri"].endswith("/") for base in bases.values())

lines = open(sys.argv[2], newline="").read().splitlines(keepends=True)


def path_of(location):  # 3.4
    uri = location["uri"]
    if "uriBaseId" in location:
        assert not urlparse(uri).scheme
        uri = bases[location["uriBaseId"]]["uri"] + uri
    assert urlparse(uri).scheme == "file"
    return unquote(urlparse(uri).path)


def offset_of(line, column):  # 3.30.5: lines and columns from 1
    assert line >= 1 and column >= 1
    return sum(map(len, lines[: line - 1])) + column - 1


for artifact in run["artifacts"]:
    path_of(artifact["location"])
kinds = ("notApplicable", "pass", "fail", "review", "open", "informational")
fingerprints = set()
edits = []
for result in run["results"]:
    assert result["message"]["text"]  # 3.27.11
    assert identifiers[result["ruleIndex"]] == result["ruleId"]  # 3.27.5, 6
    assert result["kind"] in kinds  # 3.27.9
    assert (result["kind"] == "fail") == (result["level"] != "none")  # 3.27.10
    assert result["level"] in ("none", "note", "warning", "error")
    fingerprints.add(result["partialFingerprints"]["cudaOptSite/v1"])
    (location,) = result["locations"]
    physical = location["physicalLocation"]
    path_of(physical["artifactLocation"])
    region = physical["region"]
    begin = offset_of(region["startLine"], region["startColumn"])
    end = offset_of(region.get("endLine", region["startLine"]), region["endColumn"])
    assert 0 <= begin < end  # 3.30
    for fix in result.get("fixes", []):  # 3.55
        assert fix["description"]["text"]
        for change in fix["artifactChanges"]:  # 3.56
            path_of(change["artifactLocation"])
            for each in change["replacements"]:  # 3.57
                where = each["deletedRegion"]
                edits.append((
                    offset_of(where["startLine"], where["startColumn"]),
                    offset_of(where["endLine"], where["endColumn"]),
                    each["insertedContent"]["text"]))
text = "".join(lines)
for begin, end, new in sorted(edits, reverse=True):
    text = text[:begin] + new + text[end:]
if len(sys.argv) > 3:
    assert edits and text == open(sys.argv[3], newline="").read()
print(len(run["results"]), "results,", len(edits), "replacements,",
      len(fingerprints), "fingerprints")
