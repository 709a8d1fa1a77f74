"""Prints the width and height of a PNG file, if its sums and its size are right."""

import struct
import sys
import zlib

data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n", "signature"
chunks, at = [], 8
while at < len(data):
    (size,) = struct.unpack(">I", data[at : at + 4])
    content = data[at + 4 : at + 8 + size]
    (crc,) = struct.unpack(">I", data[at + 8 + size : at + 12 + size])
    assert zlib.crc32(content) == crc, "sum of a chunk"
    chunks.append((content[:4], content[4:]))
    at += 12 + size
assert [kind for kind, _ in chunks] == [b"IHDR", b"IDAT", b"IEND"], "chunks"
width, height = struct.unpack(">II", chunks[0][1][:8])
pixels = zlib.decompress(chunks[1][1])
assert len(pixels) == height * (1 + 3 * width), "size"
print(f"picture of {width} x {height}")
