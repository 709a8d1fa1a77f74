# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the documents print. Document 003's figures are in levelize/paper_figures.hpp,
document 004 prints none but in pictures."""

# Document 000, table III and section IV-B: a Jetson TK1.
PRODUCT = {
    "instructions": (27030952, 28070952),
    "seconds": (6.5, 5.0),
    "joules": (5.2, 4.0),
    "shared bytes more": 808,
}

# Document 001, table I: bytes of a block without and with its scheme, by the example
# and its kernel.
BYTES = {
    ("denoise", "denoise"): (6220, 3916),
    ("segmentation", "evolve"): (4940, 3084),
    ("registration", "relax"): (13596, 13596),
}

# Document 001, tables II and III: microseconds on a Quadro FX 5600 by the size.
MICROSECONDS = {
    "denoise": {16: (25.2, 19.53), 32: (74.89, 60.96), 64: (390.7, 319.59),
                128: (3033.3, 2532.85)},
    "segmentation": {64: (35.3, 22.14), 128: (39, 27.39), 256: (70.5, 61.2),
                     512: (185, 181.76)},
}
