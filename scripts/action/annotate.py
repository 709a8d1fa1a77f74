#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tells GitHub Actions what cuda-opt found: a warning beside each line, the diff on
the page of the run, and the outputs of the step.

usage: annotate.py SARIF DIFF STATUS
"""

import json
import os
import pathlib
import re
import sys
import urllib.parse

MEANINGS = {2: "the command line or a .cuda-opt is wrong",
            3: "a file does not parse, or cannot be read",
            70: "a rewrite was found to be wrong, and was not made: please report it"}


def escape(text, more=""):
    """A value of a workflow command, in which some characters mean something."""
    for character in "%\r\n" + more:
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def find_path(location, bases):
    """The name of a file from the current folder on, if it lies below."""
    base = bases.get(location.get("uriBaseId"), {}).get("uri", "")
    uri = urllib.parse.urljoin(base, location["uri"])
    path = urllib.parse.unquote(uri.removeprefix("file://"))
    return os.path.relpath(path) if os.path.isabs(path) else path


# By the level of a result; GitHub knows three.
COMMANDS = {"error": "error", "note": "notice"}


def is_finding(result):
    """Something that can be had by applying its fix, or that is wrong as it stands."""
    return "fixes" in result or result.get("kind") == "fail" and \
        result.get("level") in ("error", "warning")


def format_command(result, bases):
    place = result["locations"][0]["physicalLocation"]
    region = place.get("region", {})
    properties = {"file": find_path(place["artifactLocation"], bases),
                  "line": region.get("startLine"), "col": region.get("startColumn"),
                  "endLine": region.get("endLine"),
                  "endColumn": region.get("endColumn"),
                  "title": f"cuda-opt: {result['ruleId']}"}
    text = ",".join(f"{name}={escape(str(value), ':,')}"
                    for name, value in properties.items() if value is not None)
    command = COMMANDS.get(result.get("level"), "warning")
    return f"::{command} {text}::{escape(result['message']['text'])}"


def read_findings(sarif):
    commands = []
    for run in json.loads(sarif.read_text())["runs"]:
        bases = run.get("originalUriBaseIds", {})
        commands += [format_command(result, bases) for result in run["results"]
                     if is_finding(result)]
    return commands


def append(variable, text):
    if os.environ.get(variable):
        with open(os.environ[variable], "a", encoding="utf-8") as file:
            file.write(text)


def main():
    sarif, diff, status = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    commands = read_findings(sarif) if sarif.exists() else []
    for command in commands:
        print(command)
    if status not in (0, 1):
        reason = MEANINGS.get(status, f"it ended with {status}")
        print(f"::error title=cuda-opt::{escape(reason)}")
    append("GITHUB_OUTPUT", f"findings={len(commands)}\n"
           f"sarif={sarif if sarif.exists() else ''}\n")
    text = pathlib.Path(diff).read_text(errors="replace")
    if text:
        # No line of a source ends this fence.
        fence = max(re.findall("~+", text), default="", key=len) + "~~~"
        append("GITHUB_STEP_SUMMARY",
               f"### cuda-opt\n\n{fence}diff\n{text}{fence}\n")


if __name__ == "__main__":
    main()
