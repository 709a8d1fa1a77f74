"""check_action.py CASE ROOT TOOLS TOOLKIT FOLDER: runs action.yml of ROOT, as GitHub
does, in a repository that it makes in FOLDER."""

import pathlib
import shutil
import subprocess
import sys
import zipfile

from project import KERNEL, Project, make_environment
from workflow import Runner

case, root, tools, toolkit, folder = sys.argv[1:6]
work = pathlib.Path(folder)
shutil.rmtree(work, ignore_errors=True)
project = Project(work / "project")


def act(base="", environment=None, **inputs):
    """Runs the action and prints what it returns."""
    runner = Runner(project.folder, work / "runner", root,
                    environment or make_environment(tools, toolkit), base)
    code, outputs = runner.act(
        {name.replace("_", "-"): value for name, value in inputs.items()})
    print(f"code {code}, outputs {outputs}", flush=True)
    summary = (work / "runner/github_step_summary").read_text()
    print(*(f"summary: {line}" for line in summary.splitlines()), sep="\n")


def find():
    act(flags="-arch=sm_90")


def allow():
    act(flags="-arch=sm_90", fail="false")


def fix():
    act(flags="-arch=sm_90", fix="true")
    print(project.git("diff", "-U0", "--", "*.cu"))
    project.commit()
    act(flags="-arch=sm_90")


def baseline():
    """What is known is silent, and a new kernel is not."""
    runner = Runner(project.folder, work / "runner", root,
                    make_environment(tools, toolkit))
    runner.command("cuda-opt --check --write-baseline=known.sarif src/a.cu -- "
                   "-arch=sm_90 || [ $? = 1 ]", {})
    act(flags="-arch=sm_90", baseline="known.sarif")
    project.write("src/b.cu", KERNEL.replace("transpose", "turn"))
    project.commit()
    act(flags="-arch=sm_90", baseline="known.sarif")


def clone(*words):
    """A checkout of what is in work/origin."""
    shutil.rmtree(project.folder, ignore_errors=True)
    subprocess.run(["git", "clone", "-q", *words, f"file://{work}/origin",
                    project.folder], check=True)


def request():
    """A pull request with another kernel. The branch that it goes to changes after
    GitHub has merged the two."""
    project.git("checkout", "-qb", "topic")
    project.write("src/b.cu", KERNEL.replace("transpose", "turn"))
    project.commit()
    project.git("checkout", "-qb", "merged", "main")
    project.git("merge", "-q", "--no-ff", "-m", "Merge", "topic")
    project.git("checkout", "-q", "main")
    project.edit("src/a.cu", "int x", "unsigned x")
    project.commit()
    project.folder.rename(work / "origin")
    clone("--depth=1", "--branch=merged")
    act(base="main", flags="-arch=sm_90")
    clone("--branch=topic")
    act(base="main", flags="-arch=sm_90")
    # Nothing tells that the change of a.cu is another one's.
    clone("--depth=1", "--branch=topic")
    act(base="main", flags="-arch=sm_90")


def names():
    """Names of files that mean something to a shell, an option parser, GitHub."""
    project.git("rm", "-q", "src/a.cu")
    for name in ("-i.cu", "a, b: 100%.cu", "$(touch x).cu"):
        project.write(name, KERNEL)
    project.commit()
    act(flags="-arch=sm_90")
    print(sorted(p.name for p in project.folder.iterdir()))


def broken():
    project.write("src/b.cu", '#include "absent.h"\n')
    project.commit()
    act(flags="-arch=sm_90", fail="false")


def wrong():
    project.write("cuda-opt.sarif", "of an earlier run")
    act(options="--laout=xor", fail="false")
    act(build="build", flags="-arch=sm_90")


def hostile():
    """A line that GitHub would take for a command, and one that would end a fence."""
    project.edit("src/a.cu", "  int x", "/*\n::error::mine\n~~~~\n*/\n  int x")
    act(flags="-arch=sm_90")


def nothing():
    act(files="*.cuda lib/*.cu")


def make_wheel(path):
    """A wheel whose program calls the one in TOOLS."""
    record, data = [], f"cuda_opt-{version}.data/scripts/cuda-opt"
    information = f"cuda_opt-{version}.dist-info"
    texts = {data: f'#!/bin/sh\nexec "{tools}/cuda-opt" "$@"\n',
             f"{information}/METADATA":
                 f"Metadata-Version: 2.1\nName: cuda-opt\nVersion: {version}\n",
             f"{information}/WHEEL":
                 "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
             f"{information}/RECORD": ""}
    with zipfile.ZipFile(path, "w") as wheel:
        for name, text in texts.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = 0o100755 << 16
            wheel.writestr(entry, text)


def install():
    """No cuda-opt in PATH, but a wheel of this version in a folder."""
    global version
    text = pathlib.Path(root, "CMakeLists.txt").read_text()
    version = text.split("project(CudaOpt VERSION ")[1].split()[0]
    (work / "wheels").mkdir()
    make_wheel(work / f"wheels/cuda_opt-{version}-py3-none-any.whl")
    environment = make_environment("/none", toolkit)
    act(environment=dict(environment), flags="-arch=sm_90")
    act(environment=dict(environment), flags="-arch=sm_90",
        wheels=str(work / "wheels"))


globals()[case]()
