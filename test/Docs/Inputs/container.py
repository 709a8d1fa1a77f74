"""Builds and runs the image of a Dockerfile without Docker.

Each stage is a folder in which the RUN lines run, their absolute paths changed to it.
What would install packages, or build for minutes, is replaced: the packages are only
looked up, and what is installed comes from a build that is there. Any instruction,
and any copied or named file, that is not known is an error.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess

INSTALL = """\
#!/bin/sh
# Packages are not installed, but must be known, where there is apt at all.
[ "$1" = update ] && exit
for word; do
  case $word in install|-*) continue;; esac
  [ -z "$REAL_APT" ] || "$REAL_APT" show "$word" > /dev/null 2>&1 ||
    { echo "unknown package $word"; exit 1; }
  echo "package $word" >> "$PACKAGES"
done
"""
PACKAGE = """\
#!/bin/bash
# What scripts/package makes an archive of is built already.
set -eu
for component in Tool Runtime; do
  "$REAL_CMAKE" --install "$BUILD" --component $component --prefix made/cuda-opt \
    > /dev/null
done
mkdir dist
tar -czf dist/cuda-opt-0.tar.gz -C made cuda-opt
"""
PYTHON = """\
#!/bin/bash
# pip makes the folders that NVIDIA's wheels have.
set -eu
[ "$1 $2" = "-m pip" ]
while [ $# -gt 0 ] && [ "$1" != --target ]; do shift; done
[ $# -gt 0 ] || exit 0
mkdir -p "$2/nvidia/cu13/bin" "$2/nvidia/cu13/lib"
"""
STUBS = {"apt-get": INSTALL, "python3": PYTHON,
         "dpkg-query": "#!/bin/sh\n", "id": "#!/bin/sh\necho 0\n",
         "apt-cache": "#!/bin/sh\n[ -z \"$REAL_APT\" ] || exec \"$REAL_APT\" \"$@\"\n"}


class Stage:
    def __init__(self, folder, base):
        self.root, self.base = folder, base
        self.work, self.environment = "/", {}
        self.root.mkdir(parents=True)

    def place(self, path):
        return self.root / os.path.join(self.work, path).lstrip("/")


class Image:
    def __init__(self, context, scratch, build):
        self.context, self.scratch = pathlib.Path(context), pathlib.Path(scratch)
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.tools = self.scratch / "tools"
        self.tools.mkdir(parents=True)
        for name, text in STUBS.items():
            (self.tools / name).write_text(text)
            (self.tools / name).chmod(0o755)
        self.packages = self.scratch / "packages"
        self.packages.write_text("")
        self.environment = {
            "PATH": f"{self.tools}:{os.environ['PATH']}", "BUILD": str(build),
            "PACKAGES": str(self.packages), "REAL_CMAKE": shutil.which("cmake"),
            "REAL_APT": shutil.which("apt-cache") or ""}
        self.stages = {}
        self.stage = None
        text = (self.context / "Dockerfile").read_text()
        lines = re.sub(r"(?m)^\s*#.*\n", "", text).replace("\\\n", " ").splitlines()
        for line in filter(None, lines):
            word, _, rest = line.partition(" ")
            getattr(self, f"do_{word}")(rest.strip())

    def do_FROM(self, rest):
        base, _, name = rest.partition(" AS ")
        name = name or "image"
        self.stage = Stage(self.scratch / name, base)
        self.stages[name] = self.stage

    def do_SHELL(self, rest):
        assert rest == '["/bin/bash", "-euo", "pipefail", "-c"]', rest

    def do_WORKDIR(self, rest):
        self.stage.work = rest
        self.stage.place(".").mkdir(parents=True)

    def do_ENV(self, rest):
        for pair in shlex.split(rest):
            name, _, value = pair.partition("=")
            self.stage.environment[name] = value

    def do_RUN(self, rest):
        root = str(self.stage.root)
        script = re.sub(r"(?<=[\s=])/(?=\w)", f"{root}/", rest)
        subprocess.run(["bash", "-euo", "pipefail", "-c", script], check=True,
                       cwd=self.stage.place("."), env=self.environment)

    def do_COPY(self, rest):
        words = rest.split()
        root = self.context
        if words[0].startswith("--from="):
            root = self.stages[words.pop(0).removeprefix("--from=")].root
        source, target = root / words[0].lstrip("/"), self.stage.place(words[1])
        assert source.exists(), f"COPY {rest}: there is no {source}"
        if source.is_file():
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
        else:
            shutil.copytree(source, target, dirs_exist_ok=True, symlinks=True,
                            ignore=self.ignored)
            if (target / "scripts/package").exists():
                (target / "scripts/package").write_text(PACKAGE)

    def ignored(self, folder, names):
        """What .dockerignore names, which are entries of the context."""
        if pathlib.Path(folder) != self.context:
            return []
        patterns = (self.context / ".dockerignore").read_text().split()
        return [name for name in names
                if any(re.fullmatch(p.strip("/").replace("*", ".*"), name)
                       for p in patterns)]

    def run(self, command, toolkit, folder):
        """Runs a command in the image, with another toolkit than the empty one."""
        environment = dict(self.stage.environment)
        path = environment["PATH"].replace("$PATH", os.environ["PATH"])
        assert environment["CUDA_PATH"] == "/opt/cuda", environment
        environment["PATH"] = path.replace("/opt/cuda-opt", str(
            self.stage.root / "opt/cuda-opt")).replace("/opt/cuda/", f"{toolkit}/")
        environment["CUDA_PATH"] = str(toolkit)
        environment["CUDAOPT_CACHE_DIR"] = ""
        return subprocess.run(command, cwd=folder, env=environment, check=False,
                              stderr=subprocess.STDOUT).returncode
