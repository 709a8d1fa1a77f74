# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that are either as they were or as they shall be, never in between."""

import os
import pathlib
import tempfile


def replace(path, text):
    """Puts the text in the place of the file's."""
    path = pathlib.Path(path)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".new-") as folder:
        new = pathlib.Path(folder) / path.name
        new.write_text(text, newline="")
        os.replace(new, path)


def replace_all(new, folder):
    """Moves the files of a folder into another one of the same file system. What that
    one had besides is removed last."""
    folder.mkdir(parents=True, exist_ok=True)
    names = {path.name for path in new.iterdir()}
    for path in new.iterdir():
        os.replace(path, folder / path.name)
    for old in folder.iterdir():
        if old.name not in names and old.is_file():
            old.unlink()
