"""Checks that pages are well-formed, have nothing that must be fetched or run,
and that their links lead somewhere: check-html.py PAGE..."""

import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "input", "link", "path", "rect", "circle"}
FORBIDDEN = {"script", "link", "img", "iframe", "object", "embed", "base"}


class Checker(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.pictures = [], set(), set(), 0
        self.titles = 0

    def handle_starttag(self, tag, attributes, closes_itself=False):
        assert tag not in FORBIDDEN, tag
        for name, value in attributes:
            assert not name.startswith("on"), name
            assert name not in ("src", "srcset", "action"), name
            if name == "id":
                assert value not in self.ids, value
                self.ids.add(value)
            if name == "href":
                assert value.startswith("#"), value
                self.links.add(value[1:])
        if tag == "svg" and ("role", "img") in attributes:
            self.pictures += 1
        if tag == "title" and "svg" in self.open and self.open[-1] == "svg":
            self.titles += 1
        if tag not in VOID and not closes_itself:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes, closes_itself=True)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.getpos())


for path in sys.argv[1:]:
    text = open(path, encoding="utf-8").read()
    assert text.startswith("<!DOCTYPE html>\n")
    assert not re.search(r"@import|javascript:", text)
    assert set(re.findall(r"url\(([^)]*)\)", text)) <= {"#cells"}  # Of our own page.
    checker = Checker()
    checker.feed(text)
    checker.close()
    assert not checker.open, checker.open
    assert checker.links <= checker.ids, checker.links - checker.ids
    # Every picture says in words what it shows.
    assert checker.pictures == checker.titles
    print(len(text), "characters,", checker.pictures, "pictures,",
          len(checker.links), "links")
