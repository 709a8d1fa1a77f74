# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What figures are about: files, or what a program makes in memory.

An input is a dictionary. A file has `file`, `bytes` and `sha256`, and one that a
command made also `generator`, the command, and `seed`. What a program makes in memory,
where nobody hashes it, has as `generator` the source that makes it, with the `arguments`
of the program and the `bytes` and `sha256` of that source: `is_source`."""

import hashlib
import pathlib


def hash_file(path):
    """Returns the size and the SHA-256 of a file."""
    content = pathlib.Path(path).read_bytes()
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def name_of(path, root):
    """Returns the path in the repository, or the bare name of a file outside."""
    path = pathlib.Path(path).resolve()
    return str(path.relative_to(root)) if path.is_relative_to(root) else path.name


def from_file(path, root, **more):
    return {"file": name_of(path, root), **hash_file(path), **more}


def from_source(path, root, arguments="", seed=None):
    """Returns the input that the program of this source makes."""
    made = {"generator": name_of(path, root), "arguments": arguments,
            **hash_file(path), "is_source": True}
    return made if seed is None else {**made, "seed": seed}


def describe(found):
    """Returns the name, the arguments and the hash in a line."""
    name = found.get("file") or f"made by {found['generator']}"
    return " ".join(filter(None, [name, found.get("arguments"), found.get("sha256")]))


def data_of(inputs):
    """Returns the hashes of the data. Those of sources change for other reasons, too."""
    return sorted(i["sha256"] for i in inputs if not i.get("is_source"))
