# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The flags that a makefile gives its compiler, read without running make."""

import os
import re


class Makefile:
    """What can be known of a makefile without running make."""

    ASSIGNMENT = re.compile(r"\s*(?:export\s+)?(\w+)\s*(::?|\?|\+)?=\s*(.*)")
    CONDITION = re.compile(r"\s*(ifn?eq)\s*\(([^,]*),(.*)\)\s*$")
    DEFINED = re.compile(r"\s*(ifn?def)\s+(\w+)")
    RULE = re.compile(r"([^\s:#][^:=]*):(?!=)")
    FLAG = re.compile(
        r"(?<!\S)-(?:(I)\s*|(D)|std=(?=c\+\+|gnu\+\+))([\w./+=,-]+)(?!\S)")

    def __init__(self, path):
        self.folder = path.parent
        self.values = {}
        self.texts = []  # Where flags may be.
        text = path.read_text(errors="replace").replace("\\\n", " ")
        self.read(text.splitlines())

    def expand(self, text):
        for _ in range(8):
            new = re.sub(r"\$[({](\w+)[)}]",
                         lambda name: self.values.get(name[1], ""), text)
            if new == text:
                break
            text = new
        return text

    def holds(self, line):
        """The truth of a conditional line; None for any other line."""
        if match := self.CONDITION.match(line):
            same = (self.expand(match[2]).strip()
                    == self.expand(match[3]).strip())
            return same == (match[1] == "ifeq")
        if match := self.DEFINED.match(line):
            return (match[2] in self.values) == (match[1] == "ifdef")
        return None

    def read(self, lines):
        conditions, uses_recipe, seen_rule = [], True, False
        for line in lines:
            word = line.split()[0] if line.split() else ""
            truth = self.holds(line)
            if truth is not None:
                conditions.append(truth)
            elif word == "else" and conditions:
                conditions[-1] = not conditions[-1]
            elif word == "endif" and conditions:
                conditions.pop()
            elif not all(conditions):
                continue
            elif match := self.ASSIGNMENT.match(line):
                self.assign(*match.groups())
            elif line.startswith("\t"):
                if uses_recipe:
                    self.texts.append(line)
            elif match := self.RULE.match(line):
                # Targets after the first, as debug or clean, are variants.
                uses_recipe = not seen_rule or not match[1].strip().isalnum()
                seen_rule |= not match[1].startswith(".")

    def assign(self, name, kind, value):
        value = value.split("#")[0].strip()
        if kind == "?":
            self.values.setdefault(name, value)
        elif kind == "+":
            self.values[name] = f"{self.values.get(name, '')} {value}"
        else:
            self.values[name] = value

    def flags(self):
        result = {}
        for text in (*self.values.values(), *self.texts):
            for folder, macro, value in self.FLAG.findall(self.expand(text)):
                if folder:
                    path = os.path.normpath(self.folder / value)
                    result.setdefault(("I", path), f"-I{path}")
                elif macro:
                    result.setdefault(("D", value.split("=")[0]), f"-D{value}")
                else:
                    result.setdefault(("std",), f"-std={value}")
        return result
