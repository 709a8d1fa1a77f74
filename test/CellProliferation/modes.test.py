"""Checks that a plot is an SVG file with three curves and their names."""

import sys
import xml.etree.ElementTree as tree

root = tree.parse(sys.argv[1]).getroot()
assert root.tag == "{http://www.w3.org/2000/svg}svg"
assert len(root.findall("{*}polyline")) == 3
texts = [text.text for text in root.findall("{*}text")]
assert {"measured", "simulated", "expected", "fluorescence"} <= set(texts)
